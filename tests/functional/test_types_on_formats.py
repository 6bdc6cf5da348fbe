"""A column of each Spark type that decoders return, also within arrays, on each table format: a
second run, which changes one row and adds others, compares, merges and appends what the first
wrote."""

import json
import re
from base64 import b64encode
from datetime import date, datetime
from decimal import Decimal

import pytest

from afterimage.invoke import working_in
from afterimage.model_yaml import write_models
from tests.functional.project import LAYERS, DbtFailed
from tests.functional.test_table_format import CONNECTORS, types_of_columns

LINE = b"\x01\x01\x00\x00\x00" + b"\x00" * 16
OTHER_LINE = LINE[:-1] + b"\x40"


def base64(octets: bytes) -> str:
    return b64encode(octets).decode()


def shape(wkb: bytes, srid: int | None) -> dict:
    return {"srid": srid, "wkb": base64(wkb)}


# a source type of PostgreSQL for each Spark type: two literals, and the expected reading of each
TYPES = {
    "smallint": [(1, 1), (-32768, -32768)],
    "int": [(2, 2), (2**31 - 1, 2**31 - 1)],
    "bigint": [(3, 3), (2**63 - 1, 2**63 - 1)],
    "boolean": [(True, True), (False, False)],
    "real": [(1.5, 1.5), (-0.25, -0.25)],
    "double precision": [(0.1, 0.1), (1e300, 1e300)],
    "numeric(9,2)": [(base64(b"\x04\xd2"), Decimal("12.34")), (base64(b"\xff"), Decimal("-0.01"))],
    "numeric(38,10)": [
        (base64(b"\x01"), Decimal("0.0000000001")),
        (base64((10**38 - 1).to_bytes(16, "big")), Decimal(f"{'9' * 28}.{'9' * 10}")),
    ],
    "text": [("é", "é"), ("", "")],
    "date": [(19782, date(2024, 2, 29)), (-719162, date(1, 1, 1))],
    "timestamp(6)": [
        (1_709_210_096_789_012, datetime(2024, 2, 29, 12, 34, 56, 789012)),
        (0, datetime(1970, 1, 1)),
    ],
    "timestamptz": [
        ("2024-02-29T12:34:56.789012Z", datetime(2024, 2, 29, 12, 34, 56, 789012)),
        ("1969-12-31T23:59:59.999999Z", datetime(1969, 12, 31, 23, 59, 59, 999999)),
    ],
    "bytea": [(base64(b"\x00\xff"), b"\x00\xff"), ("", b"")],
    "point": [
        ({"x": 1.5, "y": -2.0}, {"x": 1.5, "y": -2.0}),
        ({"x": 0.0, "y": 0.5}, {"x": 0.0, "y": 0.5}),
    ],
    "geometry": [
        (shape(LINE, 4326), {"srid": 4326, "wkb": LINE}),
        (shape(OTHER_LINE, None), {"srid": None, "wkb": OTHER_LINE}),
    ],
    "vector(2)": [([1.5, 2.0], [1.5, 2.0]), ([-0.5, 0.0], [-0.5, 0.0])],
    "sparsevec(5)": [
        (
            {"dimensions": 5, "vector": [[1, 0.5]]},
            {"dimensions": 5, "values": [{"index": 1, "value": 0.5}]},
        ),
        ({"dimensions": 5, "vector": []}, {"dimensions": 5, "values": []}),
    ],
}
# of MySQL, which has no arrays
TYPES_OF_MYSQL = {
    "point": [
        (
            {"x": x, "y": 0.0, "wkb": base64(line), "srid": None},
            {"x": x, "y": 0.0, "srid": None, "wkb": line},
        )
        for x, line in ((1.5, LINE), (0.5, OTHER_LINE))
    ],
    "bigint unsigned": [(1, Decimal(1)), (-1, Decimal(2**64 - 1))],
}


def columns_of(types: dict, arrays: bool) -> dict[str, tuple[str, list, list]]:
    """Name → source type, literals and values: of the first run, of the second, and none."""
    found = {}
    for number, (kind, told) in enumerate(types.items()):
        literals, values = ([pair[at] for pair in told] for at in (0, 1))
        found[f"c{number}"] = (kind, [*literals, None], [*values, None])
        if arrays:
            found[f"a{number}"] = (
                f"{kind}[]",
                [[literals[0], None], literals, []],
                [[values[0], None], values, []],
            )
    return found


TABLES = {
    "pg": ("postgresql", columns_of(TYPES, arrays=True)),
    "my": ("mysql", columns_of(TYPES_OF_MYSQL, arrays=False)),
}


def change(table: str, offset: int, op: str, id_: int, at: int) -> dict:
    """`at`: which of its columns' literals a row has."""
    source = {"name": "t", "table": table, "snapshot": "false", "ts_ms": 1000 + offset}
    source |= {"lsn": 100 + offset, "txId": offset, "schema": "p"} if table == "pg" else {}
    source |= {"file": "b.000001", "pos": 100 + offset, "row": 0} if table == "my" else {}
    after = {name: literals[at] for name, (_, literals, _) in TABLES[table][1].items()}
    value = {"op": op, "before": None, "after": {"id": id_} | after, "source": source}
    return {
        "topic": f"t.{table}",
        "partition": 0,
        "offset": offset,
        "key": json.dumps({"id": id_}),
        "value": value,
    }


def values_of(rows: list[dict], table: str) -> dict[int, dict]:
    found = {}
    for row in rows:
        told = {name: plain(row[name]) for name in TABLES[table][1]}
        found.setdefault(row["id"], []).append(told)
    return found


def plain(value):
    """Bytes as such."""
    match value:
        case bytearray():
            return bytes(value)
        case dict():
            return {name: plain(member) for name, member in value.items()}
        case list():
            return [plain(member) for member in value]
    return value


def without_digits(kind: str) -> str:
    return re.sub(r"decimal\(\d+,\d+\)", "decimal", kind)


def test_each_type_is_shown():
    from tests.functional.cells import Cell, decoder_of

    shown = {
        without_digits(decoder_of(Cell(connector, kind, None))["type"])
        for connector, columns in TABLES.values()
        for kind, *_ in columns.values()
    }
    assert {connector for connector, _ in TABLES.values()} <= set(CONNECTORS)
    assert {without_digits(kind) for kind in types_of_columns()} - shown == set()


@pytest.mark.delta
@pytest.mark.iceberg
@pytest.mark.parquet
def test_a_second_run_keeps_each_type(make_project):
    project = make_project(
        "types_on_formats",
        tables={
            table: {
                "topic": f"t.{table}",
                "connector": connector,
                "key": ["id"],
                "columns": {"id": "int"} | {n: kind for n, (kind, *_) in columns.items()},
            }
            for table, (connector, columns) in TABLES.items()
        },
    )
    project.land([change(t, n, "c", n, 0) for t in TABLES for n in (0, 1)])
    project.run("run", "--exclude", "dq_*accounting")
    # a column is added, for which the existing columns are compared with the contract
    for contract in project.tables.values():
        contract["columns"]["more"] = "int"
    project.write()
    # one row changes, one is added, and one is added without any value
    changed = [("u", 0, 1), ("c", 2, 1), ("c", 3, 2)]
    project.land([change(t, 2 + n, *told) for t in TABLES for n, told in enumerate(changed)])
    project.run("run", "--exclude", "dq_*accounting")
    assert project.rows("dq_s__quarantine") == []
    for table, (_, columns) in TABLES.items():
        first, second, none = (
            {name: values[at] for name, (*_, values) in columns.items()} for at in range(3)
        )
        current = values_of(project.rows(f"cur_s__{table}"), table)
        expected = {0: [second], 1: [first], 2: [second], 3: [none]}
        wrong = {
            (columns[name][0], key)
            for key, [row] in expected.items()
            for name in columns
            if [row[name]] != [each[name] for each in current[key]]
        }
        assert not wrong
        assert current == expected
        history = values_of(project.rows(f"hist_s__{table}"), table)
        assert {key: len(rows) for key, rows in history.items()} == {0: 2, 1: 1, 2: 1, 3: 1}
        assert first in history[0] and second in history[0]
    # existing rows arrive again: no value is different
    written = project.files()
    project.run("run", "--exclude", "dq_*accounting")
    assert project.files() == written


@pytest.mark.delta
@pytest.mark.iceberg
@pytest.mark.parquet
def test_an_enforced_contract_says_the_types_of_the_source(make_project):
    """Also those of small integers, if the format has none."""
    columns = {"id": "int", "n": "smallint", "a": "smallint[]"}
    project = make_project(
        "enforced_on_formats",
        tables={"pg": {"topic": "t.pg", "key": ["id"], "columns": columns}},
        model_config={f"{layer}_s__pg": {"+contract": {"enforced": True}} for layer in LAYERS},
    )
    project.run("deps")
    with working_in(project.folder):
        write_models(project.folder)
    record = change("pg", 0, "c", 0, 0)
    record["value"]["after"] = {"id": 0, "n": 5, "a": [6, None]}
    project.land([record])
    project.run("run", "--select", "+cur_s__pg")
    [row] = project.rows("cur_s__pg")
    assert (row["n"], row["a"]) == (5, [6, None])
    for layer in LAYERS:
        file = project.folder / "models" / f"{layer}_s__pg.yml"
        said = file.read_text()
        assert "data_type: smallint" in said
        file.write_text(said.replace("data_type: smallint", "data_type: date"))
        record["offset"] += 1
        record["value"]["source"]["lsn"] += 1
        project.land([record])
        with pytest.raises(DbtFailed, match="data type mismatch"):
            project.run("run", "--select", f"{layer}_s__pg")
        file.write_text(said)
        project.run("run", "--select", f"{layer}_s__pg")

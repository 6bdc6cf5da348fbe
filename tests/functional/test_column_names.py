"""Columns whose names models cannot have or Spark does not distinguish, and tables with capitals:
all are carried, in every form of records, and nothing is refused because of a name."""

import json

import pytest

from tests.functional.conftest import drop
from tests.functional.project import Project

# column -> its name in the models
NAMES = {
    "id": "id",
    "valid_from": "valid_from_",
    "valid_to": "until",  # by the contract
    "is_current": "is_current_",
    "a`b": "a_b",
    "a${b}": "a_{b}",
    "Code": "Code",
    "code": "code_",
    "CODE": "CODE__",
    "_cdc_op": "cdc_op",
    "cdc_append": "cdc_append_",
}
COLUMNS = dict.fromkeys(NAMES, "int")
OTHER_NAMES = {"model_names": {"valid_to": "until"}}
# the second table's columns differ from former names only in case
FORMER = {"key": ["Id"], "columns": {"Id": "int", "Note": "text", "n": "int"}}
FORMER |= {"former_names": {"Id": ["ID"], "Note": ["note", "remark"]}}
TABLES = {
    "Odd": {"connector": "mysql", "key": ["code"], "columns": COLUMNS, **OTHER_NAMES},
    "flat": {
        "connector": "mysql",
        "format": "unwrapped",
        "add_fields": ["op"],
        "key": ["code"],
        "columns": COLUMNS,
        **OTHER_NAMES,
    },
    "events": {
        "connector": "postgresql",
        "format": "cloudevents",
        "key": ["code"],
        "columns": COLUMNS,
        **OTHER_NAMES,
    },
    "streamed": {
        "connector": "datastream_mysql",
        "key": ["code"],
        "columns": COLUMNS,
        **OTHER_NAMES,
    },
    "former": {"connector": "postgresql", "replica_identity": "full", **FORMER},
    "former_flat": {"connector": "postgresql", "format": "unwrapped", **FORMER},
}
MILLIS = 1_700_000_000_000


def odd(number: int, code: int) -> dict:
    """A row with odd names; each value names its column."""
    row = {name: number * 100 + place for place, name in enumerate(NAMES)}
    return row | {"code": code}


def envelope(op: str, place: int, after, before=None) -> dict:
    source = {"file": "bin.000001", "pos": place, "row": 0, "lsn": place, "txId": place}
    source |= {"ts_ms": MILLIS + place, "snapshot": "false", "name": "s", "table": "t"}
    return {"op": op, "before": before, "after": after, "source": source}


def cloud_event(op: str, place: int, after, before=None) -> dict:
    told = {"op": op, "lsn": str(place), "txId": str(place), "snapshot": "false"}
    told |= {"tsms": str(MILLIS + place), "name": "s", "schema": "p", "table": "t"}
    event = {"specversion": "1.0", "id": f"lsn:{place}", "data": {"before": before, "after": after}}
    return event | {f"iodebezium{name}": value for name, value in told.items()}


def datastream(change: str, place: int, row: dict) -> dict:
    metadata = {"log_file": "bin.000001", "log_position": place, "primary_keys": ["code"]}
    metadata |= {"database": "d", "table": "t", "change_type": change}
    metadata |= {"is_deleted": change == "DELETE"}
    event = {"stream_name": "s", "read_method": "mysql-cdc-binlog", "object": "d_t"}
    event |= {"uuid": f"u{place}", "read_timestamp": MILLIS, "source_timestamp": MILLIS + place}
    return event | {"source_metadata": metadata, "payload": row}


def records(table: str, values: list, keys: dict | None = None, headers: dict | None = None):
    keys, headers = keys or {}, headers or {}
    return [
        {
            "topic": f"t.p.{table}",
            "partition": 0,
            "offset": offset,
            "timestamp": MILLIS + offset,
            "key": keys.get(offset),
            "value": value,
            "headers": headers.get(offset, {}),
        }
        for offset, value in enumerate(values)
    ]


# row 1 is changed, row 2 deleted, row 3 gets another key if headers carry it
A, A2, B, C = odd(1, 1), odd(9, 1), odd(2, 2), odd(3, 3)
D = C | {"code": 4}
LANDED = [
    *records(
        "Odd",
        [
            envelope("c", 100, A),
            envelope("c", 110, B),
            envelope("c", 120, C),
            envelope("u", 200, A2, A),
            envelope("d", 210, None, B),
            envelope("d", 220, None, C),
            envelope("c", 220, D),
        ],
        {offset: {"code": 1} for offset in range(7)},
        {
            5: {"__debezium.newkey": json.dumps({"code": 4})},
            6: {"__debezium.oldkey": json.dumps({"code": 3})},
        },
    ),
    *records(
        "flat",
        [A | {"__op": "c"}, B | {"__op": "c"}, D | {"__op": "c"}, A2 | {"__op": "u"}, None],
        {4: {"code": 2}},
    ),
    *records(
        "events",
        [
            cloud_event("c", 100, A),
            cloud_event("c", 110, B),
            cloud_event("c", 120, D),
            cloud_event("u", 200, A2),
            # a delete of PostgreSQL carries only the key
            cloud_event("d", 210, None, dict.fromkeys(B) | {"code": 2}),
        ],
    ),
    *records(
        "streamed",
        [
            datastream("INSERT", 100, A),
            datastream("INSERT", 110, B),
            datastream("INSERT", 120, D),
            datastream("UPDATE", 200, A2),
            datastream("DELETE", 210, B),
        ],
    ),
    *records(
        "former",
        [
            envelope("c", 100, {"ID": 1, "remark": "a", "n": 1}),
            envelope("c", 110, {"ID": 2, "note": "b", "n": 1}),
            envelope("c", 120, {"ID": 3, "note": "c", "n": 1}),
            envelope("u", 200, {"Id": 1, "Note": "A", "n": 2}, {"Id": 1, "Note": "a", "n": 1}),
            envelope("d", 210, None, {"ID": 2, "note": "b", "n": 1}),
            # its former name now belongs to another column
            envelope("u", 220, {"Id": 3, "Note": None, "note": "other", "n": 3}),
            envelope("c", 230, {"Id": 4, "Note": "d", "n": 1}),
            envelope("d", 240, None, {"Id": 4, "Note": "d", "n": 1}),
            envelope("c", 240, {"Id": 5, "Note": "d", "n": 1}),
        ],
        None,
        {
            7: {"__debezium.newkey": json.dumps({"Id": 5})},
            8: {"__debezium.oldkey": json.dumps({"ID": 4})},
        },
    ),
    *records(
        "former_flat",
        [
            {"ID": 1, "remark": "a", "n": 1},
            {"ID": 2, "note": "b", "n": 1},
            {"Id": 1, "Note": "A", "n": 2},
            {"ID": 3},  # only the key, under its former name
            None,
        ],
        {4: {"ID": 2}},
    ),
]


@pytest.fixture(scope="module")
def project(spark, tmp_path_factory):
    made = Project(
        tmp_path_factory.mktemp("column_names"),
        spark,
        "s",
        {},
        {name: {"topic": f"t.p.{name}", **table} for name, table in TABLES.items()},
        schema="column_names",
        landing="column_names_landing.events",
        layers={name: ["stg"] for name in TABLES} | {"Odd": ["stg", "hist", "cur"]},
        extra_models={
            f"cur_s__{name}": f"{{{{ afterimage.current_state(ref('stg_s__{name}')) }}}}\n"
            for name in TABLES
            if name != "Odd"
        },
        model_config={"dq_s__accounting": {"+materialized": "table"}},
    )
    # the second run finds tables whose names have capitals
    for part in (LANDED[::2], LANDED[1::2]):
        made.land(part)
        made.run("run")
    yield made
    drop(spark, made)


def current(project, table: str, *columns: str) -> list[tuple]:
    rows = project.rows(f"cur_s__{table}")
    return sorted(tuple(row[column] for column in columns) for row in rows)


@pytest.mark.parametrize("table", ["Odd", "flat", "events", "streamed"])
def test_every_column_is_carried(project, table):
    expected = sorted(tuple(row[name] for name in NAMES) for row in (A2, D))
    assert current(project, table, *NAMES.values()) == expected
    assert {row["_cdc_unknown"] for row in project.rows(f"cur_s__{table}")} == {None}


def test_nothing_is_refused(project):
    assert [row["detail"] for row in project.rows("dq_s__quarantine")] == []


def test_history_of_a_table_with_capitals(project):
    spans = [
        (row["id"], row["code_"], row["_cdc_end_reason"]) for row in project.rows("hist_s__Odd")
    ]
    assert sorted(spans, key=str) == sorted(
        [
            (100, 1, "update"),
            (900, 1, None),
            (200, 2, "delete"),
            (300, 3, "key change"),
            (300, 4, None),
        ],
        key=str,
    )


def test_names_of_before(project):
    assert current(project, "former", "Id", "Note", "n") == [(1, "A", 2), (3, None, 3), (5, "d", 1)]
    assert [row["_cdc_extra"] for row in project.rows("stg_s__former") if row["_cdc_extra"]] == [
        '{"note":"other"}'
    ]
    assert current(project, "former_flat", "Id", "n") == [(1, 2), (3, None)]
    [told] = [row for row in project.rows("cur_s__former_flat") if row["Id"] == 3]
    assert json.loads(told["_cdc_unknown"]) == ["Note", "n"]

"""Rare events of Google Datastream that no available file contains: tables without a key,
undeclared fields, redeliveries, key changes, for each source; for PostgreSQL and SQL Server also
the types, each in JSON and in Avro. The documentation gives the expected rows."""

import json
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal

import pytest

from tests.coverage import streams
from tests.functional.conftest import drop
from tests.functional.project import DbtFailed, Project
from tests.functional.test_datastream_events import COLUMNS, DAY, SAMPLE, event, row
from tests.laws.datastream_avro import UNIFIED, file_of, landed, record, schema

pytestmark = pytest.mark.xdist_group("datastream_rare")

AGAIN = 1_000_000  # offset of redelivered records
IN_AVRO = 10  # added to the keys of rows that come in Avro
READ = 1640410924408  # 2021-12-25T05:42:04.408Z


def of_mysql(topic: str, payload: dict, position: int, change="INSERT", **more) -> dict:
    place = {"log_file": "bin.000012", "log_position": position}
    place |= {"is_deleted": change.endswith("DELETE"), "sort_keys": [DAY, "bin.000012", position]}
    return event(topic, payload, change, **place | more)


def of_oracle(topic: str, payload: dict, scn: int, change="INSERT", **more) -> dict:
    place = {"scn": scn, "rs_id": "0x000001.00000001.0010", "ssn": 0}
    place |= {"is_deleted": change.endswith("DELETE")}
    return event(topic, payload, change, "oracle-cdc-logminer", **SAMPLE | place | more)


def of_postgresql(topic: str, payload: dict, place: int, change="INSERT", **more) -> dict:
    """As in the one event of a real file, with a transaction number and no database."""
    lsn = f"16/{place:X}"
    told = {"schema": "public", "database": None, "tx_id": 363_552 + place // 100, "lsn": lsn}
    told |= {"is_deleted": change.endswith("DELETE"), "sort_keys": [DAY, lsn]}
    told |= {"source_timestamp": DAY, "primary_keys": [] if topic.endswith("_bag") else ["id"]}
    return event(topic, payload, change, "postgresql-cdc", **told | more)


def of_sqlserver(topic: str, payload: dict, place: int, change="INSERT", **more) -> dict:
    """With the fields that the documentation names; a time may have a space instead of T."""
    told = {"schema": "dbo", "tx_id": "1234", "lsn": f"00000025:{place:08x}:0003"}
    told |= {"is_deleted": change.endswith("DELETE"), "physical_location": [1, 340, 2]}
    told |= {"read": "2021-12-25 05:42:04.408", "sort_keys": [DAY], "source_timestamp": DAY}
    told["replication_index"] = [] if topic.endswith("_bag") else ["id"]
    return event(topic, payload, change, "sqlserver-cdc", **told | more)


def bags(topic: str, of, key: int = 0) -> list[dict]:
    """Two equal rows, one of them redelivered, one deleted."""
    twice = of(topic, row(key + 1, "equal"), 100, uuid=f"{topic}-twice-{key}")
    return [
        twice,
        of(topic, row(key + 1, "equal"), 100),
        of(topic, row(key + 1, "equal"), 200, "DELETE"),
        of(topic, row(key + 2, "other"), 210),
        twice | {"offset": AGAIN + key},
    ]


def keyed(topic: str, of, key: int = 0) -> list[dict]:
    """An undeclared field, a key change, a redelivery."""
    twice = of(topic, row(key + 1, "born"), 100, uuid=f"{topic}-twice-{key}")
    return [
        twice,
        of(topic, row(key + 1, "seen") | {"colour": "red"}, 110, "UPDATE-INSERT"),
        of(topic, row(key + 2, "moves"), 120),
        of(topic, row(key + 2, "moves"), 130, "UPDATE-DELETE"),
        of(topic, row(key + 3, "moves"), 130, "UPDATE-INSERT"),
        twice | {"offset": AGAIN + key},
    ]


def key_alone(topic: str, of, key: int = 0) -> list[dict]:
    """One transaction changes a row and then its key. With the default replica identity PostgreSQL
    sends only the key of the row before, which is no other row's image."""
    return [
        of(topic, row(key + 5, "was"), 90),
        of(topic, row(key + 5, "is"), 110, "UPDATE"),
        of(topic, row(key + 5, None), 120, "UPDATE-DELETE"),
        of(topic, row(key + 6, "is"), 120, "UPDATE-INSERT"),
        of(topic, row(key + 6, None), 210, "DELETE"),
    ]


def in_avro(events: list[dict], system: str, columns: dict) -> list[dict]:
    """The same events from files in Avro. A file has the columns that existed when it started."""
    found = []
    for told in events:
        value = told["value"] | {"schema_key": "9f1c"}
        metadata = {k: v for k, v in value["source_metadata"].items() if k != "database" or v}
        value |= {"read_timestamp": READ, "source_metadata": metadata}
        known = {name: kind for name, kind in columns.items() if name in value["payload"]}
        [text] = landed(file_of([value], schema(system, known)))
        found.append(told | {"value": text})
    return found


# --- types --------------------------------------------------------------------------------------

NOON = datetime(2024, 2, 29, 12, 0, 0, 1)
ISO = "2024-02-29T12:00:00.000001"
MICROS = {"type": "long", "logicalType": "timestamp-micros"}
MONEY = {"type": "bytes", "logicalType": "decimal", "precision": 19, "scale": 4}
OF_DAY = {"type": "long", "logicalType": "time-micros"}
OFFSET = {"type": "int", "logicalType": "time-millis"}
JSON = {"type": "string", "logicalType": "json"}
NUMBER = {"type": "string", "logicalType": "number"}
DATETIME = record("datetime", {"date": UNIFIED["date"], "time": OF_DAY})
TIMESTAMP_TZ = record("timestampTz", {"timestamp": MICROS, "offset": OFFSET})
TIME_TZ = record("timeTz", {"time": OF_DAY, "offset": OFFSET})
INTERVAL = record("interval", {"months": "int", "hours": "int", "micros": "long"})
HOUR = time(1)

# column → (declared, in JSON, unified type in Avro, in Avro, the column's resulting value)
OF_POSTGRESQL = {
    "id": ("int", None, "int", None, None),
    "flag": ("boolean", True, "boolean", True, True),
    "small": ("smallint", -7, "int", -7, -7),
    "big": ("bigint", 2**63 - 1, "long", 2**63 - 1, 2**63 - 1),
    "ratio": ("double precision", 0.1, "double", 0.1, 0.1),
    "amount": ("numeric(10,2)", -12.5, UNIFIED["decimal"], Decimal("-12.50"), Decimal("-12.50")),
    "digits": ("numeric", "0.10", NUMBER, "0.10", "0.1"),
    "name": ("varchar(20)", "é☃", "string", "é☃", "é☃"),
    "doc": (
        "jsonb", {"a": [1.5], "b": None}, JSON, '{"a": [1.5], "b": null}', '{"a":[1.5],"b":null}',
    ),
    "raw": ("bytea", "3q2+7w==", "bytes", b"\xde\xad\xbe\xef", b"\xde\xad\xbe\xef"),
    "bits": ("bit(4)", "0101", "string", "0101", "0101"),
    "day": ("date", "2024-02-29", UNIFIED["date"], date(2024, 2, 29), date(2024, 2, 29)),
    "clock": ("time", "08:15:30.5", OF_DAY, time(8, 15, 30, 500_000), "08:15:30.5"),
    "seen": ("timestamp", ISO, MICROS, NOON.replace(tzinfo=UTC), NOON),
    "sent": (
        "timestamptz", f"{ISO}+01:00", TIMESTAMP_TZ,
        {"timestamp": (NOON - timedelta(hours=1)).replace(tzinfo=UTC), "offset": HOUR},
        NOON - timedelta(hours=1),
    ),
    "span": (
        "interval", "P14MT25H1.5S", INTERVAL, {"months": 14, "hours": 25, "micros": 1_500_000},
        "P14MT25H1.5S",
    ),
    "zoned": (
        "timetz", "08:15:30+01:00", TIME_TZ, {"time": time(8, 15, 30), "offset": HOUR},
        "08:15:30+01:00",
    ),
}  # fmt: skip
OF_SQLSERVER = {
    "id": ("int", None, "int", None, None),
    "flag": ("bit", True, "boolean", True, True),
    "big": ("bigint", -(2**63), "long", -(2**63), -(2**63)),
    "ratio": ("float", 0.1, "double", 0.1, 0.1),
    "amount": ("decimal(10,2)", -12.5, UNIFIED["decimal"], Decimal("-12.50"), Decimal("-12.50")),
    "paid": ("money", 1234.56, MONEY, Decimal("1234.5600"), Decimal("1234.5600")),
    "name": ("nvarchar(20)", "é☃", "string", "é☃", "é☃"),
    "raw": ("varbinary(4)", "3q2+7w==", "bytes", b"\xde\xad\xbe\xef", b"\xde\xad\xbe\xef"),
    "day": ("date", "2024-02-29", UNIFIED["date"], date(2024, 2, 29), date(2024, 2, 29)),
    "clock": ("time(6)", "08:15:30.5", OF_DAY, time(8, 15, 30, 500_000), "08:15:30.5"),
    "seen": ("datetime2(6)", ISO, DATETIME, {"date": NOON.date(), "time": NOON.time()}, NOON),
    "small": ("smalldatetime", "2024-02-29T12:00:00", MICROS,
              datetime(2024, 2, 29, 12, tzinfo=UTC), datetime(2024, 2, 29, 12)),
    "sent": (
        "datetimeoffset(6)", f"{ISO}+01:00", TIMESTAMP_TZ,
        {"timestamp": (NOON - timedelta(hours=1)).replace(tzinfo=UTC), "offset": HOUR},
        NOON - timedelta(hours=1),
    ),
}  # fmt: skip
TYPES = {"postgresql": OF_POSTGRESQL, "sqlserver": OF_SQLSERVER}
WRITERS = {
    "mysql": of_mysql,
    "oracle": of_oracle,
    "postgresql": of_postgresql,
    "sqlserver": of_sqlserver,
}


def of_types(system: str, key: int, form: int) -> list[dict]:
    payload = {name: told[form] for name, told in TYPES[system].items()} | {"id": key}
    return [WRITERS[system](f"rare.{system}_types", payload, 100)]


DECLARED = {
    "mysql": COLUMNS,
    "oracle": {"id": "number(9)", "note": "varchar2(9)"},
    "postgresql": COLUMNS,
    "sqlserver": COLUMNS,
}
TABLES = {
    name: {"connector": f"datastream_{system}", "topic": f"rare.{name}", "key": key}
    | {"columns": columns}
    for system, columns in DECLARED.items()
    for name, key in ((f"{system}_bag", []), (f"{system}_keyed", ["id"]))
} | {
    f"{system}_types": {
        "connector": f"datastream_{system}",
        "topic": f"rare.{system}_types",
        "key": ["id"],
        "columns": {name: told[0] for name, told in columns.items()},
    }
    for system, columns in TYPES.items()
}
TABLES["postgresql_keyed"]["deletes"] = "flag"
BAGS, KEYED = ([f"{system}_{kind}" for system in WRITERS] for kind in ("bag", "keyed"))
EVENTS = (
    {f"{system}_bag": bags(f"rare.{system}_bag", of) for system, of in WRITERS.items()}
    | {f"{system}_keyed": keyed(f"rare.{system}_keyed", of) for system, of in WRITERS.items()}
    | {f"{system}_types": of_types(system, 1, 1) for system in TYPES}
)
EVENTS["postgresql_keyed"] += key_alone("rare.postgresql_keyed", of_postgresql)
NOTED = {"id": "int", "note": "string", "colour": "string"}
AVRO = {
    name: in_avro(events, name.partition("_")[0], NOTED)
    for name, events in {
        "postgresql_bag": bags("rare.postgresql_bag", of_postgresql, IN_AVRO),
        "sqlserver_bag": bags("rare.sqlserver_bag", of_sqlserver, IN_AVRO),
        "postgresql_keyed": keyed("rare.postgresql_keyed", of_postgresql, IN_AVRO)
        + key_alone("rare.postgresql_keyed", of_postgresql, IN_AVRO),
        "sqlserver_keyed": keyed("rare.sqlserver_keyed", of_sqlserver, IN_AVRO),
    }.items()
} | {
    f"{system}_types": in_avro(
        of_types(system, 1 + IN_AVRO, 3), system, {name: of[2] for name, of in columns.items()}
    )
    for system, columns in TYPES.items()
}
DRIFT = """{{{{ config(materialized='table') }}}}
{{{{ afterimage.contract_drift([{logs}], [{of}]) }}}}
"""


def keys_of(name: str) -> list[int]:
    """The numbers added to the keys of each form's rows."""
    return [0, IN_AVRO] if name in AVRO else [0]


@pytest.fixture(scope="module")
def built(spark, tmp_path_factory):
    layers = {"bag": ["stg"], "types": ["stg"], "keyed": ["stg", "hist", "cur"]}
    logs = ", ".join(f"ref('stg_ds__{name}')" for name in KEYED)
    project = Project(
        tmp_path_factory.mktemp("datastream_rare") / "project",
        spark,
        "ds",
        {},
        TABLES,
        schema="datastream_rare",
        landing="datastream_rare_landing.events",
        layers={name: layers[name.partition("_")[2]] for name in TABLES},
        extra_models={"drift": DRIFT.format(logs=logs, of=f"source('ds', '{KEYED[0]}')")},
    )
    try:
        for records in (*EVENTS.values(), *AVRO.values()):
            project.land(records)
        project.run("run")
        yield project
    finally:
        drop(spark, project)


@pytest.fixture(scope="module")
def counts(built):
    return built.counts()


@pytest.mark.shows(of="name", streams=streams.of_rare_datastream)
@pytest.mark.parametrize("name", BAGS)
def test_without_a_key_the_change_log_has_each_event_once(built, counts, name, compared):
    found = [(r["_cdc_op"], r["id"], r["note"]) for r in built.rows(f"stg_ds__{name}")]
    assert sorted(found, key=str) == sorted(
        (
            change
            for key in keys_of(name)
            for change in (
                ("c", key + 1, "equal"),
                ("c", key + 1, "equal"),
                ("c", key + 2, "other"),
                ("d", key + 1, "equal"),
            )
        ),
        key=str,
    )
    assert counts[name, "duplicate", "redelivered"] == len(keys_of(name))
    compared["rows of change logs with events of Datastream"] += len(found)


def test_without_a_key_there_is_no_current_state(built):
    """An update would not identify one of several equal rows."""
    model = "{{ afterimage.current_state(ref('stg_ds__mysql_bag')) }}\n"
    path = built.folder / "models" / "cur_ds__mysql_bag.sql"
    path.write_text(model)
    try:
        with pytest.raises(DbtFailed, match="mysql_bag"):
            built.run("run", "--select", "cur_ds__mysql_bag")
    finally:
        path.unlink()


@pytest.mark.shows(of="name", streams=streams.of_rare_datastream)
@pytest.mark.parametrize("name", KEYED)
def test_what_is_not_declared_is_kept_and_keys_change(built, counts, name, compared):
    extra = {
        int(r["id"]): json.loads(r["_cdc_extra"])
        for r in built.rows(f"stg_ds__{name}", "_cdc_extra is not null")
    }
    assert extra == {key + 1: {"colour": "red"} for key in keys_of(name)}
    versions = sorted(
        (int(r["id"]), r["note"], r["_cdc_end_reason"] or "")
        for r in built.rows(f"hist_ds__{name}")
    )
    held = [
        (1, "born", "update"),
        (1, "seen", ""),
        (2, "moves", "key change"),
        (3, "moves", ""),
    ]
    if name.startswith("postgresql"):
        held += [(5, "is", "key change"), (5, "was", "update"), (6, "is", "delete")]
    expected = [(key + id_, *rest) for key in keys_of(name) for id_, *rest in held]
    assert versions == sorted(expected)
    rows = sorted(
        (int(r["id"]), r["note"], r.get("_cdc_is_deleted", False))
        for r in built.rows(f"cur_ds__{name}")
    )
    # a kept deleted row has its last values, though its delete carries only the key
    ends = ("", "delete", "key change") if "deletes" in TABLES[name] else ("",)
    assert rows == sorted((id_, note, why != "") for id_, note, why in expected if why in ends)
    assert counts[name, "duplicate", "redelivered"] == len(keys_of(name))
    compared["versions of hist_ with documented events of Datastream"] += len(versions)


def test_what_is_not_declared_is_reported(built):
    """As for any connector: how often, since when, and what is known of its type."""
    told = {
        (
            r["table_name"],
            r["drift"],
            r["column_name"],
            r["reported_by"],
            r["reported"],
            r["records"],
        )
        for r in built.rows("drift")
    }
    assert told == {
        (name, "not declared", "colour", "observed", "STRING", len(keys_of(name))) for name in KEYED
    }


@pytest.mark.shows(of="name", streams=streams.of_rare_datastream)
@pytest.mark.parametrize("name", [f"{system}_types" for system in TYPES])
def test_values_of_each_unified_type_in_both_forms(built, name, compared):
    """One row in JSON and the same in Avro."""
    expected = {column: told[4] for column, told in TYPES[name.partition("_")[0]].items()}
    for key in keys_of(name):
        [found] = built.rows(f"stg_ds__{name}", f"id = {key + 1}")
        assert {column: found[column] for column in expected} == expected | {"id": key + 1}
        compared["values of Datastream's unified types"] += len(expected)


def test_a_time_with_a_space(built):
    """Google's own tests of SQL Server have a space where ISO has a T."""
    told = {r["_cdc_processed_ts"] for r in built.rows("stg_ds__sqlserver_keyed")}
    assert {str(moment) for moment in told} == {"2021-12-25 05:42:04.408000"}

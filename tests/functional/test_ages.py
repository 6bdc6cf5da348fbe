"""Versions of connectors write the same change in different forms: it is recognised in any form,
and the rows still equal the database's.

A generated database (tests/laws) is landed as one version writes it, then again as another does.
The forms are from the documentation of Oracle 1.9, 2.3 and 3.3, and of Db2 1.7 and 2.3;
docs/reference/versions.md lists which field has which form.
"""

import base64
import json

import pytest

from tests.functional.capture_project import project_of_spec, table_name
from tests.functional.conftest import drop
from tests.laws.many import Case
from tests.truth.compare import compare_table

AGAIN = 500_000  # offsets of the second delivery
OLD_SOURCE = ("version", "name", "ts_ms", "txId", "scn", "commit_scn", "rs_id", "redo_thread")


def oracle_1_9(envelope: dict) -> dict:
    """No connector, database, schema and table; ssn; snapshot is true or false; no transaction.
    NUMBER(9) is a number."""
    source = {name: envelope["source"].get(name) for name in OLD_SOURCE}
    source |= {"ssn": 1, "snapshot": envelope["source"]["snapshot"] != "false"}
    return numbers_as(as_number, envelope) | {"source": source}


def oracle_2_3(envelope: dict) -> dict:
    """A user, all of these fields, a transaction id in hexadecimal digits. NUMBER(9) as base64."""
    source = envelope["source"] | {"user_name": "APP", "connector": "oracle", "db": "ORCLPDB1"}
    source |= {"schema": "APP", "table": "T", "sequence": None, "ssn": 0}
    return numbers_as(as_base64, envelope) | {"source": source}


def oracle_3_3(envelope: dict) -> dict:
    """Finer clocks, in quotes; the row's address, the transaction's begin and the statement.
    NUMBER(9) with its scale."""
    ts_ms = envelope["source"]["ts_ms"]
    source = oracle_2_3(envelope)["source"] | {"row_id": "AAASgjAAMAAAACnAAA", "start_scn": "9"}
    source |= {"ts_us": f"{ts_ms}000", "ts_ns": f"{ts_ms}000000", "redo_sql": "update t set n = 1"}
    again = numbers_as(as_struct, envelope) | {"source": source}
    return again | {"ts_ms": "2", "ts_us": "2000", "ts_ns": "2000000"}


def db2_1_7(envelope: dict) -> dict:
    """An LSN that ends in four digits, as the documentation prints it; true and false."""
    source = dict(envelope["source"], snapshot=envelope["source"]["snapshot"] != "false")
    for name in ("commit_lsn", "change_lsn"):
        if source[name] is not None:
            file, block, slot = source[name].split(":")
            assert slot.startswith("000000000000")
            source[name] = f"{file}:{block}:{slot[12:]}".upper()
    return envelope | {"source": source}


def db2_2_3(envelope: dict) -> dict:
    """All fields of a source block, and a field of SQL Server's that a sample prints."""
    more = {"db": "TESTDB", "schema": "APP", "table": "T", "event_serial_no": None}
    return envelope | {"source": envelope["source"] | more}


def numbers_as(form, envelope: dict) -> dict:
    """The key column of both images in another form."""
    images = {name: envelope[name] for name in ("before", "after") if envelope[name]}
    return envelope | {
        name: image | {"id": form(whole(image["id"]))} for name, image in images.items()
    }


def whole(literal) -> int:
    if isinstance(literal, dict):
        literal = literal["value"]
    if isinstance(literal, str):
        return int.from_bytes(base64.b64decode(literal), "big", signed=True)
    return literal


def as_number(number: int) -> int:
    return number


def as_base64(number: int) -> str:
    size = number.bit_length() // 8 + 1
    return base64.b64encode(number.to_bytes(size, "big", signed=True)).decode()


def as_struct(number: int) -> dict:
    return {"scale": 0, "value": as_base64(number)}


AGES = {"oracle": (oracle_1_9, oracle_2_3, oracle_3_3), "db2": (db2_1_7, db2_2_3)}


def written_by(age, record: dict, again: int) -> dict:
    """The record as a version writes it; the key also in headers."""
    headers = {n: v for n, v in record["headers"].items() if not n.startswith("__debezium.context")}
    value = record["value"]
    if value is not None:  # a tombstone is the same in every version
        value = json.dumps(age(json.loads(value)), ensure_ascii=False)
    offset = record["offset"] + again * AGAIN
    return record | {"offset": offset, "value": value, "headers": headers}


@pytest.mark.parametrize("connector", AGES)
def test_a_change_is_known_again_whichever_age_wrote_it(connector, spark, tmp_path, compared):
    case, ages = Case(connector, 1), AGES[connector]
    kinds = ["keyed", "whole"]
    databases = {name: case.database(name, 0) for name in kinds}
    spec = case.spec(kinds)
    project = project_of_spec(spec, tmp_path / "project", spark, schema=f"ages_{connector}")
    once = {}
    try:
        for again in range(2):
            for name in kinds:
                stream = databases[name].stream
                project.land(
                    [
                        written_by(ages[(n + again) % len(ages)], record, again)
                        for n, record in enumerate(stream)
                    ]
                )
            project.run("run")
            assert project.rows("dq_src__quarantine") == []
            staged = {name: len(project.rows(f"stg_src__{name}")) for name in kinds}
            once = once or staged
            assert staged == once, "a change written anew is another change"
        for name, database in databases.items():
            table = spec.tables[f"made_up.{name}"]
            rows = project.rows(f"cur_src__{table_name(table.name)}")
            assert compare_table(table, database.rows(), rows) == []
            compared["records written by ages of connectors"] += 2 * len(database.stream)
    finally:
        drop(spark, project)

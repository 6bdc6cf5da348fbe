"""What is rare in events of Google Datastream: tables without a key, fields that no contract knows,
Oracle's deliveries again and keys that change. Expected is what the documents say of them."""

from __future__ import annotations

import json

import pytest

from tests.coverage import streams
from tests.functional.conftest import drop
from tests.functional.project import DbtFailed, Project
from tests.functional.test_datastream_events import COLUMNS, DAY, SAMPLE, event, row

pytestmark = pytest.mark.xdist_group("datastream_rare")

AGAIN = 1_000_000  # the offset of what is delivered again


def of_mysql(topic: str, payload: dict, position: int, change="INSERT", **more) -> dict:
    place = {"log_file": "bin.000012", "log_position": position}
    place |= {"is_deleted": change.endswith("DELETE"), "sort_keys": [DAY, "bin.000012", position]}
    return event(topic, payload, change, **place | more)


def of_oracle(topic: str, payload: dict, scn: int, change="INSERT", **more) -> dict:
    place = {"scn": scn, "rs_id": "0x000001.00000001.0010", "ssn": 0}
    place |= {"is_deleted": change.endswith("DELETE")}
    return event(topic, payload, change, "oracle-cdc-logminer", **SAMPLE | place | more)


def bags(topic: str, of) -> list[dict]:
    """Two equal rows, one of them delivered again, one gone."""
    twice = of(topic, row(1, "equal"), 100, uuid=f"{topic}-twice")
    return [
        twice,
        of(topic, row(1, "equal"), 100),
        of(topic, row(1, "equal"), 200, "DELETE"),
        of(topic, row(2, "other"), 210),
        twice | {"offset": AGAIN},
    ]


def keyed(topic: str, of) -> list[dict]:
    """A field nobody declared, a key that changes, a delivery again."""
    twice = of(topic, row(1, "born"), 100, uuid=f"{topic}-twice")
    return [
        twice,
        of(topic, row(1, "seen") | {"colour": "red"}, 110, "UPDATE-INSERT"),
        of(topic, row(2, "moves"), 120),
        of(topic, row(2, "moves"), 130, "UPDATE-DELETE"),
        of(topic, row(3, "moves"), 130, "UPDATE-INSERT"),
        twice | {"offset": AGAIN},
    ]


ORACLE = {"id": "number(9)", "note": "varchar2(9)"}
TABLES = {
    name: {"connector": f"datastream_{system}", "topic": f"rare.{name}", "key": key}
    | {"columns": columns}
    for system, columns in (("mysql", COLUMNS), ("oracle", ORACLE))
    for name, key in ((f"{system}_bag", []), (f"{system}_keyed", ["id"]))
}
EVENTS = {
    "mysql_bag": bags("rare.mysql_bag", of_mysql),
    "oracle_bag": bags("rare.oracle_bag", of_oracle),
    "mysql_keyed": keyed("rare.mysql_keyed", of_mysql),
    "oracle_keyed": keyed("rare.oracle_keyed", of_oracle),
}


@pytest.fixture(scope="module")
def built(spark, tmp_path_factory):
    project = Project(
        tmp_path_factory.mktemp("datastream_rare") / "project",
        spark,
        "ds",
        {},
        TABLES,
        schema="datastream_rare",
        landing="datastream_rare_landing.events",
        layers={
            name: ["stg"] if name.endswith("bag") else ["stg", "hist", "cur"] for name in TABLES
        },
    )
    try:
        for records in EVENTS.values():
            project.land(records)
        project.run("run")
        yield project
    finally:
        drop(spark, project)


@pytest.mark.shows(of="name", streams=streams.of_rare_datastream)
@pytest.mark.parametrize("name", ["mysql_bag", "oracle_bag"])
def test_without_a_key_the_change_log_has_each_event_once(built, name, compared):
    found = [(r["_cdc_op"], r["id"], r["note"]) for r in built.rows(f"stg_ds__{name}")]
    assert sorted(found, key=str) == [
        ("c", 1, "equal"),
        ("c", 1, "equal"),
        ("c", 2, "other"),
        ("d", 1, "equal"),
    ]
    assert built.counts()[name, "duplicate", "redelivered"] == 1
    compared["rows of change logs with events of Datastream"] += len(found)


def test_without_a_key_there_is_no_current_state(built):
    """An update would not say which of several equal rows it means."""
    model = "{{ afterimage.current_state(ref('stg_ds__mysql_bag')) }}\n"
    path = built.folder / "models" / "cur_ds__mysql_bag.sql"
    path.write_text(model)
    try:
        with pytest.raises(DbtFailed, match="mysql_bag"):
            built.run("run", "--select", "cur_ds__mysql_bag")
    finally:
        path.unlink()


@pytest.mark.shows(of="name", streams=streams.of_rare_datastream)
@pytest.mark.parametrize("name", ["mysql_keyed", "oracle_keyed"])
def test_what_is_not_declared_is_kept_and_keys_change(built, name, compared):
    extra = {
        r["note"]: json.loads(r["_cdc_extra"])
        for r in built.rows(f"stg_ds__{name}", "_cdc_extra is not null")
    }
    assert extra == {"seen": {"colour": "red"}}
    versions = sorted(
        (int(r["id"]), r["note"], r["_cdc_end_reason"] or "")
        for r in built.rows(f"hist_ds__{name}")
    )
    assert versions == [
        (1, "born", "update"),
        (1, "seen", ""),
        (2, "moves", "key change"),
        (3, "moves", ""),
    ]
    rows = sorted((int(r["id"]), r["note"]) for r in built.rows(f"cur_ds__{name}"))
    assert rows == [(1, "seen"), (3, "moves")]
    assert built.counts()[name, "duplicate", "redelivered"] == 1
    compared["versions of hist_ with documented events of Datastream"] += len(versions)

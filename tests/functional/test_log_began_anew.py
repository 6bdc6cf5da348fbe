"""A source whose log restarts (restored, or another server): an alarm until an epoch is declared;
from then on the newer changes count as newer. Twice in a row."""

import json

import pytest

from tests.functional.project import DbtFailed

HOUR = 3_600_000


def postgresql(place: int, snapshot: bool) -> dict:
    sequence = [None if snapshot else str(place - 10), str(place)]
    return {"name": "t", "schema": "p", "table": "o", "lsn": place, "txId": place} | {
        "sequence": json.dumps(sequence)
    }


def mysql(place: int, snapshot: bool) -> dict:
    return {"name": "t", "db": "p", "table": "o", "row": 0} | {
        "file": f"bin.{place // 1000:06d}",
        "pos": place % 1000,
    }


def another_server(place: int, snapshot: bool) -> dict:
    """A cluster with GTIDs, read from another server, whose log has its own numbers."""
    told, number = mysql(place, snapshot), place // 1000
    return told | {"server_id": number, "gtid": None if snapshot else f"server-{number}:{place}"}


def record(source, offset: int, hour: int, op: str, note: str, place: int, before=None) -> dict:
    told = source(place, op == "r") | {"snapshot": "true" if op == "r" else "false"}
    return {
        "topic": "t.p.o",
        "partition": 0,
        "offset": offset,
        "timestamp": hour * HOUR,
        "value": {
            "op": op,
            "before": before and {"id": 1, "note": before},
            "after": {"id": 1, "note": note},
            "source": told | {"ts_ms": hour * HOUR},
        },
    }


def epoch(number: int, hour: int) -> dict:
    return {
        "event": f"restored {number}",
        "kind": "epoch",
        "source_name": "src",
        "landed_from": f"1970-01-01 0{hour}:00:00",
        "note": "restored from a backup",
    }


@pytest.mark.parametrize("source", [postgresql, mysql, another_server], ids=lambda f: f.__name__)
def test_undeclared_it_is_an_alarm_declared_an_epoch(source, make_project):
    connector = "postgresql" if source is postgresql else "mysql"
    table = {"topic": "t.p.o", "key": ["id"], "columns": {"id": "int", "note": "varchar(9)"}}
    if source is postgresql:  # its updates carry the row before
        table["replica_identity"] = "full"
    project = make_project(
        f"anew_{source.__name__}",
        source="src",
        source_contract={"connector": connector, "topic_prefix": "t"},
        tables={"o": table},
    )
    models = [{"name": "dq_src__accounting", "data_tests": ["afterimage.cdc_conservation"]}]
    (project.folder / "models" / "laws.yml").write_text(json.dumps({"models": models}))

    def alarms() -> set[str]:
        return {kind for _, outcome, kind in project.counts() if outcome == "alarm"}

    def current() -> list[str]:
        return [row["note"] for row in project.rows("cur_src__o")]

    born = record(source, 0, 4, "c", "a", 9500)
    again = dict(born, offset=2)
    project.land([born, record(source, 1, 4, "u", "b", 9600, "a"), again])
    project.run("run")
    assert alarms() == set() and current() == ["b"]
    project.run("test")

    project.land([record(source, 3, 5, "r", "c", 2004), record(source, 4, 5, "u", "d", 2090, "c")])
    project.run("run")
    # in log order the row is created after what is read now
    assert alarms() == {"position_went_back", "row_created_twice"}
    with pytest.raises(DbtFailed, match="cdc_conservation"):
        project.run("test")

    project.operator_events = [epoch(1, 5)]
    project.write()
    project.run("seed")
    project.run("run")
    assert alarms() == set() and current() == ["d"]
    project.run("test")
    prefixes = [row["_cdc_position"][:6] for row in project.rows("hist_src__o")]
    assert prefixes.count("e0001.") == 2

    project.operator_events = [epoch(1, 5), epoch(2, 6)]
    project.write()
    project.run("seed")
    project.land([record(source, 5, 6, "r", "e", 1004)])
    project.run("run")
    assert alarms() == set() and current() == ["e"]
    assert max(row["_cdc_position"] for row in project.rows("hist_src__o")).startswith("e0002.")

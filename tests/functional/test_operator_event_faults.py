"""Wrong operator events are refused before anything is written, all faults at once; processed
events must not change."""

import json

import pytest

from tests.functional.project import DbtFailed

TABLE = {"topic": "t.p", "key": ["id"], "columns": {"id": "int", "name": "text"}}
BAG = {"topic": "t.b", "key": [], "replica_identity": "full", "columns": {"id": "int"}}
PLACE = f"{200:020d}"
CLOSE = {
    "event": "1",
    "kind": "close",
    "source_name": "s",
    "table_name": "p",
    "row_key": "1",
    "position": PLACE,
    "source_ts": "2026-03-01 05:00:00",
}
WRONG = [
    CLOSE | {"event": "2", "kind": "clsoe"},
    CLOSE | {"event": "3", "position": "200"},
    CLOSE | {"event": "4", "row_key": ""},
    CLOSE | {"event": "4", "source_ts": "yesterday"},
    CLOSE | {"event": "5", "table_name": "q"},
    CLOSE | {"event": "6", "landed_from": "2026-03-01 05:00:00"},
    CLOSE | {"event": "7", "table_name": "b"},
    {"event": "8", "kind": "epoch", "source_name": "s"},
]
TOLD = [
    'event 2: kind: "clsoe" is not known. Allowed: epoch, snapshot_complete, close, erase.',
    'event 3: position: "200" is not a position of postgresql ([0-9]{20}).',
    "event 4: row_key: missing. close needs the row it is about, as _cdc_key has it.",
    "event 4: event: appears twice.",
    'event 4: source_ts: "yesterday" is not a timestamp. Write it as 2026-01-31 13:45:00, in UTC.',
    "event 5: table_name: s.q is not a table with a contract. Known: b, p.",
    "event 6: landed_from: ",
    "event 7: kind: close needs a table with a key",
    "event 8: landed_from: missing. epoch needs the landing time of the first record of the epoch.",
]


def record(offset: int, lsn: int, **row) -> dict:
    source = {"lsn": lsn, "txId": lsn, "snapshot": "false"}
    value = {"op": "c", "after": row, "source": source}
    return {"topic": "t.p", "partition": 0, "offset": offset, "value": value}


def shown(rows: list[dict]) -> list[str]:
    """Rows without batch numbers, in any order."""
    return sorted(str({c: v for c, v in row.items() if c != "_cdc_batch"}) for row in rows)


def test_wrong_events_are_told_all_at_once_and_taken_ones_stay(make_project):
    project = make_project(
        "operator_faults",
        tables={"p": TABLE, "b": BAG},
        layers={"b": ["stg"]},
    )
    project.land([record(0, 100, id=1, name="a"), record(1, 110, id=2, name="b")])
    project.operator_events = WRONG
    project.write()
    with pytest.raises(DbtFailed, match="run `dbt seed`"):
        project.run("run", "--select", "stg_s__p")
    project.run("seed")
    with pytest.raises(DbtFailed) as failed:
        project.run("run", "--select", "stg_s__p", "stg_s__b")
    assert [told for told in TOLD if told not in str(failed.value)] == []

    project.operator_events = [CLOSE]
    project.write()
    project.run("seed")
    models = ("--select", "stg_s__p+", "--exclude", "dq_s__quarantine", "dq_s__accounting")
    project.run("run", *models)
    assert [row["id"] for row in project.rows("cur_s__p")] == [2]
    for changed in ([CLOSE | {"row_key": "2"}], [CLOSE | {"event": "9"}]):
        project.operator_events = changed
        project.write()
        project.run("seed")
        with pytest.raises(DbtFailed, match="must not change"):
            project.run("run", "--select", "stg_s__p")
    assert [row["id"] for row in project.rows("cur_s__p")] == [2]

    # a run that was interrupted after the property and before the row, then everything from the
    # start
    epoch = {
        "event": "2",
        "kind": "epoch",
        "source_name": "s",
        "landed_from": "2026-03-01 05:00:00",
    }
    project.operator_events = [CLOSE, epoch]
    project.write()
    project.run("seed")
    written = json.dumps({"epochs": [epoch["landed_from"]], "kinds": ["close", "epoch"]})
    properties = f"('afterimage.operator' = '{written}')"
    project.spark.sql(f"alter table operator_faults.stg_s__p set tblproperties {properties}")
    project.run("run", *models)
    rows = project.rows("hist_s__p")
    project.run("run", "--full-refresh", *models)
    assert shown(project.rows("hist_s__p")) == shown(rows)
    assert [row["id"] for row in project.rows("cur_s__p")] == [2]

"""`notifications`, `signals` and `snapshots`: every form of the documents, and what a real run of
two incremental snapshots left (capture pg-incremental-snapshot); `metrics` out of the same."""

from __future__ import annotations

import json

import pytest

from tests.functional.capture_project import landing_records, project_of
from tests.functional.conftest import drop
from tests.functional.project import DbtFailed
from tests.truth.captures import captures

TABLE = "{{ config(materialized='table') }}\n"


def models(tables: list[str]) -> dict[str, str]:
    logs = "[" + ", ".join(f"ref('stg_src__{table}')" for table in tables) + "]"
    of_source = f"{logs}, [source('src', '{tables[0]}')]"
    others = "ref('notifications'), ref('signals')"
    return {
        "notifications": f"{TABLE}{{{{ afterimage.notifications({of_source}) }}}}\n",
        "signals": f"{TABLE}{{{{ afterimage.signals({of_source}) }}}}\n",
        "snapshots": f"{TABLE}{{{{ afterimage.snapshots({logs}, {others}) }}}}\n",
        "metrics": f"{TABLE}{{{{ afterimage.metrics({of_source}, ref('snapshots'),"
        " signals=ref('signals')) }}\n",
    }


def test_of_a_capture(spark, tmp_path, compared):
    capture = captures()["pg-incremental-snapshot"]
    if not capture.folder.exists():
        pytest.skip(f"the capture is not there: {capture.folder}")
    project = project_of(capture, tmp_path / "project", spark, "snapshots_capture")
    tables = ["people", "shifts", "badges"]
    project.tables = {name: project.tables[name] for name in tables}
    project.source_contract |= {"helper_tables": {"crew.dbz_signal": "signal"}}
    project.source_contract["side_topics"] = {"crewi.notification": "notification"}
    project.layers = {key: ["stg"] for key in tables}
    project.extra_models = models(tables)
    for stale in (tmp_path / "project" / "models").glob("*.sql"):
        stale.unlink()
    project.write()
    try:
        project.land(landing_records(capture.records))
        project.run("run", "--exclude", "dq_*quarantine")
        events = [(r, json.loads(r.value)) for r in capture.records if r.value]
        notified = project.rows("notifications")
        assert {row["fault"] for row in notified} == {None}
        assert len(notified) == sum(r.topic == "crewi.notification" for r, _ in events)

        signals = project.rows("signals")
        rows = [v["after"] for r, v in events if r.topic == "crewi.crew.dbz_signal"]
        assert sorted((s["id"], s["type"]) for s in signals) == sorted(
            (r["id"], r["type"]) for r in rows
        )
        assert {s["fault"] for s in signals} == {None}
        assert sum(s["kind"] == "watermark" for s in signals) == 100

        # what each run read, by the records: of a table, between the words of its run
        told = {
            (row["run"], row["collection"]): (
                *(row[name] for name in ("snapshot", "state", "chunks", "rows_scanned")),
                *(row[name] for name in ("rows_landed", "is_filtered", "evidence")),
                row["last_processed_key"] == row["maximum_key"],
            )
            for row in project.rows("snapshots")
        }
        reads = {}
        for record, value in events:
            if value.get("op") == "r":
                reads.setdefault(record.topic, []).append(value["ts_ms"])
        first = [v for r, v in events if r.topic == "crewi.notification" and v["id"] == "snap-1"]
        boundary = max(v["timestamp"] for v in first)
        people = reads["crewi.crew.people"]
        landed = (sum(t <= boundary for t in people), sum(t > boundary for t in people))
        assert told == {
            ("snap-1", "crew.people"): (
                *("incremental", "completed", 12, 296, landed[0], False, "presence", True),
            ),
            ("snap-1", "crew.shifts"): (
                *("incremental", "completed", 22, 546, len(reads["crewi.crew.shifts"])),
                *(False, "presence", True),
            ),
            ("snap-1", "crew.badges"): (
                *("incremental", "completed", 7, 160, len(reads["crewi.crew.badges"])),
                *(False, "presence", True),
            ),
            ("snap-2", "crew.people"): (
                *("incremental", "completed", 7, 152, landed[1], True, "presence", True),
            ),
            # snapshot.mode=no_data
            (skipped(notified), None): (
                *("initial", "skipped", 0, None, None, None, "none", True),
            ),
        }
        compared["rows of snapshots with what was notified"] += sum(map(len, reads.values()))

        metrics = {
            (row["context"], row["metric"]): row["value"]
            for row in project.rows("metrics", "table_name is null and since = 'landing'")
        }
        ops = [v["op"] for r, v in events if r.topic.split(".")[-1] in tables]
        assert {
            name: metrics["streaming", f"TotalNumberOf{name}EventsSeen"]
            for name in ("Create", "Update", "Delete")
        } == {
            "Create": str(ops.count("c")),
            "Update": str(ops.count("u")),
            "Delete": str(ops.count("d")),
        }
        assert metrics["snapshot", "TotalNumberOfEventsSeen"] == str(ops.count("r"))
        ends = {v["id"] for r, v in events if v.get("status") == "END"}
        assert metrics["streaming", "NumberOfCommittedTransactions"] == str(len(ends))
        newest = {
            row["metric"]: row["value"]
            for row in project.rows("metrics", "context = 'snapshot' and since = 'start'")
        }
        assert newest["RowsScanned"] == '{"crew.people":152}'
        assert (newest["SnapshotCompleted"], newest["RemainingTableCount"]) == ("true", "0")
        assert (newest["ChunkFrom"], newest["ChunkTo"], newest["TableTo"]) == ("375", "379", "379")
        last = max(
            (v["source"]["ts_ms"], v["after"]["id"])
            for r, v in events
            if r.topic == "crewi.crew.dbz_signal"
        )[1]
        assert newest["ChunkId"] == last.removesuffix("-close").removesuffix("-open")

        # the signal table is known, though no contract has it
        unrouted = {key[2] for key in project.counts() if key[1] == "unrouted"}
        assert {"notification", "signal table", "transaction"} <= unrouted
    finally:
        drop(spark, project)


def skipped(notified: list[dict]) -> str:
    return next(row["id"] for row in notified if row["status"] == "SKIPPED")


# --- by hand -----------------------------------------------------------------------------------


def notification(offset: int, type_: str, aggregate="Incremental Snapshot", id_=None, **told):
    """One as newer versions write them where `at` is given, else as 2.3 does, without a time."""
    at = told.pop("at", None)
    value = {"id": id_ or f"random-{offset}", "aggregate_type": aggregate, "type": type_}
    if told:
        value["additional_data"] = {"connector_name": "p"} | told
    if at is not None:
        value["timestamp"] = at
    return {
        "topic": "p.notify",
        "partition": 0,
        "offset": offset,
        "timestamp": 1000 * offset,
        "value": value,
    }


BOTH = {"data_collections": "s.a, s.b"}
DONE = {"total_rows_scanned": "100"}
INITIAL = "Initial Snapshot"
NOTIFIED = [
    # the documents' samples (001:24258-24384): ids of their own, lists with a space, no time
    notification(1, "Status COMPLETED", INITIAL),
    notification(2, "STARTED", **BOTH),
    notification(3, "PAUSED", **BOTH),
    notification(7, "RESUMED", **BOTH),
    notification(
        8,
        "IN_PROGRESS",
        current_collection_in_progress="s.a",
        maximum_key="100",
        last_processed_key="50",
        **BOTH,
    ),
    notification(
        9,
        "TABLE_SCAN_COMPLETED",
        data_collection="s.a, s.b",
        scanned_collection="s.a",
        status="SUCCEEDED",
        **DONE,
    ),
    notification(
        10,
        "TABLE_SCAN_COMPLETED",
        data_collection="s.a, s.b",
        scanned_collection="s.b",
        status="NO_PRIMARY_KEY",
        total_rows_scanned="0",
    ),
    notification(11, "COMPLETED", connector_name="p"),
    # stopped in its midst
    notification(12, "STARTED", **BOTH),
    notification(
        13,
        "IN_PROGRESS",
        current_collection_in_progress="s.a",
        maximum_key="9",
        last_processed_key="1",
        **BOTH,
    ),
    notification(14, "ABORTED", connector_name="p"),
    # a blocking one, by newer versions: the id is the signal's, the time a text
    notification(15, "STARTED", INITIAL, "block", at="1700000000000", **BOTH),
    notification(
        16,
        "TABLE_SCAN_COMPLETED",
        INITIAL,
        "block",
        at="1700000001000",
        data_collections="s.a,s.b",
        scanned_collection="s.a",
        status="EMPTY",
        total_rows_scanned="0",
    ),
    notification(17, "IN_PROGRESS", INITIAL, "block", at="1700000002000", **BOTH)
    | {"timestamp": 17000},
    # what is none that is known
    notification(18, "EXPLODED"),
    notification(19, "STARTED", "Some Other Thing"),
    {"topic": "p.notify", "partition": 0, "offset": 20, "value": '{"id": "x"'},
    {"topic": "p.notify", "partition": 0, "offset": 21, "value": {"hello": 1}},
    {"topic": "p.notify", "partition": 0, "offset": 22, "value": None},
]


def asked(offset: int, key: str | None = "p", **value) -> dict:
    record = {"topic": "p-signal", "partition": 0, "offset": offset, "timestamp": 5000}
    return record | {"key": key, "value": value}


def signal_row(offset: int, id_: str, type_: str, data: str | None, op="c") -> dict:
    source = {"lsn": 100 + offset, "name": "p", "schema": "s", "table": "sig", "ts_ms": 1000}
    image = {"sig_id": id_, "sig_type": type_, "sig_data": data}
    value = {"before": image if op == "d" else None, "after": None if op == "d" else image}
    value |= {"source": source | {"snapshot": "false", "txId": 1}, "op": op, "ts_ms": 1000}
    return {"topic": "p.s.sig", "partition": 0, "offset": offset, "value": value}


# the collection's documents are texts, and what is asked for is a document in them
MONGODB = signal_row(11, "m", "", None)
MONGODB["value"]["after"] = json.dumps(
    {"_id": "m", "type": "execute-snapshot", "data": {"data-collections": ["d.c"]}}
)
TWO = '{"data-collections": ["s.a", "s.b"]'
SIGNALLED = [
    signal_row(0, "block", "execute-snapshot", TWO + ', "type": "BLOCKING"}'),
    signal_row(1, "i", "execute-snapshot", TWO + ', "additional-condition": "x=1"}'),
    signal_row(2, "i", "stop-snapshot", TWO + ', "type": "incremental"}'),
    signal_row(3, "i", "stop-snapshot", TWO + "}"),
    signal_row(4, "i", "pause-snapshot", '{"type": "incremental"}'),
    signal_row(5, "i", "resume-snapshot", '{"type": "incremental"}'),
    signal_row(6, "i", "log", '{"message": "at {}"}'),
    signal_row(7, "i-open", "snapshot-window-open", None),
    signal_row(8, "i-open", "snapshot-window-open", None, op="d"),  # insert_delete
    signal_row(9, "i", "log", "no json"),
    signal_row(10, "i", "dance", None),
    MONGODB,
    asked(0, type="execute-snapshot", data={"data-collections": ["s.a"], "type": "INCREMENTAL"}),
    asked(1, key='"q"', type="log", data={"message": "m"}),
    asked(2, hello=1),
]


@pytest.mark.shows(
    "postgresql",
    "any",
    "notification, initial snapshot",
    "notification, incremental snapshot",
    "signal, message",
    "signal, row of a table",
)
@pytest.mark.shows("mongodb", "any", "signal, row of a table")
def test_every_form(make_project):
    contract = {"key": ["id"], "columns": {"id": "int"}}
    project = make_project(
        "snapshots_by_hand",
        source="src",
        source_contract={
            "connector": "postgresql",
            "topic_prefix": "p",
            "helper_tables": {"s.sig": "signal"},
            "side_topics": {"p.notify": "notification"},
        },
        tables={name: {"topic": f"p.s.{name}"} | contract for name in ("a", "b")},
        layers={key: ["stg"] for key in ("a", "b")},
        extra_models=models(["a", "b"]),
    )
    (project.folder / "models" / "tests.yml").write_text(
        "models: [{name: snapshots, data_tests: [afterimage.cdc_snapshots_whole: {name: whole}]}]\n"
    )
    project.land([*NOTIFIED, *SIGNALLED])
    project.run("run", "--exclude", "dq_*")
    faults = {r["offset"]: r["fault"] for r in project.rows("notifications", "fault is not null")}
    assert faults == {
        18: "unknown status",
        19: "unknown kind",
        20: "broken JSON",
        21: "no notification",
        22: "no value",
    }
    told = {
        (row["run"], row["collection"]): tuple(
            row[name] for name in ("snapshot", "state", "rows_scanned", "is_filtered", "evidence")
        )
        for row in project.rows("snapshots")
    }
    assert told == {
        ("random-1", None): ("initial", "completed", None, None, "absence"),
        ("random-2", "s.a"): ("incremental", "completed", 100, None, "presence"),
        ("random-2", "s.b"): ("incremental", "failed", 0, None, "none"),
        ("random-12", "s.a"): ("incremental", "aborted", None, None, "none"),
        ("random-12", "s.b"): ("incremental", "aborted", None, None, "none"),
        ("block", "s.a"): ("blocking", "completed", 0, False, "absence"),
        ("block", "s.b"): ("blocking", "waiting", None, False, "none"),
    }
    [paused] = {r["paused_seconds"] for r in project.rows("snapshots", "run = 'random-2'")}
    assert paused == 4
    with pytest.raises(DbtFailed, match="whole"):
        project.run("test", "--select", "whole")

    rows = sorted(project.rows("signals"), key=lambda r: (r["channel"], r["offset"]))
    names = ("type", "kind", "snapshot", "is_filtered", "fault")
    assert [tuple(row[name] for name in names) for row in rows if row["channel"] == "kafka"] == [
        ("execute-snapshot", "action", "incremental", False, None),
        ("log", "action", None, None, "another key"),
        (None, "other", None, None, "no signal"),
    ]
    assert [tuple(row[name] for name in names) for row in rows if row["channel"] == "table"] == [
        ("execute-snapshot", "action", "blocking", False, None),
        ("execute-snapshot", "action", "incremental", True, None),
        ("stop-snapshot", "action", "incremental", None, None),
        ("stop-snapshot", "action", "incremental", None, "no snapshot type"),
        ("pause-snapshot", "action", "incremental", None, None),
        ("resume-snapshot", "action", "incremental", None, None),
        ("log", "action", None, None, None),
        ("snapshot-window-open", "watermark", None, None, None),
        ("snapshot-window-open", "watermark", None, None, None),
        ("log", "action", None, None, "data is no JSON"),
        ("dance", "other", None, None, "unknown action"),
        ("execute-snapshot", "action", "incremental", False, None),
    ]
    assert {row["op"] for row in rows} == {None, "c", "d"}
    assert [row["data_collections"] for row in rows if row["type"] == "execute-snapshot"] == [
        ["s.a"],
        ["s.a", "s.b"],
        ["s.a", "s.b"],
        ["d.c"],
    ]

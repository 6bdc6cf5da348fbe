"""`notifications`, `signals` and `snapshots`: every documented form, and the records of a real run
of two incremental snapshots (capture pg-incremental-snapshot); `metrics` from the same."""

import json
import time

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


@pytest.mark.shared
def test_of_a_capture(spark, tmp_path, compared):
    capture = captures()["pg-incremental-snapshot"]
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

        # what each run read, by the records of a table between the notifications of its run
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

        # the signal table is known, though it has no contract
        unrouted = {key[2] for key in project.counts() if key[1] == "unrouted"}
        assert {"notification", "signal table", "transaction"} <= unrouted
    finally:
        drop(spark, project)


def skipped(notified: list[dict]) -> str:
    return next(row["id"] for row in notified if row["status"] == "SKIPPED")


# --- by hand -----------------------------------------------------------------------------------


def notification(offset: int, type_: str, aggregate="Incremental Snapshot", id_=None, **told):
    """As newer versions write one if `at` is given, else as 2.3 does, without a time."""
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
    # the documentation's samples (001:24258-24384): their own ids, lists with a space, no time
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
    # stopped midway
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
    # a blocking one, from newer versions: the id is the signal's, the time a text
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
    # of no known kind
    notification(18, "EXPLODED"),
    notification(19, "STARTED", "Some Other Thing"),
    {"topic": "p.notify", "partition": 0, "offset": 20, "value": '{"id": "x"'},
    {"topic": "p.notify", "partition": 0, "offset": 21, "value": {"hello": 1}},
    {"topic": "p.notify", "partition": 0, "offset": 22, "value": None},
]


def one_of(connector: str, offset: int, second: float, type_: str, id_=None, kind=None, **told):
    """A notification of another connector, as newer versions write them; kind: Initial Snapshot."""
    at = 1_600_000_000_000 + int(second * 1000)
    told |= {"connector_name": connector}
    return notification(offset, type_, kind or "Incremental Snapshot", id_, at=at, **told)


A = {"data_collections": "s.a"}
SCANNED_A = {"status": "SUCCEEDED", "total_rows_scanned": "7", "scanned_collection": "s.a"}
SCANNED_B = SCANNED_A | {"scanned_collection": "s.b"}
AGAIN = one_of("again", 32, 1, "IN_PROGRESS", current_collection_in_progress="s.a", **A)
OTHERS = [
    # each notification has its own id, and one came twice
    one_of("again", 31, 0, "STARTED", **A),
    AGAIN,
    AGAIN | {"offset": 33},
    one_of("again", 34, 2, "COMPLETED"),
    # one id for two requests, the second of which is in progress
    one_of("adhoc", 41, 0, "STARTED", "mine", **A),
    one_of("adhoc", 42, 1, "TABLE_SCAN_COMPLETED", "mine", **SCANNED_A),
    one_of("adhoc", 43, 2, "COMPLETED", "mine"),
    one_of("adhoc", 44, 9, "STARTED", "mine", **A),
    one_of("adhoc", 45, 10, "IN_PROGRESS", "mine", current_collection_in_progress="s.a", **A),
    # the id was the notification's; since an upgrade it is the run's
    one_of("newer", 51, 0, "STARTED", **A),
    one_of("newer", 52, 1, "COMPLETED"),
    one_of("newer", 53, 5, "STARTED", "mine", **A),
    one_of("newer", 54, 6, "IN_PROGRESS", "mine", current_collection_in_progress="s.a", **A),
    one_of("newer", 55, 7, "COMPLETED", "mine"),
    # an initial one that is not done, a stalled one, one passed over
    one_of("ended", 61, 0, "STARTED", kind=INITIAL, **BOTH),
    one_of("ended", 62, 4.5, "ABORTED", kind=INITIAL),
    one_of("still", 71, 0, "STARTED", "still", **A),
    one_of("still", 72, 1, "PAUSED", "still", **A),
    one_of("still", 73, 4, "RESUMED", "still", **A),
    one_of("still", 74, 6, "PAUSED", "still", **A),
    one_of("none", 81, 0, "SKIPPED", kind=INITIAL),
    # read in full; its table `b` has a filter of the connector's own
    one_of("whole", 91, 0, "STARTED", kind=INITIAL, **BOTH),
    one_of("whole", 92, 1, "TABLE_SCAN_COMPLETED", None, INITIAL, **SCANNED_A),
    one_of("whole", 93, 2, "TABLE_SCAN_COMPLETED", None, INITIAL, **SCANNED_B),
    one_of("whole", 94, 3, "COMPLETED", kind=INITIAL),
    # only structures
    one_of("bare", 96, 0, "STARTED", kind=INITIAL, **A),
    one_of("bare", 97, 1, "COMPLETED", kind=INITIAL),
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


# insert_delete, for a table whose before images have only the key; and the tombstone after it
KEY_ALONE = signal_row(12, "i-open", "snapshot-window-open", None, op="d")
KEY_ALONE["value"]["before"] = {"sig_id": "i-open"}
TOMBSTONE = {"topic": "p.s.sig", "partition": 0, "offset": 13, "value": None}
# the collection's documents are texts, and the request is a document in them
MONGODB = signal_row(11, "m", "", None)
MONGODB["value"]["after"] = json.dumps(
    {"_id": "m", "type": "execute-snapshot", "data": {"data-collections": ["d.c"]}}
)
# read by a snapshot without a time
TIMELESS = signal_row(10, "i", "dance", None)
TIMELESS["value"]["source"]["ts_ms"] = 0
TIMELESS["timestamp"] = 9_000
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
    TIMELESS,
    MONGODB,
    KEY_ALONE,
    TOMBSTONE,
    asked(0, type="execute-snapshot", data={"data-collections": ["s.a"], "type": "INCREMENTAL"}),
    asked(1, key='"q"', type="log", data={"message": "m"}),
    asked(2, hello=1),
    {"topic": "p-signal", "partition": 0, "offset": 3, "key": "p", "value": None},
]


def change(offset: int, op: str, run: str, tx: int, source_ms: int, after_ms: int) -> dict:
    """A change of `a`, made at one time and processed `after_ms` later by a run of the connector"""
    source = {"lsn": 500 + offset, "txId": tx, "name": "p", "schema": "s", "table": "a"}
    source |= {"snapshot": "true" if op == "r" else "false", "ts_ms": source_ms}
    before = {"id": 1} if op == "d" else None
    value = {"before": before, "after": None if before else {"id": 1}, "source": source, "op": op}
    value["ts_ms"] = source_ms + after_ms
    headers = {"__debezium.context.runId": run}
    record = {"topic": "p.s.a", "partition": 0, "offset": offset, "headers": headers}
    return record | {"timestamp": source_ms + after_ms + 5, "value": value}


CHANGES = [
    change(0, "r", "first", 7, 1000, 1),
    change(1, "c", "first", 8, 2000, 10),
    change(2, "u", "second", 9, 3000, 20),
    change(3, "u", "second", 9, 3000, 25),
    change(4, "d", "second", 10, 4000, 70),
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
        tables={
            "a": {"topic": "p.s.a"} | contract,
            "b": {"topic": "p.s.b", "settings": {"snapshot_select_statement_overrides": True}}
            | contract,
        },
        layers={key: ["stg"] for key in ("a", "b")},
        extra_models=models(["a", "b"]),
    )
    (project.folder / "models" / "tests.yml").write_text(
        "models: [{name: snapshots, data_tests: [afterimage.cdc_snapshots_whole: {name: whole}]}]\n"
    )
    project.land([*NOTIFIED, *OTHERS, *SIGNALLED, *CHANGES])
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
        for row in project.rows("snapshots", "connector_name = 'p' or connector_name is null")
    }
    assert told == {
        # nothing shows that a table was scanned
        ("random-1", None): ("initial", "completed", None, None, "presence"),
        ("random-2", "s.a"): ("incremental", "completed", 100, None, "presence"),
        ("random-2", "s.b"): ("incremental", "failed", 0, None, "none"),
        ("random-12", "s.a"): ("incremental", "aborted", None, None, "none"),
        ("random-12", "s.b"): ("incremental", "aborted", None, None, "none"),
        ("block", "s.a"): ("blocking", "completed", 0, False, "absence"),
        ("block", "s.b"): ("blocking", "waiting", None, True, "none"),
    }
    names = ("connector_name", "run", "collection", "state", "is_filtered", "evidence")
    others = project.rows("snapshots", "connector_name <> 'p'")
    others.sort(
        key=lambda row: (row["connector_name"], row["run_started_at"], row["collection"] or "")
    )
    assert [tuple(row[name] for name in names) for row in others] == [
        ("adhoc", "mine", "s.a", "completed", None, "presence"),
        ("adhoc", "mine", "s.a", "in progress", None, "none"),
        ("again", "random-31", "s.a", "completed", None, "presence"),
        ("bare", "random-96", "s.a", "completed", None, "presence"),
        ("ended", "random-61", "s.a", "aborted", None, "none"),
        ("ended", "random-61", "s.b", "aborted", True, "none"),
        ("newer", "random-51", "s.a", "completed", None, "presence"),
        ("newer", "mine", "s.a", "completed", None, "presence"),
        ("none", "random-81", None, "skipped", None, "none"),
        ("still", "still", "s.a", "paused", None, "none"),
        ("whole", "random-91", "s.a", "completed", None, "absence"),
        ("whole", "random-91", "s.b", "completed", True, "presence"),
    ]
    assert [r["chunks"] for r in others if r["connector_name"] == "again"] == [1]
    metrics_by_hand(project)
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
        (None, "other", None, None, "no value"),
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
        (None, "other", None, None, None),
        (None, "other", None, None, None),
    ]
    assert {row["op"] for row in rows} == {None, "c", "d"}
    [timeless] = [row for row in rows if row["type"] == "dance"]
    assert timeless["signalled_at"] == timeless["landed_at"]
    assert [row["data_collections"] for row in rows if row["type"] == "execute-snapshot"] == [
        ["s.a"],
        ["s.a", "s.b"],
        ["s.a", "s.b"],
        ["d.c"],
    ]
    # redelivered to a recreated topic, whose offsets are small
    project.land([AGAIN | {"offset": 0, "timestamp": 1_772_000_000_000}])
    project.run("run", "--select", "notifications")
    again = project.rows("notifications", "id = 'random-32'")
    assert {r["offset"]: r["is_repeat"] for r in again} == {32: False, 33: True, 0: True}


def metrics_by_hand(project) -> None:
    """What CHANGES are to a connector's counters, since it restarted and before; and each of the
    runs that are its newest."""
    now = time.time() * 1000
    rows = project.rows("metrics", "connector = 'p' and context = 'streaming'")
    told = {(row["since"], row["table_name"], row["metric"]): row["value"] for row in rows}
    shared = {
        "LastEvent": "p.s.a 0:4 d",
        "MilliSecondsBehindSource": "70",
        "SourceEventPosition": f"{504:020d}",
        "LastTransactionId": "10",
        "CapturedTables": "p.s.a",
    }
    counts = ("TotalNumberOfEventsSeen", "TotalNumberOfCreateEventsSeen")
    counts += ("TotalNumberOfUpdateEventsSeen", "TotalNumberOfDeleteEventsSeen")
    for since, seen in {"start": ("3", "0", "2", "1"), "landing": ("4", "1", "2", "1")}.items():
        for table in (None, "a"):
            for metric, value in (shared | dict(zip(counts, seen, strict=True))).items():
                assert told.pop((since, table, metric)) == value, (since, metric)
            quiet = int(told.pop((since, table, "MilliSecondsSinceLastEvent")))
            assert now - 4070 - 600_000 < quiet <= now - 4070
    # two changes name transaction 9; since the start there are two, before it a third
    assert told == {
        ("start", None, "NumberOfCommittedTransactions"): "2",
        ("landing", None, "NumberOfCommittedTransactions"): "3",
    }
    read = project.rows("metrics", "context = 'snapshot' and since = 'landing'")
    read = {(row["table_name"], row["metric"]): row["value"] for row in read}
    assert read["a", "TotalNumberOfEventsSeen"] == "1"
    assert read[None, "LastEvent"] == "p.s.a 0:0 r" and (None, "LastTransactionId") not in read

    found: dict[str, dict] = {}
    for row in project.rows("metrics", "context = 'snapshot' and since = 'start'"):
        found.setdefault(row["connector"], {})[row["metric"]] = row["value"]
    names = ("TotalTableCount", "RemainingTableCount", "SnapshotRunning", "SnapshotPaused")
    names += ("SnapshotAborted", "SnapshotSkipped", "SnapshotCompleted")
    names += ("SnapshotDurationInSeconds", "SnapshotPausedDurationInSeconds")
    yes, no = "true", "false"
    assert {
        connector: tuple(found[connector][name] for name in names)
        for connector in ("p", "adhoc", "ended", "still", "none", "whole")
    } == {
        "p": ("2", "1", yes, no, no, no, no, "2", "0"),
        "adhoc": ("1", "1", yes, no, no, no, no, "1", "0"),
        "ended": ("2", "2", no, no, yes, no, no, "4", "0"),
        "still": ("1", "1", no, yes, no, no, no, "6", "3"),
        "none": ("0", "0", no, no, no, yes, no, "0", "0"),
        "whole": ("2", "0", no, no, no, no, yes, "3", "0"),
    }
    assert found["whole"]["RowsScanned"] in ('{"s.a":7,"s.b":7}', '{"s.b":7,"s.a":7}')

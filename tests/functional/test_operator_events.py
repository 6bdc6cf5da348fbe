"""Operator events on real streams and on small ones."""

import pytest

from tests.functional.capture_project import landing_records, project_of, table_name
from tests.functional.conftest import drop
from tests.truth.captures import captures
from tests.truth.compare import compare_table

SECOND_SNAPSHOT = {"position": f"{46602880:020d}", "source_ts": "2026-11-21 05:56:25.419"}


def capture_of(name: str):
    return captures()[name]


def complete(capture, prefix: str = "", **place) -> list[dict]:
    """A complete snapshot declared for every table with a key."""
    return [
        {
            "event": f"{prefix}{number}",
            "kind": "snapshot_complete",
            "source_name": "src",
            "table_name": table_name(table.name),
            "note": "read whole",
            **place,
        }
        for number, table in enumerate(t for t in capture.spec.tables.values() if t.key)
    ]


def contents(project, capture) -> dict[str, list[str]]:
    """What a reader of history and current state sees, without batch numbers."""
    return {
        f"{layer} {table.name}": sorted(
            str({c: v for c, v in row.items() if c != "_cdc_batch"})
            for row in project.rows(f"{layer}_src__{table_name(table.name)}")
        )
        for table in capture.spec.tables.values()
        if table.key
        for layer in ("hist", "cur")
    }


def faults(project, capture, name=None) -> list[str]:
    """How the current states differ from the database."""
    return [
        str(difference)
        for table in capture.spec.tables.values()
        if table.key
        for difference in compare_table(
            table, capture.final[table.name], project.rows(f"cur_src__{table_name(table.name)}")
        )
    ]


@pytest.mark.shared
@pytest.mark.slow
def test_a_complete_snapshot_ends_what_it_did_not_read(spark, tmp_path, compared):
    """The second snapshot of pg-resnapshot: 69 rows were deleted in a gap without events. Declared
    last, or declared first with everything arriving in reverse order, it ends exactly those."""
    capture = capture_of("pg-resnapshot")
    records = landing_records(capture.records)
    events = complete(capture, **SECOND_SNAPSHOT)
    said_last = project_of(capture, tmp_path / "last", spark, schema="resnapshot_last")
    said_first = project_of(capture, tmp_path / "first", spark, schema="resnapshot_first")
    try:
        said_last.land(records)
        said_last.run("run")
        assert len([f for f in faults(said_last, capture) if "row not expected" in f]) == 69
        said_last.operator_events = events
        said_last.write()
        said_last.run("seed")
        said_last.run("run")
        assert faults(said_last, capture) == []
        ended = [
            row
            for table in ("people", "badges", "shifts")
            for row in said_last.rows(f"hist_src__{table}")
            if row["_cdc_end_reason"] == "absent from snapshot"
        ]
        assert {row["_cdc_end_position"] for row in ended} == {SECOND_SNAPSHOT["position"]}
        # one of the stale rows was inserted again later: it was also gone for a while
        assert len(ended) == 70

        said_first.operator_events = events
        said_first.write()
        said_first.run("seed")
        for part in (records[len(records) // 2 :], records[: len(records) // 2]):
            said_first.land(part[::-1])
            said_first.run("run")
        assert contents(said_first, capture) == contents(said_last, capture)
        compared["rows of cur_ compared with the database"] += sum(map(len, capture.final.values()))
    finally:
        drop(spark, said_last)
        drop(spark, said_first)


@pytest.mark.shared
@pytest.mark.slow
@pytest.mark.parametrize("declared", ["before", "after"])
def test_a_restored_database_is_a_new_epoch(declared, spark, tmp_path, compared):
    """Two captures of one workload, the later server first: for the topics the database was
    restored, and positions and offsets restart. Undeclared it is an alarm; declared, before its
    records land or after they were read, current states are what the database holds."""
    old, new = capture_of("pg-reselect"), capture_of("pg-message-key")
    project = project_of(new, tmp_path / "project", spark, schema=f"epoch_{declared}")
    begin = 1_900_000_000_000
    first = [
        dict(r, timestamp=begin - 1000)
        | {
            name: (r[name] or "").replace("pg_reselect", "pg_message_key") or None
            for name in ("topic", "key", "value")
        }
        for r in landing_records(old.records)
    ]
    second = [dict(r, timestamp=begin + 1000) for r in landing_records(new.records)]
    snapshot = next(e for e in new.records if e.value and '"op":"r"' in e.value)
    place = int(snapshot.value.split('"lsn":')[1].split(",")[0])
    events = [
        {
            "event": "restored",
            "kind": "epoch",
            "source_name": "src",
            "landed_from": "2030-03-17 17:46:40",
            "note": "restored from a backup",
        },
        *complete(new, "whole ", position=f"e0001.{place:020d}", source_ts="2030-03-17 17:46:41"),
    ]
    try:
        project.land(first)
        project.run("run")
        if declared == "after":
            project.land(second)
            project.run("run")
            alarms = {c[2] for c in project.counts() if c[1] == "alarm"}
            assert alarms == {"two_records_at_one_place", "position_went_back"}
        project.operator_events = events
        project.write()
        project.run("seed")
        project.run("run")
        if declared == "before":
            project.land(second)
            project.run("run")
        assert faults(project, new) == []
        counts = project.counts()
        assert not [c for c in counts if c[1] in ("pending", "alarm")], counts
        landed = sum(n for c, n in counts.items() if c[1] == "landed")
        assert landed == sum(
            n for c, n in counts.items() if c[1] in ("staged", "duplicate", "ignored")
        )
        compared["rows of cur_ compared with the database"] += sum(map(len, new.final.values()))
    finally:
        drop(spark, project)

"""The oracle reproduces what the databases held, at the end and at every mark."""

import json
import random
from dataclasses import replace

import pytest

from tests.oracle.fold import as_of, fold
from tests.oracle.postgres import decode
from tests.oracle.records import read_json_lines
from tests.truth.captures import captures
from tests.truth.compare import as_model_rows

ALL = captures()


@pytest.fixture(scope="module", params=list(ALL))
def capture(request):
    return present(request.param)


def present(name: str):
    return ALL[name]


@pytest.fixture(scope="module")
def folded(capture):
    return fold(capture.envelopes, capture.former_spec)


def faults(capture, spec, at, rows: dict[str, list[dict]]) -> list[str]:
    """Over all tables whose truth is known at that point."""
    return [
        fault
        for table in capture.truth(at)
        for fault in capture.faults(spec.tables[table], at, as_model_rows(rows[table]))
    ]


def cells(capture, at) -> int:
    return sum(len(row) for rows in capture.truth(at).values() for row in rows)


def tell_out_of_reach(capture, compared) -> None:
    """Counts the cells and rows that the stream does not carry, by reason."""
    for entry in capture.out_of_reach:
        what = "rows" if entry.column == "*" else "cells"
        compared[f"{what} listed as out of reach: {entry.reason.strip()}"] += len(entry.keys)


# --- truth -------------------------------------------------------------------------------------


def test_every_table_of_the_truth_is_declared(capture):
    assert set(capture.final) == set(capture.spec.tables)


def test_final_rows(capture, folded, compared):
    compared["captures through the oracle, whole and shuffled"] += 1
    compared["cells of the oracle with the database, final"] += cells(capture, "final")
    tell_out_of_reach(capture, compared)
    assert faults(capture, capture.former_spec, "final", folded.current) == []
    assert folded.unmatched == []


def test_rows_at_every_mark(capture, folded, compared):
    """History, queried by position."""
    path = capture.folder / "truth" / "marks.jsonl"
    listed = {line["mark"] for line in read_json_lines(path)} if path.exists() else set()
    told = bool(listed - capture.left_out.keys()) and not set(capture.final) <= {"demo.mark"}
    assert bool(capture.marks) == told
    for number, mark in capture.marks.items():
        compared["marks of captures through the oracle"] += 1
        compared["cells of the oracle with the database, at marks"] += cells(capture, number)
        rows = {table: as_of(versions, mark.lsn) for table, versions in folded.versions.items()}
        assert faults(capture, capture.former_spec, number, rows) == []


def test_rows_delivered_before_every_mark(capture):
    """Delivery is in commit order: the records before the mark's own row give the state it
    names."""
    delivered = {}
    for place, record in enumerate(capture.envelopes):
        event = decode(record, capture.spec)
        if event and event.table.name.endswith(".mark"):
            delivered.setdefault(event.key, place)
    for number in capture.marks:
        rows = fold(capture.envelopes[: delivered[(str(number),)]], capture.former_spec).current
        assert faults(capture, capture.former_spec, number, rows) == []


def test_contract_of_the_final_shape(capture):
    """The same without the columns dropped on the way: what the models can read."""
    folded = fold(capture.envelopes, capture.spec)
    assert faults(capture, capture.spec, "final", folded.current) == []
    for number, mark in capture.marks.items():
        rows = {table: as_of(versions, mark.lsn) for table, versions in folded.versions.items()}
        assert faults(capture, capture.spec, number, rows) == []


# --- laws --------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(3))
def test_any_order_and_any_repeat_give_the_same(capture, folded, seed):
    chance = random.Random(seed)
    landed_twice = chance.sample(capture.envelopes, len(capture.envelopes) // 3)
    read_again = [
        later(record)
        for record in chance.sample(capture.envelopes, len(capture.envelopes) // 3)
        if record.key is not None
    ]
    records = capture.envelopes + landed_twice + read_again
    chance.shuffle(records)
    assert fold(records, capture.former_spec) == folded


def later(record):
    """The same change in a later read: another offset, connector run and processing time."""
    value = record.value and record.value.replace('"ts_ms":', '"ts_ms":1', 1)
    headers = record.headers | {"__debezium.context.runId": "another"}
    return replace(record, offset=record.offset + 1_000_000, value=value, headers=headers)


def test_intervals(folded):
    for versions in folded.versions.values():
        ends = {}
        for version in versions:
            assert version.end is None or version.start < version.end
            if version.key is not None:
                assert ends.get(version.key, version.start) is not None, "two open versions"
                assert ends.get(version.key, version.start) <= version.start, "overlap"
                ends[version.key] = version.end


@pytest.mark.shared
def test_the_schema_block_changes_nothing():
    capture = present("pg-inventory-with-schema")
    bare = [
        replace(record, key=payload(record.key), value=payload(record.value))
        if place % 2
        else record
        for place, record in enumerate(capture.envelopes)
    ]
    assert fold(bare, capture.spec) == fold(capture.envelopes, capture.spec)


def payload(text: str | None) -> str | None:
    return text and json.dumps(json.loads(text)["payload"])


# --- the checks detect what is wrong -----------------------------------------------------------


@pytest.mark.shared
def test_folding_key_by_key_loses_half_of_the_slots():
    capture = present("pg-inventory")
    events = [event for record in capture.envelopes if (event := decode(record, capture.spec))]
    events = [event for event in events if event.table.name == "shop.stock_slots"]
    latest = {event.key: event for event in events}
    rows = [event.after for event in latest.values() if event.op != "d"]
    assert len(rows) == 6
    table = capture.spec.tables["shop.stock_slots"]
    missing = [f for f in capture.faults(table, "final", rows) if "row missing" in f]
    assert len(missing) == 6


@pytest.mark.shared
def test_the_last_arrival_is_not_the_last_change():
    """A replay temporarily brings back deleted keys: NOTES count 24."""
    capture = present("pg-restart-duplicates")
    deleted_at, came_back = {}, set()
    for record in capture.envelopes:
        event = decode(record, capture.spec)
        if event and event.op == "d":
            deleted_at[event.table.name, event.key] = event.lsn
        elif event and event.lsn < deleted_at.get((event.table.name, event.key), 0):
            came_back.add((event.table.name, event.key))
    assert len(came_back) == 24


@pytest.mark.shared
@pytest.mark.parametrize("op", ["c", "u", "d", "r", "t"])
def test_lost_events_are_seen(op):
    capture = present("pg-inventory")
    kept = [
        record
        for record in capture.envelopes
        if not ((event := decode(record, capture.spec)) and event.op == op)
    ]
    assert faults(capture, capture.spec, "final", fold(kept, capture.spec).current)


@pytest.mark.shared
def test_lost_headers_are_made_up_for_by_the_position():
    """A key change is known by its log position even if headers were not landed."""
    capture = present("pg-inventory")
    bare = [replace(record, headers={}) for record in capture.envelopes]
    current = fold(bare, capture.spec).current
    assert faults(capture, capture.spec, "final", current) == []


@pytest.mark.shared
def test_one_changed_value_is_seen():
    capture = present("pg-inventory")
    table = capture.spec.tables["shop.orders"]
    rows = as_model_rows(fold(capture.envelopes, capture.spec).current["shop.orders"])
    assert capture.faults(table, "final", rows) == []
    rows[0]["total"] = "0.01"
    assert len(capture.faults(table, "final", rows)) == 1
    assert len(capture.faults(table, "final", rows[1:])) == 1
    assert len(capture.faults(table, "final", [*rows[1:], rows[1]])) == 2


@pytest.mark.shared
def test_a_listed_cell_that_turns_equal_is_seen():
    capture = present("pg-inventory")
    table = capture.spec.tables["shop.customers"]
    rows = as_model_rows(fold(capture.envelopes, capture.spec).current["shop.customers"])
    assert capture.faults(table, "final", rows) == []
    guessed = [row | {"points": row["points"] or "7", "_cdc_unknown": "[]"} for row in rows]
    assert any("out of reach" in fault for fault in capture.faults(table, "final", guessed))


@pytest.mark.shared
def test_a_partial_json_update_leaves_a_break_between_images():
    """No event has the value it wrote; the next one's `before` does. The final rows are still
    right, because that event carries the full row."""
    capture = present("mysql9-partialjson")
    events = [event for record in capture.envelopes if (event := decode(record, capture.spec))]
    types = [event for event in events if event.table.name == "shop.types"]
    lost = [event for event in types if '"p3"' in ((event.after or {}).get("js") or "")]
    shown = [event for event in types if '"p3"' in ((event.before or {}).get("js") or "")]
    assert lost == []
    assert [event.op for event in shown] == ["u"]

"""The resulting rows: written by hand, so that each rule is tested alone."""

import random

import pytest

from tests.oracle.build import Stream, small_spec
from tests.oracle.fold import as_of, fold
from tests.oracle.postgres import UNKNOWN

MARK = "__debezium_unavailable_value"


def rows(records, spec) -> list[tuple]:
    return sorted(tuple(row.values()) for row in fold(records, spec).current["t"])


def spans(records, spec) -> list[tuple]:
    """(value of v, from, to, why it ended) of every version."""
    versions = fold(records, spec).versions["t"]
    return [(v.values["v"], v.start.lsn, v.end and v.end.lsn, v.end_reason) for v in versions]


def test_versions_of_one_row():
    stream = Stream()
    stream.change("c", {"id": 1, "v": "a"}, lsn=10, tx=1)
    stream.change("u", {"id": 1, "v": "b"}, lsn=20, tx=2)
    stream.change("u", {"id": 1, "v": "b"}, lsn=25, tx=3)  # changes nothing
    stream.change("d", None, {"id": 1, "v": None}, lsn=30, tx=4)
    stream.tombstone({"id": 1})
    spec = small_spec()
    assert spans(stream.records, spec) == [("a", 10, 20, "update"), ("b", 20, 30, "delete")]
    assert rows(stream.records, spec) == []
    versions = fold(stream.records, spec).versions["t"]
    assert [as_of(versions, lsn) for lsn in (10, 30, 31)] == [[], [{"id": "1", "v": "b"}], []]


def test_numbers_order_as_numbers():
    stream = Stream()
    stream.change("u", {"id": 1, "v": "new"}, lsn=100, tx=2)
    stream.change("c", {"id": 1, "v": "old"}, lsn=99, tx=1)
    assert rows(stream.records, small_spec()) == [("1", "new")]


def test_snapshot_comes_before_stream_and_repeats_nothing():
    stream = Stream()
    stream.change("u", {"id": 1, "v": "b"}, lsn=10, tx=2)
    stream.change("r", {"id": 1, "v": "a"}, lsn=10, tx=1)
    stream.change("r", {"id": 1, "v": "b"}, lsn=40, tx=1)
    assert spans(stream.records, small_spec()) == [("a", 10, 10, "update"), ("b", 10, None, None)]


def test_a_value_not_sent_is_carried_within_the_life_only():
    stream = Stream()
    stream.change("c", {"id": 1, "v": "long"}, lsn=10, tx=1)
    stream.change("u", {"id": 1, "v": MARK}, lsn=20, tx=2)
    assert rows(stream.records, small_spec()) == [("1", "long")]
    stream.change("d", None, {"id": 1, "v": None}, lsn=30, tx=3)
    stream.change("u", {"id": 1, "v": MARK}, lsn=40, tx=4)  # another life, its create not seen
    assert fold(stream.records, small_spec()).current["t"] == [{"id": "1", "v": UNKNOWN}]


@pytest.mark.parametrize(
    ("newkey", "oldkey"),
    [
        ({"newkey": {"id": 2}}, {"oldkey": {"id": 1}}),
        ({}, {}),  # headers were not landed
        ({"newkey": {"v": ""}}, {"oldkey": {"v": ""}}),  # message.key.columns: not the row's key
    ],
)
def test_a_key_change_carries_from_the_old_key(newkey, oldkey):
    stream = Stream()
    stream.change("c", {"id": 1, "v": "long"}, lsn=10, tx=1)
    stream.change("d", None, {"id": 1, "v": None}, lsn=20, tx=2, **newkey)
    stream.change("c", {"id": 2, "v": MARK}, lsn=20, tx=2, **oldkey)
    assert rows(stream.records, small_spec()) == [("2", "long")]
    assert spans(stream.records, small_spec())[0] == ("long", 10, 20, "key change")


def test_the_delete_of_a_pair_comes_first_whatever_landed_first():
    """Without transaction metadata and headers, only the position joins the two."""
    stream = Stream(metadata=False)
    stream.change("c", {"id": 1, "v": "long"}, lsn=10, tx=1)
    stream.change("c", {"id": 2, "v": MARK}, lsn=20, tx=2)
    stream.change("d", None, {"id": 1, "v": None}, lsn=20, tx=2)
    assert rows(stream.records, small_spec()) == [("2", "long")]


def test_a_create_over_a_row_of_an_earlier_transaction_takes_its_place():
    """The delete between was lost; the old row is gone, and a later delete does not need it."""
    stream = Stream()
    stream.change("c", {"id": 1, "v": "a"}, lsn=10, tx=1)
    stream.change("c", {"id": 1, "v": "b"}, lsn=20, tx=2)
    stream.change("d", None, {"id": 1, "v": "a"}, lsn=30, tx=3)
    assert rows(stream.records, small_spec(full=True)) == []


SHIFT_UP = [("d", 1, "a"), ("c", 2, "a"), ("d", 2, "b"), ("c", 3, "b")]
SWAP = [("d", 1, "a"), ("c", 2, "a"), ("d", 2, "b"), ("c", 1, "b")]
SWAP_OF_EQUALS = [("d", 1, "a"), ("c", 2, "a"), ("d", 2, "a"), ("c", 1, "a")]
THROUGH = [("d", 1, "a"), ("c", 2, "a"), ("d", 2, "a"), ("c", 3, "a")]  # 2 keeps its own row


@pytest.mark.parametrize(
    ("second", "moves", "left"),
    [
        ("b", SHIFT_UP, [("2", "a"), ("3", "b")]),
        ("b", SWAP, [("1", "b"), ("2", "a")]),
        ("a", SWAP_OF_EQUALS, [("1", "a"), ("2", "a")]),
        ("b", THROUGH, [("2", "b"), ("3", "a")]),
    ],
)
def test_shifts_and_swaps_leave_what_the_database_has(second, moves, left):
    stream = Stream()
    stream.change("c", {"id": 1, "v": "a"}, lsn=10, tx=1)
    stream.change("c", {"id": 2, "v": second}, lsn=11, tx=1)
    for place, (op, key, value) in enumerate(moves):
        image = {"id": key, "v": value}
        after, before = (image, None) if op == "c" else (None, image)
        stream.change(op, after, before, lsn=20 + place // 2, tx=2)
    spec = small_spec(full=True)
    assert rows(stream.records, spec) == left
    for seed in range(20):
        assert rows(random.Random(seed).sample(stream.records, len(stream.records)), spec) == left


def test_truncate_closes_what_was_live_at_its_place():
    stream = Stream()
    stream.change("c", {"id": 1, "v": "a"}, lsn=10, tx=1)
    stream.change("c", {"id": 2, "v": "b"}, lsn=30, tx=3)
    stream.change("t", lsn=20, tx=2)
    assert spans(stream.records, small_spec()) == [("a", 10, 20, "truncate"), ("b", 30, None, None)]


def test_a_change_delivered_again_counts_once():
    stream = Stream()
    stream.change("c", {"id": 1, "v": "a"}, lsn=10, tx=1)
    stream.change("d", None, {"id": 1, "v": None}, lsn=20, tx=2)
    again = Stream()
    again.records = [None, None]
    again.change("c", {"id": 1, "v": "a"}, lsn=10, tx=1)
    records = stream.records + again.records[2:]
    assert spans(records, small_spec()) == [("a", 10, 20, "delete")]
    assert fold(records, small_spec()) == fold(stream.records, small_spec())


def test_keyless_rows_are_a_bag():
    spec, stream = small_spec(key=(), full=True, columns={"v": "text"}), Stream(key=())
    for _ in range(3):
        stream.change("r", {"v": "a"}, lsn=10, tx=1)
    stream.change("c", {"v": "a"}, lsn=20, tx=2)
    stream.change("c", {"v": "a"}, lsn=20, tx=2)  # one statement, two equal rows
    assert rows(stream.records, spec) == [("a",)] * 5
    assert rows(stream.records * 2, spec) == [("a",)] * 5
    stream.change("d", None, {"v": "a"}, lsn=30, tx=3)
    stream.change("u", {"v": "b"}, {"v": "a"}, lsn=31, tx=3)
    assert rows(stream.records, spec) == [("a",)] * 3 + [("b",)]
    stream.change("d", None, {"v": "never seen"}, lsn=40, tx=4)
    folded = fold(stream.records, spec)
    assert len(folded.current["t"]) == 4
    assert len(folded.unmatched) == 1

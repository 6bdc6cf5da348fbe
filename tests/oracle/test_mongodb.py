"""The resulting documents: written by hand, so that each rule is tested alone."""

import json
import random

import pytest

from tests.oracle import bson
from tests.oracle.bson import Decimal128, Int32, Int64, double
from tests.oracle.mongodb import applied, fold
from tests.oracle.records import record_from

ID = {"id": "1"}


class Stream:
    """Events of document 1, each at the next position of rs0."""

    def __init__(self):
        self.records = []

    def say(self, op, after=None, place=None, reading="A", lsid=None, order=None, **told):
        at = len(self.records)
        source = {"rs": told.pop("rs", "rs0"), "ts_ms": 1000, "ord": place or at + 1}
        source |= {"lsid": lsid, "txnNumber": lsid and 1}
        updated = told.pop("updated", None)
        description = None
        if updated is not None or told.keys() & {"removed", "truncated"}:
            description = {
                "updatedFields": json.dumps(updated or {}),
                "removedFields": told.pop("removed", None),
                "truncatedArrays": told.pop("truncated", None),
            }
        value = {
            "before": told.pop("before", None),
            "after": after and json.dumps(after),
            "updateDescription": description,
            "source": source,
            "op": op,
            "transaction": order and {"id": "x", "total_order": order},
        }
        if value["before"]:
            value["before"] = json.dumps(value["before"])
        assert not told
        fields = {"topic": "t", "offset": at, "key": ID, "value": value}
        fields["headers"] = {"__debezium.context.runId": reading}
        self.records.append(record_from(fields))
        return self

    def states(self, **how) -> list:
        """(document, begun, ended, whether approximate), numbers as they are."""
        return [
            (plain(v.document), v.begun[1], v.ended and v.ended[1], v.approximate)
            for v in fold(self.records, **how).versions
        ]


def plain(value):
    if isinstance(value, dict):
        return {name: plain(member) for name, member in value.items()}
    if isinstance(value, list):
        return [plain(element) for element in value]
    return value.value if isinstance(value, (Int32, Int64)) else value


def test_updates_are_applied_in_order():
    stream = Stream().say("c", {"_id": 1, "n": 1, "a": [1, 2, 3]})
    stream.say("u", updated={"n": 2}, removed=None)
    stream.say("u", updated={"a.0": 9, "where": {"x": 1}}, truncated=[{"field": "a", "size": 1}])
    stream.say("u", updated={"where.y": None}, removed=["n"])
    stream.say("d")
    expected = [
        ({"_id": 1, "n": 1, "a": [1, 2, 3]}, 1, 2, False),
        ({"_id": 1, "n": 2, "a": [1, 2, 3]}, 2, 3, False),
        ({"_id": 1, "n": 2, "a": [9], "where": {"x": 1}}, 3, 4, False),
        ({"_id": 1, "a": [9], "where": {"x": 1, "y": None}}, 4, 5, False),
    ]
    assert stream.states() == expected
    for seed in range(10):
        random.Random(seed).shuffle(stream.records)
        assert stream.states() == expected


def test_null_is_not_absent():
    stream = Stream().say("c", {"_id": 1, "n": 1}).say("u", updated={"n": None})
    assert stream.states()[-1][0] == {"_id": 1, "n": None}
    assert stream.say("u", removed=["n"]).states()[-1][0] == {"_id": 1}


def test_a_replacement_has_no_description():
    stream = Stream().say("c", {"_id": 1, "n": 1}).say("u", {"_id": 1, "m": 2})
    assert stream.states()[-1] == ({"_id": 1, "m": 2}, 2, None, False)


def test_what_is_looked_up_may_be_newer():
    """Three updates, all looked up at the end: one version with lookups, four by their
    descriptions."""
    newest = {"_id": 1, "n": 4}
    stream = Stream().say("c", {"_id": 1, "n": 1})
    for n in (2, 3, 4):
        stream.say("u", newest, updated={"n": n})
    assert [state[0]["n"] for state in stream.states()] == [1, 2, 3, 4]
    assert stream.states(lookups=True) == [
        ({"_id": 1, "n": 1}, 1, 2, False),
        (newest, 2, None, True),
    ]


def test_words_are_not_laid_over_a_newer_document():
    newest = {"_id": 1, "n": 2, "m": 3}
    stream = Stream().say("u", newest, updated={"n": 2}).say("u", newest, updated={"m": 1})
    stream.say("u", newest, updated={"m": 3})
    assert stream.states() == stream.states(lookups=True) == [(newest, 1, None, True)]


def test_what_is_gone_when_it_is_looked_up_is_not_a_delete():
    stream = Stream().say("c", {"_id": 1, "n": 1}).say("u", updated={"n": 2})
    assert stream.states(lookups=True)[-1] == ({"_id": 1, "n": 2}, 2, None, False)
    assert stream.say("d").states(lookups=True)[-1][2] == 3


def test_a_document_whose_birth_was_not_seen():
    """Its before image, or a lookup, gives it; else only the descriptions are known."""
    stream = Stream().say("u", updated={"n": 2})
    assert stream.states() == [(None, 1, None, False)]
    stream.say("u", removed=["m"])
    assert [len(v.parts) for v in fold(stream.records).versions] == [1, 2]
    stream.say("u", updated={"n": 3}, before={"_id": 1, "n": 2, "k": 5})
    assert stream.states()[-1] == ({"_id": 1, "n": 3, "k": 5}, 3, None, False)
    stream = Stream().say("u", {"_id": 1, "n": 7}, updated={"n": 2})
    assert stream.states() == [({"_id": 1, "n": 7}, 1, None, True)]


def test_another_delivery_looks_up_another_document():
    """It is the same change."""
    stream = Stream().say("c", {"_id": 1, "n": 1})
    stream.say("u", {"_id": 1, "n": 2}, updated={"n": 2})
    stream.say("u", {"_id": 1, "n": 5}, updated={"n": 2}, place=2, reading="B")
    assert fold(stream.records).events == 2
    assert stream.states(lookups=True)[-1][:3] == ({"_id": 1, "n": 2}, 2, None)


def test_one_document_twice_in_a_transaction():
    """Back and forth at one cluster time: distinguished within one read, and by their order."""
    for order in (False, True):
        stream = Stream().say("c", {"_id": 1, "n": 0})
        for reading in ("A", "B"):
            for at, n in enumerate((1, 2, 1), start=1):
                stream.say("u", updated={"n": n}, place=2, lsid="s", reading=reading,
                           order=at if order else None)  # fmt: skip
        assert [state[0]["n"] for state in stream.states()] == [0, 1, 2, 1]
        assert fold(stream.records).events == 4


def test_equal_changes_are_one_where_nothing_tells_readings_apart():
    stream = Stream().say("c", {"_id": 1, "n": 0})
    for _ in range(2):
        for n in (1, 2):
            stream.say("u", updated={"n": n}, place=2, lsid="s", reading=None)
    assert fold(stream.records).events == 3
    assert stream.states()[-1][0]["n"] == 2


def test_a_snapshot_row_comes_before_the_change_at_its_place():
    stream = Stream().say("u", updated={"n": 2}, place=5).say("r", {"_id": 1, "n": 1}, place=5)
    assert [state[0]["n"] for state in stream.states()] == [1, 2]


def test_a_snapshot_may_hold_later_changes():
    """It is read during writes; these changes come after it and end in the same document."""
    stream = Stream().say("r", {"_id": 1, "a": [7], "b": {"y": 2}}, place=1)
    stream.say("u", updated={"a.3": 5, "b.x": 1})
    stream.say("u", removed=["b"], truncated=[{"field": "a", "size": 1}])
    stream.say("u", updated={"b": {"y": 2}, "a.0": 7})
    assert stream.states()[-1][0] == {"_id": 1, "a": [7], "b": {"y": 2}}


def test_places_are_numbers_within_one_replica_set():
    stream = Stream().say("u", {"_id": 1, "n": "new"}, place=100)
    stream.say("c", {"_id": 1, "n": "old"}, place=99)
    assert [state[0]["n"] for state in stream.states()] == ["old", "new"]


@pytest.mark.parametrize(
    ("path", "value", "left"),
    [
        ("by.0", 5, {"by": {"0": 5}, "a": [{"x": 1}]}),  # a name that looks like an index
        ("a.0.x", 5, {"by": {"0": 1}, "a": [{"x": 5}]}),
        ("a.2", 5, {"by": {"0": 1}, "a": [{"x": 1}, None, 5]}),
        ("new.x", 5, {"by": {"0": 1}, "a": [{"x": 1}], "new": {"x": 5}}),
    ],
)
def test_paths(path, value, left):
    document = {"by": {"0": 1}, "a": [{"x": 1}]}
    told = {"updated": {path: value}, "removed": [], "truncated": []}
    assert applied(document, told) == left
    assert document == {"by": {"0": 1}, "a": [{"x": 1}]}


@pytest.mark.parametrize(
    "text",
    [
        '{"$oid": "12"}', '{"$oid": 5}', '{"$numberLong": "x"}', '{"$numberLong": 5}',
        '{"$numberInt": "3000000000"}', '{"$date": "yesterday"}', '{"$date": true}',
        '{"$binary": "%", "$type": "00"}', '{"$binary": {"base64": "AA=="}}', '{"$uuid": "12"}',
        '{"$timestamp": {"t": -1, "i": 1}}', '{"$timestamp": {"t": 4294967296, "i": 1}}',
        '{"$numberDecimal": "one"}', '{"$timestamp": {"t": 1}}', '{"a": 1, "a": 2}', '{"a": ', "",
        '{"$numberLong": "9223372036854775808"}', '{"$regex": 1, "$options": ""}',
    ],
)  # fmt: skip
def test_wrappers_that_lie(text):
    with pytest.raises(bson.NotExtendedJson):
        bson.read(text)


@pytest.mark.parametrize(
    ("texts", "value"),
    [
        (['{"$numberLong": "5"}'], Int64(5)),
        (["5", '{"$numberInt": "5"}'], Int32(5)),
        (["5.0", '{"$numberDouble": "5.0"}', "5e0"], double(5)),
        (["NaN", '{"$numberDouble": "NaN"}'], double(float("nan"))),
        (['{"$numberDecimal": "1.10"}'], Decimal128("1.10")),
        (
            ['{"$date": 1558965508000}', '{"$date": "2019-05-27T13:58:28Z"}',
             '{"$date": {"$numberLong": "1558965508000"}}', '{"$date": "2019-05-27T13:58:28.000Z"}',
             '{"$date": "2019-05-27T15:58:28+02:00"}'],
            bson.Date(1558965508000),
        ),
        (
            ['{"$binary": "a2Fma2E=", "$type": "00"}',
             '{"$binary": {"base64": "a2Fma2E=", "subType": "00"}}'],
            bson.Binary(b"kafka", 0),
        ),
        (
            ['{"$uuid": "00112233-4455-6677-8899-aabbccddeeff"}',
             '{"$binary": "ABEiM0RVZneImaq7zN3u/w==", "$type": "04"}'],
            bson.Binary(bytes.fromhex("00112233445566778899aabbccddeeff"), 4),
        ),
        (
            ['{"$regex": "^a", "$options": "i"}',
             '{"$regularExpression": {"pattern": "^a", "options": "i"}}'],
            bson.Regex("^a", "i"),
        ),
        (['{"$oid": "596E275826F08B2730779E1F"}'], bson.ObjectId("596e275826f08b2730779e1f")),
        (['{"$ref": "c", "$id": 1}'], {"$ref": "c", "$id": Int32(1)}),
        (['{"$minKey": 1}'], bson.MIN_KEY),
        (['{"$undefined": true}'], bson.UNDEFINED),
    ],
)  # fmt: skip
def test_versions_of_extended_json(texts, value):
    assert [bson.read(text) for text in texts] == [value] * len(texts)


def test_what_tells_ids_apart():
    """Numbers of one value are one _id, whatever their type; a text never equals them."""
    assert len({bson.identity(bson.read(t)) for t in ("1", "1.0", '{"$numberLong": "1"}')}) == 1
    others = ("1", '"1"', "true", '{"x": 1}', "[1]", '{"$oid": "' + "1" * 24 + '"}', "null")
    assert len({bson.identity(bson.read(text)) for text in others}) == len(others)
    assert bson.identity({"a": 1, "b": 2}) != bson.identity({"b": 2, "a": 1})

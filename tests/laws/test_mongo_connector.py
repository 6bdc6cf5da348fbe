"""The generated connector of MongoDB compared with the documented events: it writes what is printed
there, and the oracle reads it."""

import base64
import json
from random import Random

import pytest

from tests.laws.extended_json import FORMS as EXTENDED_JSON
from tests.laws.extended_json import GUIDE, GUIDE_IMAGE, IMAGE, UPDATE, write
from tests.laws.mongo import Change, Description, Mongo, Place, Transaction
from tests.laws.mongo_connector import MODES, Connector, key_of
from tests.oracle import bson
from tests.oracle.bson import (
    Binary,
    Int32,
    Int64,
    ObjectId,
    double,
    loose,
)
from tests.oracle.mongodb import applied, fold, read_event
from tests.oracle.records import record_from
from tests.truth.captures import shared_folder

DOCUMENTED = pytest.mark.shared
LINES = {"transaction": 13, "create": 14, "update": 15, "delete": 16}
# from an older capture, or clocks that later versions also print
BEYOND = {"h", "tord", "stxnid", "ts_us", "ts_ns"}
# the version is left open, nanoseconds are in place of milliseconds, a snapshot contains a delete
MISPRINTED = {"version", "snapshot"}
SESSION = base64.b64decode("FA7YEzXgQXSX9OxmzllH2w==")

ANNE = {
    "_id": Int64(1004),
    "first_name": "Anne",
    "last_name": "Kretchmar",
    "email": "annek@noanswer.org",
}
UNKNOWN, ANNE_MARIE = ANNE | {"first_name": "unknown"}, ANNE | {"first_name": "Anne Marie"}

KEYS = [
    (Int32(1234), "1234"),
    (double(12.34), "12.34"),
    ("1234", '"1234"'),
    (
        {"hi": "kafka", "nums": [double(10.0), double(100.0), double(1000.0)]},
        '{"hi" : "kafka", "nums" : [10.0, 100.0, 1000.0]}',
    ),
    (ObjectId("596e275826f08b2730779e1f"), '{"$oid" : "596e275826f08b2730779e1f"}'),
    (Binary(b"kafka", 0), '{"$binary" : "a2Fma2E=", "$type" : "00"}'),
]


def documented(name: str) -> dict:
    path = shared_folder("fixtures") / "debezium" / "docs_events.jsonl"
    event = json.loads(path.read_text(encoding="utf-8").split("\n")[LINES[name] - 1])["event"]
    return event.get("payload", event)


def connector(mode: str) -> Connector:
    return Connector(
        Mongo(Random(0)), Random(0), mode=mode, topic="fulfillment.inventory.customers"
    )


def envelope(change: Change, mode: str, found: dict | None = None) -> dict:
    return connector(mode).envelope("rs0", change, found)


@pytest.mark.parametrize(("value", "text"), KEYS)
def test_keys_of_the_guide(value, text):
    """Table 5.8 of the guide: the _id of each type as a text."""
    assert write(value, "strict", GUIDE) == text
    assert bson.read(text) == value
    assert bson.identity(bson.read(key_of(value)["id"])) == bson.identity(value)


CREATE = Change("insert", Int64(1004), Place(1558965508, 31), None, ANNE)
UPDATE_OF_ANNE = Change(
    "update", Int64(1004), Place(1558965508, 1), UNKNOWN, ANNE_MARIE,
    Description({"first_name": "Anne Marie"}), Transaction(1, SESSION),
)  # fmt: skip
DELETE = Change("delete", Int64(1004), Place(1558965508, 6), ANNE_MARIE, None)


@DOCUMENTED
@pytest.mark.parametrize(
    ("name", "change"), [("create", CREATE), ("update", UPDATE_OF_ANNE), ("delete", DELETE)]
)
def test_the_documented_events(name, change):
    said = documented(name)
    told = envelope(change, "change_streams_update_full_with_pre_image", ANNE_MARIE)
    for image in ("before", "after"):
        spaces = GUIDE_IMAGE if name == "create" else IMAGE
        document = told[image] and bson.read_document(told[image])
        assert (document and write(document, "strict", spaces)) == said.get(image)
    assert told["updateDescription"] == said.get("updateDescription")
    assert told["op"] == said["op"]
    for field in said["source"].keys() - BEYOND - MISPRINTED - {"ts_ms"}:
        assert told["source"][field] == said["source"][field], field
    assert str(said["source"]["ts_ms"]).startswith(str(told["source"]["ts_ms"]))


@DOCUMENTED
def test_the_oracle_reads_the_documented_events():
    def read(name):
        fields = {"topic": "t", "offset": 0, "key": {"id": "1004"}, "value": documented(name)}
        return record_from(fields)

    create, update, delete = (read_event(read(name)) for name in ("create", "update", "delete"))
    assert (create.op, create.after, create.rs) == ("c", ANNE, "rs0")
    assert (update.op, update.place) == ("u", (1558965508000, 1))
    assert (update.before, update.after) == (UNKNOWN, ANNE_MARIE)
    assert applied(update.before, update.description) == update.after
    assert update.transaction[1] == 1
    assert (delete.op, delete.before, delete.after) == ("d", ANNE_MARIE, None)
    assert not delete.snapshot  # though it is printed as one
    told = fold([read("update")])
    assert [v.document for v in told.versions] == [ANNE_MARIE]
    assert not told.versions[0].approximate  # the document before is known
    assert fold([read("create")]).documents == {bson.identity(Int64(1004)): ANNE}
    assert fold([read("delete")]).documents == {}


@DOCUMENTED
def test_numbers_in_quotes_of_a_documented_transaction():
    event = documented("transaction") | {"source": documented("create")["source"]}
    record = record_from({"topic": "t", "offset": 0, "key": {"id": "1004"}, "value": event})
    assert read_event(record).total_order == 1


@pytest.mark.parametrize("mode", MODES)
def test_images_of_each_capture_mode(mode):
    """The table of capture.mode in the guide."""
    full, pre = "_update_full" in mode, mode.endswith("_with_pre_image")
    told = envelope(UPDATE_OF_ANNE, mode, ANNE_MARIE)
    assert (told["before"] is not None, told["after"] is not None) == (pre, full)
    assert envelope(UPDATE_OF_ANNE, mode, None)["after"] is None  # gone when it was looked up
    assert envelope(CREATE, mode)["after"] is not None
    told = envelope(DELETE, mode)
    assert (told["before"] is not None, told["after"]) == (pre, None)
    assert told["updateDescription"] is None
    replaced = Change("replace", Int64(1004), Place(1, 1), UNKNOWN, ANNE)
    told = envelope(replaced, mode)
    assert (told["op"], told["updateDescription"]) == ("u", None)
    assert bson.read_document(told["after"]) == ANNE


def test_what_an_update_says():
    """Empty lists are null; the example of $unset."""
    told = envelope(
        Change("update", ANNE["_id"], Place(1, 1), ANNE, ANNE, Description(removed=["a"])), MODES[0]
    )["updateDescription"]
    assert told == {"removedFields": ["a"], "updatedFields": "{}", "truncatedArrays": None}
    told = envelope(
        Change(
            "update", ANNE["_id"], Place(1, 1), ANNE, ANNE,
            Description({"at": bson.Date(1558965508000), "n": Int64(5)}, [], [("tags", 1)]),
        ),
        MODES[0],
    )["updateDescription"]  # fmt: skip
    assert told == {
        "removedFields": None,
        "updatedFields": '{"at": {"$date": "2019-05-27T13:58:28Z"}, "n": 5}',
        "truncatedArrays": [{"field": "tags", "size": 1}],
    }


def test_a_tombstone_follows_each_delete():
    streams = {}
    for tombstones in (True, False):
        database = Mongo(Random(5))
        streams[tombstones] = Connector(database, Random(5), tombstones=tombstones)
        streams[tombstones].work(30)
    records = streams[True].stream
    ops = [record["value"] and json.loads(record["value"])["op"] for record in records]
    assert ops.count(None) == ops.count("d") > 0
    for at, op in enumerate(ops):
        if op is None:
            assert (ops[at - 1], records[at - 1]["key"]) == ("d", records[at]["key"])
    assert all(record["value"] for record in streams[False].stream)


def test_records_of_transactions():
    """END counts as many changes as there are since BEGIN, numbered from one."""
    database = Mongo(Random(3), sets=2)
    told = Connector(database, Random(3), metadata=True, crashes=False)
    told.work(60)
    events = [json.loads(r["value"]) for r in told.stream if r["value"]]
    of = [(e["source"]["rs"], e["transaction"]) for e in events if e["transaction"]]
    ends = [json.loads(record["value"]) for record in told.transactions]
    begun = [end["id"] for end in ends if end["status"] == "BEGIN"]
    ends = [end for end in ends if end["status"] == "END"]
    assert begun == [end["id"] for end in ends]
    assert sum(end["event_count"] for end in ends) == len(of)
    assert {end["data_collections"][0]["data_collection"] for end in ends} <= {
        "rs0.made_up.things", "rs1.made_up.things",
    }  # fmt: skip
    for id_, rs in {(t["id"], rs) for rs, t in of}:
        orders = [t["total_order"] for name, t in of if (t["id"], name) == (id_, rs)]
        assert orders == list(range(1, len(orders) + 1))


def test_members_renamed_and_left_out():
    """field.renames and field.exclude.list: in images and update descriptions, not in keys."""
    document = {"_id": {"n": Int32(1)}, "n": Int32(1), "where": {"city": "A", "geo": {"x": None}}}
    document |= {"price": "p", "by": {"city": "B"}}
    told = connector(MODES[0])
    told.renames = {"n": "count", "where.city": "town"}
    told.excludes = ("price", "where.geo")
    shown = {"_id": {"n": Int32(1)}, "count": Int32(1), "where": {"town": "A"}, "by": {"city": "B"}}
    assert told.shown(document) == shown
    updated = {"n": Int32(2), "where.city": "C", "where.geo.x": True, "price": "q"}
    updated |= {"items.0.n": Int32(3)}
    description = Description(updated, ["price", "n", "where.city"], [("price", 1), ("n", 1)])
    change = Change("update", document["_id"], Place(1, 1), None, document, description)
    assert told.envelope("rs0", change, None)["updateDescription"] == {
        "removedFields": ["count", "where.town"],
        "updatedFields": '{"count": 2, "where.town": "C", "items.0.n": 3}',
        "truncatedArrays": [{"field": "count", "size": 1}],
    }
    whole = Description({"where": document["where"]})
    change = Change("update", document["_id"], Place(1, 1), None, document, whole)
    said = told.envelope("rs0", change, None)["updateDescription"]["updatedFields"]
    assert said == '{"where": {"town": "A"}}'


@pytest.mark.parametrize("form", EXTENDED_JSON)
@pytest.mark.parametrize("spaces", [IMAGE, UPDATE, GUIDE, GUIDE_IMAGE])
def test_what_is_written_is_what_is_read(form, spaces):
    """Every document of some databases, in every form; relaxed ones lose the width of integers."""
    for seed in range(8):
        database = Mongo(Random(seed))
        for _ in range(30):
            database.work()
        for document in database.documents.values():
            read = bson.read(write(document, form, spaces))
            assert loose(read) == loose(document)
            assert form == "relaxed" or read == document

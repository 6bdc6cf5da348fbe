"""ExtractNewDocumentState as its documentation shows it: by example, and option by option."""

import json
from random import Random

import pytest

from tests.laws.delivery import deliveries
from tests.laws.document_state import ConnectorFailed, Options, flattened
from tests.laws.mongo import IDS, Change, Description, Mongo, Place, Transaction
from tests.laws.mongo_connector import MODES, Connector
from tests.oracle.bson import (
    UNDEFINED,
    Binary,
    Code,
    Date,
    Decimal128,
    Int32,
    Int64,
    ObjectId,
    Regex,
    Timestamp,
    double,
)
from tests.oracle.flat_documents import fold, without_nulls
from tests.oracle.records import record_from


def sent(
    document, kind="insert", before=None, told=None, mode=MODES[1], gone=False, **more
) -> dict:
    """The record of one change."""

    connector = Connector(Mongo(Random(0)), Random(0), mode=mode, topic="p.inventory.customers")
    id_ = (document or before)["_id"]
    after = None if kind == "delete" else document
    change = Change(kind, id_, Place(1558965508, 31), before, after, told, **more)
    connector._land(id_, connector.envelope("rs0", change, after))
    return connector.stream[0]


def flat(document, options=None, kind="insert", **of_change):
    """(key, value) of a change's record, None where there is no record."""
    found = flattened(sent(document, kind, **of_change), options or Options())
    if found is None:
        return None
    return json.loads(found["key"]), found["value"] and json.loads(found["value"])


ONE = Int32(1)


def test_a_nested_document_as_it_is():
    document = {"_id": ONE, "a": {"b": ONE, "c": "none"}, "d": Int32(100)}
    assert flat(document) == ({"id": 1}, {"_id": 1, "a": {"b": 1, "c": "none"}, "d": 100})


def test_flatten_struct():
    """The example of the guide, and another delimiter."""
    document = {"_id": ONE, "a": {"b": ONE, "c": "none"}, "d": Int32(100)}
    options = Options(flatten_struct=True)
    assert flat(document, options)[1] == {"_id": 1, "a_b": 1, "a_c": "none", "d": 100}
    options = Options(flatten_struct=True, flatten_struct_delimiter="-")
    assert flat(document, options)[1] == {"_id": 1, "a-b": 1, "a-c": "none", "d": 100}


MIXED = {
    "_id": ONE,
    "a1": [{"a": ONE, "b": "none"}, {"a": "c", "d": "something"}],
}


def test_array_encoding_document():
    """The example of the guide, and the same flattened."""
    assert flat(MIXED, Options(array_encoding="document"))[1] == {
        "_id": 1,
        "a1": {"_0": {"a": 1, "b": "none"}, "_1": {"a": "c", "d": "something"}},
    }
    both = Options(array_encoding="document", flatten_struct=True)
    assert flat(MIXED, both)[1] == {
        "_id": 1, "a1__0_a": 1, "a1__0_b": "none", "a1__1_a": "c", "a1__1_d": "something",
    }  # fmt: skip


def test_array_encoding_array_wants_one_type():
    with pytest.raises(ConnectorFailed):
        flat(MIXED)
    with pytest.raises(ConnectorFailed):
        flat({"_id": ONE, "a": [ONE, "two"]})
    document = {"_id": ONE, "a": [{"x": ONE}, {"y": "b"}], "e": []}
    assert flat(document)[1] == {
        "_id": 1,
        "a": [{"x": 1, "y": None}, {"x": None, "y": "b"}],
        "e": [],
    }


UNSET = {"told": Description(removed=["a"]), "kind": "update", "before": {"_id": ONE, "a": ONE}}


def test_a_member_that_was_removed():
    """$unset: null by the guide, absent as connectors write it; without a document on its own."""
    assert flat({"_id": ONE}, **UNSET)[1] == {"_id": 1, "a": None}
    assert flat({"_id": ONE}, Options(says="connector"), **UNSET)[1] == {"_id": 1}
    assert flat({"_id": ONE}, **UNSET, mode=MODES[0])[1] == {"a": None}
    as_sent = Options(says="connector")
    assert flat({"_id": ONE}, as_sent, **UNSET, mode=MODES[0])[1] == {"_id": 1}


def test_an_update_without_a_document():
    told = Description({"n": Int32(2), "where.city": "B"}, ["a"])
    before = {"_id": ONE, "a": ONE, "n": ONE}
    of = {"kind": "update", "told": told, "before": before, "document": before}
    assert flat(**of, mode=MODES[0])[1] == {"n": 2, "where.city": "B", "a": None}
    as_sent = Options(says="connector", flatten_struct=True)
    assert flat(**of, options=as_sent, mode=MODES[0])[1] == {"n": 2, "where_city": "B", "_id": 1}
    with_before = flat(**of, options=Options(says="connector"), mode=MODES[3])[1]
    assert with_before == {"_id": 1, "n": 2, "where.city": "B"}


def test_deletes():
    before = {"_id": ONE, "n": Int32(2)}
    of = {"document": None, "kind": "delete", "before": before}
    assert flat(**of) is None
    assert flat(**of, options=Options(delete_handling="none")) == ({"id": 1}, None)
    rewrite = Options(delete_handling="rewrite", add_fields=("op",))
    assert flat(**of, options=rewrite)[1] == {"__deleted": True, "__op": "d"}
    told = {"_id": 1, "n": 2, "__deleted": True, "__op": "d"}
    assert flat(**of, options=rewrite, mode=MODES[2])[1] == told
    assert flat(before, rewrite)[1] == {"_id": 1, "n": 2, "__deleted": False, "__op": "c"}


def test_tombstones():
    record = sent({"_id": ONE}) | {"value": None}
    assert flattened(record, Options()) is None
    kept = flattened(record, Options(drop_tombstones=False, add_headers=("op", "rs")))
    assert (kept["key"], kept["value"], kept["headers"]["__op"]) == ('{"id":1}', None, "d")
    assert "__rs" not in kept["headers"]


def test_what_is_added():
    """The example of the guide; a custom name; a field that the event does not have."""
    asked = (
        "rs",
        "collection",
        "op",
        "source.ts_ms:EVENT_TIMESTAMP",
        "updateDescription.removedFields",
    )
    asked += ("transaction.id", "nothing")
    told = flat({"_id": ONE}, Options(add_fields=asked), **UNSET)[1]
    assert told == {
        "_id": 1, "a": None, "__rs": "rs0", "__collection": "customers", "__op": "u",
        "__EVENT_TIMESTAMP": 1558965508000, "__updateDescription_removedFields": ["a"],
        "__transaction_id": None, "__nothing": None,
    }  # fmt: skip
    assert "my_op" in flat({"_id": ONE}, Options(add_fields=("op",), add_fields_prefix="my_"))[1]
    options = Options(add_headers=("op", "source.ord", "version:VERSION", "lsid"))
    assert flattened(sent({"_id": ONE}), options)["headers"] == {
        "__debezium.context.runId": "A", "__op": "c",
        "__source_ord": "31", "__VERSION": "2.3.7.Final",
    }  # fmt: skip
    options = Options(add_headers=("txnNumber",), add_headers_prefix="h.")
    with_number = sent({"_id": ONE}, transaction=Transaction(7, b"0" * 16))
    assert flattened(with_number, options)["headers"]["h.txnNumber"] == "7"


def test_values_of_every_type():
    document = {
        "_id": ObjectId("596e275826f08b2730779e1f"),
        "i": Int32(-1), "l": Int64(2**53 + 1), "d": double(1000.0), "e": double(1e7),
        "m": Decimal128("1.10"), "at": Date(1558965508123), "b": Binary(b"kafka", 0),
        "t": Timestamp(7, 1), "r": Regex("^a", "i"), "c": Code("x"), "u": UNDEFINED, "z": None,
        "ok": True, "s": "é", "none": {},
    }  # fmt: skip
    record = flattened(sent(document), Options())
    assert record["key"] == '{"id":"596e275826f08b2730779e1f"}'
    assert record["value"] == (
        '{"_id":"596e275826f08b2730779e1f","i":-1,"l":9007199254740993,"d":1000.0,"e":1.0E7,'
        '"m":"1.10","at":1558965508123,"b":"a2Fma2E=","t":7000,"r":{"regex":"^a","options":"i"},'
        '"c":"x","z":null,"ok":true,"s":"é","none":{}}'
    )


def test_keys_of_every_type():
    """Typed, as values are."""
    for id_ in (make(3, 5) for make in IDS):
        key, row = flat({"_id": id_}, Options(array_encoding="document"))
        assert key == {"id": row["_id"]}


PLACES = ("source.ts_ms", "source.ord", "source.snapshot")
SETTINGS = [
    Options(delete_handling="rewrite", add_fields=PLACES),
    Options(delete_handling="rewrite", add_fields=PLACES, array_encoding="document"),
    Options(delete_handling="rewrite", add_fields=("op", *PLACES), says="connector"),
    Options(delete_handling="rewrite", array_encoding="document", flatten_struct=True),
    Options(delete_handling="none", array_encoding="document", flatten_struct=True),
    Options(delete_handling="none", drop_tombstones=False, add_headers=("op",)),
    Options(delete_handling="drop", drop_tombstones=False, says="connector"),
]


@pytest.mark.parametrize("options", SETTINGS)
@pytest.mark.parametrize("mode", [mode for mode in MODES if "_update_full" in mode])
def test_flattened_records_tell_what_is_held(options, mode):
    """For generated databases, where documents are sent in full; at the end, in any order of
    arrival.

    Without _ids that are timestamps: a key keeps only their seconds, so several documents share a
    key.
    """
    ids = tuple(make for make in IDS if not isinstance(make(0, 0), Timestamp))
    for seed in range(4):
        uniform = options.array_encoding == "array"
        dotted = not options.flatten_struct
        database = Mongo(Random(seed), sets=2, dotted=dotted, uniform=uniform, ids=ids)
        connector = Connector(database, Random(seed), mode=mode)
        connector.work(30)
        records = [flattened(record, options) for record in connector.stream]
        landed = [
            record_from(record)
            for part in deliveries([r for r in records if r], Random(seed), 3, in_order=False)
            for record in part
        ]
        held = {}
        plain = Options(options.array_encoding, options.flatten_struct)
        for document in database.documents.values():
            record = flattened(sent(document), plain)
            row = json.loads(record["value"])
            held[record["key"]] = without_nulls(row)
        assert {key: without_nulls(row) for key, row in fold(landed).items()} == held

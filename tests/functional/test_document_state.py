"""Output of ExtractNewDocumentState for MongoDB's envelopes (format: unwrapped), as its
documentation shows it and Debezium 2.3 writes it."""

import json

import pytest

from tests.coverage.counts import family_of

OID = "596e275826f08b2730779e1f"


class Rows:
    """Records of one collection: a typed id in the key, a document without types as the value."""

    def __init__(self, topic: str):
        self.topic, self.offset = topic, -1

    def record(self, id_, value, op=None):
        self.offset += 1
        record = {"topic": self.topic, "partition": 0, "offset": self.offset}
        record |= {"timestamp": self.offset, "key": {"id": id_}, "value": value}
        return record | ({"headers": {"__op": op}} if op else {})


def table(topic: str, columns: dict, **more) -> dict:
    return {"topic": topic, "key": ["_id"], "columns": {"_id": "any", **columns}, **more}


COLUMNS = {"name": "string", "a.b": "int", "items.1.sku": "string", "tags": "array"}
DESCRIPTION = ("removedFields", "truncatedArrays", "updatedFields")
TABLES = {
    # flatten.struct, deletes as records without a value
    "flat": table("m.flat", COLUMNS, flatten_struct_delimiter="_"),
    # arrays as fields, deletes rewritten, some of them without `_id`
    "numbered": table(
        "m.numbered",
        COLUMNS | {"_id": "int"},
        array_encoding="document",
        delete_tombstone_handling_mode="rewrite",
        add_fields=["op", "rs", "collection"],
    ),
    # updates that are not documents
    "partial": table(
        "m.partial",
        COLUMNS,
        capture_mode="change_streams",
        add_headers=["op"],
        add_fields=[f"updateDescription.{name}" for name in DESCRIPTION],
    ),
    # updates that are the document before, together with what was set
    "before": table(
        "m.before",
        COLUMNS,
        capture_mode="change_streams_with_pre_image",
        add_headers=["op"],
        add_fields=["updateDescription.removedFields", "updateDescription.truncatedArrays"],
    ),
    "types": table(
        "m.types",
        {"_id": "objectid", "at": "date", "money": "decimal(10,2)", "raw": "bindata"}
        | {"n": "long", "x": "double", "u": "uuid", "mixed": "int"}
        | {"ok": "bool", "stamp": "timestamp", "any": "any", "text": "string"},
        capture_mode="change_streams_update_full_with_pre_image",
    ),
}

# an update description in Extended JSON; the record has it without types
UPDATED = {"__updateDescription_updatedFields": "{}"}


@pytest.mark.shows(
    "mongodb",
    "document, tombstone",
    "create",
    "update",
    "delete",
    "row written",
    "column not declared",
    types=lambda system: {family_of(system, kind) for kind in TABLES["types"]["columns"].values()},
)
def test_documents_taken_out_of_their_envelopes(make_project):
    project = make_project(
        "document_state",
        source="m",
        source_contract={"connector": "mongodb", "format": "unwrapped"},
        tables=TABLES,
        layers={key: ["stg", "cur"] for key in TABLES}
        | {key: ["stg", "hist", "cur"] for key in ("partial", "before")},
        extra_models={
            f"cur_m__{name}": f"{{{{ afterimage.current_state(ref('stg_m__{name}')) }}}}"
            for name in TABLES
            if name not in ("partial", "before")
        },
    )
    flat, numbered = Rows("m.flat"), Rows("m.numbered")
    partial, types, before = Rows("m.partial"), Rows("m.types"), Rows("m.before")
    told = {"__op": "u", "__rs": "rs0", "__collection": "c"}
    project.land(
        [
            # the guide's example of flatten.struct
            flat.record(1, {"_id": 1, "a_b": 1, "a_c": "none", "d": 100}),
            flat.record(1, {"_id": 1, "a_b": 2, "d": 100.0}),
            flat.record("1", {"_id": "1", "name": "a text"}),
            # its `_id` is flattened too; the key is not
            flat.record({"n": 1, "m": 2}, {"_id_n": 1, "_id_m": 2, "name": "a document"}),
            flat.record({"m": 2, "n": 1}, {"_id_m": 2, "_id_n": 1, "name": "another"}),
            flat.record(3, {"_id": 3}),
            flat.record(3, None),
            # and of array.encoding
            numbered.record(
                1,
                {
                    "_id": 1,
                    "items": {"_0": {"a": 1, "sku": "A"}, "_1": {"a": "c", "sku": "B"}},
                    "tags": {f"_{n}": n + 0.5 for n in range(11)},
                    "__deleted": False,
                }
                | told,
            ),
            numbered.record(2, {"_id": 2, "name": "gone", "__deleted": False} | told),
            numbered.record(2, {"__deleted": True} | told | {"__op": "d"}),
            numbered.record(2, None),
            # a key that the transformation did not change: JSON within a text
            numbered.record("3", {"_id": 3, "name": "kept", "__deleted": False} | told),
            numbered.record("4", {"_id": 4, "name": "gone", "__deleted": False} | told),
            numbered.record("4", {"__deleted": True} | told | {"__op": "d"}),
            partial.record(7, {"_id": 7, "name": "Al", "a": {"b": 1, "c": 2}}, "c"),
            partial.record(7, {"_id": 7, "a.b": 5} | UPDATED, "u"),
            partial.record(
                7,
                {"_id": 7, "tags": ["x"], "__updateDescription_removedFields": ["name"]} | UPDATED,
                "u",
            ),
            partial.record(8, {"name": None} | UPDATED, "u"),
            partial.record(6, {"_id": 6, "name": "Al", "a": {"b": 1}}, "c"),
            # a replacement: no description
            partial.record(6, {"_id": 6, "tags": []}, "u"),
            partial.record(9, {"_id": 9, "name": "Bo", "tags": ["a", "b", "c"]}, "c"),
            partial.record(
                9,
                {
                    "_id": 9,
                    "tags.0": "A",
                    "__updateDescription_removedFields": None,
                    "__updateDescription_truncatedArrays": [{"field": "tags", "size": 2}],
                }
                | UPDATED,
                "u",
            ),
            before.record(
                1,
                {"_id": 1, "name": "Al", "a": {"b": 1, "c": 2}, "tags": ["a", "b"], "x.y": 1},
                "c",
            ),
            before.record(
                1,
                {
                    "_id": 1,
                    "name": "Bo",
                    "a": {"b": 1, "c": 2},
                    "tags": ["a", "b"],
                    "x.y": 1,
                    "a.b": 5,
                    "__updateDescription_removedFields": ["a.c"],
                    "__updateDescription_truncatedArrays": [{"field": "tags", "size": 1}],
                },
                "u",
            ),
            types.record(
                OID,
                {
                    "_id": OID,
                    "at": 1558965508500,
                    "money": "1.10",
                    "raw": "a2Fma2E=",
                    "n": 2**53 + 1,
                }
                | {"x": 1.0, "u": "a2Fma2EtaXMtbWFnaWMhIQ==", "mixed": "many"}
                | {"ok": True, "stamp": 7000, "any": [1], "text": "é"},
            ),
        ]
    )
    project.run("run")
    assert not project.rows("dq_m__quarantine")

    def current(name, *columns):
        rows = project.rows(f"cur_m__{name}")
        return {tuple(None if r[c] is None else str(r[c]) for c in columns) for r in rows}

    assert current("flat", "_cdc_key", "name", "a_b", "_cdc_document", "_cdc_approximate") == {
        ("1", None, "2", '{"_id":1,"a_b":2,"d":100.0}', "True"),
        ('"1"', "a text", None, '{"_id":"1","name":"a text"}', "True"),
        ('{"n":1,"m":2}', "a document", None, '{"_id_m":2,"_id_n":1,"name":"a document"}', "True"),
        ('{"m":2,"n":1}', "another", None, '{"_id_m":2,"_id_n":1,"name":"another"}', "True"),
    }
    tags = json.dumps([n + 0.5 for n in range(11)], separators=(",", ":"))
    assert current("numbered", "_cdc_key", "items_1_sku", "tags") == {
        ("1", "B", tags),
        ("3", None, None),
    }
    assert current("partial", "_cdc_key", "name", "a_b", "tags", "_cdc_document") == {
        ("7", None, "5", '["x"]', '{"_id":7,"a":{"b":5,"c":2},"tags":["x"]}'),
        ("8", None, None, None, '{"_id":8,"name":null}'),
        ("6", None, None, "[]", '{"_id":6,"tags":[]}'),
        ("9", "Bo", None, '["A","b"]', '{"_id":9,"name":"Bo","tags":["A","b"]}'),
    }
    assert current("before", "name", "a_b", "tags", "_cdc_document", "_cdc_approximate") == {
        ("Bo", "5", '["a"]', '{"_id":1,"a":{"b":5},"name":"Bo","tags":["a"],"x.y":1}', "False"),
    }
    assert [
        (r["_cdc_key"], r["name"], r["a_b"], r["_cdc_unknown"])
        for r in sorted(project.rows("hist_m__partial"), key=lambda r: r["_cdc_order"])
    ] == [
        ("7", "Al", 1, None),
        ("7", "Al", 5, None),
        ("7", None, 5, None),
        ("8", None, None, '["a_b","items_1_sku","tags","_cdc_document"]'),
        ("6", "Al", 1, None),
        ("6", None, None, None),
        ("9", "Bo", None, None),
        ("9", "Bo", None, None),
    ]
    [row] = project.rows("cur_m__types")
    assert (row["_id"], str(row["at"]), str(row["money"])) == (
        OID,
        "2019-05-27 13:58:28.500000",
        "1.10",
    )
    assert (bytes(row["raw"]), row["n"], row["x"]) == (b"kafka", 2**53 + 1, 1.0)
    assert (row["ok"], row["stamp"], row["any"], row["text"]) == (True, 7 * 2**32, "[1]", "é")
    assert row["u"] == "6b61666b-612d-6973-2d6d-616769632121"
    assert (row["mixed"], row["_cdc_special"]) == (None, '{"mixed":"\\"many\\""}')
    assert row["_cdc_key"] == f'"{OID}"'

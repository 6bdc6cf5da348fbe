"""MongoDB: documents within texts, ids of every type, partial updates, looked-up documents."""

import json

import pytest

from tests.cli.faults import contract_faults
from tests.coverage.counts import family_of

TOPIC = "mongo.crm.people"


def place(seconds: int, ord_: int) -> str:
    return f"{seconds * 1000:018d}.{ord_:010d}"


class Stream:
    """Records of one collection as the connector writes them (documents and keys are texts)."""

    def __init__(self, topic=TOPIC):
        self.topic, self.offset = topic, -1

    def record(self, id_, op, at, *, before=None, after=None, update=None, key=None, **more):
        seconds, ord_ = at
        source = {"version": "2.3.7.Final", "connector": "mongodb", "name": "mongo"}
        source |= {"ts_ms": seconds * 1000, "db": "crm", "sequence": None, "rs": "rs0"}
        source |= {"snapshot": "true" if op == "r" else "false", "collection": "people"}
        source |= {"ord": ord_, "lsid": None, "txnNumber": None, **more.get("source", {})}
        value = {"before": before, "after": after, "updateDescription": update, "source": source}
        value |= {"op": op, "ts_ms": seconds * 1000 + 240, "transaction": more.get("transaction")}
        value |= {"patch": more["patch"], "filter": f'{{"_id": {id_}}}'} if "patch" in more else {}
        self.offset += 1
        return {
            "topic": self.topic,
            "partition": 0,
            "offset": self.offset,
            "timestamp": seconds * 1000 + 300,
            "key": {"id": id_},
            "value": value,
        }


def update(updated=None, removed=None, truncated=None):
    text = updated if updated is None or isinstance(updated, str) else json.dumps(updated)
    return {"removedFields": removed, "updatedFields": text, "truncatedArrays": truncated}


COLUMNS = {
    "_id": "long",
    "name": "string",
    "address.city": "string",
    "qty": "long",
    "tags": "array",
}


def people(make_project, schema, columns=COLUMNS, extra_models=None, **contract):
    table = {"topic": TOPIC, "key": ["_id"], "columns": columns, **contract}
    return make_project(
        schema,
        source="crm",
        source_contract={"connector": "mongodb", "topic_prefix": "mongo"},
        tables={"people": table},
        extra_models=extra_models or {},
    )


def versions(project):
    return sorted(
        (
            r["_cdc_key"],
            r["_cdc_position"],
            r["name"],
            r["address_city"],
            r["qty"],
            r["tags"],
            r["_cdc_end_reason"],
            r["_cdc_approximate"],
            r["_cdc_unknown"],
        )
        for r in project.rows("hist_crm__people")
    )


def refused(project):
    return {
        (r["_cdc_kind"] if "_cdc_kind" in r else r["reason"], r["detail"])
        for r in project.rows("dq_crm__quarantine")
    }


@pytest.mark.shows(
    "mongodb",
    "JSON",
    "initial snapshot",
    "create",
    "update",
    "update without a document",
    "delete",
    "column not declared",
)
def test_partial_updates_are_made_on_the_last_known_document(make_project):
    project = people(make_project, "mongo_partial")
    s = Stream()
    project.land(
        [
            s.record(
                "1004",
                "r",
                (1719800000, 1),
                after='{"_id": {"$numberLong": "1004"},"name": "Kato","tags": ["a","b","c"],'
                '"address": {"city": "Oita","zip": "870"},"qty": 5, "price": 5.0}',
            ),
            s.record("1005", "c", (1719800100, 31), after='{"_id": 1005,"name": "Ono"}'),
        ]
    )
    project.run("run")
    project.land(
        [
            s.record(
                "1004",
                "u",
                (1719800101, 2),
                update=update(
                    '{"address.city": "Beppu", "qty": 7, "tags.0": "A"}',
                    ["name"],
                    [{"field": "tags", "size": 2}],
                ),
            ),
            s.record("1005", "u", (1719800101, 3), update=update('{"qty": 1.5}')),
            # never seen before
            s.record("1006", "u", (1719800102, 1), update=update('{"address.city": "Usa"}')),
            s.record("1005", "d", (1719800102, 6)),
            # connectors of 1.x: an oplog's description, a replaced document
            s.record("1007", "c", (1719800103, 1), after='{"_id": 1007,"name": "Abe","qty": 1}'),
            s.record(
                "1007",
                "u",
                (1719800103, 2),
                patch='{"$v": 1,"$set": {"address.city": "Usa"},"$unset": {"qty": true}}',
            ),
            s.record("1007", "u", (1719800103, 3), patch='{"_id": 1007,"name": "Ebe"}'),
            s.record("1007", "u", (1719800103, 4), patch='{"$v": 2,"diff": {"u": {"name": "?"}}}'),
        ]
    )
    project.run("run")
    oita, ono = '["a","b","c"]', '["A","b"]'
    unknown = '["name","qty","tags","_cdc_document"]'
    assert versions(project) == [
        ("1004", place(1719800000, 1), "Kato", "Oita", 5, oita, "update", False, None),
        ("1004", place(1719800101, 2), None, "Beppu", 7, ono, None, False, None),
        ("1005", place(1719800100, 31), "Ono", None, None, None, "update", False, None),
        ("1005", place(1719800101, 3), "Ono", None, None, None, "delete", False, None),
        ("1006", place(1719800102, 1), None, "Usa", None, None, None, False, unknown),
        ("1007", place(1719800103, 1), "Abe", None, 1, None, "update", False, None),
        ("1007", place(1719800103, 2), "Abe", "Usa", None, None, "update", False, None),
        ("1007", place(1719800103, 3), "Ebe", None, None, None, None, False, None),
    ]
    current = {r["_cdc_key"]: r for r in project.rows("cur_crm__people")}
    assert current["1004"]["_cdc_document"] == (
        '{"_id":{"$numberLong":"1004"},"address":{"city":"Beppu","zip":"870"},'
        '"price":5.0,"qty":7,"tags":["A","b"]}'
    )
    assert current["1006"]["_cdc_document"] == '{"_id":1006,"address":{"city":"Usa"}}'
    drift = [r for r in project.rows("hist_crm__people") if r["_cdc_key"] == "1005"]
    assert {r["_cdc_special"] for r in drift} == {None, '{"qty":"1.5"}'}
    assert refused(project) == {("missing_image", None)}


OID, UUID_64 = "596e275826f08b2730779e1f", "a2Fma2EtaXMtbWFnaWMhIQ=="
UUID_TEXT = "6b61666b-612d-6973-2d6d-616769632121"
WORDS = f'{{"$oid": "{OID}"}}'
# _id: in the key of a record, in a document in strict mode (v1), in canonical mode (v2); the text
# that identifies the document
IDS = {
    "int": ("1234", "1234", '{"$numberInt": "1234"}', "1234"),
    "long": ("1004", '{"$numberLong": "1004"}', '{"$numberLong": "1004"}', "1004"),
    "double": ("12.34", "12.34", '{"$numberDouble": "12.34"}', "12.34"),
    "decimal": (*['{"$numberDecimal": "1.10"}'] * 3, '{"$numberDecimal":"1.10"}'),
    "string": (*['"1234"'] * 3, '"1234"'),
    "objectid": (f'{{"$oid" : "{OID}"}}', WORDS, WORDS, f'{{"$oid":"{OID}"}}'),
    "date": (
        '{"$date": "2019-05-27T13:58:28.5Z"}',
        '{"$date": 1558965508500}',
        '{"$date": {"$numberLong": "1558965508500"}}',
        '{"$date":{"$numberLong":"1558965508500"}}',
    ),
    "uuid": (
        f'{{"$binary": {{"base64": "{UUID_64}", "subType": "04"}}}}',
        f'{{"$binary": "{UUID_64}", "$type": "04"}}',
        f'{{"$binary": {{"base64": "{UUID_64}", "subType": "04"}}}}',
        f'{{"$binary":{{"base64":"{UUID_64}","subType":"04"}}}}',
    ),
    "binary of the documentation": (
        '{"$binary" : "a2Fma2E=", "$type" : "00"}',
        '{"$binary" : "a2Fma2E=", "$type" : "00"}',
        '{"$binary": {"base64": "a2Fma2E=", "subType": "00"}}',
        '{"$binary":{"base64":"a2Fma2E=","subType":"00"}}',
    ),
    "object": (
        '{"hi" : "kafka", "at": 10.0}',
        '{"hi" : "kafka", "at": 10.0}',
        '{"hi": "kafka", "at": {"$numberDouble": "10.0"}}',
        '{"hi":"kafka","at":10.0}',
    ),
}


def test_an_id_of_every_type_is_known_in_every_spelling(make_project, compared):
    project = people(make_project, "mongo_ids", {"_id": "any", "n": "int"})
    s = Stream()
    for key, strict, canonical, _ in IDS.values():
        again = f'{{"_id": {canonical}, "n": {{"$numberInt": "2"}}}}'
        sharded = key + ',"region": "eu"'  # as old versions write it
        project.land(
            [
                s.record(key, "r", (100, 1), after=f'{{"_id": {strict}, "n": 1}}'),
                s.record(key, "u", (101, 1), update=update({"n": 2})),
                # the same document, read again, in the other spelling
                s.record(key, "r", (102, 1), after=again),
                s.record(sharded, "u", (103, 1), update=update('{"n": 3}')),
                s.record(sharded, "d", (104, 1)),
                s.record(key, "c", (105, 1), after=f'{{"n": 4, "_id": {strict}}}'),
            ]
        )
    project.run("run")
    assert not refused(project)
    found = project.rows("hist_crm__people")
    assert {(r["_cdc_key"], r["_cdc_position"], r["n"], r["_cdc_end_reason"]) for r in found} == {
        (told, *version)
        for _, _, _, told in IDS.values()
        for version in (
            (place(100, 1), 1, "update"),
            (place(101, 1), 2, "update"),
            (place(103, 1), 3, "delete"),
            (place(105, 1), 4, None),
        )
    }
    assert len(found) == 4 * len(IDS)
    compared["rows of hist_ with what was written by hand"] += len(found)


# path: (declared type, in strict mode, in canonical mode, the value of the column, its special
# text)
VALUES = {
    "oid": ("objectid", WORDS, WORDS, OID, None),
    "text": ("string", r'"a\u00e9 \"{\"$oid\":"', r'"a\u00e9 \"{\"$oid\":"', 'aé "{"$oid":', None),
    "int": ("int", "-5", '{"$numberInt": "-5"}', -5, None),
    "long": ("long", '{"$numberLong": "9223372036854775807"}', None, 2**63 - 1, None),
    "long_of_double": ("long", "5.0", '{"$numberDouble": "5.0"}', 5, None),
    "too_long": ("int", '{"$numberLong": "2147483648"}', None, None, "2147483648"),
    "double": ("double", "1.0E-7", '{"$numberDouble": "1.0E-7"}', 1e-7, None),
    "nan": ("double", "NaN", '{"$numberDouble": "NaN"}', float("nan"), None),
    "infinity": ("double", "-Infinity", '{"$numberDouble": "-Infinity"}', float("-inf"), None),
    "digits": ("decimal", '{"$numberDecimal": "1.10E+3"}', None, "1.10E+3", None),
    "money": ("decimal(10,2)", '{"$numberDecimal": "1.1"}', None, "1.10", None),
    "rounded": (
        "decimal(10,2)",
        '{"$numberDecimal": "1.125"}',
        None,
        None,
        '{"$numberDecimal":"1.125"}',
    ),
    "yes": ("bool", "true", "true", True, None),
    "at": (
        "date",
        '{"$date": -1}',
        '{"$date": {"$numberLong": "-1"}}',
        "1969-12-31 23:59:59.999000",
        None,
    ),
    "far": (
        "date",
        '{"$date": 253402300800000}',
        '{"$date": {"$numberLong": "253402300800000"}}',
        None,
        '{"$date":{"$numberLong":"253402300800000"}}',
    ),
    "stamp": ("timestamp", '{"$timestamp": {"t": 2, "i": 1}}', None, 2 * 2**32 + 1, None),
    "bytes": (
        "bindata",
        '{"$binary": "a2Fma2E=", "$type": "00"}',
        '{"$binary": {"base64": "a2Fma2E=", "subType": "00"}}',
        b"kafka",
        None,
    ),
    "uuid": (
        "uuid",
        f'{{"$binary": "{UUID_64}", "$type": "04"}}',
        f'{{"$binary": {{"base64": "{UUID_64}", "subType": "04"}}}}',
        UUID_TEXT,
        None,
    ),
    "old_uuid": (
        "uuid",
        f'{{"$binary": "{UUID_64}", "$type": "03"}}',
        f'{{"$binary": {{"base64": "{UUID_64}", "subType": "03"}}}}',
        None,
        f'{{"$binary":{{"base64":"{UUID_64}","subType":"03"}}}}',
    ),
    "pattern": (
        "any",
        '{"$regex": "^a{2}", "$options": "i"}',
        '{"$regularExpression": {"pattern": "^a{2}", "options": "i"}}',
        '{"$regularExpression":{"options":"i","pattern":"^a{2}"}}',
        None,
    ),
    "mixed": ("int", '"many"', '"many"', None, '"many"'),
    "of_array": ("string", '["x"]', '["x"]', None, '["x"]'),
    "nothing": ("string", "null", "null", None, None),
    "items.1.sku": ("string", None, None, "B", None),
    "deep.er": ("object", None, None, '{"b":[1.0,2],"c":null}', None),
    "absent.path": ("string", None, None, None, None),
}
MORE = '"items": [{"sku": "A"}, {"sku": "B"}], "deep": {"er": {"c": null, "b": [%s, 2]}}'


def families_shown(system: str) -> set[str]:
    return {
        family_of(system, kind) for kind, _, _, value, _ in VALUES.values() if value is not None
    }


def documents() -> tuple[str, str]:
    told = {name: v for name, v in VALUES.items() if v[1] is not None}
    strict = ", ".join(f'"{name}": {v[1]}' for name, v in told.items())
    canonical = ",".join(f'"{name}":{v[2] or v[1]}' for name, v in told.items())
    return (
        "{" + f'"_id": 1, {strict}, {MORE % "1.0"}' + "}",
        "{" + f'"_id":{{"$numberInt":"1"}},{canonical},' + MORE % '{"$numberDouble": "1.0"}' + "}",
    )


@pytest.mark.shows("mongodb", "JSON", types=families_shown)
def test_a_value_of_every_type_is_read_from_both_versions(make_project, compared):
    columns = {"_id": "int", **{name: value[0] for name, value in VALUES.items()}}
    project = people(make_project, "mongo_values", columns)
    strict, canonical = documents()
    s = Stream()
    project.land(
        [
            s.record("1", "c", (100, 1), after=strict),
            s.record("1", "r", (101, 1), after=canonical),
        ]
    )
    project.run("run")
    assert not refused(project)
    first, second = sorted(project.rows("stg_crm__people"), key=lambda r: r["_cdc_position"])
    for row in (first, second):
        beside = json.loads(row["_cdc_special"])
        for name, (_, _, _, value, special) in VALUES.items():
            found = row[name.replace(".", "_")]
            found = found if isinstance(value, (bytes, bool, int, float)) else found and str(found)
            found = bytes(found) if isinstance(value, bytes) else found
            assert found == value or (found != found and value != value), name
            assert beside.get(name.replace(".", "_")) == special, name
            compared["values with what was written by hand"] += 1
    assert len(project.rows("hist_crm__people")) == 1


LIES = {
    '{"$numberInt": "abc"}': '{"$numberInt":"abc"}',
    '{"$numberInt": "2147483648"}': '{"$numberInt":"2147483648"}',
    '{"$numberLong": "9223372036854775808"}': '{"$numberLong":"9223372036854775808"}',
    '{"$date": "yesterday"}': '{"$date":"yesterday"}',
    '{"$date": "2019-13-27T13:58:28Z"}': '{"$date":"2019-13-27T13:58:28Z"}',
    '{"$oid": "596e"}': '{"$oid":"596e"}',
    '{"$binary": "?", "$type": "00"}': '{"$binary":"?","$type":"00"}',
    '{"$numberDecimal": "1,5"}': '{"$numberDecimal":"1,5"}',
    '{"$timestamp": 5}': '{"$timestamp":5}',
}


def test_what_is_not_what_it_says_is_refused(make_project):
    project = people(make_project, "mongo_lies")
    s = Stream()
    records = [s.record("1", "c", (100, n), after=f'{{"_id": 1, "x": [{lie}]}}')
               for n, lie in enumerate(LIES)]  # fmt: skip
    two, cut, twice = '{"_id": 1} {"_id": 2}', '{"_id": 1', '{"_id": 1, "a": 1, "a": 2}'
    records += [s.record("1", "c", (101, n), after=t) for n, t in enumerate((two, cut, twice))]
    records += [
        s.record("1", "u", (102, 1), update=update('{"x": {"$oid": "1"}}')),
        s.record("1", "u", (102, 2)),  # neither a document nor a description
        s.record("1", "t", (102, 3)),
        s.record("1", "x", (102, 7), after='{"_id": 1}'),
        s.record("2", "c", (102, 4), after='{"_id": 1}'),
        s.record("1", "c", (102, 5), after='{"_id": 1}', source={"ord": None}),
        s.record(None, "c", (102, 6), after='{"name": "none"}'),
        # a string that looks like one is one
        s.record("1", "c", (103, 1), after=r'{"_id": 1, "name": "{\"$oid\":\"1\"}"}'),
    ]
    project.land(records)
    project.run("run")
    single = "after: no single JSON object, or a key stands twice in it"
    assert refused(project) == {
        *(("broken_document", f"after: {told} is no value of its kind") for told in LIES.values()),
        ("broken_document", single),
        ("broken_document", 'updateDescription: {"$oid":"1"} is no value of its kind'),
        ("missing_image", None),
        ("unknown_op", "op: t"),
        ("unknown_op", "op: x"),
        ("wrong_envelope", "_id in the key of the record is 2, in its document 1"),
        ("missing_position", '{"ts_ms":"102000"}'),
        ("missing_key", None),
    }
    assert len(project.rows("dq_crm__quarantine")) == len(LIES) + 10
    assert [r["name"] for r in project.rows("cur_crm__people")] == ['{"$oid":"1"}']


@pytest.mark.shows(
    "mongodb",
    "JSON",
    "create",
    "update",
    "update without a document",
    "document before",
    "delete",
    "delivered again",
)
def test_each_capture_mode_tells_what_it_can(make_project):
    """Two updates of one document; their form in the stream decides what is known of each."""
    project = people(make_project, "mongo_modes")
    s = Stream()

    def doc(id_, name, qty):
        return json.dumps({"_id": id_, "name": name, "qty": qty})

    rename, count = update({"name": "Bo"}), update({"qty": 2})
    project.land([s.record(f"{n}", "c", (100, n), after=doc(n, "Al", 1)) for n in range(1, 6)])
    project.land(
        [
            # change_streams
            s.record("1", "u", (101, 1), update=rename),
            s.record("1", "u", (102, 1), update=count),
            # change_streams_update_full: both look up the newest document
            s.record("2", "u", (101, 2), after=doc(2, "Bo", 2), update=rename),
            s.record("2", "u", (102, 2), after=doc(2, "Bo", 2), update=count),
            # change_streams_with_pre_image, and its document before a delete
            s.record("3", "u", (101, 3), before=doc(3, "Al", 1), update=rename),
            s.record("3", "u", (102, 3), before=doc(3, "Bo", 1), update=count),
            s.record("3", "d", (103, 3), before=doc(3, "Bo", 2)),
            # change_streams_update_full_with_pre_image
            s.record(
                "4", "u", (101, 4), before=doc(4, "Al", 1), after=doc(4, "Bo", 2), update=rename
            ),
            s.record(
                "4", "u", (102, 4), before=doc(4, "Bo", 1), after=doc(4, "Bo", 2), update=count
            ),
            # a replaced document, which is no lookup
            s.record("5", "u", (101, 5), after=doc(5, "Bo", 2)),
            # already gone when it was looked up
            s.record("5", "u", (102, 5), after=None, update=count),
            s.record("5", "d", (102, 6)),
            # redelivered after a crash, looked up again
            s.record("2", "u", (101, 2), after=doc(2, "Cy", 3), update=rename),
        ]
    )
    project.run("run")
    assert [(*v[:1], v[1][12:15], v[2], v[4], *v[6:8]) for v in versions(project)] == [
        ("1", "100", "Al", 1, "update", False),
        ("1", "101", "Bo", 1, "update", False),
        ("1", "102", "Bo", 2, None, False),
        ("2", "100", "Al", 1, "update", False),
        ("2", "101", "Bo", 2, None, True),
        ("3", "100", "Al", 1, "update", False),
        ("3", "101", "Bo", 1, "update", False),
        ("3", "102", "Bo", 2, "delete", False),
        ("4", "100", "Al", 1, "update", False),
        ("4", "101", "Bo", 1, "update", False),
        ("4", "102", "Bo", 2, None, False),
        ("5", "100", "Al", 1, "update", False),
        ("5", "101", "Bo", 2, "delete", False),
    ]
    assert project.counts()["people", "duplicate", "redelivered"] == 1
    delete = [r for r in project.rows("stg_crm__people") if r["_cdc_op"] == "d"]
    assert {(r["_cdc_key"], r["name"], r["_cdc_document"]) for r in delete} == {
        ("3", "Bo", '{"_id":3,"name":"Bo","qty":2}'),
        ("5", None, None),
    }
    assert not refused(project)


def test_each_shard_may_have_documents_of_its_own(make_project):
    """If the collection is not sharded by `_id`, it is unique only within a shard."""
    project = people(make_project, "mongo_shards", key_within="physical_table")
    s = Stream()
    one, other = {"rs": "shard1"}, {"rs": "shard2"}
    project.land(
        [
            s.record("1", "c", (100, 1), after='{"_id": 1, "name": "Al"}', source=one),
            s.record("1", "c", (100, 1), after='{"_id": 1, "name": "Bo"}', source=other),
            s.record("1", "u", (101, 1), update=update({"qty": 2}), source=other),
            s.record("1", "d", (102, 1), source=one),
        ]
    )
    project.run("run")
    assert [(r["_cdc_key"], r["name"], r["qty"]) for r in project.rows("cur_crm__people")] == [
        ("mongo.shard2.crm.people 1", "Bo", 2)
    ]


def test_behind_transformations(make_project):
    """ByLogicalTableRouter sent two collections to one topic and its field to their keys;
    HeaderToValue put fields into the envelope and into `source`."""
    project = people(make_project, "mongo_behind", key_within="physical_table")
    s = Stream()
    landed = []
    for number, (of, id_, op, at, more) in enumerate(
        [
            ("people_eu", "1", "c", (100, 1), {"after": '{"_id": 1, "name": "Al"}'}),
            ("people_us", "1", "c", (100, 1), {"after": '{"_id": 1, "name": "Bo"}'}),
            ("people_us", "1", "u", (101, 1), {"update": update({"qty": 2})}),
            ("people_eu", "1", "d", (102, 1), {}),
            ("people_eu", "2", "c", (103, 1), {"after": '{"_id": 2, "name": "Cy"}'}),
        ]
    ):
        record = s.record(id_, op, at, **more, source={"collection": of, "id": f"header {number}"})
        record["key"]["__dbz__physicalTableIdentifier"] = f"mongo.crm.{of}"
        record["value"] |= {"event_timestamp": "7", "name": "of a header", "id": {"deep": [1]}}
        landed.append(record)
        if op == "d":
            s.offset += 1
            landed.append(record | {"offset": s.offset, "value": None})
    project.land(landed)
    project.run("run")
    held = [(r["_cdc_key"], r["name"], r["qty"]) for r in project.rows("cur_crm__people")]
    assert sorted(held) == [
        ("mongo.rs0.crm.people_eu 2", "Cy", None),
        ("mongo.rs0.crm.people_us 1", "Bo", 2),
    ]
    assert project.counts()["people", "ignored", "tombstone"] == 1
    assert not refused(project)


def test_fields_that_no_path_is_of_are_asked_for(make_project):
    """Documents have no schema: drift is found in their top-level fields."""
    drift = "{{ afterimage.contract_drift([ref('stg_crm__people')], [source('crm', 'people')]) }}"
    project = people(make_project, "mongo_drift", extra_models={"drift": drift})
    s = Stream()
    project.land(
        [
            s.record("1", "c", (100, 1), after='{"_id": 1, "name": "Al", "address": {"zip": "8"}}'),
            s.record(
                "2",
                "c",
                (101, 1),
                after='{"_id": 2, "owner": {"$oid": "596e275826f08b2730779e1f"}, "no": 5,'
                ' "on": {"$date": 1558965508000}, "x": 0.5, "ok": true, "of": [], "a b": {"c": 1}}',
            ),
            s.record("2", "u", (102, 1), update=update({"no": "five"})),
        ]
    )
    project.run("run")
    told = {
        (
            r["column_name"],
            r["drift"],
            r["reported_by"],
            r["reported"],
            r["records"],
            r["contract_change"],
        )
        for r in project.rows("drift")
    }
    assert told == {
        (name, "not declared", "observed", kind, records, f"columns: {{{word}: {kind}}}")
        for name, kind, records, word in [
            ("owner", "objectid", 1, "owner"),
            ("no", "string", 2, '"no"'),
            ("on", "date", 1, '"on"'),
            ("x", "double", 1, "x"),
            ("ok", "bool", 1, "ok"),
            ("of", "array", 1, "of"),
            ("a b", "object", 1, "a b"),
        ]
    }


@pytest.mark.shows("mongodb", "JSON, schema block", "create", "column not declared")
def test_a_path_declared_later_is_read_from_what_is_there(make_project):
    """The full document was kept, so this needs no landing; with a schema block, and an id that an
    old version cut out of a longer text."""
    project = people(make_project, "mongo_late", {"_id": "int", "name": "string"})
    s = Stream()
    block = {"type": "struct", "fields": [], "optional": False}
    first = s.record("1", "c", (100, 1), after='{"_id": 1, "name": "Al", "a": {"b": [7]}}')
    first["key"] = {"schema": block, "payload": first["key"]}
    first["value"] = {"schema": block, "payload": first["value"]}
    sharded = '{"$numberLong": "2"},"region": "eu"'
    project.land(
        [
            first,
            s.record("2", "c", (100, 2), after='{"_id": {"$numberLong": "2"}, "name": "Bo"}'),
            s.record(sharded, "u", (101, 1), update=update({"a.b": [8.5]})),
        ]
    )
    project.run("run")
    project.tables["people"]["columns"]["a.b.0"] = "double"
    project.write()
    project.land([s.record("1", "u", (102, 1), update=update({"name": "Cy"}))])
    project.run("run")
    assert {
        (r["_cdc_key"], r["name"], r["a_b_0"], r["_cdc_unknown"])
        for r in project.rows("cur_crm__people")
    } == {("1", "Cy", 7.0, None), ("2", "Bo", 8.5, None)}


def test_a_sensitive_value_is_told_nowhere(make_project):
    project = people(make_project, "mongo_secret", sensitive=["name", "address.city", "_id"])
    s = Stream()
    project.land(
        [
            s.record("1", "c", (100, 1), after='{"_id": 1, "name": {"$oid": "secret"}}'),
            s.record("7777", "c", (100, 2), after='{"_id": 8888, "name": "secret"}'),
        ]
    )
    project.run("run")
    rows = project.rows("dq_crm__quarantine")
    assert {r["detail"] for r in rows} == {
        'after: {"$oid… is no value of its kind',
        None,
    }
    assert not [r for r in rows if any(s in str(r) for s in ("secret", "7777", "8888"))]


@pytest.mark.shows("mongodb", "JSON", "in a transaction")
@pytest.mark.shows("mongodb", "any", "transaction BEGIN", "transaction END")
def test_the_session_of_a_transaction_is_its_id_and_data_beside_the_document(make_project):
    """`lsid` and `txnNumber`, with the metadata of transactions and without."""
    project = make_project(
        "mongo_sessions",
        source="crm",
        source_contract={"connector": "mongodb", "source_fields": ["lsid", "txnNumber"]},
        tables={"people": {"topic": TOPIC, "key": ["_id"], "columns": {"_id": "int"}}},
        layers={"people": ["stg"]},
    )
    session = '{"id": {"$binary": "mZkD","$type": "04"}}'
    of = {"lsid": session, "txnNumber": 7}
    told = {"id": f"{session}:7", "total_order": 2, "data_collection_order": 2}
    s = Stream()
    project.land(
        [
            s.record("1", "c", (100, 1), after='{"_id": 1}', source=of),
            s.record("2", "c", (100, 1), after='{"_id": 2}', source=of, transaction=told),
            s.record("3", "c", (101, 1), after='{"_id": 3}'),
        ]
    )
    project.run("run")
    columns = ("_id", "_cdc_tx_id", "_cdc_tx_order", "_cdc_source_lsid", "_cdc_source_txnNumber")
    assert sorted(tuple(r[c] for c in columns) for r in project.rows("stg_crm__people")) == [
        (1, f"{session}:7", None, session, "7"),
        (2, f"{session}:7", 2, session, "7"),
        (3, None, None, None, None),
    ]


def test_a_transaction_is_whole_when_its_collections_are(make_project):
    """A collection may have the name of its database, and topics carry no replica set."""
    logs = "[ref('stg_crm__crm'), ref('stg_crm__other')]"
    project = make_project(
        "mongo_transactions",
        source="crm",
        source_contract={"connector": "mongodb", "topic_prefix": "mongo"},
        tables={
            name: {"topic": f"mongo.crm.{name}", "key": ["_id"], "columns": {"_id": "int"}}
            for name in ("crm", "other")
        },
        layers={name: ["stg"] for name in ("crm", "other")},
        extra_models={
            "transactions": f"{{{{ afterimage.transactions({logs}, [source('crm', 'crm')]) }}}}"
        },
    )
    s, tx = Stream("mongo.crm.crm"), '{"id": "s"}:1'
    of = {"collection": "crm", "lsid": '{"id": "s"}', "txnNumber": 1}
    counts = [{"data_collection": f"rs0.crm.{n}", "event_count": c} for n, c in TOLD.items()]
    ends = [
        {"status": "BEGIN", "id": tx, "event_count": None, "data_collections": None},
        {"status": "END", "id": tx, "event_count": 3, "data_collections": counts},
    ]
    told = {"topic": "mongo.transaction", "partition": 0}
    project.land(
        [
            s.record(
                str(n),
                "c",
                (100, 1),
                after=f'{{"_id": {n}}}',
                source=of,
                transaction={"id": tx, "total_order": str(n), "data_collection_order": "1"},
            )
            for n in (1, 2)
        ]
        + [told | {"offset": n, "value": v | {"ts_ms": 100000}} for n, v in enumerate(ends)]
    )
    project.run("run")
    assert {
        (r["data_collection"], r["table_name"], r["reported"], r["staged"], r["state"])
        for r in project.rows("transactions")
    } == {
        ("rs0.crm.crm", "crm", 2, 2, "complete"),
        ("rs0.crm.other", "other", 1, 0, "missing"),
    }


TOLD = {"crm": 2, "other": 1}


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"key": ["name"]}, 'key: ["name"] knows no document; each is known by its _id'),
        ({"key": []}, "key: [] knows no document"),
        ({"masked": {"name": "drop"}}, "masked: is not for documents"),
        ({"format": "datastream_json"}, "format: datastream_json is of the connectors"),
        ({"format": "unwrapped", "capture_mode": "change_streams"}, "capture_mode: under change_"),
        (
            {
                "format": "unwrapped",
                "capture_mode": "change_streams_with_pre_image",
                "add_fields": ["op", "updateDescription.removedFields"],
            },
            "nothing but updateDescription.truncatedArrays tells what an update took away or put",
        ),
        (
            {
                "format": "unwrapped",
                "capture_mode": "change_streams_with_pre_image",
                "flatten_struct_delimiter": "_",
            },
            "a flattened path does not show a place in an array",
        ),
        (
            {"format": "unwrapped", "add_fields": ["source.ts_ms", "source.ord"]},
            "a tombstone has no source.ts_ms and source.ord",
        ),
        ({"format": "unwrapped", "flatten_struct_delimiter": "."}, "looks like a path"),
        ({"array_encoding": "document"}, "array_encoding: is of format unwrapped of MongoDB"),
        (
            {"columns": {"_id": "int", "_cdc_document": "object"}},
            "what afterimage calls what it adds",
        ),
        ({"former_names": {"name": ["title"]}}, "former_names: is not for documents"),
        ({"columns": {"_id": "int", "a..b": "int"}}, "columns.a..b: is no path"),
        ({"columns": {"_id": "int", "a": "varchar"}}, "varchar"),
    ],
)
def test_a_contract_that_does_not_fit_documents_is_refused(wrong, said):
    cdc = {"topic": TOPIC, "key": ["_id"], "columns": {"_id": "int", "name": "string"}} | wrong
    source = {"name": "crm", "config": {"meta": {"cdc": {"connector": "mongodb"}}}}
    table = {"name": "people", "config": {"meta": {"cdc": cdc}}}
    assert [f for f in contract_faults(source | {"tables": [table]}) if said in f]

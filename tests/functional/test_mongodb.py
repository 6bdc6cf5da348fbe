"""MongoDB: documents as JSON within texts, keys of every type, partial updates, looked-up documents."""

from __future__ import annotations

import json

import pytest

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


def people(make_project, schema, columns=COLUMNS, **contract):
    table = {"topic": TOPIC, "key": ["_id"], "columns": columns, **contract}
    return make_project(
        schema,
        source="crm",
        source_contract={"connector": "mongodb", "topic_prefix": "mongo"},
        tables={"people": table},
    )


def versions(project):
    return sorted(
        (r["_cdc_key"], r["_cdc_position"], r["name"], r["address_city"], r["qty"], r["tags"])
        + (r["_cdc_end_reason"], r["_cdc_approximate"], r["_cdc_unknown"])
        for r in project.rows("hist_crm__people")
    )


def refused(project):
    return {
        (r["_cdc_kind"] if "_cdc_kind" in r else r["reason"], r["detail"])
        for r in project.rows("dq_crm__quarantine")
    }


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
    ]
    current = {r["_cdc_key"]: r for r in project.rows("cur_crm__people")}
    assert current["1004"]["_cdc_document"] == (
        '{"_id":{"$numberLong":"1004"},"address":{"city":"Beppu","zip":"870"},'
        '"price":5.0,"qty":7,"tags":["A","b"]}'
    )
    assert current["1006"]["_cdc_document"] == '{"_id":1006,"address":{"city":"Usa"}}'
    drift = [r for r in project.rows("hist_crm__people") if r["_cdc_key"] == "1005"]
    assert {r["_cdc_special"] for r in drift} == {None, '{"qty":"1.5"}'}
    assert not refused(project)

"""Rows without envelopes: what is a row, what a delete, and what neither. Otherwise a JSON object
without row fields would be a change that changes nothing, and hide a real one; a record of the
connector itself would be a row if its fields are the table's."""

import json
from collections import Counter

from tests.functional.test_bad_input import records_of_the_connector

COLUMNS = {"before": "text", "id": "text", "c": "text", "loc": "point", "x": "numeric(8,0)"}
ROW = {"before": "then", "id": "1", "c": "a", "loc": {"x": 1.5, "y": 2.0}, "x": "1234"}
BLOCK = {"fields": [{"field": "id", "type": "string"}], "type": "struct", "name": "t.items.Value"}
# with a schema, or none, in either order
ROWS = [
    ROW,
    {"schema": None, "payload": ROW | {"id": "2", "c": "b"}},
    {"payload": ROW | {"id": "4", "c": 'd"}, "schema": null}'}, "schema": BLOCK},
    {"payload": ROW | {"id": "5"}, "schema": None},
    {"schema": BLOCK, "payload": ROW | {"id": "6"}},
    ROW | {"id": "3"},
    ROW | {"id": "7", "status": "END", "event_count": 0, "data_collections": []},
]
NO_ROW = {
    10: ({}, "no column of the table is in it, but []"),
    11: ({"hello": 1}, 'no column of the table is in it, but ["hello"]'),
    12: (
        {"payload": {"hello": 1}, "schema": {"type": "struct"}},
        'no column of the table is in it, but ["hello"]',
    ),
    13: (
        {"op": "u", "before": None, "after": ROW, "source": {"lsn": 1}},
        "an envelope, where the contract says rows without (format unwrapped)",
    ),
    14: (
        ROW | {"__deleted": "true"},
        "__deleted is true: delete_tombstone_handling_mode is rewrite?",
    ),
    15: (ROW | {"__op": "x"}, "op: x, as the record says"),
    16: (ROW | {"__op": "o"}, "op: o"),
}


def test_what_is_no_row_is_refused(make_project):
    project = make_project(
        "no_row",
        source_contract={
            "connector": "postgresql",
            "topic_prefix": "t",
            "format": "unwrapped",
            "add_fields": ["op"],
        },
        tables={"items": {"topic": "t.items", "key": ["id"], "columns": COLUMNS}},
    )
    # for a row, a tombstone is a delete, in each spelling
    others = [(kind, value) for kind, value in records_of_the_connector() if kind != "tombstone"]
    gone = [value for kind, value in records_of_the_connector() if kind == "tombstone"]
    project.land(
        [
            *(record(offset, value) for offset, value in enumerate(ROWS)),
            *(record(offset, value) for offset, (value, _) in NO_ROW.items()),
            *(record(20 + n, value) for n, (_, value) in enumerate(others)),
            *(record(50 + n, value, key=str(n + 3)) for n, value in enumerate(gone)),
        ]
    )
    project.run("run")
    rows = project.rows("cur_s__items")
    assert sorted((r["id"], r["before"], r["c"], r["x"]) for r in rows) == [
        ("1", "then", "a", -2658824),
        ("2", "then", "b", -2658824),
        ("6", "then", "a", -2658824),
        ("7", "then", "a", -2658824),
    ]
    assert [r["c"] for r in project.rows("hist_s__items") if r["id"] == "4"] == [
        'd"}, "schema": null}'
    ]
    refused = {row["offset"]: row for row in project.rows("dq_s__quarantine")}
    assert {o: row["detail"] for o, row in refused.items()} == {
        offset: detail for offset, (_, detail) in NO_ROW.items()
    }
    reasons = {o: row["reason"] for o, row in refused.items()}
    unknown = dict.fromkeys((15, 16), "unknown_op")
    assert reasons == dict.fromkeys(NO_ROW, "wrong_envelope") | unknown
    counts = project.counts()
    ignored = {kind: n for (_, outcome, kind), n in counts.items() if outcome == "ignored"}
    assert ignored == Counter(kind for kind, _ in others)


def record(offset: int, value, key: str = "1") -> dict:
    return {
        "topic": "t.items",
        "partition": 0,
        "offset": offset,
        "key": {"id": key},
        "value": value if isinstance(value, str) else json.dumps(value),
    }

"""Rows without envelopes: what is a row, what a delete, and what neither. A JSON object that tells
nothing of a row would else be a change of it that changes nothing, and hide one that does."""

from __future__ import annotations

COLUMNS = {"before": "text", "id": "int", "c": "text", "loc": "point", "x": "numeric(8,0)"}
ROW = {"before": "then", "id": 1, "c": "a", "loc": {"x": 1.5, "y": 2.0}, "x": "1234"}
NO_SCHEMA = {"schema": None, "payload": ROW | {"id": 2, "c": "b"}}
NO_ROW = {
    10: ({}, "no column of the table is in it, but []"),
    11: ({"hello": 1}, 'no column of the table is in it, but ["hello"]'),
    12: (
        {"payload": {"id": 1, "c": "b"}, "schema": {"type": "struct"}},
        'no column of the table is in it, but ["payload","schema"]',
    ),
    13: (
        {"op": "u", "before": None, "after": ROW, "source": {"lsn": 1}},
        "an envelope, where the contract says rows without (format unwrapped)",
    ),
    14: (
        ROW | {"__deleted": "true"},
        "__deleted is true: delete_tombstone_handling_mode is rewrite?",
    ),
}


def test_what_is_no_row_is_refused(make_project):
    project = make_project(
        "no_row",
        source="s",
        source_contract={"connector": "postgresql", "topic_prefix": "t", "format": "unwrapped"},
        tables={"items": {"topic": "t.items", "key": ["id"], "columns": COLUMNS}},
    )
    project.land(
        [
            record(0, ROW),
            record(1, NO_SCHEMA),
            record(2, ROW | {"id": 3}),
            record(3, {"schema": None, "payload": None}, key=3),
            *(record(offset, value) for offset, (value, _) in NO_ROW.items()),
        ]
    )
    project.run("run")
    rows = project.rows("cur_s__items")
    assert sorted((r["id"], r["before"], r["c"], r["x"]) for r in rows) == [
        (1, "then", "a", -2658824),
        (2, "then", "b", -2658824),
    ]
    refused = {row["offset"]: row for row in project.rows("dq_s__quarantine")}
    assert {o: row["detail"] for o, row in refused.items()} == {
        offset: detail for offset, (_, detail) in NO_ROW.items()
    }
    assert {row["reason"] for row in refused.values()} == {"wrong_envelope"}


def record(offset: int, value: dict, key: int = 1) -> dict:
    return {
        "topic": "t.items",
        "partition": 0,
        "offset": offset,
        "key": {"id": key},
        "value": value,
    }

"""docs/how-to/compacted-topics.md: its statements on current state and history, checked by the
oracle over records of which Kafka's compaction kept the newest of each key."""

import json

from tests.oracle.fold import fold
from tests.oracle.records import record_from
from tests.oracle.shapes import enveloped
from tests.oracle.spec import build_spec

NOT_SENT = "__debezium_unavailable_value"


def spec(**contract):
    table = {"topic": "t", "key": ["id"], "columns": {"id": "int", "name": "text", "note": "text"}}
    return build_spec({"connector": "postgresql", "tables": {"t": table}, "contract": contract})


def change(lsn: int, op: str, row: dict) -> dict:
    value = {"op": op, "before": None, "after": None}
    value |= {"source": {"lsn": lsn, "txId": lsn, "snapshot": "false"}}
    value["before" if op == "d" else "after"] = row
    return {"key": {"id": row["id"]}, "value": value}


def landed(records: list[dict], landed_before: int = 0) -> list:
    """The records that remain, and the first of them, which landed before compaction."""
    newest = {json.dumps(record["key"]): offset for offset, record in enumerate(records)}
    return [
        record_from({"topic": "t", "partition": 0, "offset": offset, **record})
        for offset, record in enumerate(records)
        if offset < landed_before or newest[json.dumps(record["key"])] == offset
    ]


def folded(records: list, of) -> tuple[list, list]:
    """Names of the existing rows, and for each version whether it has ended."""
    found = fold(enveloped(records, of), of)
    current = [row["name"] for row in found.current["t"]]
    return current, [(v.values["name"], v.end is not None) for v in found.versions["t"]]


INSERT = change(100, "c", {"id": 1, "name": "Ann", "note": "long"})
UPDATE = change(200, "u", {"id": 1, "name": "Anne", "note": NOT_SENT})
DELETE = change(300, "d", {"id": 1, "name": None, "note": None})
TOMBSTONE = {"key": {"id": 1}, "value": None}


def test_updates():
    found = fold(landed([INSERT, UPDATE]), spec())
    assert [(row["name"], str(row["note"])) for row in found.current["t"]] == [("Anne", "UNKNOWN")]
    assert len(found.versions["t"]) == 1


def test_a_delete_behind_its_tombstone():
    stays = folded(landed([INSERT, DELETE, TOMBSTONE], landed_before=1), spec())
    assert stays == (["Ann"], [("Ann", False)])
    assert folded(landed([INSERT, DELETE], landed_before=1), spec()) == ([], [("Ann", True)])


def test_two_lives():
    again = change(400, "c", {"id": 1, "name": "Bo", "note": ""})
    records = landed([INSERT, DELETE, TOMBSTONE, again], landed_before=1)
    assert folded(records, spec()) == (["Bo"], [("Ann", True), ("Bo", False)])
    later = change(500, "u", {"id": 1, "name": "Bob", "note": ""})
    records = landed([INSERT, DELETE, TOMBSTONE, again, later], landed_before=1)
    assert folded(records, spec()) == (["Bob"], [("Ann", True), ("Bob", False)])


def test_rows_without_envelopes():
    row = {"key": {"id": 1}, "value": {"id": 1, "name": "Ann", "note": "x"}}
    of = spec(format="unwrapped", add_fields=[])
    assert folded(landed([row, TOMBSTONE], landed_before=1), of) == ([], [("Ann", True)])
    assert folded(landed([row], landed_before=1), of) == (["Ann"], [("Ann", False)])

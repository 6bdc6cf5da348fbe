"""A decimal sent as base64 does not tell its scale. Where the record's schema block tells another
than the contract, the record is refused: it would be another number."""

from __future__ import annotations

import base64

SCHEMA = {
    "type": "struct",
    "fields": [
        {
            "type": "struct",
            "fields": [
                {"type": "int32", "optional": False, "field": "id"},
                {
                    "type": "bytes",
                    "optional": True,
                    "name": "org.apache.kafka.connect.data.Decimal",
                    "version": 1,
                    "parameters": {"scale": "2", "connect.decimal.precision": "10"},
                    "field": "amount",
                },
            ],
            "field": "after",
        }
    ],
}


def record(offset: int, scale: int) -> dict:
    text = base64.b64encode((150).to_bytes(2, "big")).decode()
    schema = schema_of(scale)
    source = {"lsn": 100 + offset, "txId": 1, "snapshot": "false"}
    payload = {"op": "c", "after": {"id": offset, "amount": text}, "source": source}
    value = {"schema": schema, "payload": payload}
    return {"topic": "t.items", "partition": 0, "offset": offset, "value": value}


def schema_of(scale: int) -> dict:
    """The schema block with another scale."""
    (after,) = SCHEMA["fields"]
    number, amount = after["fields"]
    amount = amount | {"parameters": amount["parameters"] | {"scale": str(scale)}}
    return SCHEMA | {"fields": [after | {"fields": [number, amount]}]}


def test_another_scale_than_the_contract_says_is_refused(make_project):
    project = make_project(
        "scale_in_schema",
        source="s",
        source_contract={"connector": "postgresql", "topic_prefix": "t"},
        tables={
            "items": {
                "topic": "t.items",
                "key": ["id"],
                "columns": {"id": "int", "amount": "numeric(10,2)"},
            }
        },
        layers={"items": ["stg"]},
    )
    project.land([record(0, scale=2), record(1, scale=4)])
    project.run("run")
    (staged,) = project.rows("stg_s__items")
    assert (staged["id"], str(staged["amount"])) == (0, "1.50")
    (refused,) = project.rows("dq_s__quarantine")
    assert refused["reason"] == "value_does_not_fit"
    assert (
        refused["detail"]
        == "amount: scale 4 in the schema of the record does not fit numeric(10,2)"
    )

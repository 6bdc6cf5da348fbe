"""Records of other shapes as the envelopes that the oracle reads: what the shape has lost stays
lost.

Written from the documentation and captures' notes, independently of the macros.
"""

import json
import re
from dataclasses import replace

from tests.oracle.keys import key_object
from tests.oracle.records import Record
from tests.oracle.spec import Spec, Table


def enveloped(records: list[Record], spec: Spec) -> list[Record]:
    """The records with values in Debezium's envelope; those of no table unchanged."""
    if spec.adjusted:
        names = {field: column for column, field in spec.adjusted.items()}
        records = [
            renamed(record, names) if spec.by_topic(record.topic) else record for record in records
        ]
    shape = SHAPES.get(spec.contract.get("format"))
    if shape is None:
        return records
    return [
        shape(record, spec.contract, table) if (table := spec.by_topic(record.topic)) else record
        for record in records
    ]


def renamed(record: Record, names: dict[str, str]) -> Record:
    """A record of field.name.adjustment.mode with the columns' own names: in its images, its key
    and the keys in its headers."""

    def row(fields: dict) -> dict:
        return {names.get(name, name): value for name, value in fields.items()}

    value = record.value and json.loads(record.value)
    if value:
        images = {part: value[part] and row(value[part]) for part in ("before", "after")}
        value = json.dumps(value | images, separators=(",", ":"))
    headers = {
        name: json.dumps(row(json.loads(text))) if name.endswith("key") else text
        for name, text in record.headers.items()
    }
    key = record.key and json.dumps(row(json.loads(record.key)))
    return replace(record, key=key, value=value, headers=headers)


def unwrapped(record: Record, contract: dict, table: Table) -> Record:
    """ExtractNewRecordState: only the row, with `__` before each added field."""
    mode = contract.get("delete_tombstone_handling_mode", "tombstone")
    row = None if record.value is None else json.loads(record.value)
    row = row["payload"] if row and row.keys() == {"schema", "payload"} else row
    if row is None and mode.startswith("rewrite"):
        return replace(record, value=None)
    if row is not None and is_of_the_connector(row, table):
        return replace(record, value=None)
    if row is not None and contract.get("drop_fields_header_name"):
        row = dict.fromkeys(table.columns, "__debezium_unavailable_value") | row
    added = {name: (row or {}).pop(name, None) for name in _added_names(contract)}
    gone = added.get("__deleted") == "true" if mode.startswith("rewrite") else row is None
    op = "d" if gone else added.get("__op") or _written(record)
    lsn = added.get("__lsn", record.offset)
    order = added.get("__transaction_total_order")
    before = row or key_object(record.key, table)
    return _envelope(record, op, lsn, order, before, None if gone else row)


# Records that ExtractNewRecordState does not change: BEGIN and END, heartbeats, statements.
OF_THE_CONNECTOR = (
    {"status", "id", "event_count", "data_collections"},
    {"ts_ms"},
    {"source", "databaseName", "schemaName", "ddl", "tableChanges"},
)


def is_of_the_connector(row: dict, table: Table) -> bool:
    fields = row.keys() - {"ts_us", "ts_ns"}
    return not row.keys() <= table.columns.keys() and any(
        fields in (known, known | {"ts_ms"}) for known in OF_THE_CONNECTOR
    )


def _added_names(contract: dict) -> list[str]:
    return ["__deleted", *("__" + name.replace(".", "_") for name in contract["add_fields"])]


def cloudevents(record: Record, contract: dict, table: Table) -> Record:
    """Debezium's CloudEvents: attributes next to `data`, or only `data` and an `id`."""
    if record.value is None:
        return record
    event = json.loads(record.value)
    event = json.loads(event) if isinstance(event, str) else event
    images = event["data"].get("payload", event["data"])
    before, after = images["before"], images["after"]
    if "iodebeziumop" in event:
        op, lsn = event["iodebeziumop"], int(event["iodebeziumlsn"])
    else:
        op = _written(record) if after else "d" if before else "t"
        lsn = int(re.search(r";lsn:(\d+);", event["id"])[1])
    order = event.get("iodebeziumtxtotalorder")
    return _envelope(record, op, lsn, order and int(order), before, after)


def _written(record: Record) -> str:
    """How a row was written is unknown: the header of a key change is on creates."""
    return "c" if "__debezium.oldkey" in record.headers else "u"


def _envelope(record: Record, op: str, lsn: int | None, order: int | None, before, after) -> Record:
    value = {
        "before": before if op in "du" else None,
        "after": after,
        "source": {"lsn": lsn, "snapshot": "true" if op == "r" else "false"},
        "transaction": order and {"id": str(lsn), "total_order": order},
        "op": op,
    }
    return replace(record, value=json.dumps(value, ensure_ascii=False))


SHAPES = {"unwrapped": unwrapped, "cloudevents": cloudevents}

"""Generated events of Google Datastream as in its Avro files.

The schema for PostgreSQL is that of a real file, whose fields and unions are in Google's own tests
(FormatDatastreamRecordToJsonTest, bytearray.avro). For SQL Server it is the same with the metadata
that its documentation names. Columns have the unified types: int, string, decimal, date.
"""

import io
import json
from datetime import date
from decimal import Decimal

import fastavro

from afterimage.readers import datastream
from tests.laws.datastream import Database

MILLIS = {"type": "long", "logicalType": "timestamp-millis"}
KEYS = ["null", {"type": "array", "items": "string"}]
METADATA = {
    "postgresql": {
        "schema": "string",
        "table": "string",
        "is_deleted": ["null", "boolean"],
        "change_type": ["null", "string"],
        "tx_id": ["null", "long"],
        "lsn": ["null", "string"],
        "primary_keys": KEYS,
    },
    "sqlserver": {
        "schema": "string",
        "table": "string",
        "database": "string",
        "is_deleted": ["null", "boolean"],
        "change_type": ["null", "string"],
        "tx_id": ["null", "string"],
        "lsn": ["null", "string"],
        "physical_location": ["null", {"type": "array", "items": "long"}],
        "primary_keys": KEYS,
        "replication_index": KEYS,
    },
}
UNIFIED = {
    "int": "int",
    "string": "string",
    "decimal": {"type": "bytes", "logicalType": "decimal", "precision": 10, "scale": 2},
    "date": {"type": "int", "logicalType": "date"},
}


def record(name: str, fields: dict) -> dict:
    told = [{"name": field, "type": kind} for field, kind in fields.items()]
    return {"type": "record", "name": name, "fields": told}


def schema(system: str, payload: dict) -> dict:
    """The schema of a file. In: columns and the Avro types of their values, all of which may be
    null."""
    generic = dict.fromkeys(
        ("uuid", "object", "read_method", "stream_name", "schema_key"), "string"
    )
    generic |= {"read_timestamp": MILLIS, "source_timestamp": MILLIS}
    generic["sort_keys"] = ["null", {"type": "array", "items": ["string", "long"]}]
    columns = {name: ["null", kind] for name, kind in payload.items()}
    return record(
        "made_up",
        generic
        | {
            "source_metadata": record("source_metadata", METADATA[system]),
            "payload": record("payload", columns),
        },
    )


SCHEMAS = {
    system: schema(system, dict(zip(("id", "label", "n", "d"), UNIFIED.values(), strict=True)))
    for system in METADATA
}


def file_of(events: list[dict], of: dict) -> bytes:
    """A container file. In: events whose payloads have values as fastavro takes them."""
    written = io.BytesIO()
    fastavro.writer(written, fastavro.parse_schema(of), events, codec="deflate")
    return written.getvalue()


def landed(file: bytes) -> list[str]:
    """The landed text of each event."""
    return [record.value.decode() for record in datastream.read(io.BytesIO(file))]


def json_of_avro(database: Database) -> dict[str, str]:
    """uuid → the landed text of that event, for a database whose files are in Avro."""
    events = [event | {"payload": _in_avro(event["payload"])} for event in database.events]
    texts = landed(file_of(events, SCHEMAS[database.system]))
    return {json.loads(text)["uuid"]: text for text in texts}


def _in_avro(payload: dict) -> dict:
    key, label, amount, day = payload.values()
    amount = None if amount is None else Decimal(str(amount)).quantize(Decimal("0.01"))
    values = (key, label, amount, day and date.fromisoformat(day))
    return dict(zip(payload, values, strict=True))

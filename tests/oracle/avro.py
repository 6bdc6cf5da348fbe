"""Records in Avro as the JSON texts a JSON converter would have written, read by fastavro with the
writer's schema.

Written from the captures' notes and the Avro specification, independently of the macros.
"""

import base64
import io
import json
from dataclasses import replace

import fastavro

from tests.oracle.records import Record

WIDTHS = {"confluent": 4, "apicurio": 8}


def decoded(record: Record, schemas: dict[int, dict], framing: str) -> Record:
    """The record with key and value as JSON texts. In: schemas by id; framing as in contracts."""
    return replace(
        record,
        key=_text(record, "key", schemas, framing),
        value=_text(record, "value", schemas, framing),
        headers={name: _header(value) for name, value in record.headers.items()},
    )


def _text(record: Record, side: str, schemas: dict[int, dict], framing: str) -> str | None:
    message = getattr(record, side)
    if message is None:
        return None
    if framing == "headers":
        number, body = record.headers[f"apicurio.{side}.globalId"], message
    else:
        assert message[0] == 0
        number, body = message[1 : 1 + WIDTHS[framing]], message[1 + WIDTHS[framing] :]
    schema = fastavro.parse_schema(_plain(schemas[int.from_bytes(number, "big")]), {})
    value = fastavro.schemaless_reader(io.BytesIO(body), schema)
    return json.dumps(_as_json(value), ensure_ascii=False, separators=(",", ":"))


def _plain(schema):
    """A schema without logical types: a decimal stays its bytes."""
    if isinstance(schema, dict):
        return {name: _plain(part) for name, part in schema.items() if name != "logicalType"}
    return [_plain(part) for part in schema] if isinstance(schema, list) else schema


def _as_json(value):
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    if isinstance(value, dict):
        return {name: _as_json(part) for name, part in value.items()}
    return [_as_json(part) for part in value] if isinstance(value, list) else value


def _header(value: bytes | None) -> str | None:
    return value if value is None else value.decode(errors="replace")

"""Sampled Avro records as JSON with a schema block that has the column metadata of Avro.

A record names its schema by an id, in one of the forms of `avro_framing`: after a zero byte in
four bytes (confluent) or in eight (apicurio), or in a header of Apicurio (headers).
"""

import json
from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING, Any

from afterimage.errors import UserError
from afterimage.readers.container import DAMAGED, reader_of
from afterimage.scaffold.sample import Sampled

if TYPE_CHECKING:  # loads pyspark
    from afterimage.schemas import Entry

WIDTHS = {"confluent": 4, "apicurio": 8}
UNREADABLE = (*DAMAGED, UserError)  # UserError: a union whose branches look alike
# of Kafka Connect, under the names of its JSON converter
CONNECT_TYPES = {"int": "int32", "long": "int64", "fixed": "bytes", "enum": "string"}


class AvroRecords:
    """Reads records by the schemas they were written with. In: entries of a registry."""

    def __init__(self, entries: Iterable["Entry"]) -> None:
        self._schemas = {each.id: json.loads(each.schema) for each in entries}
        self._reader = cache(lambda number: reader_of(self._schemas[number]))
        self._block = cache(lambda number: schema_block(self._schemas[number], {}))

    def read(self, record: Sampled) -> Sampled:
        """The record with key and value as JSON texts; a side that is not Avro stays unchanged."""
        key, _ = self._side(record, "key", record.key)
        value, framing = self._side(record, "value", record.value)
        return record._replace(key=key, value=value, framing=framing)

    def _side(self, record: Sampled, side: str, raw: bytes | None) -> tuple[bytes | None, str]:
        if raw is None:
            return None, ""
        for framing, number, body in _frames(record, side, raw):
            if number not in self._schemas:
                continue
            try:
                payload = self._reader(number)(body)
            except UNREADABLE:
                continue
            document = {"schema": self._block(number), "payload": payload}
            return json.dumps(document, ensure_ascii=False).encode(), framing
        return raw, ""


def _frames(record: Sampled, side: str, raw: bytes):
    """(framing, schema id, body) for each form that a record may have."""
    if raw[:1] == b"\0":
        for framing, width in WIDTHS.items():
            yield framing, int.from_bytes(raw[1 : 1 + width]), raw[1 + width :]
    for name, number in record.headers:
        if name == f"apicurio.{side}.globalId" and number:
            yield "headers", int.from_bytes(number), raw


def schema_block(schema: Any, named: dict[str, dict]) -> dict[str, Any]:
    """An Avro schema as Kafka Connect's JSON converter writes it. `named`: known records."""
    if isinstance(schema, list):
        branch = next((each for each in schema if each != "null"), "null")
        return schema_block(branch, named) | {"optional": "null" in schema}
    if isinstance(schema, str):
        known = named.get(schema) or named.get(schema.rpartition(".")[2])
        return dict(known or {"type": CONNECT_TYPES.get(schema, schema), "optional": False})
    kind = schema["type"]
    if not isinstance(kind, str):
        return schema_block(kind, named)
    found = {"type": schema.get("connect.type") or CONNECT_TYPES.get(kind, kind), "optional": False}
    for prop, name in {"connect.name": "name", "connect.parameters": "parameters"}.items():
        if prop in schema:
            found[name] = schema[prop]
    if kind == "record":
        found["type"] = "struct"
        found["fields"] = [
            schema_block(field["type"], named) | {"field": field["name"]}
            for field in schema["fields"]
        ]
        named[schema["name"].rpartition(".")[2]] = found
    elif kind == "array":
        found["items"] = schema_block(schema["items"], named)
    elif kind == "map":
        found["values"] = schema_block(schema["values"], named)
    return found

"""The events in the records of an outbox, read in plain Python: routed messages, or change events
of the outbox itself. Written from the documentation and the capture pg-outbox, independently of the
macros.

    events, refused = read_all(records, Outbox(placement="type:header:eventType"))
"""

import base64
import io
import json
import re
from dataclasses import dataclass, field

import fastavro

from tests.oracle.records import Record

SCAN = json.JSONDecoder(object_pairs_hook=lambda pairs: _unique(pairs))
SPACE = re.compile(r"[ \t\r\n]*")


@dataclass(frozen=True)
class Outbox:
    """The settings of an outbox, under the declaration's names."""

    captured: str = "router"
    value_converter: str = "json"
    payload: str = "json"
    placement: str = ""
    prefix: str = "outbox.event."
    schemas: dict[int, dict] = field(default_factory=dict)

    def placed(self, where: str) -> dict[str, str]:
        """alias -> column"""
        parts = [part.split(":") for part in self.placement.split(",") if part]
        return {
            part[-1] if len(part) > 2 else part[0]: part[0] for part in parts if part[1] == where
        }


@dataclass(frozen=True)
class Event:
    """One event as a consumer sees it."""

    id: str
    type: str | None
    aggregate_type: str | None
    aggregate_id: str | None
    payload: str | None
    kind: str
    placed: tuple = ()

    @property
    def content(self) -> tuple:
        """What deliveries of one event have in common, in any form."""
        return self.aggregate_type, self.aggregate_id, _normal(self.payload)


def read_all(records: list[Record], outbox: Outbox) -> tuple[dict, dict, dict]:
    """(event id -> Event, coordinate -> reason, event id -> deliveries) of landed records, in any
    order, some of them several times."""
    landed = {(r.timestamp or 0, r.coordinate): r for r in records}
    events, refused, deliveries = {}, {}, {}
    for _, record in sorted(landed.items()):
        found = read(record, outbox)
        if isinstance(found, str):
            refused[record.coordinate] = found
        elif found is not None:
            first = events.setdefault(found.id, found)
            if first.content != found.content:
                refused[record.coordinate] = "event_id_reused"
            else:
                deliveries[found.id] = deliveries.get(found.id, 0) + 1
    return events, refused, deliveries


def read(record: Record, outbox: Outbox) -> Event | str | None:
    """The event of a record; the reason for its refusal; None if it is no event."""
    try:
        return _routed(record, outbox) if outbox.captured == "router" else _row(record, outbox)
    except _Refused as refused:
        return str(refused)


class _Refused(Exception):  # noqa: N818
    pass


def _routed(record: Record, outbox: Outbox) -> Event | str | None:
    envelope = outbox.placed("envelope")
    raw, beside = record.value, {}
    if outbox.value_converter == "json":
        raw = _text(raw)
        raw = _without_schema(raw)
        if raw is not None and raw.strip() != "null":
            members = _members(raw)
            if members and {"op", "source"} <= members.keys() and "connector" in members["source"]:
                raise _Refused("change_event")
            if envelope:
                if members is None or "payload" not in members:
                    raise _Refused("broken_json" if not _is_json(raw) else "wrong_form")
                raw, beside = members["payload"], members
        payload = _carried(raw)
    elif outbox.payload == "avro":
        payload = _avro(_bytes(raw), outbox) if raw else None
    elif outbox.payload == "binary":
        payload = None if raw is None else base64.b64encode(_bytes(raw)).decode()
    else:
        payload = _text(raw)
    id_ = _plain(_text(record.headers.get("id")))
    if not id_:
        raise _Refused("missing_event_id")
    placed = {alias: _plain(_text(record.headers.get(alias))) for alias in outbox.placed("header")}
    placed |= {alias: _plain(beside.get(alias)) for alias in envelope}
    types = {
        column: alias
        for where in ("header", "envelope")
        for alias, column in outbox.placed(where).items()
    }
    return _event(
        outbox,
        payload,
        id=id_,
        type=placed.get(types.get("type", "")),
        aggregate_type=record.topic.removeprefix(outbox.prefix),
        aggregate_id=_plain(_text(record.key)),
        placed=tuple(sorted(placed.items())),
    )


def _row(record: Record, outbox: Outbox) -> Event | str | None:
    raw = _without_schema(_text(record.value))
    if raw is None or raw.strip() == "null":
        return None
    members = _members(raw)
    if members is None or not {"op", "source"} <= members.keys():
        raise _Refused("broken_json" if not _is_json(raw) else "wrong_envelope")
    op = _plain(members["op"])
    if op in ("d", "t", "m"):
        return None
    if op not in ("c", "r"):
        raise _Refused("outbox_update" if op == "u" else "unknown_op")
    after = members.get("after", "null")
    is_document = after.startswith('"')
    row = _members(json.loads(after) if is_document else after)
    if row is None:
        raise _Refused("missing_image")
    id_ = _plain(row.get("_id" if is_document else "id"))
    if not id_:
        raise _Refused("missing_event_id")
    return _event(
        outbox,
        _carried(row.get("payload")),
        id=id_,
        type=_plain(row.get("type")),
        aggregate_type=_plain(row.get("aggregatetype")),
        aggregate_id=_plain(row.get("aggregateid")),
    )


def _event(outbox: Outbox, payload: str | None, **told) -> Event:
    if payload and outbox.payload == "json" and not _is_json(payload):
        raise _Refused("payload_does_not_parse")
    if not payload:
        kind, payload = "empty", None
    elif outbox.payload in ("text", "binary"):
        kind = outbox.payload
    else:
        kind = "object" if payload.lstrip()[0] in "{[" else "text"
    return Event(payload=payload, kind=kind, **told)


def _carried(raw: str | None) -> str | None:
    """The payload from a JSON value: the content of a string, all else unchanged."""
    if raw is None or raw.strip() == "null":
        return None
    if raw.startswith('"'):
        if not _is_json(raw):
            raise _Refused("broken_json")
        return json.loads(raw)
    return raw


def _avro(frame: bytes, outbox: Outbox) -> str:
    number = int.from_bytes(frame[1:5], "big")
    if frame[0] != 0:
        raise _Refused("broken_avro")
    if number not in outbox.schemas:
        raise _Refused("unknown_schema")
    body = io.BytesIO(frame[5:])
    try:
        value = fastavro.schemaless_reader(body, fastavro.parse_schema(outbox.schemas[number], {}))
    except (EOFError, IndexError, UnicodeDecodeError):
        raise _Refused("broken_avro") from None
    if body.read():
        raise _Refused("broken_avro")
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _without_schema(raw: str | None) -> str | None:
    """The payload without a converter's schema block."""
    members = None if raw is None else _members(raw)
    if members is None or list(members) != ["schema", "payload"]:
        return None if raw is None else raw.strip(" \t\r\n")
    schema = json.loads(members["schema"])
    if schema is None or (isinstance(schema, dict) and "type" in schema):
        return members["payload"]
    return raw.strip(" \t\r\n")


def _plain(raw: str | None) -> str | None:
    """A key, header or column as text, from any converter."""
    raw = _without_schema(raw)
    if raw is None or raw == "null":
        return None
    if raw.startswith('"') and _is_json(raw):
        return json.loads(raw)
    if raw.startswith("{") and _is_json(raw) and list(json.loads(raw)) == ["$oid"]:
        return json.loads(raw)["$oid"]
    return raw


def _members(text: str) -> dict[str, str] | None:
    """The text of each member of a JSON object; None if there is no object."""
    if not _is_json(text) or not text.lstrip().startswith("{"):
        return None
    found, place = {}, SPACE.match(text, text.index("{") + 1).end()
    while text[place] != "}":
        name, place = SCAN.raw_decode(text, place)
        start = SPACE.match(text, text.index(":", place) + 1).end()
        _, place = SCAN.raw_decode(text, start)
        found[name] = text[start:place]
        place = SPACE.match(text, place).end()
        if text[place] == ",":
            place = SPACE.match(text, place + 1).end()
    return found


def _is_json(text: str) -> bool:
    try:
        json.loads(text, object_pairs_hook=_unique, parse_constant=_no_constant)
    except ValueError:
        return False
    return True


def _normal(payload: str | None):
    if payload is None or not _is_json(payload):
        return payload
    return json.dumps(json.loads(payload), sort_keys=True)


def _unique(pairs: list) -> dict:
    if len(dict(pairs)) != len(pairs):
        raise ValueError("a key twice")
    return dict(pairs)


def _no_constant(name: str):
    raise ValueError(name)


def _bytes(value: str | bytes) -> bytes:
    return value.encode() if isinstance(value, str) else value


def _text(value: str | bytes | None) -> str | None:
    try:
        return value.decode() if isinstance(value, bytes) else value
    except UnicodeDecodeError:
        raise _Refused("not_utf8") from None

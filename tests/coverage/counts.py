"""The content of records: system and shape of each, its change to a row, its types.

    counts_of(Stream("shop", "postgresql", {}, tables, records))    Counter of Cell

Counted from the records themselves, so that no test can claim what it lacks. It shares no code with
the macros, and reads of each shape only enough to find the images.
"""

import base64
import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cache

from tests.oracle.avro import decoded
from tests.oracle.records import Record
from tests.types import cells as types

FRAMINGS = {
    "confluent": "Avro, Confluent",
    "apicurio": "Avro, Apicurio",
    "headers": "Avro, id in headers",
}
OPS = {
    "c": "create",
    "u": "update",
    "d": "delete",
    "t": "truncate",
    "m": "message",
    "x": "row written",
}
UPDATE_IN_TWO = "update in two"
OPS_OF_DATASTREAM = {
    "INSERT": "c",
    "UPDATE": "u",
    "UPDATE-INSERT": "u",
    "UPDATE-DELETE": "d",
    "DELETE": "d",
}
# for Datastream, in source_metadata
COORDINATES = ("log_file", "log_position", "scn", "rs_id", "ssn", "lsn")
# what each of a key-change pair, at one position, has for itself
OF_A_HALF = re.compile(r'\w*event_?serial_?no\W{1,4}\d+|"\w*total_order": \w+|"uuid": "[^"]*"')
# fields of `source` that differ in another read of the same change
OF_A_READING = ("ts_ms", "ts_us", "ts_ns", "version", "sequence", "snapshot")


@dataclass(frozen=True, order=True)
class Cell:
    """`about`: what of a change (`operation`), a value (`type`) or a record other than a row change
    (`around`) occurred."""

    system: str
    shape: str
    about: str
    what: str


@dataclass(frozen=True)
class Table:
    """`columns`: field of an event → its declared type."""

    key: tuple[str, ...]
    columns: dict[str, str] = field(hash=False)


@dataclass(frozen=True)
class Stream:
    """Records of one contract. `contract`: its keys about the shape; `schemas`: id → Avro schema;
    `tables`: topic → table; `side_topics`: topic → its kind in a contract; `shape`: of its records,
    if they are counted as they are in files."""

    name: str
    system: str
    contract: dict = field(hash=False)
    tables: dict[str, Table] = field(hash=False)
    records: list[Record] = field(hash=False)
    side_topics: dict[str, str] = field(default_factory=dict, hash=False)
    schemas: dict[int, dict] = field(default_factory=dict, hash=False)
    placeholder: str = "__debezium_unavailable_value"
    shape: str = ""


@dataclass(frozen=True)
class Change:
    """One record of a table, read: its images by name of the field."""

    shape: tuple[str, ...]
    op: str
    snapshot: str
    before: dict | None
    after: dict | None
    place: str  # text of what identifies its position in the log
    in_transaction: bool = False
    also: tuple[str, ...] = ()  # its other kinds, in the words of the page
    half: str | None = None  # of an update sent as a pair: first or second; else empty

    @property
    def row_place(self) -> str:
        """The position that a key-change pair shares: some systems number the changes at a
        position, and Datastream names each event."""
        return OF_A_HALF.sub("", self.place)

    @property
    def is_new_half(self) -> bool:
        """Whether it may be the second of a key-change pair."""
        return self.op in "cx" if self.half is None else self.half == "second"

    @property
    def is_old_half(self) -> bool:
        return self.op == "d" if self.half is None else self.half == "first"


def counts_of(stream: Stream) -> Counter:
    """Cell → how many records show it."""
    found: Counter = Counter()
    seen: dict[tuple, tuple] = {}  # change → coordinate
    halves: dict[tuple, set] = {}  # place → keys that went there
    shape_of_topic: dict[str, tuple] = {}
    in_two = _updates_in_two(stream)
    for record in stream.records:
        table = stream.tables.get(record.topic)
        if table is None:
            kinds = around(record, stream)
            found.update(Cell(stream.system, "any", "around", kind) for kind in kinds)
            continue
        change = read(record, stream)
        if change is None:
            shape = shape_of_topic.get(record.topic)
            if record.value is None and shape:
                found.update(_cells(stream.system, shape, {"tombstone"}))
            continue
        shape_of_topic[record.topic] = change.shape
        kinds = set(_kinds(record, change, table, stream))
        row = change.after or change.before or {}
        key = tuple(json.dumps(row.get(name)) for name in table.key)
        if of_documents(stream):  # not every change of one carries it
            key = (str(record.key),)
        if change.half and (record.topic, change.row_place) in in_two:
            kinds.add(UPDATE_IN_TWO)
        if change.op in "cud":
            sent = (record.topic, change.op, key, change.place, _image_text(change))
            if seen.setdefault(sent, record.coordinate) != record.coordinate and change.place:
                kinds.add("delivered again")
        if change.op in "cudx" and table.key and change.place and not of_documents(stream):
            gone = halves.setdefault((record.topic, change.row_place), set())
            if change.is_old_half:
                gone.add(key)
            elif change.is_new_half and gone - {key}:
                kinds.add("key change")
        found.update(_cells(stream.system, change.shape, kinds))
        found.update(Cell(stream.system, "any", "around", kind) for kind in _kinds_of_row(row))
        families = {
            family
            for image in (change.before, change.after)
            for name, value in _values(image or {}, table, stream)
            if value is not None and (family := family_of(stream.system, table.columns.get(name)))
        }
        for shape in change.shape:
            found.update(Cell(stream.system, shape, "type", family) for family in families)
    return found


def _updates_in_two(stream: Stream) -> set[tuple[str, str]]:
    """(topic, position) of before images: an UPDATE-INSERT without one, as Datastream labels most
    updates, is an ordinary update."""
    if stream.contract.get("format") != "datastream_json":
        return set()
    changes = [(r.topic, read(r, stream)) for r in stream.records if r.topic in stream.tables]
    return {(topic, c.row_place) for topic, c in changes if c and c.half == "first"}


def _cells(system: str, shapes: tuple[str, ...], kinds: set[str]) -> list[Cell]:
    return [Cell(system, shape, "operation", kind) for shape in shapes for kind in kinds]


def _kinds(record: Record, change: Change, table: Table, stream: Stream) -> Iterator[str]:
    """What a record does, in the words of the page."""
    if change.op == "r":
        kind = change.snapshot if change.snapshot in ("incremental", "blocking") else "initial"
        yield "backfill" if change.snapshot == "backfill" else f"{kind} snapshot"
    else:
        yield OPS.get(change.op, "other")
    if not table.key and change.op in "cudr":
        yield "without a key"
    if any(name.endswith(("newkey", "oldkey")) for name in record.headers):
        yield "key change"
    if change.in_transaction:
        yield "in a transaction"
    yield from change.also
    images = [image for image in (change.before, change.after) if image]
    if any(is_mark(value, stream.placeholder) for image in images for value in image.values()):
        yield "value not sent"
    columns = table.columns.keys()
    if of_documents(stream):  # a missing field is not in the document, and columns are paths
        columns = {path.partition(".")[0] for path in columns}
    elif change.after and columns - change.after.keys():
        yield "value not sent"
    if any(image.keys() - columns for image in images):
        yield "column not declared"


def is_mark(value, placeholder: str) -> bool:
    """The placeholder of a value that was not sent, in any form of its type."""
    text = json.dumps(value)
    coded = base64.b64encode(placeholder.encode()).decode()
    numbers = json.dumps(list(placeholder.encode()))
    return any(form in text for form in (placeholder, coded, placeholder.encode().hex(), numbers))


def of_documents(stream: Stream) -> bool:
    return stream.system == "mongodb"


def _values(image: dict, table: Table, stream: Stream) -> Iterator[tuple]:
    """(column, value) of an image; a document's columns are paths into it."""
    if not of_documents(stream):
        yield from image.items()
        return
    for path in table.columns:
        value = image
        for step in path.split("."):
            if isinstance(value, list):
                value = value[int(step)] if step.isdigit() and int(step) < len(value) else None
            else:
                value = value.get(step) if isinstance(value, dict) else None
        yield path, value


def _image_text(change: Change) -> str:
    return json.dumps([change.before, change.after], sort_keys=True)


# --- shapes --------------------------------------------------------------------------------------


def read(record: Record, stream: Stream) -> Change | None:
    """A record of a table; None if it is a tombstone or unreadable."""
    form = stream.contract.get("format", "debezium_json")
    framing = None
    if isinstance(record.value, bytes):
        text = _text(record.value)
        if text is None:
            framing = stream.contract.get("avro_framing", "confluent")
            text = from_avro(record, stream)
            if text is None:
                return None
        record = replace(record, value=text)
    shapes: list[str] = [FRAMINGS[framing]] if framing else []
    try:
        document = None if record.value is None else json.loads(record.value)
    except ValueError:
        return None
    wrapped = []
    if isinstance(document, str) and form != "unwrapped":
        wrapped.append("JSON in a JSON text")
        try:
            document = json.loads(document)
        except ValueError:
            return None
    if isinstance(document, dict) and "payload" in document:
        if document.keys() == {"schema", "payload"}:
            wrapped.append("JSON, schema block")
            document = document["payload"]
        elif document.keys() == {"schemaId", "payload"}:
            wrapped.append("JSON, schema by id")
            document = document["payload"]
    if form == "datastream_json":
        return _of_datastream(document, stream)
    if form == "unwrapped" and of_documents(stream):
        return _document(record, document, stream)
    if form == "unwrapped":
        return _row(record, document, stream, shapes + wrapped[:1])
    if not isinstance(document, dict):
        return None
    if form == "cloudevents":
        return _event(document, stream, shapes, framing)
    if not framing:
        shapes += wrapped or ["JSON"]
    if "op" not in document:
        return None
    source = document.get("source") or {}
    return Change(
        tuple(shapes),
        str(document["op"]),
        str(source.get("snapshot")).lower(),
        _image(document.get("before")),
        _image(document.get("after")),
        _place(source) + _place_of_mongodb(document),
        bool((document.get("transaction") or {}).get("id")),
        tuple(_of_mongodb(document)),
    )


def _of_mongodb(document: dict) -> Iterator[str]:
    """The additional features of its change streams."""
    is_partial = document.get("after") is None and document["op"] == "u"
    if is_partial and document.get("updateDescription"):
        yield "update without a document"
    if isinstance(document.get("before"), str):
        yield "document before"


def _place_of_mongodb(document: dict) -> str:
    """Its seconds are the log position, at which a transaction has many changes."""
    source = document.get("source") or {}
    if source.get("connector") != "mongodb":
        return ""
    sent = [document.get(name) for name in ("updateDescription", "transaction")]
    return json.dumps([source.get("ts_ms"), *sent], sort_keys=True)


def _image(image) -> dict | None:
    """A row; a document of MongoDB is a text."""
    if isinstance(image, str):
        try:
            image = json.loads(image)
        except ValueError:
            return None
    return image if isinstance(image, dict) else None


def _text(value: bytes) -> str | None:
    """A value that is text, not Avro: no frame of Avro starts like JSON."""
    if value[:1] == b"\0":
        return None
    try:
        text = value.decode()
        json.loads(text)
    except ValueError:
        return None
    return text


def from_avro(record: Record, stream: Stream) -> str | None:
    """The JSON of a value in Avro; None if unreadable."""
    framing = stream.contract.get("avro_framing", "confluent")
    headers = {n: v.encode() if isinstance(v, str) else v for n, v in record.headers.items()}
    try:
        return decoded(replace(record, key=None, headers=headers), stream.schemas, framing).value
    except (AssertionError, KeyError, EOFError, ValueError, IndexError, TypeError):
        return None


def _place(source: dict) -> str:
    left = {name: value for name, value in source.items() if name not in OF_A_READING}
    return json.dumps(left, sort_keys=True) if left else ""


def _row(record: Record, row, stream: Stream, shapes: list[str]) -> Change | None:
    """A row that ExtractNewRecordState took out of its envelope."""
    mode = stream.contract.get("delete_tombstone_handling_mode", "tombstone")
    prefix = stream.contract.get("add_fields_prefix", "__")
    shapes = (f"row, {mode}", *(shape for shape in shapes if shape.startswith("Avro")))
    if row is None:
        if mode.startswith("rewrite") or record.key is None:
            return None
        return Change(shapes, "d", "", None, None, str(record.offset))
    if not isinstance(row, dict):
        return None
    names = [prefix + name.replace(".", "_") for name in stream.contract.get("add_fields", [])]
    added = {name: row[name] for name in names if name in row}
    fields = {n: v for n, v in row.items() if n not in added and n != "__deleted"}
    if str(row.get("__deleted")).lower() == "true":
        op = "d"
    else:
        op = str(added.get(f"{prefix}op") or "x")
    sent = {n: v for n, v in added.items() if not n.endswith(("ts_ms", "ts_us", "ts_ns", "_op"))}
    return Change(
        shapes,
        op,
        str(added.get(f"{prefix}source_snapshot")).lower(),
        fields if op == "d" else None,
        None if op == "d" else fields,
        json.dumps(sent) if sent else "",
        bool(added.get(f"{prefix}transaction_id")),
    )


def _document(record: Record, document, stream: Stream) -> Change | None:
    """A document that ExtractNewDocumentState took out of its envelope, or an update
    description."""
    mode = stream.contract["delete_tombstone_handling_mode"].replace("delete-to-", "")
    shapes, capture = (f"document, {mode}",), stream.contract["capture_mode"]
    names = {f"__{path.replace('.', '_')}": path for path in stream.contract.get("add_fields", [])}
    named = {f"__{path.replace('.', '_')}": path for path in stream.contract.get("add_headers", [])}
    fields = document if isinstance(document, dict) else {}
    sent = {path: fields.get(name) for name, path in names.items()}
    sent |= {path: record.headers.get(name) for name, path in named.items()}
    left = {n: v for n, v in fields.items() if n not in names and n != "__deleted"}
    if document is None:
        if mode.startswith("rewrite"):
            return None
        return Change(shapes, "d", "", None, None, "")
    op = "d" if fields.get("__deleted") is True else str(sent.get("op") or "x")
    also = []
    if capture == "change_streams" and sent.get("updateDescription.updatedFields") is not None:
        also.append("update without a document")
    if capture.endswith("_with_pre_image") and op in "ud" and (op == "u" or left):
        also.append("document before")
    place = {n: sent[n] for n in ("source.ts_ms", "source.ord") if sent.get(n) is not None}
    if place:
        place |= {n: v for n, v in sent.items() if n.startswith(("transaction.", "updateDesc"))}
    return Change(
        shapes,
        op,
        str(sent.get("source.snapshot")).lower(),
        left if op == "d" else None,
        None if op == "d" else left,
        json.dumps(place) if place else "",
        sent.get("transaction.id") is not None,
        tuple(also),
    )


def _event(event: dict, stream: Stream, shapes: list[str], framing) -> Change | None:
    """A CloudEvent."""
    data = event.get("data")
    shape = "CloudEvents, in Avro" if framing else "CloudEvents"
    if isinstance(data, str):
        if not framing:
            shape = "CloudEvents, data in Avro"
        text = from_avro(Record("", 0, 0, None, base64.b64decode(data)), stream)
        data = json.loads(text) if text else None
    if not isinstance(data, dict):
        return None
    data = data.get("payload") or data
    before, after = _image(data.get("before")), _image(data.get("after"))
    op = event.get("iodebeziumop")
    if op is None:
        shape = "CloudEvents, no attributes"
        op = _op_left_out(data, stream)
    place = {
        name: value
        for name, value in event.items()
        if name.startswith("iodebezium") and not name.startswith(("iodebeziumts", "iodebeziumtxt"))
        if name not in ("iodebeziumop", "iodebeziumsequence", "iodebeziumversion")
    }
    place = json.dumps(place or str(event.get("id", "")).replace("name", ""))
    if of_documents(stream):
        place += json.dumps([event.get("iodebeziumtsms"), data.get("updateDescription")])
    return Change(
        (shape, *shapes) if not framing else (shape,),
        str(op),
        str(event.get("iodebeziumsnapshot")).lower(),
        before,
        after,
        place,
        "iodebeziumtxid" in event and event["iodebeziumtxid"] is not None,
        tuple(_of_mongodb(data | {"op": op})) if of_documents(stream) else (),
    )


def _op_left_out(data: dict, stream: Stream) -> str:
    """The operation of data that have no other sign of it."""
    before, after = data.get("before"), data.get("after")
    if of_documents(stream):  # truncates and the row before a delete are missing
        return "u" if data.get("updateDescription") or (before and after) else "x" if after else "d"
    return ("u" if before else "x") if after else "d" if before else "t"


def _of_datastream(event, stream: Stream) -> Change | None:
    """An event of Google Datastream."""
    if not isinstance(event, dict) or not isinstance(event.get("payload"), dict):
        return None
    method = str(event.get("read_method"))
    metadata = event.get("source_metadata") or {}
    label = str(metadata.get("change_type"))
    op = "r" if "backfill" in method or method.endswith("dump") else OPS_OF_DATASTREAM.get(label)
    if op is None:
        return None
    halves = {"UPDATE-DELETE": "first", "UPDATE-INSERT": "second"}
    place = {name: metadata[name] for name in COORDINATES if metadata.get(name) is not None}
    if not place:  # the first is a clock, which may differ within a before/after pair
        place = {"sort_keys": (event.get("sort_keys") or [])[1:]}
    place |= {"uuid": event.get("uuid")}
    gone = op == "d"
    return Change(
        (stream.shape or "Datastream JSON",),
        op,
        "backfill" if op == "r" else "",
        event["payload"] if gone else None,
        None if gone else event["payload"],
        json.dumps(place),
        bool(metadata.get("tx_id")),
        ("rolled back",) if method.endswith("supplementation") else (),
        halves.get(label, "") if op != "r" else "",
    )


# --- types ---------------------------------------------------------------------------------------


@cache
def family_of(system: str, declared: str | None) -> str | None:
    """The family of macros/decode of a declared type; `array of` for an array's."""
    if declared is None:
        return None
    families = types.families(system)
    parsed = types.parsed(system, declared)
    family = families.get(parsed["name"])
    if family is None:
        return None
    return f"array of {family}" if parsed["is_array"] else family


# --- other records -------------------------------------------------------------------------------


def around(record: Record, stream: Stream) -> list[str]:
    """The kind of a record without a table, by its topic and its content."""
    value = record.value
    if isinstance(value, bytes):
        value = from_avro(record, stream)
    try:
        document = json.loads(value) if value else None
    except ValueError:
        document = None
    if isinstance(document, dict) and document.keys() == {"schema", "payload"}:
        document = document["payload"]
    if record.topic.startswith("__debezium-heartbeat"):
        return ["heartbeat"]
    called = stream.side_topics.get(record.topic, "")
    if "outbox" in called:
        return ["outbox event"]
    if not isinstance(document, dict):
        return []
    if document.get("status") in ("BEGIN", "END"):
        return [f"transaction {document['status']}"]
    if "aggregate_type" in document:
        return [f"notification, {document['aggregate_type'].lower()}"]
    if "tableChanges" in document:
        return list(_schema_change(document))
    if document.keys() == {"type", "data"}:
        return ["signal, message"]
    row = document.get("after") or document.get("before")
    return _kinds_of_row(row) if isinstance(row, dict) else []


def _kinds_of_row(row: dict) -> list[str]:
    """The kind of a row that is not business data, by its columns."""
    if row.keys() == {"id", "type", "data"}:
        return ["signal, row of a table"]
    return ["outbox row"] if {"aggregatetype", "aggregateid", "payload"} <= row.keys() else []


def _schema_change(document: dict) -> Iterator[str]:
    changes = document["tableChanges"] or []
    snapshot = str((document.get("source") or {}).get("snapshot")).lower()
    if snapshot not in ("false", "none"):
        yield "schema change, of a snapshot"
    ddl = document.get("ddl")
    if ddl is None:
        yield "schema change, no text"
    words = (ddl or "").upper().split()[:1]
    for change in changes:
        yield f"schema change, {change['type'].lower()}"
        if "," in change["id"]:
            yield "schema change, rename"
    if words == ["TRUNCATE"]:
        yield "schema change, truncate"
    if not changes:
        yield "schema change, no table"

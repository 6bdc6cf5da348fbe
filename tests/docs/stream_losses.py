"""Checks a row of docs/reference/what-the-stream-loses.yml against a capture."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache

from tests.oracle.postgres import UNKNOWN, decode_image, decode_value, read_json
from tests.oracle.records import read_json_lines
from tests.oracle.spec import SourceType, Table, as_sent
from tests.truth.captures import Capture, captures
from tests.truth.compare import canonical, canonical_key

# The value of a setting that a connector's properties omit.
DEFAULTS = {
    "binary.handling.mode": "bytes",
    "bigint.unsigned.handling.mode": "long",
    "decimal.format": "BASE64",
    "decimal.handling.mode": "precise",
    "enable.time.adjuster": "true",
    "field.name.adjustment.mode": "none",
    "include.unknown.datatypes": "false",
    "interval.handling.mode": "numeric",
    "publish.via.partition.root": "false",
    "replace.null.with.default": "true",
    "time.precision.mode": "adaptive",
}


@dataclass(frozen=True)
class Place:
    """A column of one row in a capture; column `*` is the full row."""

    capture: Capture
    table: Table
    column: str
    key: tuple

    @classmethod
    def of(cls, seen: str) -> "Place":
        """From "types shop.times.ta 1"; commas separate parts of a key."""
        name, path, key = seen.split(" ")
        path, column = path.rsplit(".", 1)
        capture = captures()[name]
        table = table_of(name, path)
        texts = dict(zip(table.key, key.split(","), strict=True))
        return cls(capture, table, column, canonical_key(table, texts))


@cache
def table_of(name: str, path: str) -> Table:
    """With the columns dropped on the way; for one that is compared nowhere its key, `id`."""
    tables = captures()[name].former_spec.tables
    if path in tables:
        return tables[path]
    other = next(iter(tables.values()))
    topic = other.topics[0].removesuffix(other.name) + path
    key = SourceType("int4", declared="int")
    return Table(path, (topic,), ("id",), full=False, columns={"id": key})


@dataclass(frozen=True)
class Image:
    """One event of a row: `exact` has numbers as written."""

    op: str
    envelope: dict
    as_written: dict | None  # `after` with the event's names

    def of(self, name: str) -> dict:
        """before, after, source or transaction."""
        return self.envelope.get(name) or {}


def exact(text: str):
    """Parsed JSON; a number differs from a text of the same digits and from true."""
    return json.loads(text, parse_int=_number, parse_float=_number, parse_constant=_number)


def _number(text: str) -> tuple:
    return "number", text


def arrived(place: Place, arrives: str, op: str | None, row: dict) -> bool:
    """Whether an event of the row contains the literal."""
    for image in events(place):
        if op and (image.op == "r") != (op == "snapshot"):
            continue
        fields = image.as_written if "field" in row else image.of(row.get("image", "after"))
        column = row.get("field", place.column)
        if fields and column in fields and _is(fields[column], arrives):
            return True
    return False


def _is(value, arrives: str) -> bool:
    if arrives.endswith("…"):
        return _dumped(value).startswith(arrives.removesuffix("…"))
    return value == exact(arrives)


def _dumped(value) -> str:
    if isinstance(value, tuple):
        return value[1]
    return json.dumps(value, ensure_ascii=False)


def nothing(place: Place, kind: str) -> bool:
    """Whether nothing arrives. See NOTHING."""
    found = events(place)
    if kind == "no record":
        return not found
    if kind == "no delete":
        return bool(found) and found[-1].op in ("c", "u", "r")
    return bool(found) and not any(place.column in image.of("after") for image in found)


def events(place: Place) -> list[Image]:
    """The events of a row, in order of arrival; a truncate belongs to every row."""
    found = _events(place.capture.name, place.table.name)
    return [image for key, image in found if key in (place.key, None)]


@cache
def _events(name: str, path: str) -> list[tuple[tuple | None, Image]]:
    capture = captures()[name]
    table, found = table_of(name, path), []
    for record, envelope in zip(capture.records, capture.envelopes, strict=True):
        if record.topic not in table.topics or not envelope.value:
            continue
        event, written = _payload(exact(envelope.value)), _payload(exact(record.value or "null"))
        plain = read_json(envelope.value)
        row = plain.get("after") or plain.get("before")
        image = Image(event["op"], event, (written or {}).get("after"))
        found.append((_key(table, row, capture) if row else None, image))
    return found


def _payload(document):
    has_schema = isinstance(document, dict) and document.keys() == {"schema", "payload"}
    return document["payload"] if has_schema else document


def _key(table: Table, row: dict, capture: Capture) -> tuple:
    alone = replace(table, columns={column: table.columns[column] for column in table.key})
    return canonical_key(table, decode_image(row, alone, capture.spec.settings))


def held(place: Place) -> Iterator[dict]:
    """The row as the database had it, at each mark and at the end."""
    for row in _held(place.capture.name, place.table.name):
        if canonical_key(place.table, row) == place.key:
            yield row


@cache
def _held(name: str, path: str) -> list[dict]:
    folder = captures()[name].folder / "truth"
    found = read_json_lines(folder / f"{path}.jsonl")
    marks = folder / "marks.jsonl"
    for line in read_json_lines(marks) if marks.exists() else []:
        found += line["rows"] if line["table"] == path else []
    return found


def is_in_the_end(place: Place) -> bool:
    rows = read_json_lines(place.capture.folder / "truth" / f"{place.table.name}.jsonl")
    return place.key in [canonical_key(place.table, row) for row in rows]


def is_printed(text: str | None, has: str) -> bool:
    if has == "NULL" or text is None:
        return has == "NULL" and text is None
    return text.startswith(has[:-1]) if has.endswith("…") else text == has


def shown(place: Place, arrives: str) -> str:
    """The independent decoder's reading of a literal: a text, NULL or not sent."""
    kind, settings = place.table.columns[place.column], place.capture.spec.settings
    value = decode_value(read_json(arrives), kind, settings)
    return "not sent" if value is UNKNOWN else "NULL" if value is None else value


def is_shown(place: Place, arrives: str, shows: str) -> bool:
    kind = as_sent(place.table.columns[place.column], place.capture.spec.settings)
    value = shown(place, arrives)
    if {value, shows} & {"not sent", "NULL"}:
        return value == shows
    if kind.name == "interval" and shows.isdigit():  # the models' form of a number
        return canonical(kind, value) == canonical(kind, int(shows))
    return canonical(kind, value) == canonical(kind, shows)


def setting(capture: Capture, name: str) -> str:
    """Of the connector, or of its converter."""
    lines = (capture.folder / "connector.properties").read_text(encoding="utf-8").splitlines()
    said = dict(line.split("=", 1) for line in lines if "=" in line)
    whole = name, f"converter.{name}", f"value.converter.{name}"
    default = DEFAULTS[name]
    if name == "time.precision.mode" and capture.spec.connector != "postgresql":
        default = "adaptive_time_microseconds"
    return next((said[key] for key in whole if key in said), default)

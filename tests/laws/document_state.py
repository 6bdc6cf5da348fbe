"""ExtractNewDocumentState, the transformation that flattens MongoDB's change events: every option
of its documentation, as a function from a landed record to its result.

    flattened(record, Options(delete_handling="rewrite", add_fields=("op", "rs")))

None is a dropped record. Values are those of a JSON converter without schemas: an ObjectId is its
digits, a decimal its text, a date milliseconds, binary base64. Types without a schema are left out
of their document.

The guide and connectors differ on updates. `says="guide"`: a removed member is null, and an update
without a document is what it set. `says="connector"` (as in 2.3.7): a removed member is absent; an
update without a document is merged into the document before, if known, and has an `_id`.
"""

import base64
import json
from dataclasses import dataclass

from tests.laws.extended_json import java_double
from tests.oracle import bson

ROOT = ("op", "ts_ms")
TRANSACTION = ("id", "total_order", "data_collection_order")


class ConnectorFailed(Exception):  # noqa: N818
    """The connector stops here: the value to write has no schema."""


@dataclass(frozen=True)
class Options:
    array_encoding: str = "array"  # document
    flatten_struct: bool = False
    flatten_struct_delimiter: str = "_"
    drop_tombstones: bool = True
    delete_handling: str = "drop"  # none, rewrite
    add_headers: tuple[str, ...] = ()
    add_headers_prefix: str = "__"
    add_fields: tuple[str, ...] = ()
    add_fields_prefix: str = "__"
    says: str = "guide"  # connector


@dataclass(frozen=True)
class Number:
    """A double in Java's text; JSON has no other number."""

    text: str


def flattened(record: dict, options: Options) -> dict | None:
    """A landed record (key, value and headers are texts) after the transformation."""
    id_ = bson.read(json.loads(record["key"])["id"])
    key = to_json(_fields({"id": id_}, options))
    if record["value"] is None:
        if options.drop_tombstones:
            return None
        headers = _headers({"op": "d"}, options, only=("op",))
        return record | {"key": key, "headers": record["headers"] | headers}
    event = json.loads(record["value"])
    if event["op"] == "d" and options.delete_handling == "drop":
        return None
    document = _document(event, id_, options)
    if options.delete_handling == "rewrite":
        document["__deleted"] = event["op"] == "d"
    found = None
    if document or event["op"] != "d":
        found = _fields(document, options) | _added(event, options)
        if options.flatten_struct:
            found = dict(_flat(found, options.flatten_struct_delimiter))
    return record | {
        "key": key,
        "value": None if found is None else to_json(found),
        "headers": record["headers"] | _headers(event, options),
    }


def _document(event: dict, id_, options: Options) -> dict:
    """The event's document; empty for a delete without a before image."""
    before, after = (
        image and bson.read_document(image) for image in (event["before"], event["after"])
    )
    if event["op"] == "d":
        return dict(before or {}) if options.delete_handling == "rewrite" else {}
    told = event["updateDescription"]
    removed = (told or {}).get("removedFields") or []
    nulls = dict.fromkeys(removed) if options.says == "guide" else {}
    if after is not None:
        found = after | nulls
    else:
        found = bson.read_document((told or {}).get("updatedFields") or "{}")
        if options.says == "connector":
            found = {**(before or {}), **found}
            found = {name: value for name, value in found.items() if name not in removed}
            found.setdefault("_id", id_)
        found |= nulls
    if options.flatten_struct:
        # the names in an update are paths
        return {n.replace(".", options.flatten_struct_delimiter): v for n, v in found.items()}
    return found


# --- values -----------------------------------------------------------------------------------


def _fields(document: dict, options: Options) -> dict:
    return {name: value(member, options) for name, member in document.items() if has_schema(member)}


def has_schema(member) -> bool:
    return not isinstance(member, (bson.Plain, bson.Symbol))


def value(member, options: Options):
    """A value of a document in JSON without schemas."""
    match member:
        case dict():
            return _fields(member, options)
        case list() if options.array_encoding == "document":
            return _fields({f"_{at}": element for at, element in enumerate(member)}, options)
        case list():
            return _array(member, options)
        case bson.Int32(number) | bson.Int64(number):
            return number
        case bson.Double():
            text = java_double(member.value)
            return text if text[-1] in "Ny" else Number(text)  # NaN and Infinity are in quotes
        case bson.Decimal128(text) | bson.Code(text) | bson.ObjectId(text):
            return text
        case bson.Date(millis):
            return millis
        case bson.Timestamp(seconds, _):
            return seconds * 1000
        case bson.Binary(octets, _):
            return base64.b64encode(octets).decode()
        case bson.Regex(pattern, flags):
            return {"regex": pattern, "options": flags}
    return member


def _array(elements: list, options: Options) -> list:
    """All elements have one type; documents have one schema, in which missing members are null."""
    if len({type(element) for element in elements}) > 1:
        raise ConnectorFailed("not a homogenous array")
    if elements and not has_schema(elements[0]):
        raise ConnectorFailed("an array of a type without schema")
    found = [value(element, options) for element in elements]
    if not elements or not isinstance(elements[0], dict):
        return found
    types: dict[str, set] = {}
    for element in elements:
        for name, member in element.items():
            types.setdefault(name, set()).add(type(member))
    if any(len(kinds - {type(None)}) > 1 for kinds in types.values()):
        raise ConnectorFailed("documents of an array that have no schema in common")
    return [{name: element.get(name) for name in types} for element in found]


def _flat(document: dict, delimiter: str, prefix: str = ""):
    """Joins the names of nested documents; arrays stay as they are."""
    for name, member in document.items():
        if isinstance(member, dict):
            yield from _flat(member, delimiter, f"{prefix}{name}{delimiter}")
        else:
            yield prefix + name, member


def to_json(found) -> str:
    """Compact, as the converter writes it; doubles in their own text."""
    if isinstance(found, dict):
        return "{" + ",".join(f"{to_json(n)}:{to_json(v)}" for n, v in found.items()) + "}"
    if isinstance(found, list):
        return "[" + ",".join(map(to_json, found)) + "]"
    if isinstance(found, Number):
        return found.text
    return json.dumps(found, ensure_ascii=False)


# --- added fields -----------------------------------------------------------------------------


def _reference(asked: str) -> tuple[str | None, str, str]:
    """`source.ts_ms:EVENT` -> (struct, field, name). Without a struct: from the event itself, its
    transaction, or its source."""
    path, _, new = asked.strip().partition(":")
    struct, _, name = path.rpartition(".")
    if struct:
        return struct, name, new or f"{struct}_{name}"
    struct = None if name in ROOT else "transaction" if name in TRANSACTION else "source"
    return struct, name, new or name


def _told(event: dict, struct: str | None, name: str):
    return (event if struct is None else event.get(struct) or {}).get(name)


def _added(event: dict, options: Options) -> dict:
    """Fields that the event does not have are null."""
    found = {}
    for asked in options.add_fields:
        struct, name, new = _reference(asked)
        told = _told(event, struct, name)
        found[options.add_fields_prefix + new] = told
    return found


def _headers(event: dict, options: Options, only: tuple[str, ...] = ()) -> dict[str, str]:
    """Headers that the event does not have are left out."""
    found = {}
    for asked in options.add_headers:
        struct, name, new = _reference(asked)
        told = _told(event, struct, name)
        if told is not None and (not only or name in only):
            text = told if isinstance(told, str) else to_json(told)
            found[options.add_headers_prefix + new] = text
    return found

"""Types of a document's fields, from the Extended JSON of a record.

Each field of a sampled document has a type; where documents differ, the column gets the type that
holds all of them, else `any`, which keeps every value unchanged.
"""

import json
from collections import Counter
from typing import Any

from afterimage.scaffold.column import Column

CONNECTOR = "mongodb"
WRAPPED = {
    "$numberInt": "int",
    "$numberLong": "long",
    "$numberDouble": "double",
    "$numberDecimal": "decimal",
    "$oid": "objectid",
    "$date": "date",
    "$timestamp": "timestamp",
    "$uuid": "uuid",
}
# Number types; each holds the ones before it.
WIDER = ("int", "long", "double")
OTHERS = "null"


def document_of(text: Any) -> dict | None:
    """The document within a text; none when it is not a JSON object."""
    try:
        found = json.loads(text) if isinstance(text, str) else text
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def type_of(value: Any) -> str:
    """The declared type that holds a value; `null` for a value without a type."""
    if value is None:
        return OTHERS
    if isinstance(value, dict):
        return _of_object(value)
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, int):
        return "int" if -(2**31) <= value < 2**31 else "long"
    return {float: "double", str: "string", list: "array"}[type(value)]


def _of_object(value: dict) -> str:
    first = next(iter(value), "")
    if first in WRAPPED:
        return WRAPPED[first]
    if "$binary" in value:
        binary = value["$binary"]
        subtype = binary.get("subType") if isinstance(binary, dict) else value.get("$type")
        return "uuid" if subtype in ("04", "4") else "bindata"
    return "any" if first.startswith("$") else "object"


def column_of(types: Counter) -> Column:
    """The column of a path, from the types of its values."""
    found = set(types) - {OTHERS}
    if not found:
        return Column("any", "only null in the sample", True)
    if found <= set(WIDER):
        return Column(max(found, key=WIDER.index), "", True)
    if len(found) > 1:
        return Column("any", f"in the sample {', '.join(sorted(found))}", True)
    [kind] = found
    remark = "paths into it may be declared, with dots between names" if kind == "object" else ""
    return Column(kind, remark, True)


def is_path(name: str) -> bool:
    """Whether a name can be declared: one with dots would be a path into another field."""
    return bool(name) and not set(name) & set('.[]\\"')

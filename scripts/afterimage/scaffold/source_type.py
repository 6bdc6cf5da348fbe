"""The source type of a column, if the schema block has it: the parameters that
`column.propagate.source.type` and `datatype.propagate.source.type` add to a field."""

import re
from typing import Any

from afterimage.scaffold import known

TYPE, LENGTH, SCALE, NAME = (
    f"__debezium.source.column.{part}" for part in ("type", "length", "scale", "name")
)
# Where a field keeps the type that a catalog declares for its column.
OF_CATALOG = "of_catalog"
# Lengths that mean no length: of a text, of a numeric (the last two).
ENDLESS = (2147483647, 0, 131089)
# Where the fractional digits of a second are: drivers differ in what they call a length.
SECONDS_IN = {"postgresql": SCALE, "sqlserver": SCALE, "db2": SCALE}
UNSAID_SECONDS = {"postgresql": 6}
IN_SECONDS = ("time", "timetz", "timestamp", "timestamptz", "interval", "duration")
WITH_LENGTH = ("char", "varchar", "binary", "varbinary", "bit", "varbit")


def told(field: dict) -> str:
    """The source's name for the type, in lower case; empty when unknown."""
    if of_catalog := field.get(OF_CATALOG):
        return of_catalog
    return str((field.get("parameters") or {}).get(TYPE) or "").lower()


def adjusted_from(field: dict) -> str:
    """The column's own name if the field has another (field.name.adjustment.mode)."""
    own = (field.get("parameters") or {}).get(NAME) or ""
    return own if own != field.get("field") else ""


def source_type(field: dict, connector: str) -> str | None:
    """The type as in a contract; none when unknown or when contracts have no such type."""
    if of_catalog := field.get(OF_CATALOG):
        return of_catalog
    text = told(field)
    if not text:
        return None
    is_array = text.startswith("_")
    kind = with_arguments(text.lstrip("_"), field["parameters"], connector)
    return kind + ("[]" if is_array else "") if known.parsed(kind, connector) else None


def with_arguments(name: str, parameters: dict[str, Any], connector: str) -> str:
    """A type's name with its length and digits, as its database writes it.

    In: the name in the database (`bigint unsigned`); LENGTH and SCALE, if known.
    Out: only the name where contracts of the connector do not know the type.
    """
    parsed = known.parsed(name, connector) if name else None
    if not parsed or "(" in name:
        return name
    own = parsed["name"]
    kind = known.shown(own, connector) + _arguments(own, parameters, connector)
    return kind + (" unsigned" if parsed["is_unsigned"] else "")


def seconds_digits(field: dict, connector: str) -> int | None:
    """Fractional digits of the seconds of a column with a known type."""
    if of_catalog := field.get(OF_CATALOG):
        digits = re.search(r"\((\d+)\)", of_catalog)
        return int(digits[1]) if digits else None
    return _number(field.get("parameters") or {}, SECONDS_IN.get(connector, LENGTH))


def _arguments(name: str, parameters: dict[str, Any], connector: str) -> str:
    length, scale = _number(parameters, LENGTH), _number(parameters, SCALE)
    family = known.family(name, connector)
    if family in IN_SECONDS:
        digits = _number(parameters, SECONDS_IN.get(connector, LENGTH))
        found = [None if digits == UNSAID_SECONDS.get(connector) else digits]
    elif name == "number" or (family == "numeric" and name != "money"):
        # -2 is written as 2046
        found = [length, scale if scale is None or scale < 1024 else scale - 2048]
    elif family == "float" and connector != "postgresql":
        found = [length, scale]
    elif (
        name in WITH_LENGTH
        or family in ("vector", "sparse_vector")
        or (name == "tinyint" and length == 1)
    ):
        found = [length]
    else:
        return ""
    if found[0] is None or (found[0] in ENDLESS and family not in IN_SECONDS):
        return ""
    found = [number for number in found if number is not None]
    return f"({','.join(map(str, found))})"


def _number(parameters: dict[str, Any], name: str) -> int | None:
    text = str(parameters.get(name, ""))
    return int(text) if text.removeprefix("-").isascii() and text.lstrip("-").isdigit() else None

"""Types of columns whose fields a schema block declares."""

from typing import Any

from afterimage.scaffold import known
from afterimage.scaffold.column import NOT_NULL, Column, kind_of_literal
from afterimage.scaffold.semantic import (
    BITS,
    DECIMAL,
    OTHERS,
    PLAIN,
    is_foreign,
    meaning_of,
)
from afterimage.scaffold.source_type import OF_CATALOG, adjusted_from, source_type, told

MOMENTS = ("date", "time", "timetz", "timestamp", "timestamptz", "duration", "interval")
ENDLESS_BITS = "2147483647"
UNSIGNED = {"precision": "20", "scale": "0"}  # what a bigint unsigned has under `precise`


def declared(field: dict, connector: str, settings: dict[str, Any] | None = None) -> Column:
    """A column from its field in a schema block; the sample proves the settings."""
    settings = settings or {}
    by_name = _by_name(field, connector, settings)
    own = adjusted_from(field)
    renamed = f"the source calls it {own}" if own else ""
    source = told(field)
    if not source:
        return by_name.but(renamed)
    if by_name.foreign:
        return by_name.but(f"source type {source}", renamed)
    kind = source_type(field, connector)
    is_meant = OF_CATALOG not in field or _is_meant(kind, field, connector)
    if kind and is_meant and _is_written_as(kind, field, connector, settings):
        return Column(kind, NOT_NULL if _is_required(field) else "").but(renamed)
    sent = f", sent as {field.get('name') or field.get('type')}" if kind else ""
    # A name the contract does not know, most likely a user-defined type.
    return by_name.but(f"source type {source}{sent}", renamed)


def is_unsigned(field: dict) -> bool:
    """Whether a decimal may be MySQL's bigint unsigned."""
    parameters = field.get("parameters") or {}
    found = {
        "precision": str(parameters.get("connect.decimal.precision")),
        "scale": str(parameters.get("scale")),
    }
    return field.get("name") == DECIMAL and found == UNSIGNED


def _is_required(field: dict) -> bool:
    return not field.get("optional", True)


def _by_name(field: dict, connector: str, settings: dict[str, Any]) -> Column:
    """The type from the semantic name, else from the Connect type."""
    name, kind = field.get("name"), field.get("type")
    nullable = NOT_NULL if _is_required(field) else ""
    if kind == "array" and not name:
        return _array(field.get("items") or {}, connector, settings, nullable)
    if name == DECIMAL:
        return _decimal(field, connector, settings, nullable)
    if name == BITS:
        return _bits(str((field.get("parameters") or {}).get("length") or ""), connector, nullable)
    meaning = meaning_of(name, connector) if name else PLAIN.get(kind)
    found = meaning and known.first_type(connector, meaning.names, meaning.families)
    if found:
        digits = f"({meaning.digits})" if meaning.digits else ""
        remark = OTHERS.get(connector, {}).get(name, "")
        if found == "bigint" and connector != "postgresql" and _may_wrap(settings):
            remark = "or bigint unsigned"
        return Column(found + digits, nullable).but(remark)
    plain = PLAIN.get(kind) if kind != "map" else None
    literal = known.first_type(connector, plain.names) if plain else None
    foreign = name if is_foreign(name) else ""
    return Column(
        literal or known.first_type(connector, ("text",)),
        f"{name or kind} has no type here",
        True,
        foreign,
    )


def _may_wrap(settings: dict[str, Any]) -> bool:
    return settings.get("bigint_unsigned_handling_mode") != "precise"


def _array(items: dict, connector: str, settings: dict[str, Any], nullable: str) -> Column:
    if items.get("type") == "array":
        text = known.first_type(connector, ("text",))
        return Column(text, "an array of arrays has no type here", True)
    element = _by_name(items, connector, settings)
    remark = "" if element.remark == NOT_NULL else element.remark
    return Column(f"{element.type}[]", nullable, element.is_guess, element.foreign).but(remark)


def _decimal(field: dict, connector: str, settings: dict[str, Any], nullable: str) -> Column:
    parameters = field.get("parameters") or {}
    scale, precision = parameters.get("scale", "0"), parameters.get("connect.decimal.precision")
    name = known.first_type(connector, ("numeric", "decimal"))
    if precision and is_unsigned(field) and connector != "postgresql":
        if not _may_wrap(settings):
            return Column("bigint unsigned", nullable).but("or decimal(20,0)")
        return Column(f"{name}(20,0)", nullable).but("or bigint unsigned")
    if precision:
        return Column(f"{name}({precision},{scale})", nullable)
    money = known.first_type(connector, ("money",))
    remark = f"a decimal of scale {scale} without precision"
    return Column(money or f"{name}(38,{scale})", remark, True)


def _bits(length: str, connector: str, nullable: str) -> Column:
    varying = known.first_type(connector, ("varbit",))
    if varying and length in ("", ENDLESS_BITS):
        return Column(varying, nullable)
    # only bits of MySQL and MariaDB have the name
    return Column(f"bit({length})" if length else "bit", nullable).but(
        "or varbit" if varying else "", is_guess=bool(varying)
    )


def _is_meant(kind: str, field: dict, connector: str) -> bool:
    """Whether the name in the schema block, or its absence, fits a catalog's type."""
    family = known.family(known.parsed(kind, connector)["name"], connector)
    name, sent = field.get("name"), field.get("type")
    if not name:
        return family not in MOMENTS and (family != "text" or sent in ("string", "map", "array"))
    meaning = meaning_of(name, connector)
    if not meaning:
        return True
    names = [each for each in meaning.names if each in known.type_names(connector)]
    families = {*meaning.families, *(known.family(each, connector) for each in names)}
    return not families or family in families or (family == "shape" and "geometry" in families)


def _is_written_as(kind: str, field: dict, connector: str, settings: dict[str, Any]) -> bool:
    """Whether the decoder of a type reads the form the field is written in: a converter may have
    changed it."""
    literal = known.literal(kind, connector, settings) or ""
    sent = kind_of_literal(field.get("type"))
    if literal.startswith("array"):
        return sent == "array"
    if literal.startswith("struct"):
        return sent == "struct"
    if literal in ("smallint", "int", "bigint"):
        return sent == "integer"
    if literal in ("float", "double"):
        return sent in ("number", "integer")
    if literal == "boolean":
        return sent == "boolean"
    # Most values are read as text; what the decoder of tinyint reads as a number is one too.
    return sent not in ("array", "struct") or kind == "hstore"

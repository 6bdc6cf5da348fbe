"""Types guessed from the literals of a column that no schema block declares."""

import re
from collections import Counter
from typing import Any

from afterimage.scaffold import known
from afterimage.scaffold.column import Column
from afterimage.scaffold.documents import Long

PLACEHOLDER = known.DEFAULTS["unavailable_value_placeholder"]
TIMESTAMPTZ = re.compile(r"[-+]?\d{4,}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?Z")
DECIMAL = re.compile(r"[-+]?\d+(\.\d+)?")

MAYBE_TIME = "could also be a date or time, which Debezium sends as a number"
# without that setting a numeric column refuses such texts
IN_TEXT = ", then also settings.decimal_handling_mode: string"


def kind_of(literal: Any) -> str:
    """The kind of a literal, for guessing a type."""
    if literal is None:
        return "null"
    if isinstance(literal, bool):
        return "boolean"
    if isinstance(literal, int):
        return "bigint"
    if isinstance(literal, float):
        return "double precision"
    if isinstance(literal, Long):
        return "long"
    if isinstance(literal, list):
        kinds = {kind_of(each) for each in literal} - {"null"}
        simple = {"boolean", "bigint", "double precision"}
        if not kinds:
            return "null"
        if len(kinds) == 1 and kinds <= simple:
            return f"{kinds.pop()}[]"
        if all(isinstance(each, str | None) for each in literal):
            return "text[]"
        return "array"
    if isinstance(literal, dict):
        return "numeric" if literal.keys() == {"scale", "value"} else "object"
    if literal == PLACEHOLDER:
        return "unsent"
    if literal in ("NaN", "Infinity", "-Infinity"):
        return "not finite"
    if literal in ("NAN", "POSITIVE_INFINITY", "NEGATIVE_INFINITY"):
        return "looks like numeric"
    if literal in ("infinity", "-infinity"):
        return "looks like timestamptz"
    if TIMESTAMPTZ.fullmatch(literal):
        return "looks like timestamptz"
    return "looks like numeric" if DECIMAL.fullmatch(literal) else "text"


def guessed(kinds: Counter) -> Column:
    """A column from the kinds of its literals."""
    seen = {kind for kind in kinds if kind not in ("null", "unsent")}
    looks = {"looks like timestamptz", "looks like numeric"}
    if not seen:
        return Column("text", "no value in the sample", True)
    if seen == {"bigint"}:
        return Column("bigint", MAYBE_TIME, True)
    if "double precision" in seen and seen <= {"double precision", "bigint", "not finite"}:
        return Column("double precision", "", True)
    if len(seen) == 1 and seen <= {
        "boolean",
        "bigint[]",
        "boolean[]",
        "double precision[]",
        "text[]",
    }:
        return Column(seen.pop(), "", True)
    if seen == {"bigint[]", "double precision[]"}:
        return Column("double precision[]", "", True)
    if seen == {"numeric"}:
        return Column("numeric", "{scale, value}", True)
    if len(seen) == 1 and seen <= looks:
        [kind] = seen
        return Column("text", kind + (IN_TEXT if kind == "looks like numeric" else ""), True)
    if "long" in seen:
        return Column("text", "a number longer than bigint", True)
    return Column("text", "", True)


# The first that fits is the likeliest: base64 has more letters than hexadecimal digits.
TEXT_FORMS = {
    "hex": re.compile(r"(?:[0-9a-f]{2})*"),
    "base64": re.compile(r"(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?"),
    "base64-url-safe": re.compile(r"[A-Za-z0-9_-]*={0,2}"),
}


def text_forms(literal: str, fits: tuple[str, ...] | None) -> tuple[str, ...]:
    """The forms of binary.handling.mode that fit a text and the column's earlier texts."""
    still = tuple(TEXT_FORMS) if fits is None else fits
    if literal == PLACEHOLDER:  # it is the same under any mode
        return still
    return tuple(name for name in still if TEXT_FORMS[name].fullmatch(literal))

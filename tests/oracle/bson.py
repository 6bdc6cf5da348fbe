"""Values of BSON, read from MongoDB Extended JSON: v1 strict, v2 canonical and v2 relaxed, as the
MongoDB documentation writes them. Documents are dicts, arrays lists; strings, booleans and null are
Python's. Every other type has its own class, so that no value loses its type.

Relaxed numbers do not distinguish int32 from int64: they read as the smaller type that fits.
`loose` makes values comparable if only that was sent.
"""

import base64
import json
import re
import uuid
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal, InvalidOperation

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
LONG = 2**63


class NotExtendedJson(ValueError):  # noqa: N818
    """A text that is not Extended JSON, or a wrapper whose content does not match its name."""


@dataclass(frozen=True)
class Int32:
    value: int


@dataclass(frozen=True)
class Int64:
    value: int


@dataclass(frozen=True)
class Double:
    """By its text, so that NaN equals NaN and -0.0 is not 0.0."""

    text: str

    @property
    def value(self) -> float:
        return float(self.text)


@dataclass(frozen=True)
class Decimal128:
    text: str


@dataclass(frozen=True)
class ObjectId:
    hex: str


@dataclass(frozen=True)
class Date:
    """Milliseconds since 1970, in 64 bits."""

    millis: int


@dataclass(frozen=True)
class Binary:
    octets: bytes
    subtype: int


@dataclass(frozen=True)
class Timestamp:
    seconds: int
    increment: int


@dataclass(frozen=True)
class Regex:
    pattern: str
    options: str


@dataclass(frozen=True)
class Code:
    text: str


@dataclass(frozen=True)
class Symbol:
    text: str


@dataclass(frozen=True)
class Plain:
    """Types without content: minKey, maxKey, undefined."""

    name: str


MIN_KEY, MAX_KEY, UNDEFINED = Plain("minKey"), Plain("maxKey"), Plain("undefined")


def double(value: float) -> Double:
    return Double(repr(float(value)))


# --- reading ------------------------------------------------------------------------------------


def read(text: str):
    """The value of one Extended JSON text."""
    try:
        found = json.loads(
            text,
            object_pairs_hook=_unique,
            parse_int=_integer,
            parse_float=lambda digits: double(float(digits)),
            parse_constant=lambda name: double(float(name)),  # as strict mode writes them
        )
    except (json.JSONDecodeError, RecursionError) as error:
        raise NotExtendedJson(str(error)) from None
    return _typed(found)


def read_document(text: str) -> dict:
    found = read(text)
    if not isinstance(found, dict):
        raise NotExtendedJson("not a document")
    return found


def _integer(digits: str) -> Int32 | Int64 | Double:
    number = int(digits)
    if -(2**31) <= number < 2**31:
        return Int32(number)
    return Int64(number) if -LONG <= number < LONG else double(float(number))


def _unique(pairs: list) -> dict:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise NotExtendedJson("a name twice in one document")
    return found


def _typed(value):
    if isinstance(value, list):
        return [_typed(element) for element in value]
    if not isinstance(value, dict):
        return value
    wrapper = WRAPPERS.get(frozenset(value))
    if wrapper:
        try:
            return wrapper(value)
        except NotExtendedJson:
            raise
        except (TypeError, ValueError, KeyError, AttributeError, InvalidOperation) as error:
            raise NotExtendedJson(f"{next(iter(value))}: {error}") from None
    if next(iter(value), "") in ONLY_OF_WRAPPERS:
        raise NotExtendedJson(f"{next(iter(value))} with {', '.join(value)}")
    return {name: _typed(member) for name, member in value.items()}


def _text(value) -> str:
    if not isinstance(value, str):
        raise NotExtendedJson(f"not a text: {value}")
    return value


def _whole(value, bits: int = 64) -> int:
    number = int(value) if isinstance(value, str) else value.value
    if not isinstance(number, int) or not -(2 ** (bits - 1)) <= number < 2 ** (bits - 1):
        raise NotExtendedJson(f"not a number of {bits} bits: {number}")
    return number


def _object_id(value: dict) -> ObjectId:
    if not re.fullmatch("[0-9a-fA-F]{24}", _text(value["$oid"])):
        raise NotExtendedJson("an ObjectId has 24 hexadecimal digits")
    return ObjectId(value["$oid"].lower())


def _date(value: dict) -> Date:
    told = value["$date"]
    if isinstance(told, dict):
        return Date(_whole(_text(told["$numberLong"])))
    if isinstance(told, str):
        passed = datetime.fromisoformat(told).astimezone(UTC) - EPOCH
        return Date(passed // timedelta(milliseconds=1))
    return Date(_whole(told))


def _binary(value: dict) -> Binary:
    told, subtype = value["$binary"], value.get("$type")
    if isinstance(told, dict):
        told, subtype = told["base64"], told["subType"]
    octets = base64.b64decode(_text(told), validate=True)
    number = int(subtype, 16) if isinstance(subtype, str) else subtype.value
    return Binary(octets, number)


def _uuid(value: dict) -> Binary:
    return Binary(uuid.UUID(_text(value["$uuid"])).bytes, 4)


def _decimal(value: dict) -> Decimal128:
    Decimal(_text(value["$numberDecimal"]))
    return Decimal128(value["$numberDecimal"])


def _double(value: dict) -> Double:
    return double(float(_text(value["$numberDouble"])))


def _timestamp(value: dict) -> Timestamp:
    seconds, increment = (value["$timestamp"][name].value for name in ("t", "i"))
    if not (0 <= seconds < 2**32 and 0 <= increment < 2**32):
        raise NotExtendedJson("a timestamp has two numbers of 32 bits")
    return Timestamp(seconds, increment)


def _regex(value: dict) -> Regex:
    told = value["$regularExpression"]
    return Regex(_text(told["pattern"]), _text(told["options"]))


WRAPPERS = {
    frozenset(names): reader
    for names, reader in [
        (["$oid"], _object_id),
        (["$numberInt"], lambda value: Int32(_whole(_text(value["$numberInt"]), 32))),
        (["$numberLong"], lambda value: Int64(_whole(_text(value["$numberLong"])))),
        (["$numberDouble"], _double),
        (["$numberDecimal"], _decimal),
        (["$date"], _date),
        (["$binary", "$type"], _binary),
        (["$binary"], _binary),
        (["$uuid"], _uuid),
        (["$timestamp"], _timestamp),
        (["$regex", "$options"], lambda v: Regex(_text(v["$regex"]), _text(v["$options"]))),
        (["$regularExpression"], _regex),
        (["$code"], lambda value: Code(_text(value["$code"]))),
        (["$symbol"], lambda value: Symbol(_text(value["$symbol"]))),
        (["$minKey"], lambda value: MIN_KEY),
        (["$maxKey"], lambda value: MAX_KEY),
        (["$undefined"], lambda value: UNDEFINED),
    ]
}


# A document that starts with one of these names and is no wrapper is an invalid wrapper.
ONLY_OF_WRAPPERS = {
    "$oid", "$numberInt", "$numberLong", "$numberDouble", "$numberDecimal", "$date", "$binary",
    "$uuid", "$timestamp",
}  # fmt: skip

# --- comparing ----------------------------------------------------------------------------------


def loose(value):
    """A value whose integers have no width; the names of a document are unordered."""
    if isinstance(value, dict):
        return {name: loose(member) for name, member in value.items()}
    if isinstance(value, list):
        return [loose(element) for element in value]
    if isinstance(value, Int64):
        return Int32(value.value)
    return value


def identity(value):
    """The identity of an _id: numbers by value, documents by their members in order."""
    if isinstance(value, (Int32, Int64)):
        return "number", Decimal(value.value)
    if isinstance(value, (Double, Decimal128)):
        number = Decimal(value.value) if isinstance(value, Double) else Decimal(value.text)
        return ("number", number) if number.is_finite() else ("number", str(number))
    if isinstance(value, dict):
        return "document", tuple((name, identity(member)) for name, member in value.items())
    if isinstance(value, list):
        return "array", tuple(identity(element) for element in value)
    return type(value).__name__, value

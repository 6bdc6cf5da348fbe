"""Values of BSON as Extended JSON, as the Java driver of the MongoDB connector writes them.

    write(value, "strict", SPACED)

`strict` is version 1 of the format, `canonical` and `relaxed` are version 2. The connector writes
images strict and update descriptions relaxed. Spaces are those of the documentation: `{"a": 1,"b":
2}` in images, `{"a": 1, "b": 2}` in update descriptions, `{"a" : 1, "b" : 2}` in the guide's keys.
"""

import base64
import json
from datetime import timedelta

from tests.oracle import bson
from tests.oracle.bson import EPOCH

IMAGE, UPDATE, GUIDE, GUIDE_IMAGE = (",", ": "), (", ", ": "), (", ", " : "), (",", " : ")
FORMS = ("strict", "canonical", "relaxed")
YEAR_10000 = 253402300800000


def write(value, form: str, spaces: tuple[str, str] = IMAGE) -> str:
    """The text of a value."""
    comma, colon = spaces
    if isinstance(value, dict):
        members = (f"{text(name)}{colon}{write(m, form, spaces)}" for name, m in value.items())
        return "{" + comma.join(members) + "}"
    if isinstance(value, list):
        return "[" + comma.join(write(element, form, spaces) for element in value) + "]"
    if value is None or isinstance(value, (bool, str)):
        return text(value)
    told = WRITERS[form](value)
    return told if isinstance(told, str) else _wrapped(told, spaces)


def text(value) -> str:
    return json.dumps(value, ensure_ascii=False)


def _wrapped(value, spaces) -> str:
    comma, colon = spaces
    if isinstance(value, dict):
        members = (f"{text(name)}{colon}{_wrapped(m, spaces)}" for name, m in value.items())
        return "{" + comma.join(members) + "}"
    return text(value)


def java_double(number: float) -> str:
    """As Double.toString: 1000.0, 1.0E7, 1.0E-5, NaN, Infinity."""
    if number != number or number in (float("inf"), float("-inf")):
        return {"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}[repr(number)]
    if number == 0 or 1e-3 <= abs(number) < 1e7:
        return f"{number:.17g}" if "e" in repr(number) else repr(number)
    mantissa, _, exponent = f"{number!r}".partition("e")
    if not exponent:  # Python writes digits out up to 1e16
        digits = f"{number:.0f}" if number == int(number) else repr(number)
        mantissa, exponent = _scientific(digits)
    mantissa += "" if "." in mantissa else ".0"
    return f"{mantissa}E{int(exponent)}"


def _scientific(digits: str) -> tuple[str, str]:
    sign = "-" if digits.startswith("-") else ""
    whole, _, fraction = digits.lstrip("-").partition(".")
    rest = (whole[1:] + fraction).rstrip("0") or "0"
    return f"{sign}{whole[0]}.{rest}", str(len(whole) - 1)


def _same_in_all(value):
    match value:
        case bson.ObjectId(hex):
            return {"$oid": hex}
        case bson.Decimal128(digits):
            return {"$numberDecimal": digits}
        case bson.Timestamp(seconds, increment):
            return {"$timestamp": {"t": seconds, "i": increment}}
        case bson.Code(code):
            return {"$code": code}
        case bson.Symbol(symbol):
            return {"$symbol": symbol}
        case bson.Plain("undefined"):
            return {"$undefined": True}
        case bson.Plain(name):
            return {f"${name}": 1}
    raise TypeError(value)


def _strict(value):
    match value:
        case bson.Int32(number):
            return str(number)
        case bson.Int64(number):
            return {"$numberLong": str(number)}
        case bson.Double():
            return java_double(value.value)
        case bson.Date(millis):
            return {"$date": millis}
        case bson.Binary(octets, subtype):
            return {"$binary": base64.b64encode(octets).decode(), "$type": f"{subtype:02x}"}
        case bson.Regex(pattern, options):
            return {"$regex": pattern, "$options": options}
    return _same_in_all(value)


def _canonical(value):
    match value:
        case bson.Int32(number):
            return {"$numberInt": str(number)}
        case bson.Int64(number):
            return {"$numberLong": str(number)}
        case bson.Double():
            return {"$numberDouble": java_double(value.value)}
        case bson.Date(millis):
            return {"$date": {"$numberLong": str(millis)}}
        case bson.Binary(octets, subtype):
            told = {"base64": base64.b64encode(octets).decode(), "subType": f"{subtype:02x}"}
            return {"$binary": told}
        case bson.Regex(pattern, options):
            return {"$regularExpression": {"pattern": pattern, "options": options}}
    return _same_in_all(value)


def _relaxed(value):
    match value:
        case bson.Int32(number) | bson.Int64(number):
            return str(number)
        case bson.Double() if value.value - value.value == 0:
            return java_double(value.value)
        case bson.Date(millis) if 0 <= millis < YEAR_10000:
            moment = EPOCH + timedelta(milliseconds=millis)
            return {"$date": moment.strftime("%Y-%m-%dT%H:%M:%S") + _fraction(millis) + "Z"}
    return _canonical(value)


def _fraction(millis: int) -> str:
    return f".{millis % 1000:03d}".rstrip("0") if millis % 1000 else ""


WRITERS = {"strict": _strict, "canonical": _canonical, "relaxed": _relaxed}

"""An independent reading of the cells of documents: Extended JSON by `tests/oracle/bson`, and the
column for a declared type. Without Spark and without the macros."""

from datetime import timedelta
from decimal import Decimal
from uuid import UUID

from tests.oracle import bson
from tests.types.cells import Cell, parsed

EXACT = 2**53  # up to here each integer is a double
UUID_SUBTYPE = 4


def fault(cell: Cell) -> str | None:
    """The fault of a cell of documents; None if there is none."""
    try:
        value = bson.read(cell.literal)
    except bson.NotExtendedJson as error:
        return None if cell.refused else f"the oracle refuses it: {error}"
    if cell.refused:
        return f"the oracle reads {value!r}"
    if value is None:
        return None if cell.value is None and cell.special is None else "the oracle reads null"
    told = column_of(cell, value)
    if told is None:
        is_beside = cell.value is None and cell.special is not None
        same = is_beside and bson.loose(bson.read(cell.special)) == bson.loose(value)
        return None if same else f"the oracle has {value!r} beside"
    if cell.value is None or cell.special is not None:
        return f"the oracle tells {told!r}"
    return None if _same(cell, told) else f"the oracle tells {told!r}"


def _same(cell: Cell, told) -> bool:
    if isinstance(told, float):
        return repr(float(cell.value)) == repr(told)
    if isinstance(told, str):
        return cell.value == told
    return bson.loose(bson.read(cell.value)) == bson.loose(told["value"])


def column_of(cell: Cell, value):
    """A text as `read.shown` writes it, a float, {"value": …} for a value that stays Extended JSON;
    None if the value has another type."""
    kind = parsed("mongodb", cell.type)
    match kind["name"], value:
        case "string", str():
            return value
        case "bool", bool():
            return str(value).lower()
        case "int" | "long", _:
            number = _whole(value)
            bits = 31 if kind["name"] == "int" else 63
            return None if number is None or not -(2**bits) <= number < 2**bits else str(number)
        case "double", bson.Double():
            return value.value
        case "double", bson.Int32() | bson.Int64():
            return float(value.value) if abs(value.value) <= EXACT else None
        case "decimal", bson.Decimal128() | bson.Int32() | bson.Int64():
            text = value.text if isinstance(value, bson.Decimal128) else str(value.value)
            return _sized(text, kind["arguments"]) if kind["arguments"] else text
        case "date", bson.Date():
            return _moment(value.millis)
        case "timestamp", bson.Timestamp():
            return str(value.seconds * 2**32 + value.increment)
        case "objectid", bson.ObjectId():
            return value.hex
        case "bindata", bson.Binary():
            return f"X'{value.octets.hex().upper()}'"
        case "uuid", bson.Binary() if value.subtype == UUID_SUBTYPE:
            return str(UUID(bytes=value.octets))
        case ("object", dict()) | ("array", list()) | ("any", _):
            return {"value": value}
    return None


def _whole(value) -> int | None:
    if isinstance(value, bson.Int32 | bson.Int64):
        return value.value
    if isinstance(value, bson.Double) and abs(value.value) <= EXACT and value.value % 1 == 0:
        return int(value.value)
    return None


def _sized(text: str, sizes: list[int]) -> str | None:
    """With this many decimal places, if no digit is lost."""
    number, scale = Decimal(text), sizes[1] if len(sizes) > 1 else 0
    if not number.is_finite():
        return None
    told = number.quantize(Decimal(1).scaleb(-scale))
    return format(told, "f") if told == number else None


def _moment(millis: int) -> str | None:
    try:
        moment = bson.EPOCH + timedelta(milliseconds=millis)
    except OverflowError:
        return None
    fraction = f".{millis % 1000:03d}".rstrip("0") if millis % 1000 else ""
    return f"{moment:%Y-%m-%d %H:%M:%S}{fraction}Z"

"""Avro container files as JSON texts, each value by the branch and logical type its schema gives.

Decoded here and not by a library, because these hide what is needed: which branch of a union a value
was, the whole range of a timestamp (9223372036825200000 is infinity), and whether a file was cut
short between two blocks' bytes.
"""

import base64
import bz2
import json
import lzma
import struct
import zlib
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from decimal import Decimal
from io import BytesIO
from typing import Any, BinaryIO

from afterimage.errors import UserError

MAGIC = b"Obj\x01"
LARGEST_BLOCK = 1 << 30  # bytes; a size above is no size but other bytes
CODECS: dict[str, Callable[[bytes], bytes]] = {
    "null": bytes,
    "deflate": lambda data: zlib.decompress(data, -15),
    "bzip2": bz2.decompress,
    "xz": lzma.decompress,
}
DAY = 86_400_000_000  # microseconds
YEARS_400 = 146_097  # days
# What PostgreSQL's infinities become, in microseconds.
INFINITIES = {9223372036825200000: "infinity", -9223372036832400000: "-infinity"}

Decoder = Callable[[BytesIO], Any]


class CutError(Exception):
    """The bytes end before the value does."""


def texts(stream: BinaryIO) -> Iterator[str]:
    """The records of a container file, each as a JSON text.

    Errors: UserError where the file is none, was cut short or damaged; what came before it has been
    given out by then.
    """
    number = 0
    try:
        sync, codec, read = _header(stream)
        while head := stream.read(1):
            count, size = _number_after(head, stream), _number(stream)
            if count < 0 or not 0 <= size <= LARGEST_BLOCK:
                raise CutError("a block begins with no count and size")
            block = BytesIO(CODECS[codec](_exactly(stream, size)))
            if _exactly(stream, 16) != sync:
                raise CutError("a block does not end with the file's mark")
            for _ in range(count):
                value = read(block)
                number += 1
                yield json.dumps(value, ensure_ascii=False, separators=(",", ":"))
            if block.read(1):
                raise CutError("a block holds more than its records")
    except (CutError, UnicodeDecodeError, zlib.error, OSError, EOFError, lzma.LZMAError) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise
        raise UserError(
            f"the Avro file is damaged or cut short behind record {number} ({error}); copy it again"
        ) from error


def _header(stream: BinaryIO) -> tuple[bytes, str, Decoder]:
    if _exactly(stream, 4) != MAGIC:
        raise UserError("no Avro container file: it does not begin with Obj and 1")
    facts = {}
    while count := _number(stream):
        if count < 0:
            count = -count
            _number(stream)
        for _ in range(count):
            name = _exactly(stream, _size(stream)).decode()
            facts[name] = _exactly(stream, _size(stream))
    codec = facts.get("avro.codec", b"null").decode()
    if codec not in CODECS:
        raise UserError(f"Avro with codec {codec} is not read here: {', '.join(CODECS)} are")
    try:
        schema = json.loads(facts["avro.schema"])
    except (KeyError, ValueError) as error:
        raise CutError("no schema in its header") from error
    return _exactly(stream, 16), codec, decoder(schema, {})


# --- numbers and bytes -------------------------------------------------------------------------


def _exactly(stream, size: int) -> bytes:
    data = stream.read(size)
    if len(data) < size:
        raise CutError("the bytes end within a value")
    return data


def _number(stream) -> int:
    return _number_after(_exactly(stream, 1), stream)


def _number_after(head: bytes, stream) -> int:
    """Avro's long: seven bits a byte, least first; zigzag."""
    byte, number, shift = head[0], head[0] & 127, 7
    while byte & 128:
        if shift > 63:
            raise CutError("a number has more than ten bytes")
        byte = _exactly(stream, 1)[0]
        number |= (byte & 127) << shift
        shift += 7
    return number >> 1 ^ -(number & 1)


def _size(stream) -> int:
    size = _number(stream)
    if not 0 <= size <= LARGEST_BLOCK:
        raise CutError("a size is none")
    return size


def _bytes(stream) -> bytes:
    return _exactly(stream, _size(stream))


# --- a schema as a decoder ---------------------------------------------------------------------


def decoder(schema: Any, named: dict[str, Decoder]) -> Decoder:
    """What reads a value of a schema as the value that `json.dumps` writes.

    `named`: the decoders of the types that have been named so far.
    Errors: UserError for a type that is none.
    """
    if isinstance(schema, list):
        branches = [decoder(branch, named) for branch in schema]
        return lambda stream: _branch(branches, stream)(stream)
    if isinstance(schema, str):
        if schema in PLAIN:
            return PLAIN[schema]
        if schema in named:
            return lambda stream: named[schema](stream)
        raise UserError(f"the Avro schema has a type {schema!r} that it does not define")
    kind = schema["type"]
    if not isinstance(kind, str):
        return decoder(kind, named)
    if kind == "record":
        return _record(schema, named)
    if kind == "enum":
        symbols = schema["symbols"]
        found = lambda stream: symbols[_within(symbols, _number(stream))]  # noqa: E731
    elif kind == "array":
        item = decoder(schema["items"], named)
        return lambda stream: [item(stream) for _ in _counted(stream)]
    elif kind == "map":
        value = decoder(schema["values"], named)
        return lambda stream: {
            _bytes(stream).decode(): value(stream) for _ in _counted(stream)
        }
    else:
        logical = LOGICAL.get((kind, schema.get("logicalType")))
        if logical:
            found = logical(schema)
        elif kind == "fixed":
            found = lambda stream: base64.b64encode(  # noqa: E731
                _exactly(stream, schema["size"])
            ).decode()
        else:
            return decoder(kind, named)
    if kind in ("enum", "fixed"):
        _name(schema, named, found)
    return found


def _record(schema: dict, named: dict[str, Decoder]) -> Decoder:
    _name(schema, named, lambda stream: read(stream))
    fields = [(field["name"], decoder(field["type"], named)) for field in schema["fields"]]
    made = STRUCTURES.get(frozenset(name for name, _ in fields))
    if made is None or schema.get("name", "").rpartition(".")[2] == "payload":

        def read(stream):
            return {name: value(stream) for name, value in fields}

    else:
        # the parts of a value that JSON has as one: numbers as they are
        parts = [(f["name"], decoder(_plain(f["type"]), named)) for f in schema["fields"]]

        def read(stream):
            return made({name: value(stream) for name, value in parts})

    return read


def _name(schema: dict, named: dict[str, Decoder], found: Decoder) -> None:
    name = schema["name"]
    named[name] = named[name.rpartition(".")[2]] = found
    if schema.get("namespace") and "." not in name:
        named[f"{schema['namespace']}.{name}"] = found


def _plain(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_plain(branch) for branch in schema]
    if isinstance(schema, dict) and isinstance(schema["type"], str) and schema["type"] in PLAIN:
        return schema["type"]
    return schema


def _branch(branches: list, stream) -> Decoder:
    return branches[_within(branches, _number(stream))]


def _within(choices: list, number: int) -> int:
    if not 0 <= number < len(choices):
        raise CutError("a union or enum has no such branch")
    return number


def _counted(stream) -> Iterator[int]:
    while count := _number(stream):
        if count < 0:
            count = -count
            _number(stream)
        yield from range(count)


def _boolean(stream) -> bool:
    return _exactly(stream, 1) != b"\0"


def _float(stream) -> float | str:
    """The shortest digits that are this float: 45.67, not 45.66999816894531."""
    (number,) = struct.unpack("<f", _exactly(stream, 4))
    for digits in range(6, 10):
        if struct.pack("<f", short := float(f"{number:.{digits}g}")) == struct.pack("<f", number):
            return _finite(short)
    return _finite(number)


def _double(stream) -> float | str:
    return _finite(struct.unpack("<d", _exactly(stream, 8))[0])


def _finite(number: float) -> float | str:
    """JSON has no word for what is no number."""
    if number != number:
        return "NaN"
    return number if abs(number) != float("inf") else "Infinity" if number > 0 else "-Infinity"


PLAIN: dict[str, Decoder] = {
    "null": lambda stream: None,
    "boolean": _boolean,
    "int": _number,
    "long": _number,
    "float": _float,
    "double": _double,
    "bytes": lambda stream: base64.b64encode(_bytes(stream)).decode(),
    "string": lambda stream: _bytes(stream).decode(),
}


# --- logical types: what JSON has in their place -----------------------------------------------


def date_text(days: int) -> str:
    """Days since 1970 as ISO text, the year signed outside of 0001 to 9999."""
    cycles, rest = divmod(days + 719_162, YEARS_400)  # since 0001-01-01
    day = date(1, 1, 1) + timedelta(days=rest)
    year = day.year + 400 * cycles
    sign = "-" if year < 0 else "+" if year > 9999 else ""
    return f"{sign}{abs(year):04}-{day.month:02}-{day.day:02}"


def clock_text(micros: int) -> str:
    """Microseconds as [-]HH:MM:SS[.ffffff], as many hours as it takes."""
    seconds, fraction = divmod(abs(micros), 1_000_000)
    text = f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    return ("-" if micros < 0 else "") + text + (f".{fraction:06}".rstrip("0") if fraction else "")


def moment_text(micros: int, zone: str = "Z") -> str:
    if micros in INFINITIES:
        return INFINITIES[micros]
    days, of_day = divmod(micros, DAY)
    return f"{date_text(days)}T{clock_text(of_day)}{zone}"


def offset_text(millis: int) -> str:
    text = clock_text(abs(millis) * 1000)
    return ("-" if millis < 0 else "+") + (text.removesuffix(":00") if len(text) == 8 else text)


def _moments(unit: int, zone: str = "Z") -> Callable[[dict], Decoder]:
    return lambda schema: lambda stream: moment_text(_number(stream) * unit, zone)


def _clocks(unit: int) -> Callable[[dict], Decoder]:
    return lambda schema: lambda stream: clock_text(_number(stream) * unit)


def _decimal(schema: dict) -> Decoder:
    scale = schema.get("scale", 0)

    def read(stream) -> str:
        data = _exactly(stream, schema["size"]) if schema["type"] == "fixed" else _bytes(stream)
        unscaled = int.from_bytes(data, "big", signed=True)
        digits = tuple(int(digit) for digit in str(abs(unscaled)))
        return f"{Decimal((unscaled < 0, digits, -scale)):f}"

    return read


LOGICAL: dict[tuple[str, str | None], Callable[[dict], Decoder]] = {
    ("int", "date"): lambda schema: lambda stream: date_text(_number(stream)),
    ("int", "time-millis"): _clocks(1000),
    ("long", "time-micros"): _clocks(1),
    ("long", "time-interval-micros"): _clocks(1),
    ("long", "timestamp-millis"): _moments(1000),
    ("long", "timestamp-micros"): _moments(1),
    ("long", "local-timestamp-millis"): _moments(1000, ""),
    ("long", "local-timestamp-micros"): _moments(1, ""),
    ("bytes", "decimal"): _decimal,
    ("fixed", "decimal"): _decimal,
}


# --- Datastream's unified types that are records -----------------------------------------------


def _timestamp_tz(parts: dict) -> str:
    if parts["timestamp"] in INFINITIES:
        return INFINITIES[parts["timestamp"]]
    return moment_text(parts["timestamp"] + parts["offset"] * 1000, offset_text(parts["offset"]))


def _interval(parts: dict) -> str:
    """Months, hours and microseconds: P14MT25H1.5S."""
    return iso_interval(0, parts["months"], 0, parts["hours"], 0, 0, parts["micros"] * 1000)


def _interval_nano(parts: dict) -> str:
    names = ("years", "months", "days", "hours", "minutes", "seconds", "nanos")
    return iso_interval(*(parts[name] or 0 for name in names))


def iso_interval(years, months, days, hours, minutes, seconds, nanos) -> str:
    """The parts of the calendar as they are, those of the clock as one: P1Y31M3890DT25H31M0.5S."""
    calendar = "".join(
        f"{number}{letter}" for number, letter in ((years, "Y"), (months, "M"), (days, "D")) if number
    )
    total = (hours * 3600 + minutes * 60 + seconds) * 1_000_000_000 + nanos
    if not total:
        return f"P{calendar or '0D'}"
    sign = "-" if total < 0 else ""
    whole, fraction = divmod(abs(total), 1_000_000_000)
    clock = "".join(
        f"{sign}{number}{letter}"
        for number, letter in ((whole // 3600, "H"), (whole // 60 % 60, "M"))
        if number
    )
    if whole % 60 or fraction:
        clock += f"{sign}{whole % 60}" + (f".{fraction:09}".rstrip("0") if fraction else "") + "S"
    return f"P{calendar or '0D'}T{clock}"


# By the names of their fields; what they stand for has no form of its own in JSON.
STRUCTURES: dict[frozenset[str], Callable[[dict], Any]] = {
    frozenset({"value", "length"}): lambda parts: parts["value"],  # varchar of 2020
    frozenset({"timestamp", "offset"}): _timestamp_tz,
    frozenset({"time", "offset"}): lambda p: clock_text(p["time"]) + offset_text(p["offset"]),
    frozenset({"date", "time"}): lambda p: f"{date_text(p['date'])}T{clock_text(p['time'])}",
    frozenset({"months", "hours", "micros"}): _interval,
    frozenset(
        {"years", "months", "days", "hours", "minutes", "seconds", "nanos"}
    ): _interval_nano,
}

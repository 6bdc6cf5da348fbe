"""Values as a connector writes them, from the documentation: the encoding that the macros decode.

A `Kind` is a source type under settings, with a strategy of values, the JSON literal a connector
writes for one, and the text the decoded column must show (see `read.shown`). Sources: the tables of
types in Debezium's documentation of each connector, and Kafka Connect's of Decimal.
"""

import base64
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from typing import Any

from hypothesis import strategies as st

EPOCH = datetime(1970, 1, 1)
PLACEHOLDER = "__debezium_unavailable_value"


@dataclass(frozen=True)
class Kind:
    """wrong: JSON literals of other types, each of which must be refused."""

    connector: str
    type: str
    values: st.SearchStrategy
    literal: Callable[[Any], str]
    text: Callable[[Any], str | None]
    settings: dict = field(default_factory=dict)
    wrong: tuple[str, ...] = ()

    def __str__(self) -> str:
        return " ".join([self.connector, self.type, *map(str, self.settings.values())])


# --- values -------------------------------------------------------------------------------------

DATES = st.dates(date(1, 1, 1), date(9999, 12, 31))
MOMENTS = st.datetimes(datetime(1, 1, 1), datetime(9999, 12, 31, 23, 59, 59, 999999))
NANO_MOMENTS = st.datetimes(datetime(1677, 9, 22), datetime(2262, 4, 11))
TIMES = st.times()
ZONES = st.sampled_from([UTC, timezone(timedelta(hours=-5)), timezone(timedelta(minutes=345))])
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20).filter(
    lambda text: PLACEHOLDER not in text
)
BYTES = st.binary(max_size=20)


def millis(strategy: st.SearchStrategy) -> st.SearchStrategy:
    """The same without digits below milliseconds."""
    return strategy.map(lambda v: v.replace(microsecond=v.microsecond // 1000 * 1000))


def integers(bits: int) -> st.SearchStrategy:
    return st.integers(-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)


def decimals(precision: int, scale: int) -> st.SearchStrategy:
    longest = 10**precision - 1
    return st.integers(-longest, longest).map(lambda n: exact(n, scale))


def exact(unscaled: int, scale: int) -> Decimal:
    """unscaled * 10^-scale with all its digits, at any precision of the context."""
    sign, digits = int(unscaled < 0), tuple(map(int, str(abs(unscaled))))
    return Decimal((sign, digits, -scale))


# --- literals -----------------------------------------------------------------------------------


def quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def base64_of(data: bytes, alphabet: str = "+/") -> str:
    return quoted(base64.b64encode(data, alphabet.encode()).decode())


def twos_complement(number: int) -> bytes:
    """As java.math.BigInteger.toByteArray: big-endian, as few bytes as hold it with its sign."""
    return number.to_bytes(
        (number if number >= 0 else ~number).bit_length() // 8 + 1, "big", signed=True
    )


def unscaled(value: Decimal) -> int:
    sign, digits, _ = value.as_tuple()
    return (-1) ** sign * int("".join(map(str, digits)))


def precise(value: Decimal) -> str:
    return base64_of(twos_complement(unscaled(value)))


def variable_scale(value: Decimal) -> str:
    return json.dumps({"scale": -value.as_tuple().exponent, "value": json.loads(precise(value))})


def plain(value: Decimal) -> str:
    return format(value, "f")


def java(value: Decimal) -> str:
    """As java.math.BigDecimal.toString, of which Python's is the same."""
    return str(value)


def micros(value: datetime) -> int:
    return (value - EPOCH) // timedelta(microseconds=1)


def micros_of_day(value: time) -> int:
    return micros(datetime.combine(EPOCH.date(), value))


def iso(value: datetime) -> str:
    """As java.time's ISO_OFFSET_DATE_TIME: the fraction as long as it needs."""
    fraction = f".{value.microsecond:06d}".rstrip("0") if value.microsecond else ""
    offset = value.strftime("%z")
    zone = "Z" if offset in ("", "+0000") else f"{offset[:3]}:{offset[3:]}"
    return quoted(f"{value.year:04d}{value:-%m-%dT%H:%M:%S}{fraction}{zone}")


def bits(text: str) -> str:
    """Connect's Bits: little-endian, the last bit of the text being bit 0 of the first byte."""
    size = (len(text) + 7) // 8
    return base64_of(int(text or "0", 2).to_bytes(size, "little"))


def array(literal: Callable[[Any], str]) -> Callable[[list], str]:
    return lambda values: "[" + ",".join("null" if v is None else literal(v) for v in values) + "]"


# --- texts --------------------------------------------------------------------------------------


def shown_moment(value: datetime) -> str:
    """As Spark casts a timestamp to text: without trailing zeros."""
    fraction = f".{value.microsecond:06d}".rstrip("0") if value.microsecond else ""
    return f"{value.year:04d}{value:-%m-%d %H:%M:%S}{fraction}"


def shown_time(value: time) -> str:
    return shown_moment(datetime.combine(EPOCH.date(), value)).split(" ")[1]


def shown_instant(value: datetime) -> str:
    return shown_moment(value.astimezone(UTC).replace(tzinfo=None)) + "Z"


def shown_bytes(value: bytes) -> str:
    return f"X'{value.hex().upper()}'"


def shown_array(text: Callable[[Any], str]) -> Callable[[list], str]:
    return lambda values: "[" + ", ".join("NULL" if v is None else text(v) for v in values) + "]"


def shown_duration(value: timedelta) -> str:
    micros_in_all = value // timedelta(microseconds=1)
    seconds, fraction = divmod(abs(micros_in_all), 1_000_000)
    text = f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"
    text += f".{fraction:06d}".rstrip("0") if fraction else ""
    return ("-" if micros_in_all < 0 else "") + text


# --- kinds --------------------------------------------------------------------------------------

NO_NUMBER = ('"abc"', "true", "{}", "[1]", '""')
NO_TEXT_OF_BYTES = ('"a"', '"="', "[1]", '"A*=="')
POSTGRES, MYSQL = "postgresql", "mysql"


def _whole() -> list[Kind]:
    sizes = {"smallint": 16, "int": 32, "bigint": 64}
    kinds = [
        Kind(
            POSTGRES, name, integers(size), str, str, {}, (*NO_NUMBER, "1.5", str(2 ** (size - 1)))
        )
        for name, size in sizes.items()
    ]
    unsigned = {"smallint": 16, "mediumint": 24, "int": 32}
    kinds += [
        Kind(
            MYSQL,
            f"{name} unsigned",
            st.integers(0, 2**size - 1),
            str,
            str,
            {},
            (*NO_NUMBER, "1.5"),
        )
        for name, size in unsigned.items()
    ]
    long = st.integers(0, 2**64 - 1)
    as_signed = lambda n: str(n - 2**64 if n >= 2**63 else n)  # noqa: E731
    kinds.append(Kind(MYSQL, "bigint unsigned", long, as_signed, str, {}, (*NO_NUMBER, "1.5")))
    kinds.append(
        Kind(
            MYSQL,
            "bigint unsigned",
            long,
            lambda n: base64_of(twos_complement(n)),
            str,
            {"bigint_unsigned_handling_mode": "precise"},
            NO_TEXT_OF_BYTES,
        )
    )
    return kinds


def _exact() -> list[Kind]:
    kinds = []
    for connector, name in ((POSTGRES, "numeric"), (MYSQL, "decimal")):
        for precision, scale in ((10, 2), (38, 10), (5, 5), (65, 30)):
            # Spark casts a decimal to text as Java prints it; one with more digits is text already
            shown = java if precision <= 38 else plain
            of = Kind(
                connector,
                f"{name}({precision},{scale})",
                decimals(precision, scale),
                precise,
                shown,
            )
            mode = {"decimal_handling_mode": "precise"}
            kinds.append(_with(of, settings=mode, wrong=NO_TEXT_OF_BYTES))
            too_fine = '"0.' + "0" * scale + '1"'
            wrong = (
                '"abc"',
                "{}",
                "true",
                '"1,5"',
                '"1.5 "',
                *((too_fine,) if precision <= 38 else ()),
            )
            mode = {"decimal_handling_mode": "string"}
            kinds.append(_with(of, settings=mode, literal=lambda v: quoted(plain(v)), wrong=wrong))
            kinds.append(_with(of, settings=mode, literal=lambda v: quoted(java(v))))
            if precision <= 38:
                mode = {"decimal_handling_mode": "precise", "decimal_format": "NUMERIC"}
                kinds.append(_with(of, settings=mode, literal=java, wrong=('"AJY="', "true", "{}")))
    free = st.integers(0, 40).flatmap(lambda scale: decimals(60, scale))
    of = Kind(POSTGRES, "numeric", free, variable_scale, plain)
    kinds.append(_with(of, settings={"decimal_handling_mode": "precise"}, wrong=('"AJY="', "1.5")))
    kinds.append(
        _with(of, settings={"decimal_handling_mode": "string"}, literal=lambda v: quoted(java(v)))
    )
    cents = st.integers(-(2**63), 2**63 - 1).map(lambda n: exact(n, 2))
    kinds.append(
        Kind(POSTGRES, "money", cents, precise, shown, {"decimal_handling_mode": "precise"})
    )
    return kinds


def _temporal(connector: str, timestamp: str) -> list[Kind]:
    def under(mode: str) -> dict:
        return {"time_precision_mode": mode}

    first = "adaptive" if connector == POSTGRES else "adaptive_time_microseconds"
    days = lambda v: str((v - EPOCH.date()).days)  # noqa: E731
    kinds = [
        Kind(connector, "date", DATES, days, str, under(mode), (*NO_NUMBER, "1.5"))
        for mode in (first, "connect", "microseconds", "nanoseconds")
    ]
    iso_date = lambda v: quoted(f"{v.year:04d}{v:-%m-%d}Z")  # noqa: E731
    no_iso = ('"2024-02-30Z"', '"abc"', "1", "{}")
    kinds.append(Kind(connector, "date", DATES, iso_date, str, under("isostring"), no_iso))
    in_parts = {
        "year": lambda v: v.year,
        "month": lambda v: v.month,
        "day": lambda v: v.day,
    }
    parts = lambda v: json.dumps({n: part(v) for n, part in in_parts.items()})  # noqa: E731
    kinds.append(Kind(connector, "date", DATES, parts, str, under("structured"), ("1", '"a"')))

    def moment(precision: int, mode: str, values, factor: int | None, wrong=NO_NUMBER) -> Kind:
        literal = iso if factor is None else lambda v: str(micros(v) * factor // 1000)
        kind = f"{timestamp}({precision})"
        return Kind(connector, kind, values, literal, shown_moment, under(mode), wrong)

    kinds += [
        moment(3, first, millis(MOMENTS), 1),
        moment(6, first, MOMENTS, 1000),
        moment(6, "connect", millis(MOMENTS), 1),
        moment(3, "microseconds", millis(MOMENTS), 1000),
        moment(6, "nanoseconds", NANO_MOMENTS, 1_000_000),
        moment(6, "isostring", MOMENTS, None, ('"abc"', "1", '"2024-02-30T00:00:00Z"')),
    ]
    return kinds


def _times() -> list[Kind]:
    def kind(precision: int, mode: str, values, per_micro: int | None) -> Kind:
        literal = lambda v: str(micros_of_day(v) * per_micro // 1000)  # noqa: E731
        if per_micro is None:
            literal = lambda v: iso(datetime.combine(EPOCH.date(), v)).replace("1970-01-01T", "")  # noqa: E731
        wrong = (*NO_NUMBER, "-1") if per_micro else ('"25:00:00Z"', '"abc"')
        mode = {"time_precision_mode": mode}
        return Kind(POSTGRES, f"time({precision})", values, literal, shown_time, mode, wrong)

    return [
        kind(3, "adaptive", millis(TIMES), 1),
        kind(6, "adaptive", TIMES, 1000),
        kind(6, "connect", millis(TIMES), 1),
        kind(3, "microseconds", millis(TIMES), 1000),
        kind(6, "nanoseconds", TIMES, 1_000_000),
        kind(6, "isostring", TIMES, None),
    ]


def _instants() -> list[Kind]:
    near = st.datetimes(datetime(2, 1, 1), datetime(9998, 12, 31), timezones=ZONES)
    wrong = ('"abc"', "1", '"2024-02-29"', '"2024-02-29T25:00:00Z"')
    return [
        Kind(connector, name, near, iso, shown_instant, {}, wrong)
        for connector, name in ((POSTGRES, "timestamptz"), (MYSQL, "timestamp(6)"))
    ]


def _durations() -> list[Kind]:
    longest = timedelta(hours=838, minutes=59, seconds=59)
    spans = st.timedeltas(-longest, longest)
    literal = lambda v: str(v // timedelta(microseconds=1))  # noqa: E731
    mode = {"time_precision_mode": "adaptive_time_microseconds"}
    wrong = (*NO_NUMBER, str(3_020_400_000_000))
    return [Kind(MYSQL, "time(6)", spans, literal, shown_duration, mode, wrong)]


def _bytes() -> list[Kind]:
    forms = {
        "bytes": lambda v: base64_of(v),
        "base64": lambda v: base64_of(v),
        "base64-url-safe": lambda v: base64_of(v, "-_"),
        "hex": lambda v: quoted(v.hex()),
    }
    wrong = {"hex": ('"0"', '"0g"', "{}")}
    return [
        Kind(
            connector,
            name,
            BYTES,
            form,
            shown_bytes,
            {"binary_handling_mode": mode},
            wrong.get(mode, NO_TEXT_OF_BYTES),
        )
        for connector, name in ((POSTGRES, "bytea"), (MYSQL, "varbinary(20)"))
        for mode, form in forms.items()
    ]


def _bits() -> list[Kind]:
    def fixed(length: int) -> st.SearchStrategy:
        return st.text("01", min_size=length, max_size=length)

    return [
        Kind(POSTGRES, f"bit({n})", fixed(n), bits, str, {}, NO_TEXT_OF_BYTES) for n in (2, 9, 65)
    ] + [Kind(MYSQL, f"bit({n})", fixed(n), bits, str, {}, NO_TEXT_OF_BYTES) for n in (2, 9, 64)]


def _texts() -> list[Kind]:
    escaped = lambda v: json.dumps(v)  # noqa: E731
    return [
        Kind(connector, name, TEXTS, form, str)
        for connector, name in ((POSTGRES, "text"), (MYSQL, "varchar(20)"))
        for form in (quoted, escaped)
    ]


def _arrays() -> list[Kind]:
    def lists(values: st.SearchStrategy) -> st.SearchStrategy:
        return st.lists(st.none() | values, max_size=4)

    in_quotes = lambda v: f'"{v}"'  # noqa: E731
    truth = lambda v: str(v).lower()  # noqa: E731
    exactly = {"decimal_handling_mode": "precise"}
    no_array = ("1", '"a"', "{}")
    return [
        Kind(POSTGRES, "int[]", lists(integers(32)), array(str), shown_array(str), {}, no_array),
        Kind(POSTGRES, "boolean[]", lists(st.booleans()), array(truth), shown_array(truth)),
        Kind(POSTGRES, "text[]", lists(TEXTS), array(quoted), shown_array(in_quotes), {}, no_array),
        Kind(
            POSTGRES,
            "numeric(10,2)[]",
            lists(decimals(10, 2)),
            array(precise),
            shown_array(plain),
            exactly,
            ("1", '["a"]'),
        ),
        Kind(
            POSTGRES,
            "timestamp(6)[]",
            lists(MOMENTS),
            array(lambda v: str(micros(v))),
            shown_array(shown_moment),
        ),
        Kind(POSTGRES, "bytea[]", lists(BYTES), array(base64_of), shown_array(shown_bytes)),
    ]


def _with(kind: Kind, **changes) -> Kind:
    from dataclasses import replace

    return replace(kind, **changes)


KINDS = (
    *_whole(),
    *_exact(),
    *_temporal(POSTGRES, "timestamp"),
    *_temporal(MYSQL, "datetime"),
    *_times(),
    *_instants(),
    *_durations(),
    *_bytes(),
    *_bits(),
    *_texts(),
    *_arrays(),
)

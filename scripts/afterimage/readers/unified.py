"""Datastream's unified types in Avro, converted to the form that its JSON has.

Source: the Datastream documentation, "unified types"; the real files of its templates' tests.
"""

from collections.abc import Callable
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

Form = Callable[[Any], Any]

DAY = 86_400_000_000  # microseconds
YEARS_400 = 146_097  # days
# The values of PostgreSQL's infinities, in microseconds.
INFINITIES = {9223372036825200000: "infinity", -9223372036832400000: "-infinity"}


def form(schema: dict) -> Form | None:
    """The form of a type's values in JSON; None for the usual one.

    In: the type's Avro schema; values come from fastavro without logical types.
    """
    if schema["type"] == "record":
        # the row itself may have columns of these names
        if schema.get("name", "").rpartition(".")[2] == "payload":
            return None
        return STRUCTURES.get(frozenset(field["name"] for field in schema["fields"]))
    if schema.get("logicalType") == "decimal":
        return _decimal(schema.get("scale", 0))
    return LOGICAL.get((schema["type"], schema.get("logicalType")))


def date_text(days: int) -> str:
    """Days since 1970 as ISO text, with a signed year outside of 0001 to 9999."""
    cycles, rest = divmod(days + 719_162, YEARS_400)  # since 0001-01-01
    day = date(1, 1, 1) + timedelta(days=rest)
    year = day.year + 400 * cycles
    sign = "-" if year < 0 else "+" if year > 9999 else ""
    return f"{sign}{abs(year):04}-{day.month:02}-{day.day:02}"


def clock_text(micros: int) -> str:
    """Microseconds as [-]HH:MM:SS[.ffffff], with any number of hours."""
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


def _decimal(scale: int) -> Form:
    def text(data: bytes) -> str:
        unscaled = int.from_bytes(data, "big", signed=True)
        digits = tuple(int(digit) for digit in str(abs(unscaled)))
        return f"{Decimal((unscaled < 0, digits, -scale)):f}"

    return text


def _moment(unit: int, zone: str = "Z") -> Form:
    return lambda number: moment_text(number * unit, zone)


def _clock(unit: int) -> Form:
    return lambda number: clock_text(number * unit)


LOGICAL: dict[tuple[str, str | None], Form] = {
    ("int", "date"): date_text,
    ("int", "time-millis"): _clock(1000),
    ("long", "time-micros"): _clock(1),
    ("long", "time-interval-micros"): _clock(1),
    ("long", "timestamp-millis"): _moment(1000),
    ("long", "timestamp-micros"): _moment(1),
    ("long", "local-timestamp-millis"): _moment(1000, ""),
    ("long", "local-timestamp-micros"): _moment(1, ""),
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
    """The calendar parts unchanged, the clock parts as one: P1Y31M3890DT25H31M0.5S."""
    calendar = "".join(
        f"{number}{letter}"
        for number, letter in ((years, "Y"), (months, "M"), (days, "D"))
        if number
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


# By the names of their fields; JSON has no form of its own for these types.
STRUCTURES: dict[frozenset[str], Callable[[dict], Any]] = {
    frozenset({"value", "length"}): lambda parts: parts["value"],  # varchar of 2020
    frozenset({"timestamp", "offset"}): _timestamp_tz,
    frozenset({"time", "offset"}): lambda p: clock_text(p["time"]) + offset_text(p["offset"]),
    frozenset({"date", "time"}): lambda p: f"{date_text(p['date'])}T{clock_text(p['time'])}",
    frozenset({"months", "hours", "micros"}): _interval,
    frozenset({"years", "months", "days", "hours", "minutes", "seconds", "nanos"}): _interval_nano,
}

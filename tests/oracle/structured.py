"""Moments of time.precision.mode structured: objects of their parts → the database's text.

PostgreSQL, MySQL and MariaDB have only microseconds; parts of a second below them are cut.
"""

from tests.oracle import pgtext

INFINITIES = {"POSITIVE_INFINITY": "infinity", "NEGATIVE_INFINITY": "-infinity"}


def infinity(parts: dict) -> str | None:
    """The word for a moment without parts."""
    return INFINITIES.get(parts.get("specialValue"))


def micros(parts: dict, hours="hour", minutes="minute", seconds="second") -> int:
    """Microseconds of the day, or of a duration, whose parts have signs of their own."""
    whole = parts[hours] * 3600 + parts[minutes] * 60 + parts[seconds]
    fine = parts["nanos"] * 1000 if parts.get("picoseconds") is None else parts["picoseconds"]
    return whole * 1_000_000 + int(fine / 1_000_000)


def duration(parts: dict) -> int:
    return parts["days"] * pgtext.DAY + micros(parts, "hours", "minutes", "seconds")


def interval(parts: dict) -> int:
    """Microseconds by the rule that compares intervals."""
    return parts["years"] * pgtext.YEAR + parts["months"] * pgtext.MONTH + duration(parts)


def date(parts: dict, zero_dates: bool) -> str:
    """MySQL's dates may hold zeros, PostgreSQL's may be before Christ."""
    year, month, day = (parts[name] for name in ("year", "month", "day"))
    if zero_dates:
        return f"{year:04d}-{month:02d}-{day:02d}"
    return pgtext.print_date(pgtext.days_from_civil(year, month, day))


def timestamp(parts: dict, zero_dates: bool = False) -> str:
    if zero_dates:
        return f"{date(parts, True)} {pgtext.print_time(micros(parts))}"
    return pgtext.print_timestamp(_instant(parts))


def timestamptz(parts: dict) -> str:
    return pgtext.print_timestamp(_instant(parts) - parts["offsetSeconds"] * 1_000_000, "+00")


def _instant(parts: dict) -> int:
    days = pgtext.days_from_civil(parts["year"], parts["month"], parts["day"])
    return days * pgtext.DAY + micros(parts)


def timetz(parts: dict) -> str:
    """In UTC, as in all of the oracle; there is no day number."""
    away = parts["offsetSeconds"] * 1_000_000
    return pgtext.print_time((micros(parts) - away) % pgtext.DAY) + "+00"

"""PostgreSQL's text forms, both ways: printed values to numbers, and back.

Instants are microseconds since 1970-01-01 UTC and dates are days since then, as plain ints in the
proleptic Gregorian calendar, so BC and years past 9999 need no special case.
"""

import re
import struct
from decimal import Decimal

DAY = 86_400_000_000  # microseconds
MONTH = 2_629_800_000_000  # 30.4375 days, Debezium's rule
YEAR = 31_557_600_000_000  # 365.25 days
INFINITIES = ("infinity", "-infinity")


# --- dates -------------------------------------------------------------------------------------


def days_from_civil(year: int, month: int, day: int) -> int:
    """Days since 1970-01-01; year 0 is 1 BC."""
    year -= month <= 2
    era, year_of_era = divmod(year, 400)
    day_of_year = (153 * (month + (-3 if month > 2 else 9)) + 2) // 5 + day - 1
    day_of_era = year_of_era * 365 + year_of_era // 4 - year_of_era // 100 + day_of_year
    return era * 146_097 + day_of_era - 719_468


def civil_from_days(days: int) -> tuple[int, int, int]:
    """(year, month, day) of a day number; year 0 is 1 BC."""
    era, day_of_era = divmod(days + 719_468, 146_097)
    year_of_era = (
        day_of_era - day_of_era // 1_460 + day_of_era // 36_524 - day_of_era // 146_096
    ) // 365
    day_of_year = day_of_era - (365 * year_of_era + year_of_era // 4 - year_of_era // 100)
    shifted = (5 * day_of_year + 2) // 153
    month = shifted + 3 if shifted < 10 else shifted - 9
    day = day_of_year - (153 * shifted + 2) // 5 + 1
    return year_of_era + era * 400 + (month <= 2), month, day


def print_date(days: int) -> str:
    """19782 → `2024-02-29`; before year 1 → `0044-03-15 BC`."""
    text, era = _date_and_era(days)
    return text + era


def _date_and_era(days: int) -> tuple[str, str]:
    year, month, day = civil_from_days(days)
    era = ""
    if year < 1:
        year, era = 1 - year, " BC"
    return f"{year:04d}-{month:02d}-{day:02d}", era


def read_date(text: str) -> int:
    """`2024-02-29` or `0044-03-15 BC` → day number."""
    text, before_christ = _split_era(text)
    year, month, day = (int(part) for part in text.split("-"))
    return days_from_civil(1 - year if before_christ else year, month, day)


def _split_era(text: str) -> tuple[str, bool]:
    return text.removesuffix(" BC"), text.endswith(" BC")


# --- times -------------------------------------------------------------------------------------


def print_time(micros: int) -> str:
    """Microseconds of a day → `12:34:56.7`; 86400000000 is `24:00:00`."""
    seconds, fraction = divmod(micros, 1_000_000)
    text = f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"
    return text + (f".{fraction:06d}".rstrip("0") if fraction else "")


def read_time(text: str) -> int:
    """`HH:MM[:SS[.ffffff]]` → microseconds."""
    hours, minutes, *rest = text.split(":")
    seconds, _, fraction = (rest[0] if rest else "0").partition(".")
    whole = int(hours) * 3600 + int(minutes) * 60 + int(seconds)
    return whole * 1_000_000 + int(fraction.ljust(6, "0")[:6] or 0)


def read_zone(text: str) -> int:
    """`Z`, `+05`, `-08:30`, `+15:59:59` → offset in microseconds."""
    if text == "Z":
        return 0
    parts = [int(part) for part in text[1:].split(":")] + [0, 0]
    offset = (parts[0] * 3600 + parts[1] * 60 + parts[2]) * 1_000_000
    return -offset if text[0] == "-" else offset


def read_timetz(text: str) -> int:
    """`04:05:06.789-08` → microseconds of the day in UTC. There is no day number: a time past
    midnight wraps, as in Debezium."""
    found = re.fullmatch(r"([\d:.]+)(Z|[+-][\d:]+)", text)
    if not found:
        raise ValueError(f"not a time with zone: {text!r}")
    return (read_time(found[1]) - read_zone(found[2])) % DAY


def print_timestamp(micros: int, zone: str = "") -> str:
    """Microseconds → `2024-02-29 12:34:56.789` + zone (+ ` BC`)."""
    days, micros = divmod(micros, DAY)
    date, era = _date_and_era(days)
    return f"{date} {print_time(micros)}{zone}{era}"


def read_timestamp(text: str) -> int:
    """The database's text or ISO 8601, with or without zone → microseconds (no zone = UTC)."""
    text, before_christ = _split_era(text)
    found = re.fullmatch(r"([+-]?\d+)-(\d\d)-(\d\d)[T ]([\d:.]+)(Z|[+-]\d\d(?::\d\d){0,2})?", text)
    if not found:
        raise ValueError(f"not a timestamp: {text!r}")
    year = int(found[1])
    days = days_from_civil(1 - year if before_christ else year, int(found[2]), int(found[3]))
    return days * DAY + read_time(found[4]) - read_zone(found[5] or "Z")


def read_interval(text: str) -> int:
    """`1 year 2 mons -3 days +04:05:06.789` → microseconds by Debezium's rule."""
    units = {"year": YEAR, "mon": MONTH, "day": DAY}
    total = 0
    for number, unit, sign, clock in re.findall(
        r"([+-]?\d+) (year|mon|day)s?|([+-]?)(\d+:\d\d:\d\d(?:\.\d+)?)", text
    ):
        if unit:
            total += int(number) * units[unit]
        else:
            total += -read_time(clock) if sign == "-" else read_time(clock)
    return total


def read_iso_interval(text: str) -> int:
    """`P1Y2M3DT4H5M6.789S`, each part with a sign of its own → microseconds by Debezium's rule."""
    found = re.fullmatch(r"P(\S+)Y(\S+)M(\S+)DT(\S+)H(\S+)M(\S+)S", text)
    if not found:
        raise ValueError(f"not an ISO 8601 interval: {text!r}")
    units = (YEAR, MONTH, DAY, 3_600_000_000, 60_000_000, 1_000_000)
    return int(sum(Decimal(part) * unit for part, unit in zip(found.groups(), units, strict=True)))


def print_interval(micros: int) -> str:
    """An interval text of that length, in hours only: years, months and days are gone."""
    return "-" + print_time(-micros) if micros < 0 else print_time(micros)


# --- numbers -----------------------------------------------------------------------------------


def nearest_float(text, size: int) -> float:
    """The float of `size` bytes nearest to a number or its text."""
    value = float(text)
    if size == 4:
        try:
            value = struct.unpack("f", struct.pack("f", value))[0]
        except OverflowError:
            value = float("inf") if value > 0 else float("-inf")
    return value


def print_float(value: float, size: int) -> str:
    """The shortest digits that read back as the same float, in the database's spelling."""
    if value != value:
        return "NaN"
    if value in (float("inf"), float("-inf")):
        return "Infinity" if value > 0 else "-Infinity"
    last = 9 if size == 4 else 17
    digits_wanted = next(
        n for n in range(1, last + 1) if nearest_float(f"{value:.{n}g}", size) == value
    )
    sign, digits, exponent = Decimal(f"{value:.{digits_wanted}g}").normalize().as_tuple()
    digits = "".join(str(digit) for digit in digits)
    minus = "-" if sign else ""
    point = len(digits) + exponent  # places before the decimal point
    if digits == "0":
        return minus + "0"
    if not -4 < point <= (6 if size == 4 else 15):
        fraction = "." + digits[1:] if digits[1:] else ""
        return f"{minus}{digits[0]}{fraction}e{point - 1:+03d}"
    if exponent >= 0:
        return minus + digits + "0" * exponent
    digits = digits.rjust(-exponent + 1, "0")
    return f"{minus}{digits[:exponent]}.{digits[exponent:]}"


def print_money(value: Decimal) -> str:
    """Decimal -1234.56 → `-$1,234.56` (the locale of the captures)."""
    return f"{'-' if value < 0 else ''}${abs(value):,.2f}"


def read_money(text: str) -> Decimal:
    """`-$1,234.56` → Decimal -1234.56."""
    return Decimal(text.replace("$", "").replace(",", ""))


# --- compounds ---------------------------------------------------------------------------------


def print_array(elements: list) -> str:
    """Texts, Nones and nested lists → `{x,"y,z",NULL}`."""
    return "{" + ",".join(_print_element(element) for element in elements) + "}"


def _print_element(element) -> str:
    if element is None:
        return "NULL"
    if isinstance(element, list):
        return print_array(element)
    if element == "" or element.upper() == "NULL" or re.search(r'[{},"\\\s]', element):
        return '"' + re.sub(r'(["\\])', r"\\\1", element) + '"'
    return element


def read_array(text: str) -> list:
    """`{x,"y,z",NULL}` → ["x", "y,z", None]; nested braces give nested lists."""
    elements, end = _read_array(text, 0)
    if end != len(text):
        raise ValueError(f"not an array: {text!r}")
    return elements


def _read_array(text: str, at: int) -> tuple[list, int]:
    if text[at] != "{":
        raise ValueError(f"not an array: {text!r}")
    elements, at = [], at + 1
    while text[at] != "}":
        if text[at] == ",":
            at += 1
        elif text[at] == "{":
            element, at = _read_array(text, at)
            elements.append(element)
        elif text[at] == '"':
            element, at = _read_quoted(text, at)
            elements.append(element)
        else:
            bare = re.compile(r"[^,{}]+").match(text, at)
            elements.append(None if bare[0] == "NULL" else bare[0])
            at = bare.end()
    return elements, at + 1


def _read_quoted(text: str, at: int) -> tuple[str, int]:
    found = re.compile(r'"((?:[^"\\]|\\.)*)"', re.S).match(text, at)
    if not found:
        raise ValueError(f"quote left open: {text!r}")
    return re.sub(r"\\(.)", r"\1", found[1], flags=re.S), found.end()


def print_hstore(pairs: dict) -> str:
    """{"a": "1", "b": None} → `"a"=>"1", "b"=>NULL`."""

    def quote(text: str) -> str:
        return '"' + re.sub(r'(["\\])', r"\\\1", text) + '"'

    return ", ".join(
        f"{quote(key)}=>{'NULL' if value is None else quote(value)}" for key, value in pairs.items()
    )


def read_hstore(text: str) -> dict:
    """`"a"=>"1", "b"=>NULL` → {"a": "1", "b": None}."""
    pairs, at = {}, 0
    while at < len(text):
        key, at = _read_quoted(text, at)
        if text[at : at + 2] != "=>":
            raise ValueError(f"not an hstore: {text!r}")
        at += 2
        if text[at : at + 4] == "NULL":
            pairs[key], at = None, at + 4
        else:
            pairs[key], at = _read_quoted(text, at)
        if text[at : at + 2] == ", ":
            at += 2
    return pairs

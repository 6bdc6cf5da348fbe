"""Moments of SQL Server, Oracle and Db2, whose types have up to seven, nine and twelve digits of a
second: milliseconds up to three, microseconds up to six, nanoseconds beyond."""

import re

from tests.oracle import pgtext

# The value of some moments in nanoseconds, of which a long holds only 1677 to 2262.
WRAPPED = {
    -4852202631933722624: "9999-12-31 00:00:00",
    -4852116232933722624: "9999-12-31 23:59:59",
    -4852116231934722624: "9999-12-31 23:59:59.999",
    -4852116231933723624: "9999-12-31 23:59:59.999999",
    -4852116231933722724: "9999-12-31 23:59:59.9999999",
    -4852116231933722625: "9999-12-31 23:59:59.999999999",
    -6795364578871345152: "0001-01-01 00:00:00",
}


def _timestamp(literal, kind, settings) -> str:
    is_date = settings["time_precision_mode"] == "connect" and kind.declared.lower() == "date"
    # Oracle's is in days or in milliseconds, and of these it has whole thousands
    is_day = abs(literal) <= 100_000 or (literal % 1000 and -719_162 <= literal <= 2_932_896)
    if is_date and is_day:
        return pgtext.print_date(literal) + " 00:00:00"
    if settings["time_precision_mode"] == "connect" or kind.args[0] <= 3:
        return pgtext.print_timestamp(literal * 1000)
    if kind.args[0] <= 6:
        return pgtext.print_timestamp(literal)
    if literal in WRAPPED:
        return WRAPPED[literal]
    return _with_nanos(literal, pgtext.print_timestamp)


def _time(literal, kind, settings) -> str:
    if settings["time_precision_mode"] == "connect" or kind.args[0] <= 3:
        return pgtext.print_time(literal * 1000)
    if kind.args[0] <= 6:
        return pgtext.print_time(literal)
    return _with_nanos(literal, pgtext.print_time)


def _with_nanos(literal: int, printed) -> str:
    micros, below = divmod(literal, 1000)
    text = printed(micros)
    return _with_digits(text, micros, f"{below:03d}") if below else text


def print_instant(literal: str) -> str:
    """ISO 8601 with any number of digits of a second → the database's text in UTC."""
    micros, finer = pgtext.read_timestamp(literal), re.search(r"\.\d{6}(\d*[1-9])", literal)
    text = pgtext.print_timestamp(micros)
    moment, era = text.removesuffix(" BC"), " BC" if text.endswith(" BC") else ""
    return (_with_digits(moment, micros, finer[1]) if finer else moment) + "+00" + era


def _with_digits(text: str, micros: int, below: str) -> str:
    return text.partition(".")[0] + "." + f"{micros % 1_000_000:06d}{below}".rstrip("0")


DECODERS = {"timestamp by digits": _timestamp, "time by digits": _time}

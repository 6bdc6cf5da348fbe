"""The comparator: compares rows of a model or the oracle with the database's text rows.

Each source type has one rule: a function that converts a value to a canonical form. The value is a
Python value as PySpark's `collect()` returns it, or the database's text. Two values are equal when
their canonical forms are.
"""

import json
import math
import re
from collections import defaultdict
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction

from tests.oracle import mysql, pgtext
from tests.oracle.postgres import UNKNOWN
from tests.oracle.spec import SourceType, Table

EPOCH = datetime(1970, 1, 1)


@dataclass(frozen=True)
class Difference:
    """`reason`: unequal, not its text cut to microseconds, unknown, known though no record carries
    it, no such column, row missing, row not expected, key twice."""

    table: str
    key: tuple | None
    column: str | None
    expected: object
    got: object
    reason: str

    def __str__(self) -> str:
        shown = f"expected {_short(self.expected)}, got {_short(self.got)}"
        return f"{self.table} {self.key} {self.column or ''}: {self.reason}; {shown}"


def _short(value) -> str:
    text = repr(value)
    return text if len(text) <= 120 else text[:100] + f"… ({len(text)} characters)"


# --- rows --------------------------------------------------------------------------------------


def compare_table(table: Table, expected: list[dict], got: list) -> list[Difference]:
    """All differences between the database's rows and ours.

    `expected`: dicts of text or None, as in a capture's truth. `got`: dicts or PySpark Rows of
    Python values, with `_cdc_special` and `_cdc_unknown` if the model has them. Columns are
    compared if the contract declares them and the database had them.
    """
    got = [as_dict(row) for row in got]
    columns = [c for c in table.columns if not expected or any(c in row for row in expected)]
    if not table.key:
        return _compare_bags(table, columns, expected, got)
    theirs, ours = _by_key(table, expected), _by_key(table, got)
    differences = []
    for key in sorted(theirs.keys() | ours.keys(), key=repr):
        if len(theirs[key]) > 1 or len(ours[key]) > 1:
            differences.append(
                Difference(table.name, key, None, len(theirs[key]), len(ours[key]), "key twice")
            )
        elif not ours[key]:
            differences.append(
                Difference(table.name, key, None, theirs[key][0], None, "row missing")
            )
        elif not theirs[key]:
            differences.append(
                Difference(table.name, key, None, None, ours[key][0], "row not expected")
            )
        else:
            differences += compare_row(table, key, columns, theirs[key][0], ours[key][0])
    return differences


def compare_row(table: Table, key, columns: list[str], expected: dict, got: dict) -> list:
    """The differences of one row, cell by cell."""
    differences = []
    unknown, special = _names(got.get("_cdc_unknown")), _specials(got.get("_cdc_special"))
    for column in columns:
        reason, value = None, got.get(column)
        if expected[column] is UNKNOWN:
            reason = None if column in unknown else "known though no record told it"
        elif column in unknown:
            reason, value = "unknown", UNKNOWN
        elif column not in got:
            reason = "no such column"
        else:
            beside, value = value, special.get(column, value)
            if not equal(table.columns[column], expected[column], value):
                reason = "unequal"
            elif column in special and not is_cut(table.columns[column], beside, value):
                reason, value = "not its text cut to microseconds", beside
        if reason:
            differences.append(Difference(table.name, key, column, expected[column], value, reason))
    return differences


def _compare_bags(table: Table, columns, expected: list[dict], got: list[dict]) -> list:
    """Rows without a key: the same rows, the same number of times."""
    differences, ours = [], defaultdict(list)
    for row in got:
        ours[_canonical_row(table, columns, row)].append(row)
    for row in expected:
        same = ours[_canonical_row(table, columns, row)]
        if same:
            same.pop()
        else:
            differences.append(Difference(table.name, None, None, row, None, "row missing"))
    for row in (row for rows in ours.values() for row in rows):
        differences.append(Difference(table.name, None, None, None, row, "row not expected"))
    return differences


def as_dict(row) -> dict:
    """A PySpark Row or a dict → dict."""
    return row.asDict() if hasattr(row, "asDict") else dict(row)


def as_model_rows(rows: list[dict]) -> list[dict]:
    """Rows of the oracle, whose values may be UNKNOWN, in the form of our models."""
    return [
        {column: None if value is UNKNOWN else value for column, value in row.items()}
        | {"_cdc_unknown": json.dumps([c for c, value in row.items() if value is UNKNOWN])}
        for row in rows
    ]


def _names(text) -> list[str]:
    return json.loads(text) if isinstance(text, str) else list(text or [])


def _specials(text) -> dict[str, str]:
    return json.loads(text) if isinstance(text, str) else dict(text or {})


def _canonical_row(table: Table, columns: list[str], row: dict) -> tuple:
    unknown, special = _names(row.get("_cdc_unknown")), _specials(row.get("_cdc_special"))
    return tuple(
        object()  # equal to nothing but itself
        if column in unknown or column not in row
        else canonical(table.columns[column], special.get(column, row[column]))
        for column in columns
    )


def _by_key(table: Table, rows: list[dict]) -> dict[tuple, list[dict]]:
    found = defaultdict(list)
    for row in rows:
        found[canonical_key(table, row)].append(row)
    return found


def canonical_key(table: Table, row: dict) -> tuple:
    """The key of a row in a form that equal keys share."""
    special = _specials(row.get("_cdc_special"))
    return tuple(
        canonical(table.columns[column], special.get(column, row[column])) for column in table.key
    )


# --- values ------------------------------------------------------------------------------------


def equal(kind: SourceType, expected: str | None, got) -> bool:
    """Whether the value is the one the database printed."""
    return canonical(kind, expected) == canonical(kind, got)


def is_cut(kind: SourceType, beside, special: str) -> bool:
    """Whether the column holds as much of its text in `_cdc_special` as its Spark type can: for a
    moment with digits below microseconds all but these, for a decfloat a double, for any other
    nothing."""
    if kind.name == "decfloat":
        return beside == (float(special) if math.isfinite(float(special)) else None)
    finer = re.fullmatch(r"(\d{4}-.*\.\d{6})\d*[1-9]\d*(\+00)?", special)
    if not finer:
        return beside is None
    return equal(kind, finer[1] + (finer[2] or ""), beside)


def canonical(kind: SourceType, value):
    """The hashable form that equal values of this type share. A value that cannot be of the type
    becomes ("not a <type>", ...), equal to no database text."""
    if value is None:
        return None
    try:
        if kind.array:
            return canonical_array(kind, value)
        if kind.name == "mysql bit":
            return canonical_mysql_bits(kind, value)
        return RULES.get(kind.name, canonical_text)(value)
    except (ValueError, TypeError, ArithmeticError, AttributeError, KeyError):
        return f"not a {kind.name}", repr(value)


def canonical_text(value) -> str:
    """text, varchar, citext, xml, uuid, ltree, inet, cidr, macaddr, ranges, tsvector, enums and
    jsonb: exactly the database's text."""
    if not isinstance(value, str):
        raise TypeError("not text")
    return value


def canonical_char(value) -> str:
    """char(n): the padding is not part of the value."""
    return canonical_text(value).rstrip(" ")


def canonical_bool(value) -> bool:
    if isinstance(value, bool):
        return value
    return {"true": True, "t": True, "false": False, "f": False}[value]


def canonical_int(value) -> int:
    """int2, int4, int8, oid."""
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise TypeError("not an integer")
    return int(value)


def canonical_numeric(value) -> Decimal | str:
    """As a number, at any scale; NaN and the infinities as words. A float is refused: it would hide
    a loss."""
    if isinstance(value, float | bool):
        raise TypeError("not exact")
    number = Decimal(value)
    return str(number) if not number.is_finite() else number


def canonical_float4(value) -> str:
    """The nearest four-byte float; -0 differs from 0."""
    return _canonical_float(value, 4)


def canonical_float8(value) -> str:
    """The nearest eight-byte float."""
    return _canonical_float(value, 8)


def _canonical_float(value, size: int) -> str:
    if isinstance(value, bool) or not isinstance(value, float | int | str):
        raise TypeError("not a float")
    return pgtext.print_float(pgtext.nearest_float(value, size), size)


def canonical_money(value) -> Decimal:
    """`-$1,234.56` or a decimal."""
    return pgtext.read_money(value) if isinstance(value, str) else canonical_numeric(value)


def canonical_money_as_double(value) -> Decimal:
    """The shortest decimal of a double, or the database's text."""
    return pgtext.read_money(value) if isinstance(value, str) else Decimal(repr(float(value)))


def canonical_bytea(value) -> bytes:
    """bytes, or the database's hex text."""
    if isinstance(value, str):
        if not value.startswith("\\x"):
            raise ValueError("not hex")
        return bytes.fromhex(value[2:])
    return bytes(memoryview(value))


def canonical_bits(value) -> str:
    """bit(n) and varbit: the zeros and ones; bit(1) may be a boolean."""
    if isinstance(value, bool):
        return "1" if value else "0"
    if set(canonical_text(value)) - {"0", "1"}:
        raise ValueError("not bits")
    return value


def canonical_date(value) -> int | str:
    """Days since 1970-01-01; infinities as words."""
    if isinstance(value, date) and not isinstance(value, datetime):
        return (value - EPOCH.date()).days
    return value if value in pgtext.INFINITIES else pgtext.read_date(value)


def canonical_time(value) -> int:
    """Microseconds of the day, including 24:00:00; models hold times as text."""
    return pgtext.read_time(canonical_text(value))


def canonical_timetz(value) -> int:
    """Microseconds of the day in UTC: the record does not hold the zone."""
    return pgtext.read_timetz(canonical_text(value))


def canonical_timestamp(value) -> Fraction | int | str:
    """Microseconds, and a text's digits below them; a naive datetime or text is UTC. PySpark
    returns naive datetimes in the zone of the Python process: run it with TZ=UTC."""
    if isinstance(value, datetime):
        if value.tzinfo:
            value = value.astimezone(UTC).replace(tzinfo=None)
        return (value - EPOCH) // timedelta(microseconds=1)
    if value in pgtext.INFINITIES:
        return value
    finer = re.search(r"\.\d{6}(\d*[1-9])", value)
    below = Fraction(int(finer[1]), 10 ** len(finer[1])) if finer else 0
    return pgtext.read_timestamp(value) + below


def canonical_digits(value) -> str:
    """Moments that may have more digits than a timestamp: their text, without trailing zeros."""
    if isinstance(value, datetime):
        value = value.isoformat(" ")
    return value.rstrip("0").rstrip(".") if "." in value else canonical_text(value)


def canonical_number(value) -> Decimal:
    """Oracle's NUMBER: under `double` the shortest decimal of a double."""
    return Decimal(repr(value) if isinstance(value, float) else value)


def canonical_decfloat(value) -> Decimal | str:
    """As a number; a double is the shortest decimal that identifies it."""
    number = Decimal(repr(value) if isinstance(value, float) else value)
    return str(number) if not number.is_finite() else number


def canonical_int_or_text(value) -> int | str:
    """Microseconds, or ISO 8601 text."""
    return value if isinstance(value, str) and value.startswith("P") else int(value)


def canonical_interval(value) -> int:
    """Microseconds by Debezium's rule: 365.25 days a year, 30.4375 a month. Text is ISO 8601 or the
    database's."""
    if isinstance(value, timedelta):
        return value // timedelta(microseconds=1)
    if isinstance(value, str):
        return (pgtext.read_iso_interval if value[:1] == "P" else pgtext.read_interval)(value)
    return canonical_int(value)


def canonical_json(value) -> tuple:
    """Parsed, with exact numbers; members in any order, but duplicates are kept."""
    return _freeze(
        json.loads(canonical_text(value), parse_float=Decimal, object_pairs_hook=_Members)
    )


class _Members(list):
    """The members of a JSON object, in order."""


def _freeze(value) -> tuple:
    if isinstance(value, _Members):
        members = [(name, _freeze(member)) for name, member in value]
        return "object", tuple(sorted(members, key=lambda member: member[0]))
    if isinstance(value, list):
        return "array", tuple(_freeze(item) for item in value)
    if isinstance(value, bool) or value is None:
        return "word", value
    if isinstance(value, str):
        return "string", value
    return "number", Decimal(value)


def canonical_hstore(value) -> frozenset:
    """The pairs, in any order, from a dict, JSON text (as our models hold it) or the database's
    text."""
    if isinstance(value, str):
        pairs = json.loads(value) if value.startswith("{") else pgtext.read_hstore(value)
    else:
        pairs = dict(value)
    return frozenset(pairs.items())


def canonical_point(value) -> tuple:
    """`(1.5,-2)`, or a struct of x and y."""
    if isinstance(value, str):
        x, y = value.strip("()").split(",")
    else:
        x, y = (as_dict(value)[axis] for axis in "xy")
    return canonical_float8(x), canonical_float8(y)


def canonical_array(kind: SourceType, value) -> tuple:
    """A list, our JSON in `_cdc_special`, or the database's `{...}`, by its elements' rule."""
    if isinstance(value, str):
        elements = json.loads(value) if value.startswith("[") else pgtext.read_array(value)
    else:
        elements = list(value)
    return tuple(
        canonical_array(kind, item) if isinstance(item, list) else canonical(kind.element, item)
        for item in elements
    )


def canonical_mysql_bits(kind: SourceType, value) -> int:
    """The number the database prints; a boolean; or our text of as many zeros and ones as the
    column has bits, which is always longer than the number's digits."""
    if isinstance(value, bool):
        return int(value)
    return int(value, 2) if len(value) == (kind.args or (1,))[0] > 1 else int(value)


def canonical_mysql_binary(value) -> bytes:
    """bytes, or the database's hex text with or without 0x."""
    return bytes.fromhex(value.removeprefix("0x")) if isinstance(value, str) else bytes(value)


def canonical_mysql_tinyint(value) -> int:
    return int(value)


def canonical_mysql_time(value) -> int:
    """Microseconds, signed, also beyond a day."""
    return mysql.read_duration(canonical_text(value))


def canonical_mysql_geometry(value) -> str:
    """The database's text of a geometry, or our struct of its well-known binary."""
    if not isinstance(value, str):
        return mysql.print_wkb(bytes(as_dict(value)["wkb"]))
    return re.sub(r"-?\d[\d.]*(?:[eE][-+]?\d+)?", lambda number: canonical_float8(number[0]), value)


RULES = {
    "bool": canonical_bool,
    "int2": canonical_int,
    "int4": canonical_int,
    "int8": canonical_int,
    "oid": canonical_int,
    "numeric": canonical_numeric,
    "numeric as double": canonical_float8,
    "money as double": canonical_money_as_double,
    "float4": canonical_float4,
    "float8": canonical_float8,
    "money": canonical_money,
    "char": canonical_char,
    "bytea": canonical_bytea,
    "bit": canonical_bits,
    "varbit": canonical_bits,
    "date": canonical_date,
    "time": canonical_time,
    "timetz": canonical_timetz,
    "timestamp": canonical_timestamp,
    "timestamptz": canonical_timestamp,
    "interval": canonical_interval,
    "json": canonical_json,
    "hstore": canonical_hstore,
    "point": canonical_point,
    "mysql tinyint": canonical_mysql_tinyint,
    "mysql unsigned": canonical_numeric,
    "mysql binary": canonical_mysql_binary,
    "mysql time": canonical_mysql_time,
    "mysql datetime": canonical_timestamp,
    "mysql geometry": canonical_mysql_geometry,
    "timestamp by digits": canonical_digits,
    "oracle number": canonical_number,
    "decfloat": canonical_decfloat,
    "oracle interval": canonical_int_or_text,
}

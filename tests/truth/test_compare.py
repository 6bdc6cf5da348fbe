"""Each type's rule treats equal values as equal, and unequal ones as different."""

import json
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal

import pytest

from tests.oracle.build import small_spec
from tests.oracle.spec import parse_type
from tests.truth.compare import compare_table, equal

INDIA = timezone(timedelta(hours=5, minutes=30))
TIE = "2024-10-27 01:30:00+00"

EQUAL = [
    ("boolean", "true", True),
    ("int", "7", 7),
    ("bigint", "9223372036854775807", 9223372036854775807),
    ("oid", "4294967295", 4294967295),
    ("numeric", "123.4500", Decimal("123.45")),
    ("numeric(38,0)", "9" * 38, Decimal("9" * 38)),
    ("numeric", "NaN", "NaN"),
    ("numeric", "0", Decimal("-0.00")),
    ("numeric", "5", 5),
    ("real", "0.1", 0.10000000149011612),
    ("real", "1e-38", 1e-38),
    ("real", "NaN", float("nan")),
    ("double precision", "-Infinity", float("-inf")),
    ("double precision", "-0", -0.0),
    ("double precision", "2.718281828459045", 2.718281828459045),
    ("money", "-$1,234.56", Decimal("-1234.56")),
    ("char(3)", "A", "A  "),
    ("varchar(5)", "a ", "a "),
    ("citext", "CiText", "CiText"),
    ("bytea", "\\x00ff", bytearray(b"\x00\xff")),
    ("bytea", "\\x", b""),
    ("bit(1)", "1", True),
    ("bit(9)", "101010101", "101010101"),
    ("bit varying(12)", "1010", "1010"),
    ("date", "2024-02-29", date(2024, 2, 29)),
    ("date", "infinity", "infinity"),
    ("date", "0044-03-15 BC", "0044-03-15 BC"),
    ("time", "24:00:00", "24:00:00"),
    ("time", "12:34:56.7", "12:34:56.700000"),
    ("timetz", "04:05:06.789-08", "12:05:06.789+00"),
    ("timetz", "24:00:00+15:59", "08:01:00Z"),
    ("timestamp", "1969-12-31 23:59:59.999999", datetime(1969, 12, 31, 23, 59, 59, 999999)),
    ("timestamp(3)", "-infinity", "-infinity"),
    ("timestamptz", TIE, datetime(2024, 10, 27, 7, 0, tzinfo=INDIA)),
    ("timestamptz", TIE, datetime(2024, 10, 27, 1, 30)),
    ("timestamptz", "1883-11-18 12:03:57.9+00", "1883-11-18T12:03:57.900000Z"),
    ("interval", "1 year 2 mons 3 days 04:05:06.789", 37091106789000),
    ("interval", "-1 mons +2 days -00:00:00.000001", -2457000000001),
    ("interval", "1 day", timedelta(days=1)),
    ("json", '{"a": 1, "b": [2.50, null]}', '{"b":[2.5,null],"a":1}'),
    ("json", '{"a": 1, "a": 2}', '{"a":1,"a":2}'),
    ("jsonb", '{"a": 1}', '{"a": 1}'),
    ("xml", "<a>1</a>", "<a>1</a>"),
    ("uuid", "6f1c9f1e-1111-4222-8333-123456789abc", "6f1c9f1e-1111-4222-8333-123456789abc"),
    ("hstore", '"a"=>"1", "b"=>NULL', {"b": None, "a": "1"}),
    ("hstore", '"q\\"k"=>"v,\\\\w"', {'q"k': "v,\\w"}),
    ("hstore", "", {}),
    ("hstore", '"a"=>"1", "b"=>NULL', '{"a":"1","b":null}'),
    ("inet", "192.168.0.1/24", "192.168.0.1/24"),
    ("point", "(1.5,-2)", {"x": 1.5, "y": -2.0}),
    ("point", "(1.5,-2)", "(1.5,-2.0)"),
    ("int[]", "{1,NULL,3}", [1, None, 3]),
    ("int[]", "{{1,2},{3,4}}", [[1, 2], [3, 4]]),
    ("text[]", '{x,"y,z",NULL,"NULL","","q\\""}', ["x", "y,z", None, "NULL", "", 'q"']),
    ("text[]", "{}", []),
    ("numeric(10,2)[]", "{1.10,2.20}", [Decimal("1.1"), Decimal("2.2")]),
    ("date[]", "{2024-01-01,NULL}", [date(2024, 1, 1), None]),
    ("int4range", "[1,10)", "[1,10)"),
    ("enum", "café & bar", "café & bar"),
    ("tsvector", "'cat' 'fat'", "'cat' 'fat'"),
    ("text", None, None),
]

UNEQUAL = [
    ("boolean", "true", False),
    ("boolean", "true", 1),
    ("int", "7", 8),
    ("int", "1", True),
    ("int", "7", 7.0),
    ("numeric", "123.45", Decimal("123.46")),
    ("numeric", "123.45", 123.45),
    ("numeric", "12345678901234567890.12", Decimal("12345678901234567000")),
    ("numeric", "NaN", None),
    ("real", "0.1", 0.10000001),
    ("double precision", "0.1", 0.10000000149011612),
    ("double precision", "0", -0.0),
    ("double precision", "NaN", float("inf")),
    ("money", "-$1,234.56", Decimal("1234.56")),
    ("char(3)", "A", "B"),
    ("varchar(5)", "a ", "a"),
    ("citext", "CiText", "citext"),
    ("text", "", None),
    ("text", "1", 1),
    ("bytea", "\\x00ff", b"\x00\xfe"),
    ("bytea", "\\x00ff", "AP8="),
    ("bit(1)", "1", False),
    ("bit(9)", "101010101", "010101011"),
    ("bit varying(12)", "0010", "10"),
    ("date", "2024-02-29", date(2024, 3, 1)),
    ("date", "2024-02-29", datetime(2024, 2, 29)),
    ("date", "infinity", "-infinity"),
    ("date", "0044-03-15 BC", date(44, 3, 15)),
    ("time", "24:00:00", "00:00:00"),
    ("time", "12:34:56.7", 45296700000),
    ("timetz", "04:05:06-08", "04:05:06+00"),
    ("timestamp", "2024-01-01 00:00:00.000001", datetime(2024, 1, 1)),
    ("timestamp", "infinity", None),
    ("timestamptz", TIE, datetime(2024, 10, 27, 1, 30, tzinfo=INDIA)),
    ("timestamptz", "infinity", datetime(9999, 12, 31, tzinfo=UTC)),
    ("interval", "1 mon", 30 * 86_400_000_000),
    ("interval", "-00:00:01", 1000000),
    ("json", '{"a": 12345678901234567890}', '{"a": 12345678901234567000}'),
    ("json", '{"a": 1, "a": 2}', '{"a": 2}'),
    ("json", "1", "true"),
    ("json", "[1, 2]", "[2, 1]"),
    ("json", "null", None),
    ("jsonb", '{"a": 1}', '{"a":1}'),
    ("xml", "<a>1</a>", "<a>2</a>"),
    ("uuid", "6f1c9f1e-1111-4222-8333-123456789abc", "6f1c9f1e-1111-4222-8333-123456789abd"),
    ("hstore", '"a"=>NULL', {"a": "NULL"}),
    ("hstore", '"a"=>NULL', '{"a":"NULL"}'),
    ("hstore", '"a"=>NULL', {}),
    ("inet", "192.168.0.1/24", "192.168.0.1"),
    ("point", "(1.5,-2)", {"x": -2.0, "y": 1.5}),
    ("int[]", "{1,NULL,3}", [1, 3]),
    ("text[]", "{NULL}", ["NULL"]),
    ("text[]", "{}", None),
    ("numeric(10,2)[]", "{1.10}", [Decimal("1.11")]),
    ("int4range", "[1,10)", "[1,11)"),
    ("enum", "sad", "happy"),
]


@pytest.mark.parametrize(("kind", "expected", "got"), EQUAL)
def test_equal(kind, expected, got):
    assert equal(parse_type(kind), expected, got)


@pytest.mark.parametrize(("kind", "expected", "got"), UNEQUAL)
def test_unequal(kind, expected, got):
    assert not equal(parse_type(kind), expected, got)


SPEC = small_spec(columns={"id": "int", "v": "text", "d": "date"})


def reasons(expected: list[dict], got: list, spec=SPEC) -> list[tuple]:
    found = compare_table(spec.tables["t"], expected, got)
    return [(d.key, d.column, d.reason) for d in found]


def test_rows_are_told_apart_by_key():
    theirs = [{"id": "1", "v": "a", "d": None}, {"id": "2", "v": "b", "d": None}]
    ours = [{"id": 2, "v": "x", "d": None}, {"id": 3, "v": "c", "d": None}]
    assert reasons(theirs, ours) == [
        ((1,), None, "row missing"),
        ((2,), "v", "unequal"),
        ((3,), None, "row not expected"),
    ]
    assert reasons(theirs[:1], [{"id": 1, "v": "a", "d": None}] * 2) == [((1,), None, "key twice")]


def test_special_text_is_taken_for_the_null_beside_it():
    theirs = [{"id": "1", "v": "a", "d": "infinity"}]
    ours = {"id": 1, "v": "a", "d": None}
    assert reasons(theirs, [ours]) == [((1,), "d", "unequal")]
    assert reasons(theirs, [ours | {"_cdc_special": '{"d": "infinity"}'}]) == []
    assert reasons(theirs, [ours | {"_cdc_special": '{"d": "-infinity"}'}]) != []


def test_a_moment_stands_cut_beside_its_text():
    spec = small_spec(columns={"id": "int", "v": "timestamptz"})
    whole = "1969-12-31 23:59:59.9999999+00"
    theirs = [{"id": "1", "v": whole}]
    for beside, reason in (
        (datetime(1969, 12, 31, 23, 59, 59, 999_999), []),
        (datetime(1970, 1, 1), [((1,), "v", "not its text cut to microseconds")]),
        (None, [((1,), "v", "not its text cut to microseconds")]),
    ):
        ours = {"id": 1, "v": beside, "_cdc_special": json.dumps({"v": whole})}
        assert reasons(theirs, [ours], spec) == reason


def test_unknown_equals_nothing_not_even_null():
    theirs = [{"id": "1", "v": None, "d": None}]
    ours = [{"id": 1, "v": None, "d": None, "_cdc_unknown": '["v"]'}]
    assert reasons(theirs, ours) == [((1,), "v", "unknown")]


def test_a_column_is_compared_where_the_database_had_it():
    assert reasons([{"id": "1", "v": "a"}], [{"id": 1, "v": "a", "d": None}]) == []
    assert reasons([{"id": "1", "v": "a", "d": None}], [{"id": 1, "v": "a"}]) == [
        ((1,), "d", "no such column")
    ]


def test_keyless_rows_count():
    spec = small_spec(key=(), columns={"v": "text"})
    theirs = [{"v": "a"}, {"v": "a"}, {"v": None}]
    assert reasons(theirs, [{"v": None}, {"v": "a"}, {"v": "a"}], spec) == []
    assert reasons(theirs, [{"v": "a"}, {"v": None}], spec) == [(None, None, "row missing")]
    assert reasons(theirs, [{"v": "a"}] * 3 + [{"v": None}], spec) == [
        (None, None, "row not expected")
    ]
    unknown = {"v": None, "_cdc_unknown": '["v"]'}
    assert len(reasons([{"v": None}], [unknown], spec)) == 2


def test_rows_of_pyspark_are_taken():
    row = pytest.importorskip("pyspark.sql").Row(id=1, v="a", d=date(2024, 2, 29))
    assert reasons([{"id": "1", "v": "a", "d": "2024-02-29"}], [row]) == []

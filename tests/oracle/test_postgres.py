"""Each literal becomes the text the database prints."""

import base64
from decimal import Decimal

import pytest

from tests.oracle.build import Stream, small_spec
from tests.oracle.postgres import ABSENT, UNKNOWN, decode, decode_value
from tests.oracle.spec import DEFAULT_SETTINGS, SourceType, parse_type

MARK = "__debezium_unavailable_value"
MARK_64 = base64.b64encode(MARK.encode()).decode()

STRUCTURED = {"time_precision_mode": "structured"}
DAY = {"year": 2024, "month": 2, "day": 29}
CLOCK = {"hour": 12, "minute": 30, "second": 15, "picoseconds": 123_456_000_000}
DURATION = {"years": 1, "months": 2, "days": 3, "hours": 4, "minutes": 5, "seconds": 6}
DURATION |= {"nanos": 780_000_000}
TEXTS = [
    ("boolean", True, "true"),
    ("smallint", -32767, "-32767"),
    ("oid", 4294967295, "4294967295"),
    ("real", "NaN", "NaN"),
    ("real", 1e-38, "1e-38"),
    ("real", 1000000, "1e+06"),
    ("real", 0.1, "0.1"),
    ("double precision", "-Infinity", "-Infinity"),
    ("double precision", -0.0, "-0"),
    ("double precision", 1.7976931348623157e308, "1.7976931348623157e+308"),
    ("double precision", 123456789012345, "123456789012345"),
    ("double precision", 1e15, "1e+15"),
    ("double precision", 0.0001, "0.0001"),
    ("double precision", 0.00001, "1e-05"),
    ("numeric(10,2)", "tmn9LQ==", "-12345678.91"),
    ("numeric(10,2)", "AA==", "0.00"),
    ("numeric(38,0)", "SztMqFqGxHoJiiI//////w==", "9" * 38),
    ("numeric", {"scale": 3, "value": "FMs="}, "5.323"),
    ("numeric", {"scale": 7, "value": "/w=="}, "-0.0000001"),
    ("numeric", {"scale": 1, "value": ""}, "0.0"),
    ("money", "/h3A", "-$1,234.56"),
    ("char(5)", "ab   ", "ab"),
    ("bytea", "AP8Q", "\\x00ff10"),
    ("bit(1)", True, "1"),
    ("bit(9)", "VQE=", "101010101"),
    ("bit(12)", "AQs=", "101100000001"),
    ("bit varying(12)", "Cg==", "1010"),
    ("bit varying(1)", True, "1"),
    ("date", 19782, "2024-02-29"),
    ("date", -735160, "0044-03-15 BC"),
    ("date", 2932897, "10000-01-01"),
    ("date", -622191234, "infinity"),
    ("date", -2147472692, "infinity"),
    ("date", -625821272, "-infinity"),
    ("date", -2147472691, "-infinity"),
    ("time", 86400000000, "24:00:00"),
    ("time", 86399999999, "23:59:59.999999"),
    ("time(3)", 45296789, "12:34:56.789"),
    ("timetz", "12:05:06.789Z", "12:05:06.789+00"),
    ("timestamp", -1, "1969-12-31 23:59:59.999999"),
    ("timestamp", 9223372036825200000, "infinity"),
    ("timestamp(3)", 9223372036825200, "infinity"),
    ("timestamp", -9223372036832400000, "-infinity"),
    ("timestamp(3)", 1709210096789, "2024-02-29 12:34:56.789"),
    ("timestamp(0)", 1709210096000, "2024-02-29 12:34:56"),
    ("timestamptz", "2024-02-29T07:04:56.789012Z", "2024-02-29 07:04:56.789012+00"),
    ("timestamptz", "infinity", "infinity"),
    ("timestamptz", "-0043-03-15T00:00:00.000000Z", "0044-03-15 00:00:00+00 BC"),
    ("timestamptz", "+10000-01-01T00:00:00.000000Z", "10000-01-01 00:00:00+00"),
    ("interval", 37091106789000, "10303:05:06.789"),
    ("interval", -2457000000001, "-682:30:00.000001"),
    ("json", '{"a": 1, "a": 2.50}', '{"a": 1, "a": 2.50}'),
    ("jsonb", '{"u": 1}', '{"u": 1}'),
    ("xml", "<a>1</a>", "<a>1</a>"),
    ("hstore", '{"q\\"k":"v,\\\\w","b":null}', '"q\\"k"=>"v,\\\\w", "b"=>NULL'),
    ("hstore", {"a": "1"}, '"a"=>"1"'),
    ("ltree", "Top.Science", "Top.Science"),
    ("inet", "192.168.0.1/24", "192.168.0.1/24"),
    ("point", {"x": 1.5, "y": -2.0, "wkb": "AQ==", "srid": None}, "(1.5,-2)"),
    ("int[]", [1, None, 3], "{1,NULL,3}"),
    ("text[]", ["NULL", "", "y,z", None, 'q"\\'], '{"NULL","","y,z",NULL,"q\\"\\\\"}'),
    ("numeric(10,2)[]", ["bg==", "ANw="], "{1.10,2.20}"),
    ("date[]", [19723, None], "{2024-01-01,NULL}"),
    ("daterange", "[2024-01-01,2024-02-01)", "[2024-01-01,2024-02-01)"),
]


@pytest.mark.parametrize(("kind", "literal", "text"), TEXTS)
def test_literal_becomes_text(kind, literal, text):
    assert decode_value(literal, parse_type(kind), DEFAULT_SETTINGS) == text


@pytest.mark.parametrize(
    ("settings", "kind", "literal", "text"),
    [
        ({"decimal_handling_mode": "string"}, "numeric", "NAN", "NaN"),
        ({"decimal_handling_mode": "string"}, "numeric", "POSITIVE_INFINITY", "Infinity"),
        ({"decimal_handling_mode": "string"}, "numeric", "1E+3", "1000"),
        ({"decimal_handling_mode": "string"}, "numeric(12,2)", "0.10", "0.10"),
        ({"decimal_handling_mode": "string"}, "money", "-1234.56", "-$1,234.56"),
        ({"decimal_handling_mode": "double"}, "numeric(12,2)", 0.5, "0.5"),
        ({"decimal_handling_mode": "double"}, "numeric", "NaN", "NaN"),
        ({"binary_handling_mode": "hex"}, "bytea", "00ff10", "\\x00ff10"),
        ({"binary_handling_mode": "base64-url-safe"}, "bytea", "-_8=", "\\xfbff"),
        ({"time_precision_mode": "microseconds"}, "timestamp(3)", -1000, "1969-12-31 23:59:59.999"),
        ({"decimal_format": "NUMERIC"}, "numeric(12,2)", Decimal("-0.10"), "-0.10"),
        ({"decimal_format": "NUMERIC"}, "money", Decimal("-1234.56"), "-$1,234.56"),
        ({"time_precision_mode": "nanoseconds"}, "timestamp", -1000, "1969-12-31 23:59:59.999999"),
        ({"time_precision_mode": "nanoseconds"}, "timestamp", 2**63 - 1, "infinity"),
        ({"time_precision_mode": "nanoseconds"}, "time", 86400 * 10**9, "24:00:00"),
        (STRUCTURED, "date", {"specialValue": "NEGATIVE_INFINITY"}, "-infinity"),
        (STRUCTURED, "date", {"year": -43, "month": 3, "day": 15}, "0044-03-15 BC"),
        (STRUCTURED, "time", CLOCK, "12:30:15.123456"),
        (STRUCTURED, "timetz", CLOCK | {"offsetSeconds": -3600}, "13:30:15.123456+00"),
        (STRUCTURED, "timestamp", DAY | CLOCK, "2024-02-29 12:30:15.123456"),
        (
            STRUCTURED,
            "timestamptz",
            DAY | CLOCK | {"offsetSeconds": 3600},
            "2024-02-29 11:30:15.123456+00",
        ),
        (STRUCTURED, "interval", DURATION, "10303:05:06.78"),
        ({"time_precision_mode": "connect"}, "time", 45296789, "12:34:56.789"),
        ({"time_precision_mode": "adaptive_time_microseconds"}, "time(3)", 1000, "00:00:00.001"),
    ],
)
def test_settings_decide(settings, kind, literal, text):
    assert decode_value(literal, parse_type(kind), DEFAULT_SETTINGS | settings) == text


@pytest.mark.parametrize(
    ("kind", "literal"),
    [
        ("text", MARK),
        ("jsonb", MARK),
        ("bytea", MARK),
        ("bytea", MARK_64),
        ("bytea", MARK.encode().hex()),
        ("text[]", [MARK]),
        ("int[]", list(MARK.encode())),
        ("bytea[]", [MARK_64]),
        ("uuid[]", ["b68a35a7-17ad-35b3-af2a-ae46edb4545a"]),
        ("hstore", f'{{"{MARK}":"{MARK}"}}'),
        ("hstore", {MARK: MARK}),
    ],
)
def test_a_value_not_sent_is_unknown(kind, literal):
    assert decode_value(literal, parse_type(kind), DEFAULT_SETTINGS) is UNKNOWN


def test_types_are_read():
    assert parse_type("numeric(10, 2)[]") == SourceType("numeric", (10, 2), True)
    assert parse_type("timestamp(3) with time zone") == SourceType("timestamptz", (3,))
    assert parse_type("demo.amount", {"demo.amount": "numeric(12,2)"}).args == (12, 2)


def test_a_column_may_be_absent_and_null_is_null():
    record = Stream().change("c", {"id": 1}, lsn=1, tx=1)
    assert decode(record, small_spec()).after == {"id": "1", "v": ABSENT}
    record = Stream().change("c", {"id": 1, "v": None}, lsn=1, tx=1)
    assert decode(record, small_spec()).after == {"id": "1", "v": None}


def test_what_is_no_row_change_is_no_event():
    stream = Stream()
    assert decode(stream.tombstone({"id": 1}), small_spec()) is None
    assert decode(stream.add({"prefix": "p"}, {"op": "m"}, {}), small_spec()) is None
    assert decode(stream.add({"id": "1:2"}, {"status": "BEGIN"}, {}), small_spec()) is None

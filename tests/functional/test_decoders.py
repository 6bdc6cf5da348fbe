"""Types and settings that none of our captures contains, literal by literal: each is read as the
documentation of its type says; literals of another kind or out of range are refused.

The form of a literal is from Debezium's documentation or, where that is silent, from its source
(StructuredTimestamp, NanoTimestamp, Circle, FloatVector …); its meaning is what the database prints
for it.
"""

import base64

from tests.functional.cells import Cell, Raw, Read, read

MARK = "__debezium_unavailable_value"
REFUSED = Read(refused=True)
UNKNOWN = Read(unknown=True)


def special(text: str) -> Read:
    return Read(special=text)


def finer(text: str) -> Read:
    """The text with the value, cut to microseconds; Spark prints no trailing zeros."""
    cut = text.removesuffix("+00")[: len("2024-02-29 12:00:00.000000")]
    return Read(cut.rstrip("0").rstrip("."), text)


def check(spark, compared, cells: dict[Cell, Read] | list[tuple[Cell, Read]]):
    """Reads all cells in one query; the message names each that is read differently."""
    got = read(spark, [cell for cell, _ in cells])
    wrong = [
        f"{cell.connector} {cell.kind} {cell.settings} {cell.json}: {found}, not {expected}"
        for (cell, expected), found in zip(cells, got, strict=True)
        if found != expected
    ]
    assert not wrong, "\n" + "\n".join(wrong)
    compared["cells of decoders with what the documentation says"] += len(cells)


def rows(connector: str, settings: dict, *cells: tuple) -> list[tuple[Cell, Read]]:
    """(type, literal, expected reading: its text, or a Read) for one connector's settings."""
    return [
        (
            Cell(connector, kind, literal, settings),
            expected if isinstance(expected, Read) else Read(expected),
        )
        for kind, literal, expected in cells
    ]


# --- time.precision.mode -------------------------------------------------------------------------

DAY = 86_400 * 10**9  # nanoseconds
LEAP = 19_782  # 2024-02-29
NOON = LEAP * DAY + 43_200 * 10**9
LONGEST = 3_020_399_999_999_999  # 838:59:59.999999999


def test_nanoseconds(spark, compared):
    mode = {"time_precision_mode": "nanoseconds"}
    both = [
        ("date", LEAP, "2024-02-29"),
        ("date", None, None),
        ("date", 2_932_897, special("10000-01-01")),
        ("date", "2024-02-29Z", REFUSED),
        ("date", 1.5, REFUSED),
    ]
    cells = rows(
        "postgresql",
        mode,
        *both,
        ("date", -2_147_472_692, special("infinity")),
        ("date[]", [LEAP, None], '["2024-02-29",null]'),
        ("time", 0, "00:00:00"),
        ("time(3)", 1_500_000_000, "00:00:01.5"),
        ("time", DAY - 1_000, "23:59:59.999999"),
        ("time", DAY - 1, "23:59:59.999999999"),
        ("time", DAY, "24:00:00"),
        ("time", DAY + 1, REFUSED),
        ("time", -1, REFUSED),
        ("time", "12:00:00Z", REFUSED),
        ("time[]", [DAY, None], '["24:00:00",null]'),
        ("time[]", [DAY, DAY + 1], REFUSED),
        ("timestamp", 0, "1970-01-01 00:00:00"),
        ("timestamp(3)", NOON + 5 * 10**6, "2024-02-29 12:00:00.005"),
        ("timestamp", -1_000, "1969-12-31 23:59:59.999999"),
        ("timestamp", NOON + 1, finer("2024-02-29 12:00:00.000000001")),
        ("timestamp", -1, finer("1969-12-31 23:59:59.999999999")),
        ("timestamp", 2**63 - 1, special("infinity")),
        ("timestamp", -(2**63), special("-infinity")),
        ("timestamp", 2**63, REFUSED),
        ("timestamp", {"year": 2024}, REFUSED),
        ("timestamp[]", [NOON, None], '["2024-02-29 12:00:00",null]'),
        (
            "timestamp[]",
            [NOON, 1],
            special('["2024-02-29 12:00:00","1970-01-01 00:00:00.000000001"]'),
        ),
        # observed in Debezium 3.6.3
        ("timestamp(3)[]", [2**63 - 1, -(2**63)], special('["infinity","-infinity"]')),
        ("time(3)[]", [45_296_789_000_000, None], '["12:34:56.789",null]'),
        ("timestamp(0)[]", [1_709_210_096_000_000_000], '["2024-02-29 12:34:56"]'),
        # these two have no number in any mode
        ("timestamptz", "2024-02-29T12:00:00.5Z", "2024-02-29 12:00:00.5"),
        ("timetz", "12:00:00Z", "12:00:00Z"),
        ("interval", 5, "5"),
    )
    for connector in ("mysql", "mariadb"):
        cells += rows(
            connector,
            mode,
            *both,
            ("datetime(6)", NOON + 1_000, "2024-02-29 12:00:00.000001"),
            ("datetime", NOON, "2024-02-29 12:00:00"),
            ("time", 43_200_000_001_000, "12:00:00.000001"),
            ("time", LONGEST, "838:59:59.999999999"),
            ("time", -LONGEST, "-838:59:59.999999999"),
            ("time", LONGEST + 1, REFUSED),
            ("time", -(2**63), REFUSED),
        )
    check(spark, compared, cells)


def date_of(year, month, day) -> dict:
    return {"year": year, "month": month, "day": day, "specialValue": None}


def clock_of(hour, minute, second, picoseconds=0) -> dict:
    return {
        "hour": hour,
        "minute": minute,
        "second": second,
        "picoseconds": picoseconds,
        "precision": 6,
    }


def in_nanos(clock: dict) -> dict:
    """The same as the first builds with this mode wrote it."""
    pico = clock["picoseconds"]
    return {name: part for name, part in clock.items() if name != "picoseconds"} | {
        "nanos": pico // 1_000
    }


def duration_of(hours=0, minutes=0, seconds=0, picoseconds=0, **calendar) -> dict:
    nothing = {"years": 0, "months": 0, "days": 0}
    clock = {"hours": hours, "minutes": minutes, "seconds": seconds, "picoseconds": picoseconds}
    return nothing | calendar | clock


NO_DATE = {"year": None, "month": None, "day": None}
NO_CLOCK = {"hour": None, "minute": None, "second": None, "picoseconds": None, "precision": 6}
INFINITE = {"specialValue": "POSITIVE_INFINITY"}
MINUS_INFINITE = {"specialValue": "NEGATIVE_INFINITY"}
MICRO = 10**6  # picoseconds
HALF_PAST = clock_of(12, 30, 15, 123_456 * MICRO)


def at(*date_parts, clock=HALF_PAST, **more) -> dict:
    return date_of(*date_parts) | clock | more


def test_structured(spark, compared):
    mode = {"time_precision_mode": "structured"}
    both = [
        ("date", date_of(2024, 2, 29), "2024-02-29"),
        ("date", date_of(1, 1, 1), "0001-01-01"),
        ("date", date_of(9999, 12, 31), "9999-12-31"),
        ("date", None, None),
        ("date", {"year": 2024, "month": 2, "day": 29}, "2024-02-29"),
        ("date", date_of(2024, 13, 1), REFUSED),
        ("date", date_of(2024, 123, 1), REFUSED),
        ("date", date_of(2024, 1, 32), REFUSED),
        ("date", date_of(None, 1, 1), REFUSED),
        ("date", NO_DATE | {"specialValue": "NAN"}, REFUSED),
        ("date", {}, REFUSED),
        ("date", LEAP, REFUSED),
        ("date", "2024-02-29", REFUSED),
        ("date", date_of("2024", 2, 29), REFUSED),
        ("date", date_of(2**31, 2, 29), REFUSED),
        ("date", date_of(-(2**31), 2, 29), REFUSED),
    ]
    postgresql = rows(
        "postgresql",
        mode,
        *both,
        ("date", NO_DATE | INFINITE, special("infinity")),
        ("date", NO_DATE | MINUS_INFINITE, special("-infinity")),
        ("date", date_of(10000, 1, 1), special("10000-01-01")),
        ("date", date_of(5874897, 12, 31), special("5874897-12-31")),
        ("date", date_of(0, 12, 31), special("0001-12-31 BC")),
        ("date", date_of(-43, 3, 15), special("0044-03-15 BC")),
        ("date", date_of(2023, 2, 29), REFUSED),
        ("date", date_of(10001, 2, 29), REFUSED),
        ("date", date_of(0, 0, 0), REFUSED),
        ("date[]", [date_of(2024, 2, 29), None], '["2024-02-29",null]'),
        (
            "date[]",
            [date_of(2024, 2, 29), NO_DATE | INFINITE],
            special('["2024-02-29","infinity"]'),
        ),
        ("date[]", [date_of(2023, 2, 29)], REFUSED),
        ("time", clock_of(0, 0, 0), "00:00:00"),
        ("time", HALF_PAST, "12:30:15.123456"),
        ("time", in_nanos(HALF_PAST), "12:30:15.123456"),
        ("time", clock_of(23, 59, 59, 999_999_999_999), "23:59:59.999999999999"),
        ("time", clock_of(24, 0, 0), "24:00:00"),
        ("time", clock_of(24, 0, 0, 1), REFUSED),
        ("time", clock_of(24, 0, 1), REFUSED),
        ("time", clock_of(25, 0, 0), REFUSED),
        ("time", clock_of(12, 60, 0), REFUSED),
        ("time", clock_of(12, 0, 60), REFUSED),
        ("time", clock_of(12, 0, 0, 10**12), REFUSED),
        ("time", clock_of(-1, 0, 0), REFUSED),
        ("time", clock_of(12, 0, 0, None), REFUSED),
        ("time", {"hour": 12}, REFUSED),
        ("time", 43_200_000_000, REFUSED),
        ("time[]", [clock_of(24, 0, 0), None], '["24:00:00",null]'),
        ("time[]", [clock_of(24, 0, 1)], REFUSED),
        ("timetz", HALF_PAST | {"offsetSeconds": 0}, "12:30:15.123456+00"),
        ("timetz", HALF_PAST | {"offsetSeconds": 32_400}, "12:30:15.123456+09"),
        ("timetz", clock_of(24, 0, 0) | {"offsetSeconds": 19_800}, "24:00:00+05:30"),
        ("timetz", clock_of(4, 5, 6) | {"offsetSeconds": -12_615}, "04:05:06-03:30:15"),
        ("timetz", clock_of(4, 5, 6) | {"offsetSeconds": -15}, "04:05:06-00:00:15"),
        ("timetz", clock_of(4, 5, 6), REFUSED),
        ("timetz", clock_of(4, 5, 6) | {"offsetSeconds": 90_000}, REFUSED),
        ("timetz", "04:05:06Z", REFUSED),
        ("timestamp", at(2024, 2, 29), "2024-02-29 12:30:15.123456"),
        ("timestamp", at(2024, 2, 29, clock=in_nanos(HALF_PAST)), "2024-02-29 12:30:15.123456"),
        ("timestamp", at(1, 1, 1, clock=clock_of(0, 0, 0)), "0001-01-01 00:00:00"),
        (
            "timestamp",
            at(2024, 2, 29, clock=clock_of(0, 0, 0, 1)),
            finer("2024-02-29 00:00:00.000000000001"),
        ),
        ("timestamp", at(294276, 12, 31), special("294276-12-31 12:30:15.123456")),
        ("timestamp", at(-4712, 1, 1, clock=clock_of(0, 0, 0)), special("4713-01-01 00:00:00 BC")),
        ("timestamp", NO_DATE | NO_CLOCK | INFINITE, special("infinity")),
        ("timestamp", NO_DATE | NO_CLOCK | MINUS_INFINITE, special("-infinity")),
        ("timestamp", at(2024, 2, 29, clock=clock_of(24, 0, 0)), REFUSED),
        ("timestamp", at(2023, 2, 29), REFUSED),
        ("timestamp", date_of(2024, 2, 29), REFUSED),
        ("timestamp", 0, REFUSED),
        ("timestamp[]", [at(2024, 2, 29), None], '["2024-02-29 12:30:15.123456",null]'),
        ("timestamptz", at(2024, 2, 29, offsetSeconds=0, zoneId="Z"), "2024-02-29 12:30:15.123456"),
        (
            "timestamptz",
            at(2024, 3, 1, clock=clock_of(0, 0, 0), offsetSeconds=3_600),
            "2024-02-29 23:00:00",
        ),
        (
            "timestamptz",
            at(2024, 2, 29, clock=clock_of(23, 0, 0), offsetSeconds=-3_601),
            "2024-03-01 00:00:01",
        ),
        (
            "timestamptz",
            at(294276, 12, 31, offsetSeconds=32_400, zoneId="Asia/Seoul"),
            special("294276-12-31 03:30:15.123456+00"),
        ),
        (
            "timestamptz",
            at(10000, 1, 1, clock=clock_of(0, 30, 0), offsetSeconds=3_600),
            "9999-12-31 23:30:00",
        ),
        (
            "timestamptz",
            at(1, 1, 1, clock=clock_of(0, 30, 0), offsetSeconds=3_600),
            special("0001-12-31 23:30:00+00 BC"),
        ),
        (
            "timestamptz",
            at(2024, 2, 29, clock=clock_of(0, 0, 0, 1), offsetSeconds=3_600),
            finer("2024-02-28 23:00:00.000000000001+00"),
        ),
        ("timestamptz", NO_DATE | NO_CLOCK | INFINITE, special("infinity")),
        ("timestamptz", NO_DATE | NO_CLOCK | MINUS_INFINITE, special("-infinity")),
        ("timestamptz", at(2024, 2, 29), REFUSED),
        ("timestamptz", at(2023, 2, 29, offsetSeconds=0), REFUSED),
        ("timestamptz", at(0, 0, 0, clock=clock_of(0, 0, 0), offsetSeconds=0), REFUSED),
        ("timestamptz", "2024-02-29T12:00:00Z", REFUSED),
        ("timestamptz[]", [at(2024, 2, 29, offsetSeconds=0), None], "[1709209815123456,null]"),
        (
            "interval",
            duration_of(4, 5, 6, 780_000 * MICRO, years=1, months=2, days=3),
            "P1Y2M3DT4H5M6.78S",
        ),
        ("interval", duration_of(), "P0Y0M0DT0H0M0S"),
        (
            "interval",
            duration_of(-4, -5, -6, -7_000, years=-1, months=-2, days=3),
            "P-1Y-2M3DT-4H-5M-6.000000007S",
        ),
        ("interval", duration_of(picoseconds=-500_000 * MICRO), "P0Y0M0DT0H0M-0.5S"),
        ("interval", in_nanos(duration_of(picoseconds=500_000 * MICRO)), "P0Y0M0DT0H0M0.5S"),
        ("interval", duration_of(seconds=9 * 10**12), "P0Y0M0DT0H0M9000000000000S"),
        ("interval", duration_of(seconds=1, picoseconds=-1), REFUSED),
        ("interval", duration_of(picoseconds=10**12), REFUSED),
        ("interval", {"years": 1}, REFUSED),
        ("interval", 5, REFUSED),
        ("interval", "P1Y", REFUSED),
    )
    others = []
    for connector in ("mysql", "mariadb"):
        others += rows(
            connector,
            mode,
            *both,
            ("date", date_of(0, 0, 0), special("0000-00-00")),
            ("date", date_of(2024, 0, 10), special("2024-00-10")),
            ("date", date_of(2026, 2, 31), special("2026-02-31")),
            ("date", date_of(0, 1, 1), special("0000-01-01")),
            ("date", date_of(10000, 1, 1), REFUSED),
            ("datetime(6)", at(9999, 12, 31), "9999-12-31 12:30:15.123456"),
            (
                "datetime",
                at(2026, 2, 31, clock=clock_of(12, 13, 14)),
                special("2026-02-31 12:13:14"),
            ),
            ("datetime", at(0, 0, 0, clock=clock_of(0, 0, 0)), special("0000-00-00 00:00:00")),
            ("datetime", at(2024, 2, 29, clock=clock_of(24, 0, 0)), REFUSED),
            ("timestamp(6)", at(2024, 2, 29, offsetSeconds=0), "2024-02-29 12:30:15.123456"),
            ("timestamp", at(0, 0, 0, clock=clock_of(0, 0, 0)), special("0000-00-00 00:00:00")),
            ("timestamp", at(0, 0, 0, clock=clock_of(25, 0, 0)), REFUSED),
            ("time(6)", duration_of(-838, -59, -58, -999_999 * MICRO), "-838:59:58.999999"),
            ("time(6)", in_nanos(duration_of(838, 59, 58, 999_999 * MICRO)), "838:59:58.999999"),
            ("time", duration_of(838, 59, 59), "838:59:59"),
            ("time", duration_of(), "00:00:00"),
            ("time(1)", duration_of(seconds=-1, picoseconds=500_000 * MICRO), "-00:00:00.5"),
            ("time", duration_of(days=-1, hours=-1), "-25:00:00"),
            ("time", duration_of(839), REFUSED),
            ("time", duration_of(2**31 - 1, 2**31 - 1, 2**62), REFUSED),
            ("time", duration_of(1, months=1), REFUSED),
            ("time", duration_of(1, picoseconds=None), REFUSED),
            ("time", {}, REFUSED),
            ("time", 5, REFUSED),
        )
    check(spark, compared, postgresql + others)


def test_iso_texts(spark, compared):
    mode = {"time_precision_mode": "isostring"}
    cells = []
    for connector in ("mysql", "mariadb"):
        cells += rows(
            connector,
            mode,
            ("date", "2024-02-29Z", "2024-02-29"),
            ("date", "+10000-01-01Z", special("10000-01-01")),
            ("date", "2023-02-29Z", REFUSED),
            ("date", LEAP, REFUSED),
            ("datetime(6)", "2024-02-29T12:30:15.123456Z", "2024-02-29 12:30:15.123456"),
            ("datetime", "9999-12-31T23:59:59Z", "9999-12-31 23:59:59"),
            ("datetime", "2024-02-29T12:30:15", REFUSED),
            ("time(6)", "23:59:59.999990Z", "23:59:59.99999"),
            ("time", "12:00:00Z", "12:00:00"),
            ("time", "24:00:00Z", REFUSED),
            ("time", 5, REFUSED),
        )
    cells += rows(
        "postgresql",
        mode,
        ("timestamp", "2024-02-29T12:30:15.123456+00:00", "2024-02-29 12:30:15.123456"),
        ("timestamp", "2024-02-29T14:30:15+02:00", "2024-02-29 12:30:15"),
        ("timestamp", "2024-02-29T12:30:15.123456789Z", finer("2024-02-29 12:30:15.123456789")),
        ("timestamp", "1969-12-31T23:59:59.999999999Z", finer("1969-12-31 23:59:59.999999999")),
        ("timestamp", "2024-02-29T12:30:15.123456000Z", "2024-02-29 12:30:15.123456"),
        ("timestamp", "+10000-01-01T00:00:00Z", special("10000-01-01 00:00:00")),
        ("timestamp", "2024-02-29T12:30:15", REFUSED),
        ("timestamp", "2024-02-29", REFUSED),
        # observed in Debezium 3.6.3, in a snapshot and in the stream
        ("date", "+292278994-08-16Z", special("infinity")),
        ("date", "-5877611-06-21Z", special("infinity")),
        ("date", "+292269055-12-02Z", special("-infinity")),
        ("date", "-5877611-06-22Z", special("-infinity")),
        ("date", "+5874897-12-31Z", special("5874897-12-31")),
        ("date[]", ["+292278994-08-16Z", None], special('["infinity",null]')),
        ("date", "+292278995-08-16Z", REFUSED),
        ("timestamp", "+294247-01-10T04:00:25.2Z", special("infinity")),
        ("timestamp", "-290308-12-21T19:59:27.6Z", special("-infinity")),
        ("timestamp", "+294276-12-31T23:59:59.999990Z", special("294276-12-31 23:59:59.99999")),
        ("timestamp", "-0043-03-15T12:00:00.5Z", special("0044-03-15 12:00:00.5 BC")),
        ("timestamp", "+294286-12-31T23:59:59Z", REFUSED),
    )
    check(spark, compared, cells)


def test_instants_with_an_offset(spark, compared):
    """The output of TimezoneConverter; the two in its documentation are one instant."""
    cells = [
        ("2011-01-11T16:40:30.123456789+00:00", finer("2011-01-11 16:40:30.123456789+00")),
        ("2011-01-11T11:40:30.123456789-05:00", finer("2011-01-11 16:40:30.123456789+00")),
        ("2011-01-11T16:40:30.123456000+00:00", "2011-01-11 16:40:30.123456"),
        ("2011-01-11T16:40:30.1234567Z", finer("2011-01-11 16:40:30.1234567+00")),
        ("2011-01-11T16:40:30.000000001Z", finer("2011-01-11 16:40:30.000000001+00")),
        ("2011-01-11T16:40:30.123456Z", "2011-01-11 16:40:30.123456"),
        ("2011-01-11T22:10:30+05:30", "2011-01-11 16:40:30"),
        ("1880-01-01T00:19:32+00:19:32", "1880-01-01 00:00:00"),
        ("1969-12-31T23:59:59.9999999-00:00", finer("1969-12-31 23:59:59.9999999+00")),
        ("9999-12-31T23:30:00-01:00", special("10000-01-01 00:30:00+00")),
        ("0001-01-01T00:30:00+01:00", special("0001-12-31 23:30:00+00 BC")),
        ("+10000-01-01T00:30:00+01:00", special("9999-12-31 23:30:00+00")),
        ("-0043-03-15T00:00:00Z", special("0044-03-15 00:00:00+00 BC")),
        ("+294276-12-31T23:59:59.999999Z", special("294276-12-31 23:59:59.999999+00")),
        ("infinity", special("infinity")),
        ("2011-01-11T16:40:30", REFUSED),
        ("2011-01-11T16:40:30+1", REFUSED),
        ("2011-01-11T16:40:30 Europe/Berlin", REFUSED),
        ("2011-01-11T16:40:30+25:00", REFUSED),
        ("2011-02-29T16:40:30+01:00", REFUSED),
        ("2011-01-11T16:40:30.1234567891Z", REFUSED),
        (0, REFUSED),
    ]
    check(
        spark,
        compared,
        rows("postgresql", {}, *(("timestamptz", *cell) for cell in cells))
        + rows("mysql", {}, *(("timestamp(6)", *cell) for cell in cells)),
    )


# --- other types ---------------------------------------------------------------------------------


def base64_of(octets: bytes) -> str:
    return base64.b64encode(octets).decode()


# POINT(1 2) as its documentation writes it
WKB = "AQEAAAAAAAAAAADwPwAAAAAAAABA"
WKB_READ = f'{{"srid":4326,"wkb":"{WKB}"}}'


def test_shapes_and_vectors(spark, compared):
    ring = {"wkb": WKB, "srid": None, "extensions": {"type": "path", "closed": "true"}}
    cells = rows(
        "postgresql",
        {},
        ("geometry(Point,4326)", {"wkb": WKB, "srid": 4326}, WKB_READ),
        ("geography", {"wkb": WKB, "srid": 4326}, WKB_READ),
        ("geometry", {"wkb": WKB, "srid": None}, f'{{"wkb":"{WKB}"}}'),
        ("geometry", None, None),
        ("geometry", {"srid": 1}, REFUSED),
        ("geometry", {"wkb": "no base64!", "srid": 1}, REFUSED),
        ("geometry", "POINT(1 2)", REFUSED),
        ("geometry[]", [{"wkb": WKB, "srid": 4326}, None], f"[{WKB_READ},null]"),
        ("geometry[]", [{"wkb": "no base64!"}], REFUSED),
        (
            "path",
            ring,
            f'{{"wkb":"{WKB}","srid":null,"extensions":{{"type":"path","closed":"true"}}}}',
        ),
        (
            "box",
            ring,
            f'{{"wkb":"{WKB}","srid":null,"extensions":{{"type":"path","closed":"true"}}}}',
        ),
        ("line", {"a": 1.5, "b": -1.0, "c": 0.1}, '{"a":1.5,"b":-1.0,"c":0.1}'),
        (
            "circle",
            {"center": {"x": 1.0, "y": 2.0}, "radius": 0.5},
            '{"center":{"x":1.0,"y":2.0},"radius":0.5}',
        ),
        ("polygon", MARK, UNKNOWN),
        ("lseg", "((1,2),(3,4))", REFUSED),
        ("lseg", 5, REFUSED),
        ("lseg", None, None),
        ("vector(3)", [1.0, -0.1, 3e-7], "[1.0,-0.1,3.0E-7]"),
        ("vector", [], "[]"),
        ("halfvec(2)", [0.5, 65504], "[0.5,65504.0]"),
        ("vector(3)", [1.0, 2.0], REFUSED),
        ("vector(3)", [1.0, None, 2.0], REFUSED),
        ("vector", "[1,2]", REFUSED),
        ("vector", ["1"], REFUSED),
        (
            "sparsevec(5)",
            {"dimensions": 5, "vector": [[1, 0.5], [3, 2.0]]},
            '{"dimensions":5,"values":[{"index":1,"value":0.5},{"index":3,"value":2.0}]}',
        ),
        ("sparsevec", {"dimensions": 5, "vector": []}, '{"dimensions":5,"values":[]}'),
        ("sparsevec(4)", {"dimensions": 5, "vector": []}, REFUSED),
        ("sparsevec", {"dimensions": 5}, REFUSED),
        ("sparsevec", {"dimensions": 5, "vector": [[1.5, 0.5]]}, REFUSED),
        ("sparsevec", {"dimensions": 5, "vector": [[1]]}, REFUSED),
        ("sparsevec", {"dimensions": 5, "vector": [None]}, REFUSED),
        ("sparsevec", {"dimensions": 5, "vector": {"1": 0.5}}, REFUSED),
        ("int[3]", [1, None, 3], "[1,null,3]"),
        ("int[3]", [[1], [2]], REFUSED),
        ("float(24)", 0.1, "0.1"),
        ("serial2", 40_000, REFUSED),
    )
    for connector in ("mysql", "mariadb"):
        cells += rows(
            connector,
            {},
            ("vector(2)", [0.1, 2], "[0.1,2.0]"),
            ("vector(2)", [0.1], REFUSED),
            ("vector(2)", base64_of(b"\0" * 8), REFUSED),
            ("geometry srid 4326", {"wkb": WKB, "srid": 4326}, WKB_READ),
            (
                "point srid 4326",
                {"x": 1.0, "y": 2.0, "wkb": WKB, "srid": 4326},
                f'{{"x":1.0,"y":2.0,"srid":4326,"wkb":"{WKB}"}}',
            ),
            ("serial", -1, "18446744073709551615"),
            ("int3", 8_388_607, "8388607"),
            ("char byte", "YQ==", "61"),
        )
    check(spark, compared, cells)


def test_bits(spark, compared):
    """A varbit of one bit is a JSON boolean, like a bit; earlier connectors may write bytes."""
    cells = rows(
        "postgresql",
        {},
        ("varbit(1)", True, "1"),
        ("varbit(1)", False, "0"),
        ("bit varying(1)", "AQ==", "1"),
        ("varbit(1)", "", ""),
        ("varbit(1)", "Ag==", REFUSED),
        ("varbit(1)", "true ", REFUSED),
        ("varbit(1)", None, None),
        ("varbit(12)", "Cg==", "1010"),
        ("varbit(12)", False, REFUSED),
        ("bit(1)", True, "true"),
        ("bit(1)", "AQ==", REFUSED),
        ("bit(12)", "AQs=", "101100000001"),
        # trailing zeros are cut off, as in Debezium 3.6.3
        ("bit(12)", "AQ==", "000000000001"),
        ("bit(3)", "", "000"),
    )
    check(spark, compared, cells)


def test_bytes_that_are_not_sent(spark, compared):
    octets = MARK.encode()
    written = {
        "bytes": base64_of(octets),
        "base64": base64_of(octets),
        "base64-url-safe": base64.urlsafe_b64encode(octets).decode(),
        "hex": octets.hex(),
    }
    cells = []
    for mode, encoded in written.items():
        cells += rows(
            "postgresql",
            {"binary_handling_mode": mode},
            ("bytea", MARK, UNKNOWN),
            ("bytea", encoded, UNKNOWN),
            ("bytea[]", [MARK], UNKNOWN),
            ("bytea[]", [encoded], UNKNOWN),
            ("bytea", None, None),
            ("bytea", "00ff" if mode == "hex" else "AP8=", "00FF"),
            ("bytea", "no bytes!", REFUSED),
            ("bytea[]", ["no bytes!"], REFUSED),
        )
    other = {"unavailable_value_placeholder": "it's $"}
    cells += rows("postgresql", other, ("bytea", "it's $", UNKNOWN), ("bytea", MARK, REFUSED))
    check(spark, compared, cells)


def test_decimals_as_json_numbers(spark, compared):
    numeric = {"decimal_format": "NUMERIC"}
    longest = "12345678901234567890123456789012345.678"
    cells = rows(
        "postgresql",
        numeric,
        ("numeric(12,2)", Raw("1.10"), "1.10"),
        ("numeric(12,2)", Raw("-0.01"), "-0.01"),
        ("numeric(12,2)", Raw("5"), "5.00"),
        ("numeric(20,2)", Raw("123456789012345678.91"), "123456789012345678.91"),
        ("numeric(18,10)", Raw("1E-10"), "0.0000000001"),
        ("numeric(38,0)", Raw("9" * 38), "9" * 38),
        ("numeric(38,38)", Raw("0." + "1" * 38), "0." + "1" * 38),
        ("numeric(38,3)", Raw(longest), longest),
        ("numeric(12,2)", None, None),
        ("numeric(12,2)", Raw("1.239"), REFUSED),
        ("numeric(12,2)", Raw("12345678901.00"), REFUSED),
        ("numeric(12,2)", Raw("1E30"), REFUSED),
        ("numeric(12,2)", "MDk=", REFUSED),
        ("numeric(12,2)", "NaN", REFUSED),
        ("numeric(12,2)", True, REFUSED),
        ("numeric(12,2)", {"scale": 2, "value": "MDk="}, REFUSED),
        ("money", Raw("-12.30"), "-12.30"),
        ("numeric(5,-2)", Raw("1.2E+3"), "1200"),
        # observed in Debezium 3.6.3, which uses 2046 as the scale; Spark's parser ends at 1000
        # digits
        ("numeric(5,-2)", Raw("12300." + "0" * 2046), REFUSED),
        ("numeric(5,-2)", Raw("12300." + "0" * 900), "12300"),
        ("numeric(5,-2)", Raw("0E-2046"), "0"),
        ("numeric(2,4)", Raw("-0.0099"), "-0.0099"),
        ("numeric(60,20)", Raw("-1E-20"), "-0." + "0" * 19 + "1"),
        ("numeric(60,20)", Raw("0E-20"), "0." + "0" * 20),
        ("numeric(60,20)", Raw("1" * 40 + "." + "1" * 20), REFUSED),
        # without a fixed scale: an object, as always
        ("numeric", {"scale": 3, "value": "FMs="}, "5.323"),
        ("numeric", Raw("5.323"), REFUSED),
        ("numeric(10,2)[]", Raw("[1.10,null,-2]"), "[1.10,null,-2.00]"),
        ("numeric(10,2)[]", Raw("[1.10,1.101]"), REFUSED),
    )
    cells += rows(
        "mysql",
        numeric | {"bigint_unsigned_handling_mode": "precise"},
        ("decimal(8,4)", Raw("123.4567"), "123.4567"),
        (
            "decimal(65,1)",
            Raw("1234567890123456789012345678901234567.8"),
            "1234567890123456789012345678901234567.8",
        ),
        ("decimal(65,1)", Raw("12345678901234567890123456789012345678.9"), REFUSED),
        ("decimal(65,30)", Raw("1E-30"), "0." + "0" * 29 + "1"),
        ("bigint unsigned", Raw("18446744073709551615"), "18446744073709551615"),
        ("serial", Raw("18446744073709551616.5"), REFUSED),
        ("decimal", Raw("5"), "5"),
    )
    # with a negative scale, as 3.6.3 writes it and as its type would require
    sent = 12_300 * 10**2046
    cells += rows(
        "postgresql",
        {},
        ("numeric(5,-2)", base64_of(sent.to_bytes(900, "big")), "12300"),
        ("numeric(5,-2)", base64_of((-sent).to_bytes(900, "big", signed=True)), "-12300"),
        ("numeric(5,-2)", base64_of((123).to_bytes(1, "big")), "12300"),
        ("numeric(5,-2)", "AA==", "0"),
    )
    cells += rows(
        "postgresql",
        {"decimal_handling_mode": "string"},
        ("numeric(5,-2)", "12300." + "0" * 2046, "12300"),
        ("numeric(5,-2)", "12300", "12300"),
        ("numeric(5,-2)", "1.23E+4", "12300"),
    )
    # the converter's setting affects only precise numbers
    cells += rows(
        "postgresql",
        numeric | {"decimal_handling_mode": "string"},
        ("numeric(12,2)", "1.10", "1.10"),
    )
    check(spark, compared, cells)

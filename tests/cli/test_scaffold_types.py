"""Types and settings that a schema block proves."""

import json
import re

import pytest
import yaml
from tests.cli.faults import contract_faults
from tests.truth.captures import captures

from afterimage.macros import MACROS
from afterimage.scaffold import bson, known, records_of_files, scaffold
from afterimage.scaffold.column import kind_of_literal
from afterimage.scaffold.declared import declared
from afterimage.scaffold.proven import Evidence, proven
from afterimage.scaffold.semantic import MEANINGS, MEANINGS_OF, PLAIN, TIME_MODES

SAMPLES = MACROS.parent / "tests" / "cli" / "samples"
TRUTH = MACROS.parent / "tests" / "truth"
TIME = "io.debezium.time."
DATA = "io.debezium.data."
CONNECT = "org.apache.kafka.connect.data."

# Name → Connect's type, type of a contract for PostgreSQL, for MySQL; none where the connector
# writes no such name. Source: specification, types of the connectors; docs/reference/types.md.
NAMES = {
    f"{TIME}Date": ("int32", "date", "date"),
    f"{TIME}Time": ("int32", "time(3)", "time(3)"),
    f"{TIME}MicroTime": ("int64", "time", "time"),
    f"{TIME}NanoTime": ("int64", "time", "time"),
    f"{TIME}Timestamp": ("int64", "timestamp(3)", "datetime(3)"),
    f"{TIME}MicroTimestamp": ("int64", "timestamp", "datetime"),
    f"{TIME}NanoTimestamp": ("int64", "timestamp", "datetime"),
    f"{TIME}IsoDate": ("string", "date", "date"),
    f"{TIME}IsoTime": ("string", "time", "time"),
    f"{TIME}IsoTimestamp": ("string", "timestamp", "datetime"),
    f"{TIME}ZonedTime": ("string", "timetz", None),
    f"{TIME}ZonedTimestamp": ("string", "timestamptz", "timestamp"),
    f"{TIME}Year": ("int32", None, "year"),
    f"{TIME}MicroDuration": ("int64", "interval", None),
    f"{TIME}Interval": ("string", "interval", None),
    f"{TIME}StructuredDate": ("struct", "date", "date"),
    f"{TIME}StructuredTime": ("struct", "time", None),
    f"{TIME}StructuredTimestamp": ("struct", "timestamp", "datetime"),
    f"{TIME}StructuredZonedTime": ("struct", "timetz", None),
    f"{TIME}StructuredZonedTimestamp": ("struct", "timestamptz", "timestamp"),
    f"{TIME}StructuredDuration": ("struct", "interval", "time"),
    f"{CONNECT}Date": ("int32", "date", "date"),
    f"{CONNECT}Time": ("int32", "time(3)", "time(3)"),
    f"{CONNECT}Timestamp": ("int64", "timestamp(3)", "datetime(3)"),
    f"{DATA}VariableScaleDecimal": ("struct", "numeric", None),
    f"{DATA}Uuid": ("string", "uuid", "uuid"),
    f"{DATA}Json": ("string", "jsonb", "json"),
    f"{DATA}Xml": ("string", "xml", None),
    f"{DATA}Enum": ("string", "enum", "enum"),
    f"{DATA}EnumSet": ("string", None, "set"),
    f"{DATA}Ltree": ("string", "ltree", None),
    f"{DATA}Tsvector": ("string", "tsvector", None),
    f"{DATA}DoubleVector": ("array", "vector", "vector"),
    f"{DATA}FloatVector": ("array", "halfvec", "vector"),
    f"{DATA}SparseDoubleVector": ("struct", "sparsevec", None),
    f"{DATA}SparseVector": ("struct", "sparsevec", None),
    f"{DATA}geometry.Point": ("struct", "point", "point"),
    f"{DATA}geometry.Geometry": ("struct", "geometry", "geometry"),
    f"{DATA}geometry.Geography": ("struct", "geography", None),
    f"{DATA}geometry.Circle": ("struct", "circle", None),
    f"{DATA}geometry.Line": ("struct", "line", None),
}
READ_AS = {"smallint": "integer", "int": "integer", "bigint": "integer", "double": "number"}


def field_of(name: str | None, kind: str, **parameters) -> dict:
    named = {"name": name} if name else {}
    return {"field": "a", "type": kind, "optional": True, "parameters": parameters} | named


def propagated(kind: str, length=None, scale=None) -> dict:
    parts = {"type": kind, "length": length, "scale": scale}
    return {f"__debezium.source.column.{n}": str(v) for n, v in parts.items() if v is not None}


def settings_of(connector: str, *fields: dict) -> dict:
    columns = [
        Evidence(f"c{number}", field, set(), ()) for number, field in enumerate(fields, start=1)
    ]
    return proven(connector, columns, False).chosen(known.DEFAULTS)


def test_every_name_is_expected_here():
    assert NAMES.keys() == MEANINGS.keys()


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("connector", "at"), [("postgresql", 1), ("mysql", 2), ("mariadb", 2)])
def test_a_name_is_a_type_of_the_contract(name, connector, at):
    kind, wanted = NAMES[name][0], NAMES[name][at]
    column = declared(field_of(name, kind), connector)
    if wanted is None:
        assert column.is_guess and f"{name} has no type here" in column.remark
    else:
        assert (column.type, column.is_guess) == (wanted, False)
        assert known.parsed(column.type, connector)


@pytest.mark.parametrize(
    ("connector", "name"), [(of, name) for of, names in MEANINGS_OF.items() for name in names]
)
def test_a_name_of_one_connector_is_a_type_that_is_written_so(connector, name):
    """Without a size, nanoseconds would be taken for a mode that the connector does not have."""
    kind = NAMES[name][0]
    column = declared(field_of(name, kind), connector)
    assert not column.is_guess
    decoder = known.MACROS.decoder(
        column.type, known._contract(connector) | {"settings": known.DEFAULTS}
    )
    names = decoder.get("schema_names") or f"'{name}'"
    assert f"'{name}'" in names
    chosen = settings_of(connector, field_of(name, kind))
    assert "time_precision_mode" not in chosen


@pytest.mark.parametrize("connector", ["postgresql", "mysql"])
@pytest.mark.parametrize("name", [name for name, meaning in MEANINGS.items() if meaning.modes])
def test_the_macros_read_what_a_name_is_written_as_under_its_modes(name, connector):
    """Under every mode that the name does not prove, the type's decoder reads another kind of
    literal, or the same kind in another unit."""
    kind, *types = NAMES[name]
    wanted = types[connector != "postgresql"]
    if wanted is None:
        pytest.skip("not of this connector")
    meaning = MEANINGS[name]
    interval = {"interval_handling_mode": meaning.interval} if meaning.interval else {}
    for mode in meaning.modes:
        literal = known.literal(wanted, connector, {"time_precision_mode": mode} | interval)
        read = "struct" if literal.startswith("struct") else READ_AS.get(literal, literal)
        assert read == kind_of_literal(kind), mode


@pytest.mark.parametrize("kind", PLAIN)
@pytest.mark.parametrize("connector", [name for name in known.CONNECTORS if name != bson.CONNECTOR])
def test_a_type_of_connect_is_a_type_of_the_contract(kind, connector):
    column = declared(field_of(None, kind), connector)
    assert known.parsed(column.type, connector)
    assert column.is_guess == (kind == "map" and connector != "postgresql")


@pytest.mark.parametrize(
    ("field", "kind", "is_guess"),
    [
        (
            field_of(
                f"{CONNECT}Decimal", "bytes", **{"scale": "30", "connect.decimal.precision": "50"}
            ),
            "numeric(50,30)",
            False,
        ),
        (field_of(f"{CONNECT}Decimal", "bytes", scale="2"), "money", True),
        (field_of(f"{DATA}Bits", "bytes", length="9"), "bit(9)", True),
        (field_of(f"{DATA}Bits", "bytes", length="2147483647"), "varbit", False),
        ({"type": "array", "items": {"type": "int32", "optional": True}}, "int[]", False),
        ({"type": "array", "items": {"type": "int32", "name": f"{TIME}Date"}}, "date[]", False),
        ({"type": "array", "items": {"type": "string", "name": "com.acme.X"}}, "text[]", True),
        ({"type": "array", "items": {"type": "array", "items": {"type": "int32"}}}, "text", True),
        (field_of("com.acme.Celsius", "double"), "double precision", True),
        (field_of("com.acme.Pair", "struct"), "text", True),
        (field_of(f"{TIME}NanoDuration", "int64"), "bigint", True),
    ],
)
def test_a_field_of_the_schema_block(field, kind, is_guess):
    column = declared({"field": "a", "optional": True} | field, "postgresql")
    assert (column.type, column.is_guess) == (kind, is_guess)


@pytest.mark.parametrize(
    ("connector", "names", "found"),
    [
        ("postgresql", ["Date"], {}),
        ("postgresql", ["Date", "Time", "MicroTime", "Timestamp", "MicroTimestamp"], {}),
        ("postgresql", ["MicroTime", "MicroTimestamp"], {}),  # the default of fine columns
        ("mysql", ["Date", "MicroTime", "Timestamp"], {}),  # the default of MySQL's
        ("postgresql", ["NanoTimestamp", "Date"], {"time_precision_mode": "nanoseconds"}),
        ("mysql", ["IsoTime", "ZonedTimestamp"], {"time_precision_mode": "isostring"}),
        ("mysql", ["StructuredDuration"], {"time_precision_mode": "structured"}),
        ("postgresql", ["StructuredZonedTime"], {"time_precision_mode": "structured"}),
        ("postgresql", ["Interval"], {"interval_handling_mode": "string"}),
        ("postgresql", ["MicroDuration"], {}),
    ],
)
def test_names_prove_the_mode_of_times(connector, names, found):
    fields = [field_of(TIME + name, NAMES[TIME + name][0]) for name in names]
    assert settings_of(connector, *fields) == found


@pytest.mark.parametrize("mode", TIME_MODES)
def test_each_mode_of_times_is_told_from_some_names(mode):
    """Those of a date, a fine and a coarse time, as TemporalPrecisionMode builds them."""
    written = {
        "adaptive": ["Date", "Time", "MicroTime"],
        "adaptive_time_microseconds": ["Date", "MicroTime", "Timestamp"],
        "microseconds": ["Date", "MicroTime", "MicroTimestamp"],
        "nanoseconds": ["Date", "NanoTime", "NanoTimestamp"],
        "connect": [f"../{CONNECT}Date", f"../{CONNECT}Time"],
        "isostring": ["IsoDate", "IsoTime"],
        "structured": ["StructuredDate", "StructuredTime"],
    }[mode]
    # The source's type distinguishes a coarse column from a fine one.
    fields = []
    for name in written:
        name = name.removeprefix("../") if "/" in name else TIME + name
        kind = "TIMESTAMP" if "Timestamp" in name else "DATE" if name.endswith("Date") else "TIME"
        is_fine = name.endswith("MicroTime") and mode == "adaptive"
        digits = {} if kind == "DATE" else propagated(kind, 12, 6 if is_fine else 3)
        fields.append(field_of(name, NAMES[name][0], **digits))
    assert settings_of("postgresql", *fields).get("time_precision_mode", "adaptive") == mode


def test_names_that_contradict_each_other_prove_nothing_and_are_said():
    columns = [
        Evidence("a", field_of(f"{TIME}Date", "int32"), set(), ()),
        Evidence("b", field_of(f"{CONNECT}Timestamp", "int64"), set(), ()),
    ]
    proof = proven("postgresql", columns, False)
    assert "time_precision_mode" not in proof.fits
    (said,) = proof.said
    assert "time_precision_mode is not the same" in said
    assert "b: connect" in said and "a: adaptive or" in said
    more = [Evidence(f"c{n}", columns[0].field, set(), ()) for n in range(1000)]
    assert len(proven("postgresql", columns + more, False).said[0]) < 500


def test_what_stands_in_the_contract_stays_while_it_fits():
    columns = [Evidence("a", field_of(f"{TIME}MicroTimestamp", "int64"), set(), ())]
    proof = proven("postgresql", columns, False)
    assert proof.chosen({"time_precision_mode": "microseconds"}) == {}
    assert proof.chosen({"time_precision_mode": "connect"}) == {"time_precision_mode": "adaptive"}


DECIMAL = {"scale": "2", "connect.decimal.precision": "12"}
WHOLE = {"scale": "0", "connect.decimal.precision": "20"}


@pytest.mark.parametrize(
    ("connector", "fields", "found"),
    [
        ("postgresql", [field_of(f"{CONNECT}Decimal", "bytes", **DECIMAL)], {}),
        (
            "postgresql",
            [field_of(f"{CONNECT}Decimal", "bytes", scale="4")],
            {"money_fraction_digits": 4},
        ),
        (
            "postgresql",
            [field_of(None, "string", **propagated("NUMERIC", 12, 2))],
            {"decimal_handling_mode": "string"},
        ),
        (
            "mysql",
            [field_of(None, "double", **propagated("DECIMAL", 12, 2))],
            {"decimal_handling_mode": "double"},
        ),
        # 20 digits and no other decimal: those of a bigint unsigned
        (
            "mysql",
            [field_of(f"{CONNECT}Decimal", "bytes", **WHOLE)],
            {"bigint_unsigned_handling_mode": "precise"},
        ),
        (
            "mysql",
            [
                field_of(f"{CONNECT}Decimal", "bytes", **WHOLE),
                field_of(f"{CONNECT}Decimal", "bytes", **DECIMAL),
            ],
            {},
        ),
        ("mysql", [field_of(None, "int64", **propagated("BIGINT UNSIGNED"))], {}),
        (
            "mysql",
            [
                field_of(f"{CONNECT}Decimal", "bytes", **WHOLE, **propagated("BIGINT UNSIGNED")),
                field_of(None, "string", **propagated("DECIMAL", 20, 0)),
            ],
            {"decimal_handling_mode": "string", "bigint_unsigned_handling_mode": "precise"},
        ),
    ],
)
def test_decimals_prove_how_numbers_are_written(connector, fields, found):
    assert settings_of(connector, *fields) == found


@pytest.mark.parametrize(
    ("texts", "mode"),
    [
        (["00ff10", ""], "hex"),
        (["AP8Q"], "base64"),
        (["AP8Q", "-_-_"], "base64-url-safe"),
        (["00ff10", "__debezium_unavailable_value"], "hex"),
    ],
)
def test_the_texts_of_bytes_tell_how_they_are_written(tmp_path, texts, mode):
    block = {"name": "pg1", "db": "shop", "schema": "shop", "table": "t", "connector": "postgresql"}
    after = {"field": "after", "fields": [field_of(None, "string", **propagated("BYTEA"))]}
    records = [
        (
            "pg1.shop.t",
            b'{"id": 1}',
            json.dumps(
                {
                    "schema": {"fields": [after]},
                    "payload": {"op": "c", "source": block, "before": None, "after": {"a": text}},
                }
            ).encode(),
        )
        for text in texts
    ]
    said = scaffold(tmp_path, records, "landing.events")
    source = yaml.safe_load((tmp_path / "models/staging/shop/_shop__sources.yml").read_text())
    over = source["sources"][0]
    assert over["config"]["meta"]["cdc"]["settings"] == {"binary_handling_mode": mode}
    assert over["tables"][0]["config"]["meta"]["cdc"]["columns"] == {
        "a": "bytea",
        "id": "bigint",
    }
    assert any(f"binary_handling_mode {mode} is a guess" in line for line in said)


def test_decimals_written_as_numbers():
    column = Evidence("a", field_of(f"{CONNECT}Decimal", "bytes", **DECIMAL), {"bigint"}, ())
    found = proven("postgresql", [column], False).chosen(known.DEFAULTS)
    assert found == {"decimal_format": "NUMERIC"}


@pytest.mark.parametrize(
    ("connector", "kind", "length", "scale", "sent", "wanted"),
    [
        # as in the connector's own tests
        ("mysql", "INT", None, None, (None, "int32"), "int"),
        ("mysql", "MEDIUMINT", None, None, (None, "int32"), "mediumint"),
        ("mysql", "NUMERIC", 5, 2, (f"{CONNECT}Decimal", "bytes"), "decimal(5,2)"),
        ("mysql", "VARCHAR", 128, None, (None, "string"), "varchar(128)"),
        ("mysql", "FLOAT", 10, None, (None, "float"), "float(10)"),
        ("mysql", "FLOAT", 8, 4, (None, "double"), "float(8,4)"),
        ("mysql", "ENUM", 1, None, (f"{DATA}Enum", "string"), "enum"),
        ("mysql", "TINYINT", 1, None, (None, "int16"), "tinyint(1)"),
        ("mysql", "TINYINT", 1, None, (None, "boolean"), "tinyint(1)"),
        ("mysql", "BIGINT UNSIGNED", 20, None, (None, "int64"), "bigint unsigned"),
        ("mysql", "INT UNSIGNED ZEROFILL", 10, None, (None, "int64"), "int unsigned"),
        ("mysql", "DATETIME", 6, None, (f"{TIME}MicroTimestamp", "int64"), "datetime(6)"),
        ("mysql", "DATETIME", None, None, (f"{TIME}Timestamp", "int64"), "datetime"),
        ("mariadb", "TIME", 3, None, (f"{TIME}MicroTime", "int64"), "time(3)"),
        ("mysql", "VARBINARY", 8, None, (None, "bytes"), "varbinary(8)"),
        ("mysql", "VECTOR", 3, None, (f"{DATA}FloatVector", "array"), "vector(3)"),
        ("postgresql", "VECTOR", 3, 0, (f"{DATA}DoubleVector", "array"), "vector(3)"),
        ("postgresql", "NUMERIC", 10, 2046, (f"{CONNECT}Decimal", "bytes"), "numeric(10,-2)"),
    ],
)
def test_types_that_the_source_tells(connector, kind, length, scale, sent, wanted):
    column = declared(field_of(*sent, **propagated(kind, length, scale)), connector)
    assert (column.type, column.is_guess, column.remark) == (wanted, False, "")


def test_a_source_type_is_not_taken_for_what_a_converter_made_of_it():
    told = propagated("DATE", 13, 0)
    column = declared(field_of(None, "string", **told), "postgresql")
    assert column.type == "text" and column.remark == "source type date, sent as string"
    column = declared(field_of("com.acme.Day", "int32", **told), "postgresql")
    assert (column.type, column.is_guess, column.foreign) == ("int", True, "com.acme.Day")


# The types with which tests/live/scripts/source_types.sql made the table; a contract has the same
# type for serial and int, and no names of enums and domains.
SOURCE_TYPES = yaml.safe_load("""
  {id: bigint, s: int, b: boolean, bit1: bit(1), bit9: bit(9), vb: varbit(12), vb_any: varbit,
   i2: smallint, i4: int, i8: bigint, o: oid, f4: real, f8: double precision, n: numeric,
   n102: "numeric(10,2)", n5030: "numeric(50,30)", m: money, c: char(5), vc: varchar(40),
   vc_any: varchar, t: text, ct: citext, nm: name, by: bytea, d: date, tm: time, tm3: time(3),
   tmtz: timetz, tmtz3: timetz(3), ts: timestamp, ts0: timestamp(0), ts3: timestamp(3),
   tstz: timestamptz, tstz3: timestamptz(3), iv: interval, iv3: interval(3), js: json, jsb: jsonb,
   x: xml, u: uuid, hs: hstore, lt: ltree, ip: inet, cd: cidr, mac: macaddr, mac8: macaddr8,
   tsv: tsvector, ir: int4range, nr: numrange, tr: tsrange, tzr: tstzrange, dr: daterange,
   pt: point, geo: geometry, geog: geography, md: enum, amount: text, ia: "int[]", ta: "text[]",
   vca: "varchar(20)[]", na: "numeric(10,2)[]", da: "date[]", ts3a: "timestamp(3)[]",
   mda: "enum[]", Mixed_Case: text}
""")


def test_every_type_that_a_real_connector_told(tmp_path):
    """Two records of a capture of tests/live/scripts/source_types.sql: one of the snapshot, one of
    the stream, which name some types differently."""
    sample = list(records_of_files([SAMPLES / "source_types.jsonl.gz"]))
    for records in (sample, sample[:1], sample[1:]):
        said = scaffold(tmp_path, records, "landing.events", force=True)
        path = tmp_path / "models/staging/shop/_shop__sources.yml"
        source = yaml.safe_load(path.read_text())["sources"][0]
        assert contract_faults(source) == []
        assert source["tables"][0]["config"]["meta"]["cdc"]["columns"] == SOURCE_TYPES
        settings = source["config"]["meta"]["cdc"]["settings"]
        assert settings == {"decimal_handling_mode": "string"}
        assert not any("guess" in line for line in said)
        text = path.read_text()
        assert "Mixed_Case: text  # the source calls it Mixed-Case" in text
        assert all(
            re.search(rf"{name} +# source type", text) for name in ("amount: text", "md: enum")
        )


def test_names_of_ones_own_are_reported(tmp_path):
    block = {"name": "pg1", "db": "shop", "schema": "shop", "table": "t", "connector": "postgresql"}
    fields = [field_of("com.acme.Celsius", "double") | {"field": name} for name in ("a", "b")]
    value = {
        "schema": {"fields": [{"field": "after", "fields": fields}]},
        "payload": {"op": "c", "source": block, "before": None, "after": {"a": 1.5, "b": 2}},
    }
    record = ("pg1.shop.t", b'{"a": 1}', json.dumps(value).encode())
    said = scaffold(tmp_path, [record], "landing.events")
    assert any("type com.acme.Celsius of a, b is not one of Debezium's" in line for line in said)
    text = (tmp_path / "models/staging/shop/_shop__sources.yml").read_text()
    assert "a: double precision  # guess: com.acme.Celsius has no type here" in text


# Types that no schema block carries, so that a contract made from it differs from the one in
# tests/truth: the type there → the type found. The Spark type is the same, or text if a setting
# turned the value into text.
UNTOLD = yaml.safe_load("""
postgresql:
  {char: text, varchar: text, citext: text, inet: text, cidr: text, macaddr: text, int4range: text,
   numrange: text, tsrange: text, tstzrange: text, daterange: text, json: jsonb, hstore: jsonb,
   oid: bigint, bit(1): boolean, varbit(12): bit(12), timestamp(0): timestamp(3)}
mysql:  # under time.precision.mode connect all times come in milliseconds
  {char: text, varchar: text, tinyint: smallint, tinyint unsigned: smallint,
   smallint unsigned: int, mediumint unsigned: int, int unsigned: bigint, bit(1): boolean,
   datetime: datetime(3), time: time(3), timestamp(6): timestamp, timestamp(3): timestamp}
""")
# Modes that turn a type into a plain one: capture → type → found.
TURNED = {
    "long-values-hex": {"numeric": "double precision", "bytea": "text"},
}
NOT_PROVEN = {
    "mysql9-schema": {"decimal_handling_mode", "binary_handling_mode"},
    "long-values-hex": {"decimal_handling_mode", "binary_handling_mode"},
}


# Captures with the connector's own schema changes, which carry each type as the database has it.
SCHEMA_CHANGES = {"mysql9-schema"}


def untold(name: str, kind: str, connector: str) -> str:
    """The type that is found for a contract's type."""
    array = "[]" if kind.endswith("[]") else ""
    parsed = known.parsed(kind, connector)
    base = parsed["name"] + (" unsigned" if parsed["is_unsigned"] else "")
    arguments = ",".join(map(str, parsed["arguments"]))
    whole = f"{base}({arguments})" if arguments else base
    for table in (TURNED.get(name, {}), UNTOLD[connector]):
        for text in (whole, base):
            if text in table:
                return table[text] + array
    return kind


def same_types(left: dict[str, str], right: dict[str, str], connector: str) -> bool:
    def parts(columns):
        return {
            name: {
                key: part for key, part in known.parsed(kind, connector).items() if key != "text"
            }
            for name, kind in columns.items()
        }

    return parts(left) == parts(right)


WITH_SCHEMA_BLOCK = {
    *("shop-schema", "long-values-hex", "pg-inventory-with-schema", "mysql9-schema"),
    "pg-cloudevents",
}


@pytest.mark.parametrize("name", sorted(WITH_SCHEMA_BLOCK))
def test_contracts_of_captures_with_a_schema_block(tmp_path, name):
    capture = captures()[name]
    spec = yaml.safe_load((TRUTH / f"{capture.name}.yml").read_text())
    records = records_of_files([capture.folder / "events.jsonl.gz"])
    scaffold(tmp_path, records, "landing.events", source="s")
    source = yaml.safe_load((tmp_path / "models/staging/s/_s__sources.yml").read_text())
    source = source["sources"][0]
    assert contract_faults(source) == []
    over = source["config"]["meta"]["cdc"]
    connector = spec.get("connector", "postgresql")
    assert over["connector"] == connector
    assert over["format"] == (spec.get("contract") or {}).get("format", "debezium_json")
    unproven = NOT_PROVEN.get(capture.name, set())
    settings = {n: v for n, v in (spec.get("settings") or {}).items() if n not in unproven}
    there = known.DEFAULTS | over.get("settings", {})
    assert there | settings == there
    found = {}
    for table in source["tables"]:
        contract = table["config"]["meta"]["cdc"]
        found[contract["topic"]] = contract
    for title, table in spec["tables"].items():
        contract = found[table["topic"]]
        assert contract["key"] == table["key"], title
        identities = [each.get("replica_identity", "default") for each in (contract, table)]
        assert identities[0] == identities[1], title
        declared_types = {
            column: (spec.get("types") or {}).get(kind, kind)
            if capture.name in SCHEMA_CHANGES
            else untold(capture.name, (spec.get("types") or {}).get(kind, kind), connector)
            for column, kind in table["columns"].items()
        }
        types = {n: kind for n, kind in contract["columns"].items() if n in declared_types}
        assert same_types(types, declared_types, connector), title
        more = contract["columns"].keys() - declared_types.keys()
        # columns dropped on the way, and the one the spec leaves out
        assert more <= {*table.get("former_columns", ()), "geo"}, title


def test_every_capture_with_a_schema_block_is_compared():
    found = {
        name
        for name, capture in captures().items()
        if (path := capture.folder / "connector.properties").exists()
        and "converter.schemas.enable=true" in path.read_text().splitlines()
    }
    assert found <= WITH_SCHEMA_BLOCK and "shop-schema" in found

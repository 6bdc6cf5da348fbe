"""What a writer's schema declares for a column: rows alone, images in envelopes, arrays, unions."""

import json

import pytest

from afterimage.macros import Macros
from tests.truth.captures import captures
from tests.types.cells import decoder, default_settings

NUMBER = {"type": "bytes", "logicalType": "decimal", "precision": 9, "scale": 4}
OF_CONNECT = {
    "type": "bytes",
    "connect.name": "org.apache.kafka.connect.data.Decimal",
    "connect.parameters": {"scale": "4", "connect.decimal.precision": "9"},
}
MILLIS = {"type": "long", "connect.name": "io.debezium.time.Timestamp"}
MICROS = "array('io.debezium.time.MicroTimestamp')"


def fromjson(text: str, default=None):
    return json.loads(text)


@pytest.fixture(scope="module")
def told():
    macros = Macros(fromjson=fromjson)

    def told(type_, form="debezium_json", of="value", **decoder) -> dict:
        row = {"type": "record", "name": "Value", "fields": [{"name": "v", "type": type_}]}
        schema = row
        if form != "unwrapped":
            before = {"name": "before", "type": ["null", row]}
            schema = {
                "type": "record",
                "name": "E",
                "fields": [before, {"name": "op", "type": "x"}],
            }
        schemas = [
            {"id": "7", "of": of, "schema": json.dumps(schema)},
            {"id": "8", "of": "value", "schema": '"string"'},
        ]
        return macros.declared_in_avro({"field": "v", "decoder": decoder}, schemas, form)

    return told


@pytest.mark.parametrize("form", ["debezium_json", "unwrapped", "cloudevents"])
@pytest.mark.parametrize(
    "type_",
    [
        NUMBER,
        OF_CONNECT,
        ["null", NUMBER],
        [NUMBER, "null"],
        {"type": "array", "items": ["null", OF_CONNECT]},
    ],
)
def test_the_scale_of_a_decimal(told, form, type_):
    other = {"scale": "case writer_schema when '7' then 4 end", "unit": None, "type": None}
    assert told(type_, form, scale=2) == other
    assert told(type_, form, scale="(case when position < '5' then 2 else 4 end)") == other
    assert told(type_, form, scale=4) == dict.fromkeys(("scale", "unit", "type"))
    assert told(type_, form) == dict.fromkeys(("scale", "unit", "type"))


def test_the_unit_of_a_time(told):
    found = told(["null", MILLIS], schema_names=MICROS)
    assert found == {
        "scale": None,
        "unit": "case writer_schema when '7' then 'io.debezium.time.Timestamp' end",
        "type": None,
    }
    same = {**MILLIS, "connect.name": "io.debezium.time.MicroTimestamp"}
    assert told(same, schema_names=MICROS)["unit"] is None
    of_another_kind = {**MILLIS, "connect.name": "shop.Moment"}
    assert told(of_another_kind, schema_names=MICROS)["unit"] is None


@pytest.mark.parametrize(
    "type_",
    [
        {**NUMBER, "scale": 2046, "precision": 3},  # numeric(3,-2), as the connector has it
        "bytes",
        ["null", "bytes"],
        "io.debezium.data.VariableScaleDecimal",
    ],
)
def test_what_is_not_told(told, type_):
    assert told(type_, scale=2)["scale"] is None


@pytest.mark.parametrize("form", ["debezium_json", "unwrapped", "cloudevents"])
@pytest.mark.parametrize("within", [lambda t: t, lambda t: {"type": "array", "items": t}])
def test_whether_bytes_are_text(told, form, within):
    in_text = {"type": "string", "connect.version": 1}
    as_text = "case writer_schema when '7' then 'string' end"
    as_bytes = "case writer_schema when '7' then 'bytes' end"
    for text in ("string", in_text, ["null", "string"], [in_text, "null"]):
        assert told(within(text), form, in_bytes=True)["type"] == as_text
        assert told(within(text), form, in_hex=True)["type"] is None
    for octets in ("bytes", ["null", "bytes"], {"type": "bytes"}):
        assert told(within(octets), form, in_bytes=True)["type"] is None
        assert told(within(octets), form, in_hex=True)["type"] == as_bytes
    assert told(within("string"), form)["type"] is None


def test_a_schema_of_keys_says_nothing_of_rows(told):
    assert told(NUMBER, of="key", scale=2)["scale"] is None


@pytest.mark.parametrize("name", ["pg-avro", "pg-avro-apicurio8", "pg-avro-headers"])
def test_schemas_of_captures_tell_nothing_else(name):
    """What connectors wrote fits the contracts of their captures, so nothing needs to be
    compared."""
    capture = captures()[name]
    macros, spec = Macros(fromjson=fromjson), capture.spec
    settings = default_settings() | {
        name: value for name, value in spec.settings.items() if name in default_settings()
    }
    others = set()
    for table in spec.tables.values():
        mine = [
            {"id": str(entry["id"]), "of": "value", "schema": json.dumps(entry["schema"])}
            for entry in capture.schemas
            if entry["subject"].startswith(f"{table.topics[0]}-value")
        ]
        assert mine
        for column, kind in table.columns.items():
            told = decoder(spec.connector, kind.declared, settings)
            found = macros.declared_in_avro(
                {"field": column, "decoder": told}, mine, "debezium_json"
            )
            assert found == dict.fromkeys(("scale", "unit", "type")), column
            other = {"scale": 99, "schema_names": "array('io.debezium.time.Time')"}
            told = macros.declared_in_avro(
                {"field": column, "decoder": other}, mine, "debezium_json"
            )
            others |= {(column, what) for what, sql in told.items() if sql}
    assert {("price", "scale"), ("created", "unit"), ("d", "unit")} <= others

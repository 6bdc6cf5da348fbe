"""Invalid tables of schemas, reported before Spark reads them."""

import json

import fastavro
import pytest

from afterimage.macros import Macros
from afterimage.schemas import entries_of_files
from tests.cli.test_schemas import EXPORT

SQL = Macros()


def record(name: str, *types, **more) -> dict:
    fields = [{"name": f"f{n}", "type": type_} for n, type_ in enumerate(types)]
    return {"type": "record", "name": name, "fields": fields} | more


ROW = record("Value", "long", ["null", "string"])
GOOD = [
    "string",
    {"type": "long", "logicalType": "timestamp-millis"},
    ["null", "int"],
    {"type": "enum", "name": "e", "symbols": ["a"]},
    {"type": "fixed", "name": "f", "size": 4},
    {"type": "array", "items": {"type": "map", "values": "bytes"}},
    record("E", ["null", ROW], ["null", "Value"], namespace="shop"),
    # a record of the same short name elsewhere is another
    record("a.Value", record("b.Value", "int")),
]
SELVES = [
    record("Node", ["null", "Node"]),
    record("Node", ["null", "shop.Node"], namespace="shop"),
    record("shop.Node", {"type": "array", "items": "Node"}),
    record("Node", record("Leaf", {"type": "map", "values": "Node"})),
]
NONE = [
    {"type": "object", "properties": {}},
    {"properties": {}},
    {},
    5,
    "object",
    {"type": "record", "name": "r"},
    {"type": "record", "fields": []},
    {"type": "array"},
    ["null", {"type": "object"}],
]


@pytest.mark.parametrize("schema", GOOD, ids=str)
def test_avro(schema):
    fastavro.parse_schema(schema)
    assert SQL.avro_fault(schema) is None


@pytest.mark.parametrize("schema", SELVES, ids=str)
def test_a_record_within_itself(schema):
    fastavro.parse_schema(schema)
    assert "names itself within" in SQL.avro_fault(schema)


@pytest.mark.parametrize("schema", NONE, ids=str)
def test_no_avro(schema):
    assert "is no Avro schema" in SQL.avro_fault(schema)


def test_the_schemas_of_a_real_registry_are_avro():
    found = [json.loads(entry.schema) for entry in entries_of_files([EXPORT])]
    assert [SQL.avro_fault(schema) for schema in found] == [None] * 7

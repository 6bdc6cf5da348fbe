"""Each literal of tests/types, written in Avro as Kafka Connect's Avro converter writes the value,
becomes the JSON that its JSON converter would have written: the literal.

docs/reference/coverage.md states that the rest of the code is the same for values in Avro.
"""

import base64
import io
import json
import math
import re

import fastavro
import pytest

from afterimage.macros import Macros
from tests.types import cells as matrix
from tests.types.cells import CONNECTORS

# fields of Debezium's structs that are bytes: variable scale decimals, geometries
BYTES = ("value", "wkb")
SPECIAL = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}
# families whose texts may be sent as bytes, depending on the connector's settings
MAYBE_BYTES = {"binary", "bits", "numeric", "number", "integer", "lob_left_out", "hashed", "json"}


class NotInAvro(ValueError):  # noqa: N818
    """No converter writes such a value in Avro."""


def families_of(connector: str) -> list[str]:
    """Families of types with a literal written in Avro here."""
    return sorted({family for family, _, _ in written(connector)})


def written(connector: str) -> list[tuple[str, str, list[tuple]]]:
    """(family, literal, [(schema, value)]) for each that can be written."""
    found = {}
    families = matrix.families(connector)
    for cell in matrix.cells(connector):
        family = families[matrix.parsed(connector, cell.type)["name"]]
        try:
            found[family, cell.literal] = list(ways(json.loads(cell.literal), family))
        except NotInAvro:
            continue
    return [(*key, ways_) for key, ways_ in sorted(found.items())]


def ways(value, family: str):
    """Schemas and values in Avro that may produce a JSON value."""
    yield avro_of(value, family)
    if isinstance(value, str) and family in MAYBE_BYTES:
        yield from bytes_of(value)


def bytes_of(text: str):
    try:
        plain = base64.b64decode(text, validate=True)
    except ValueError:
        return
    if base64.b64encode(plain).decode() == text:
        yield "bytes", plain


def avro_of(value, family: str, name: str = "") -> tuple:
    """(schema, value) in Avro for a JSON value, by Connect's type for it."""
    if value is None:
        return ["null", "string"], None
    if isinstance(value, bool):
        return "boolean", value
    if isinstance(value, int):
        if abs(value) >= 1 << 63:
            raise NotInAvro(value)
        return "long", value
    if isinstance(value, float):
        return "double", value
    if isinstance(value, str):
        if family == "float" and value in SPECIAL:
            return "double", SPECIAL[value]
        if name in BYTES and (told := list(bytes_of(value))):
            return told[0]
        return "string", value
    if isinstance(value, list):
        items = [avro_of(item, family) for item in value if item is not None]
        if len({json.dumps(schema) for schema, _ in items}) > 1:
            raise NotInAvro(value)
        of = items[0][0] if items else "string"
        told = iter(items)
        return (
            {"type": "array", "items": ["null", of]},
            [None if item is None else next(told)[1] for item in value],
        )
    fields = {key: avro_of(item, family, key) for key, item in value.items()}
    if all(re.fullmatch("[A-Za-z_][A-Za-z0-9_]*", key) for key in fields):
        schema = {"type": "record", "name": f"Struct{name}"}
        schema["fields"] = [{"name": key, "type": of} for key, (of, _) in fields.items()]
        return schema, {key: told for key, (_, told) in fields.items()}
    if any(isinstance(item, dict | list) for item in value.values()):
        raise NotInAvro(value)
    return {"type": "map", "values": ["null", "string"]}, dict(value)


def body_of(schema, value) -> bytes:
    body = io.BytesIO()
    fastavro.schemaless_writer(body, fastavro.parse_schema(wrapped(schema), {}), {"v": value})
    return body.getvalue()


def wrapped(schema) -> dict:
    of = schema if isinstance(schema, list) else ["null", schema]
    return {"type": "record", "name": "Row", "fields": [{"name": "v", "type": of}]}


@pytest.mark.shows("Avro, Confluent", types=families_of, system="connector")
@pytest.mark.parametrize("connector", CONNECTORS)
def test_avro_becomes_the_json_of_the_literal(spark, connector, compared):
    records, expected = [], []
    schemas: dict[str, int] = {}
    for family, literal, ways_ in written(connector):
        for schema, value in ways_:
            number = schemas.setdefault(json.dumps(wrapped(schema)), len(schemas))
            records.append(f"({len(records)}, {number}, unhex('{body_of(schema, value).hex()}'))")
            expected.append((family, literal))
    macros = Macros(
        fromjson=json.loads,
        tojson=json.dumps,
    )
    branches = "\n".join(
        f"when {number} then {macros.avro_json('body', schema)}"
        for schema, number in schemas.items()
    )
    rows = spark.sql(
        f"select number, case schema_id {branches} end as text"
        f" from values {', '.join(records)} as landed (number, schema_id, body)"
    ).collect()
    got = {row["number"]: row["text"] for row in rows}
    faults = [
        f"{connector} {family}: {literal} came as {got[number]}"
        for number, (family, literal) in enumerate(expected)
        if got[number] is None or not is_same(json.loads(got[number])["v"], json.loads(literal))
    ]
    assert not faults, "\n".join(faults)
    assert set(matrix.families(connector).values()) == set(families_of(connector))
    compared["literals of source types in Avro"] += len(expected)


def is_same(got, expected) -> bool:
    """Equal as JSON: a number is not a text, and true is not a number."""
    return json.dumps(got, sort_keys=True) == json.dumps(expected, sort_keys=True)

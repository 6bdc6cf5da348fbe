"""Avro container files: read in full or refused, each value as JSON has it."""

import io
import json
import math
from decimal import Decimal

import fastavro
import pytest

from afterimage.errors import UserError
from afterimage.readers import avro
from afterimage.readers.container import CODECS, texts

SCHEMA = {
    "type": "record",
    "name": "Row",
    "namespace": "shop",
    "fields": [
        {
            "name": "amount",
            "type": [
                "null",
                {"type": "bytes", "logicalType": "decimal", "precision": 9, "scale": 2},
            ],
            "default": None,
        },
        {"name": "at", "type": {"type": "long", "logicalType": "timestamp-micros"}},
        {
            "name": "any",
            "type": [
                "null",
                "string",
                "long",
                "boolean",
                {"type": "record", "name": "A", "fields": [{"name": "n", "type": "float"}]},
                {"type": "record", "name": "B", "fields": [{"name": "n", "type": "double"}]},
            ],
        },
        {"name": "more", "type": {"type": "map", "values": "shop.A"}},
    ],
}


def row(**fields) -> dict:
    return {"amount": None, "at": 1, "any": None, "more": {}} | fields


def container(rows: list[dict], codec: str = "null", schema: dict = SCHEMA) -> bytes:
    """A file of several blocks."""
    file = io.BytesIO()
    fastavro.writer(file, fastavro.parse_schema(schema, {}), rows, codec=codec, sync_interval=900)
    return file.getvalue()


def read(data: bytes) -> list[dict]:
    return [json.loads(text) for text in texts(io.BytesIO(data))]


@pytest.mark.parametrize("codec", CODECS)
def test_values_are_those_of_a_json_converter(codec):
    rows = [
        row(amount=Decimal("1.25")),
        row(at=2**63 - 1, any="text"),
        row(any=7),
        row(any=True),
        row(any=("shop.A", {"n": 45.67})),
        row(any=("shop.B", {"n": math.nan}), more={"k": {"n": -math.inf}}),
    ]
    assert read(container(rows, codec)) == [
        row(amount="fQ=="),
        row(at=2**63 - 1, any="text"),
        row(any=7),
        row(any=True),
        row(any={"n": 45.67}),
        row(any={"n": "NaN"}, more={"k": {"n": "-Infinity"}}),
    ]


@pytest.mark.parametrize("codec", ["null", "xz"])
def test_a_file_cut_anywhere_but_between_blocks_is_refused(codec):
    # more than 63 records per block: their number has two bytes, and a file may end between these
    whole = container([row(at=number) for number in range(500)], codec)
    taken = []
    for end in range(len(whole)):
        try:
            taken.append(len(read(whole[:end])))
        except UserError as error:
            assert "cut short" in str(error) or "not an Avro container file" in str(error)
    # nothing shows that blocks are missing after a complete one
    assert len(taken) == len(set(taken)) < 20


def test_what_is_refused_says_why():
    good = container([row()])
    with pytest.raises(UserError, match="damaged or cut short after record 1"):
        read(good + b"x")
    with pytest.raises(UserError, match="does not begin with Obj"):
        read(b"Obk\x01" + good[4:])
    alike = {**SCHEMA, "fields": [{"name": "n", "type": ["int", "long"]}]}
    with pytest.raises(UserError, match="two types that look alike: long"):
        read(container([{"n": 1}], schema=alike))


def test_records_are_known_by_their_number():
    records = list(avro.read(io.BytesIO(container([row(), row(any=1)])), topic="t"))
    assert [(r.topic, r.line, r.partition, r.offset) for r in records] == [
        ("t", 1, None, None),
        ("t", 2, None, None),
    ]

"""`afterimage scaffold` over records in Avro: their schemas replace a schema block."""

import base64
import io
import json

import fastavro
import pytest
import yaml
from click.testing import CliRunner
from tests.truth.captures import shared_folder

from afterimage.cli import main
from afterimage.errors import UserError
from afterimage.scaffold import records_of_files, scaffold
from afterimage.schemas import Entry, entries_of

DECIMAL = {
    "type": "bytes",
    "scale": 2,
    "precision": 9,
    "connect.name": "org.apache.kafka.connect.data.Decimal",
    "connect.parameters": {"scale": "2", "connect.decimal.precision": "9"},
    "logicalType": "decimal",
}
DAY = {"type": "int", "connect.name": "io.debezium.time.Date"}
SMALL = {"type": "int", "connect.type": "int16"}
ROW = {
    "type": "record",
    "name": "Value",
    "fields": [
        {"name": "id", "type": "long"},
        {"name": "amount", "type": ["null", DECIMAL], "default": None},
        {"name": "day", "type": ["null", DAY], "default": None},
        {"name": "small", "type": ["null", SMALL], "default": None},
        {"name": "tags", "type": ["null", {"type": "array", "items": ["null", "string"]}]},
    ],
}
SOURCE = {
    "type": "record",
    "name": "Source",
    "fields": [
        {"name": name, "type": "long" if name in ("lsn", "ts_ms") else "string"}
        for name in ("connector", "name", "db", "schema", "table", "snapshot", "lsn", "ts_ms")
    ],
}
ENVELOPE = {
    "type": "record",
    "name": "Envelope",
    "namespace": "t.p.orders",
    "fields": [
        {"name": "before", "type": ["null", ROW], "default": None},
        {"name": "after", "type": ["null", "Value"], "default": None},
        {"name": "source", "type": SOURCE},
        {"name": "op", "type": "string"},
    ],
}
KEY = {"type": "record", "name": "Key", "fields": [{"name": "id", "type": "long"}]}
ENTRIES = [
    Entry(1, "t.p.orders-key", "1", json.dumps(KEY)),
    Entry(2, "t.p.orders-value", "1", json.dumps(ENVELOPE)),
]
PLACE = {"connector": "postgresql", "name": "t", "db": "d", "schema": "p", "table": "orders"}
CHANGE = {
    "before": None,
    "after": {"id": 7, "amount": b"\x01\xf4", "day": 19782, "small": 3, "tags": ["a", None]},
    "source": PLACE | {"snapshot": "false", "lsn": 1, "ts_ms": 1},
    "op": "c",
}


def body(schema: dict, value: dict) -> bytes:
    plain = json.loads(json.dumps(schema).replace(', "logicalType": "decimal"', ""))
    written = io.BytesIO()
    fastavro.schemaless_writer(written, fastavro.parse_schema(plain, {}), value)
    return written.getvalue()


def record(framing: str, end: bytes = b"") -> tuple:
    key, value = body(KEY, {"id": 7}), body(ENVELOPE, CHANGE) + end
    if framing == "headers":
        ids = {"key": 1, "value": 2}
        headers = tuple((f"apicurio.{side}.globalId", n.to_bytes(8)) for side, n in ids.items())
        return ("t.p.orders", key, value, headers)
    width = {"confluent": 4, "apicurio": 8}[framing]
    frames = (b"\0" + number.to_bytes(width) + side for number, side in ((1, key), (2, value)))
    return ("t.p.orders", *frames)


def contract(root) -> dict:
    """The contract of a source's only table, including its source's."""
    [path] = root.glob("models/staging/*/_*__sources.yml")
    [source] = yaml.safe_load(path.read_text())["sources"]
    [table] = source["tables"]
    return source["config"]["meta"]["cdc"] | table["config"]["meta"]["cdc"]


@pytest.mark.parametrize("framing", ["confluent", "apicurio", "headers"])
def test_its_types_and_form_are_those_of_the_schema(tmp_path, framing):
    said = scaffold(tmp_path, [record(framing)], "raw.events", schemas=ENTRIES)
    made = contract(tmp_path)
    assert made["columns"] == {
        "id": "bigint",
        "amount": "numeric(9,2)",
        "day": "date",
        "small": "smallint",
        "tags": "text[]",
    }
    assert made["key"] == ["id"]
    assert made["avro_schemas"] == "raw.avro_schemas"
    assert made.get("avro_framing", "confluent") == framing
    assert any("`afterimage schemas … --into raw.avro_schemas`" in line for line in said)


@pytest.mark.parametrize("schemas", [(), ENTRIES[:1]], ids=["none", "not-that-of-the-value"])
@pytest.mark.parametrize("topics", [(), ("t.p.orders",)], ids=["all-topics", "one-topic"])
def test_schemas_that_are_missing_are_asked_for(tmp_path, schemas, topics):
    with pytest.raises(UserError, match="look like Avro: give the registry"):
        scaffold(tmp_path, [record("confluent")], "raw.events", schemas=schemas, topics=topics)
    assert not list(tmp_path.iterdir())


def test_a_damaged_record_is_counted(tmp_path):
    records = [record("confluent"), record("confluent", end=b"more")]
    said = scaffold(tmp_path, records, "raw.events", schemas=ENTRIES)
    assert "check t.p.orders: 1 record not in JSON" in said


def test_the_command_reads_schemas_from_several_places(tmp_path):
    (tmp_path / "dbt_project.yml").write_text("name: consumer\nprofile: consumer\n")
    topic, key, value = record("confluent")
    line = {"topic": topic, "partition": 0, "offset": 0, "timestamp": 0}
    line |= {"key": base64.b64encode(key).decode(), "value": base64.b64encode(value).decode()}
    events = tmp_path / "events.jsonl"
    events.write_text(json.dumps(line) + "\n")
    files = [tmp_path / f"{entry.subject}.{entry.id}.avsc" for entry in ENTRIES]
    for file, entry in zip(files, ENTRIES, strict=True):
        file.write_text(entry.schema)

    def scaffolded(*places):
        command = ["scaffold", str(events), "--format", "jsonl-base64", "--all-topics"]
        for place in places:
            command += ["--schemas", str(place)]
        return CliRunner().invoke(main, [*command, "--project-dir", str(tmp_path)])

    lost = scaffolded(files[0], tmp_path / "nowhere")
    assert lost.exit_code == 1 and "no such file or folder" in lost.output
    done = scaffolded(*files)
    assert done.exit_code == 0, done.output
    assert contract(tmp_path)["columns"]["amount"] == "numeric(9,2)"


def test_a_place_where_nothing_is():
    with pytest.raises(UserError, match="no such file or folder: nowhere"):
        list(entries_of("nowhere"))


@pytest.mark.shared
@pytest.mark.parametrize("capture", ["pg-avro", "pg-avro-headers", "pg-avro-apicurio8"])
def test_a_captured_database(tmp_path, capture):
    """The types are those of its source.sql."""
    folder = shared_folder("captures") / capture
    records = records_of_files([folder / "events.jsonl.gz"], "jsonl-base64")
    schemas = list(entries_of(str(folder / "schemas.json")))
    customers = [each for each in records if each.topic.endswith(".customers")]
    scaffold(tmp_path, customers, "raw.events", schemas=schemas)
    assert contract(tmp_path)["columns"] == {
        "id": "bigint",
        "name": "text",
        "qty": "int",
        "price": "numeric(12,3)",
        "free": "numeric",
        "big": "text",
        "created": "timestamp",
        "seen": "timestamptz",
        "d": "date",
        "doc": "jsonb",
        "u": "uuid",
        "flags": "boolean",
        "raw": "bytea",
        "arr": "int[]",
        "added": "text",
    }

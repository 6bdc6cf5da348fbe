"""Records in Avro: each is read in full by the schema it names, or refused, next to text in one
topic (contract: `avro_schemas`, `avro_framing`). The captures in Avro run in test_truth.py."""

import base64
import io
import json
from decimal import Decimal

import fastavro
import pytest

from afterimage.land.files import land
from tests.functional.capture_project import land_schemas
from tests.functional.project import DbtFailed

TOPIC = "t.shop.orders"


def envelope(**columns) -> dict:
    """The schema of an envelope whose row has the columns: name -> Avro type."""
    fields = [{"name": name, "type": type_} for name, type_ in columns.items()]
    row = {"type": "record", "name": "Value", "fields": fields}
    source = {
        "type": "record",
        "name": "Source",
        "fields": [{"name": "lsn", "type": "long"}, {"name": "snapshot", "type": "string"}],
    }
    return {
        "type": "record",
        "name": "Envelope",
        "namespace": TOPIC,
        "fields": [
            {"name": "before", "type": ["null", row], "default": None},
            {"name": "after", "type": ["null", "Value"], "default": None},
            {"name": "source", "type": source},
            {"name": "op", "type": "string"},
        ],
    }


NUMBER = {"type": "bytes", "logicalType": "decimal", "precision": 9, "scale": 2}
FIRST = envelope(id="long", amount=["null", NUMBER])
LATER = envelope(
    id="long", amount=["null", NUMBER], note={"type": "string", "connect.default": "x"}
)
LATER["fields"][0]["type"][1]["fields"][2]["default"] = "x"
ANOTHER = envelope(id="string", amount=["null", "string"])


def entry(number: int, schema: dict, subject: str | None = TOPIC + "-value") -> dict:
    return {"id": number, "subject": subject, "schema": schema}


def frame(number: int, schema: dict, value: dict) -> bytes:
    """Confluent's: 0, the id in four bytes, the body."""
    body = io.BytesIO()
    fastavro.schemaless_writer(body, fastavro.parse_schema(schema, {}), value)
    return b"\0" + number.to_bytes(4, "big") + body.getvalue()


def change(offset: int, op: str = "c", **row) -> dict:
    source = {"lsn": 100 + offset, "snapshot": "false"}
    return {"before": None, "after": row, "source": source, "op": op}


def record(offset: int, value: bytes | dict | None, **more) -> dict:
    return {"topic": TOPIC, "partition": 0, "offset": offset, "value": value} | more


@pytest.fixture
def orders(make_project):
    """Makes a project of one table that reads Avro with the given schemas."""

    def make(name: str, schemas: list[dict], columns: dict | None = None, **contract):
        columns = columns or {"id": "bigint", "amount": "numeric(9,2)", "note": "text"}
        table = {"topic": TOPIC, "key": ["id"], "columns": columns}
        source = {"connector": "postgresql", "avro_schemas": f"{name}_landing.schemas"}
        project = make_project(
            name, source="s", source_contract=source | contract, tables={"orders": table}
        )
        land_schemas(project, schemas)
        return project

    return make


def test_each_record_is_read_with_its_own_schema(orders):
    """A column added later is absent before, not its default; text comes next to Avro."""
    project = orders("avro_own", [entry(1, FIRST), entry(2, LATER)])
    plain = change(2, id=3, amount="AfQ=", note="text")
    project.land(
        [
            record(0, frame(1, FIRST, change(0, id=1, amount=b"\x01\xf4"))),
            record(1, frame(2, LATER, change(1, id=2, amount=None, note="new"))),
            record(2, plain),
            record(3, None, key=b"\0\0\0\0\x09\x02"),
        ]
    )
    project.run("run")
    rows = {
        row["id"]: (str(row["amount"]), row["note"], row["_cdc_unknown"])
        for row in project.rows("cur_s__orders")
    }
    assert rows == {
        1: ("5.00", None, '["note"]'),
        2: ("None", "new", None),
        3: ("5.00", "text", None),
    }
    assert project.rows("dq_s__quarantine") == []


def test_what_cannot_be_read_is_refused_and_enters_when_its_schema_is_there(orders):
    good = frame(1, FIRST, change(0, id=1, amount=None))
    project = orders(
        "avro_refused", [entry(1, FIRST), entry(3, ANOTHER), entry(4, {"type": "string"})]
    )
    endless = b"\0\0\0\0\x03" + b"\x00\x02" + b"\xf0\xff\xff\xff\x0f" + b"x"
    project.land(
        [
            record(0, good),
            record(1, frame(7, LATER, change(1, id=2, amount=None, note="late schema"))),
            record(2, good[:-3]),
            record(3, good + b"\0"),
            record(4, b"\0\0\0\0\x03" + good[5:]),
            record(5, b"\0\0"),
            record(6, endless),
            record(7, b"\0\0\0\0\x04\x06abc"),
            record(8, b"\xff\xfe"),
        ]
    )
    project.run("run")
    refused = {
        row["offset"]: (row["reason"], row["detail"]) for row in project.rows("dq_s__quarantine")
    }
    assert refused == {
        1: ("unknown_schema", "schema: 7"),
        2: ("broken_avro", "schema: 1"),
        3: ("broken_avro", "schema: 1"),
        4: ("broken_avro", "schema: 3"),
        5: ("unknown_schema", "schema: 0"),
        6: ("broken_avro", "schema: 3"),
        7: ("broken_json", "begins without {, 5 bytes"),
        8: ("not_utf8", None),
    }
    raw = {row["offset"]: row["record_value"] for row in project.rows("dq_s__quarantine")}
    assert raw[5] == "base64:AAA="
    land_schemas(project, [entry(7, LATER)])
    project.run("run")
    assert sorted(row["id"] for row in project.rows("cur_s__orders")) == [1, 2]
    assert {row["offset"] for row in project.rows("dq_s__quarantine")} == {2, 3, 4, 5, 6, 7, 8}


def test_a_frame_cut_anywhere_is_refused(make_project):
    """For every framing, cut from no byte at all to all but the last: none is read as something
    else, and none is taken for a tombstone."""
    whole = frame(1, FIRST, change(0, id=1, amount=b"\x01\xf4"))[5:]
    framed = {
        "confluent": (b"\0" + (1).to_bytes(4, "big") + whole, {}),
        "apicurio": (b"\0" + (1).to_bytes(8, "big") + whole, {}),
        "headers": (whole, {"apicurio.value.globalId": (1).to_bytes(8, "big")}),
    }
    columns = {"id": "bigint", "amount": "numeric(9,2)"}
    tables = {
        name: {"topic": f"t.{name}", "key": ["id"], "columns": columns, "avro_framing": name}
        for name in framed
    }
    project = make_project(
        "avro_cut",
        source_contract={"connector": "postgresql", "avro_schemas": "avro_cut_landing.schemas"},
        tables=tables,
        layers={name: ["stg"] for name in tables},
    )
    land_schemas(project, [entry(1, FIRST, None)])
    for name, (value, headers) in framed.items():
        project.land(
            [
                record(end, value[:end], headers=headers, topic=f"t.{name}")
                for end in range(len(value) + 1)
            ]
        )
    project.land([record(900, whole, topic="t.headers")])  # no header, no id
    project.run("run")
    refused = {
        (row["topic"], row["offset"]): row["reason"] for row in project.rows("dq_s__quarantine")
    }
    assert refused.pop(("t.headers", 900)) == "not_utf8"  # read as text
    for name, (value, _) in framed.items():
        assert [row["id"] for row in project.rows(f"stg_s__{name}")] == [1]
        cuts = {offset: reason for (topic, offset), reason in refused.items() if topic[2:] == name}
        assert cuts.keys() == set(range(len(value)))
        of_no_id = [] if name == "headers" else [cuts.pop(0), cuts.pop(1)]
        assert set(of_no_id) <= {"broken_json"}
        assert set(cuts.values()) <= {"broken_avro", "unknown_schema"}


MICROS = ["null", {"type": "long", "connect.name": "io.debezium.time.MicroTimestamp"}]
MILLIS = ["null", {"type": "long", "connect.name": "io.debezium.time.Timestamp"}]
FINER = ["null", {**NUMBER, "scale": 4}]


def test_a_schema_that_is_not_the_contracts_is_seen(orders):
    """The same bytes with another meaning: another scale of a decimal is refused, another unit of a
    time is read as such. Or another table's schema, and no change at all."""
    key = {"type": "record", "name": "Key", "fields": [{"name": "id", "type": "long"}]}
    right = envelope(id="long", amount=["null", NUMBER], at=MICROS)
    finer = envelope(id="long", amount=FINER, at=MICROS)
    coarser = envelope(id="long", amount=["null", NUMBER], at=MILLIS)
    other = envelope(order_no="long", total=["null", NUMBER], at=MICROS)
    schemas = dict(enumerate((right, finer, coarser, other), 1))
    columns = {"id": "bigint", "amount": "numeric(9,2)", "at": "timestamp"}
    project = orders(
        "avro_other",
        [*(entry(number, schema) for number, schema in schemas.items()), entry(5, key, None)],
        columns,
    )
    five, moment = b"\x01\xf4", 1700000000000000
    project.land(
        [
            record(0, frame(1, right, change(0, id=1, amount=five, at=moment))),
            record(1, frame(2, finer, change(1, id=2, amount=b"\x00\xc3\x50", at=moment))),
            record(2, frame(3, coarser, change(2, id=3, amount=five, at=moment // 1000))),
            record(3, frame(4, other, change(3, order_no=4, total=five, at=moment))),
            record(4, frame(5, key, {"id": 5})),
        ]
    )
    project.run("run")
    refused = {
        row["offset"]: (row["reason"], row["detail"]) for row in project.rows("dq_s__quarantine")
    }
    assert refused == {
        1: (
            "value_does_not_fit",
            "amount: scale 4 in the schema of the record does not fit numeric(9,2)",
        ),
        3: ("missing_key", 'no value: id; fields of the row: ["order_no","total","at"]'),
        4: ("wrong_envelope", 'no op among its fields ["id"]'),
    }
    found = sorted((r["id"], str(r["amount"]), r["at"]) for r in project.rows("cur_s__orders"))
    assert [row[:2] for row in found] == [(1, "5.00"), (3, "5.00")]
    assert found[0][2] == found[1][2]
    table = project.tables["orders"]
    table["columns"] = columns | {"amount": "numeric(9,4)"}
    table["former_types"] = {"amount": {"00000000000000000101": "numeric(9,2)"}}
    project.write()
    project.run("run", "--full-refresh")
    rows = sorted((row["id"], str(row["amount"])) for row in project.rows("cur_s__orders"))
    assert rows == [(1, "5.0000"), (2, "5.0000")]


def test_a_schema_that_is_no_avro_is_said(orders):
    project = orders("avro_none", [entry(5, {"type": "object", "properties": {}})])
    project.land([record(0, change(0, id=1, amount="AfQ="))])
    with pytest.raises(DbtFailed, match=r"schema 5 \(.*\) is no Avro schema"):
        project.run("run")


def test_schemas_that_contradict_each_other_stop_the_run(orders):
    project = orders("avro_twice", [entry(1, FIRST), entry(1, LATER)])
    project.land([record(0, frame(1, FIRST, change(0, id=1, amount=None)))])
    with pytest.raises(DbtFailed, match=r"schema 1 .*appears twice with different content"):
        project.run("run")


def test_a_table_of_schemas_that_is_not_there_is_named(orders):
    project = orders("avro_without", [])
    project.spark.sql("drop table avro_without_landing.schemas")
    project.land([record(0, frame(1, FIRST, change(0, id=1, amount=None)))])
    with pytest.raises(DbtFailed, match=r"there is no table avro_without_landing\.schemas"):
        project.run("run")


def test_names_and_defaults_of_a_schema_are_data(orders):
    """Quotes, backslashes, ${} and Jinja within a schema end nothing and run nothing."""
    hostile = """it's "{{ 1/0 }}" \\ ${spark.master} ,"logicalType":"decimal" """
    schema = json.loads(json.dumps(FIRST))
    schema["doc"] = hostile
    schema["fields"].append({"name": "extra", "type": "string", "default": hostile})
    project = orders("avro_hostile", [entry(1, schema, None)])
    project.land([record(0, frame(1, schema, change(0, id=1, amount=None) | {"extra": hostile}))])
    project.run("run")
    assert [row["id"] for row in project.rows("cur_s__orders")] == [1]


@pytest.mark.parametrize("form", ["debezium_json", "unwrapped"])
def test_json_with_the_id_of_a_schema(form, make_project):
    """Apicurio's ExtJsonConverter (tested with 2.6.13): reading needs no schema."""
    more = {"add_fields": ["op"]} if form == "unwrapped" else {}
    project = make_project(
        f"avro_json_{form}",
        source_contract={"connector": "postgresql", "format": form, **more},
        tables={
            "orders": {
                "topic": TOPIC,
                "key": ["id"],
                "columns": {"id": "bigint", "amount": "numeric(9,2)", "note": "text"},
            }
        },
    )

    def value(payload: dict) -> str:
        return json.dumps({"schemaId": 8, "payload": payload}, separators=(",", ":"))

    row = {"id": 1, "amount": "AfQ=", "note": None}
    made = change(0, **row) if form == "debezium_json" else row | {"__op": "c"}
    key = value({"id": 2})
    gone = change(2, "d") | {"before": None, "after": None}
    project.land(
        [
            record(0, value(made)),
            record(1, value(change(1, id=2) if form == "debezium_json" else {"id": 2})),
            record(2, value(gone) if form == "debezium_json" else None, key=key),
        ]
    )
    project.run("run")
    assert [(r["id"], str(r["amount"])) for r in project.rows("cur_s__orders")] == [(1, "5.00")]
    assert project.rows("dq_s__quarantine") == []


@pytest.mark.parametrize("in_avro", [False, True], ids=["events-in-json", "events-in-avro"])
def test_data_of_cloud_events(in_avro, orders):
    """The data are a separate frame, as base64 in the event."""
    images = {**FIRST, "name": "Data", "fields": FIRST["fields"][:2]}
    finer = {**images, "fields": envelope(id="long", amount=FINER)["fields"][:2]}
    names = ("specversion", "id", "time", "datacontenttype", "iodebeziumop", "iodebeziumlsn")
    fields = [{"name": name, "type": "string"} for name in (*names, "iodebeziumsnapshot")]
    fields.append({"name": "data", "type": "bytes"})
    events = {"type": "record", "name": "CloudEvent", "fields": fields}

    def event(offset: int, data: bytes) -> bytes | dict:
        place = {"id": f"name:t;lsn:{offset};txId:1", "iodebeziumlsn": str(100 + offset)}
        told = {"specversion": "1.0", "time": "2023-11-14T22:13:20.120Z", "iodebeziumop": "c"}
        told |= {"datacontenttype": "application/avro", "iodebeziumsnapshot": "false"} | place
        if in_avro:
            return frame(2, events, told | {"data": data})
        return told | {"data": base64.b64encode(data).decode()}

    def row(number: int) -> bytes:
        return frame(1, images, {"before": None, "after": {"id": number, "amount": b"\x01\xf4"}})

    project = orders(
        f"avro_events_{in_avro}".lower(),
        [entry(1, images, TOPIC + "-data"), entry(2, events), entry(3, finer, None)],
        format="cloudevents",
    )
    no_frame = b"\0\0\0\0\x01\x07"
    project.land(
        [
            record(0, event(0, row(1))),
            record(1, event(1, b"\0\0\0\0\x09" + row(2)[5:])),
            record(2, event(2, no_frame)),
            record(3, event(3, row(4)[:-1])),
            record(4, event(4, b"\0\0\0\0\x03" + row(5)[5:])),
        ]
    )
    project.run("run")
    assert [(row["id"], str(row["amount"])) for row in project.rows("cur_s__orders")] == [
        (1, "5.00")
    ]
    refused = {
        row["offset"]: (row["reason"], row["detail"]) for row in project.rows("dq_s__quarantine")
    }
    assert refused == {
        1: ("unknown_schema", "schema: 9"),
        2: ("broken_avro", "schema: 1"),
        3: ("broken_avro", "schema: 1"),
        4: (
            "value_does_not_fit",
            "amount: scale 4 in the schema of the record does not fit numeric(9,2)",
        ),
    }


def test_a_key_in_avro_names_the_row_of_a_delete(orders):
    key = {
        "type": "record",
        "name": "Key",
        "namespace": TOPIC,
        "fields": [{"name": "id", "type": "long"}],
    }
    project = orders("avro_key", [entry(1, FIRST), entry(2, key, TOPIC + "-key")])
    gone = change(1, "d") | {"before": None, "after": None}
    project.land(
        [
            record(0, frame(1, FIRST, change(0, id=7, amount=None))),
            record(1, frame(1, FIRST, gone), key=frame(2, key, {"id": 7})),
        ]
    )
    project.run("run")
    assert project.rows("cur_s__orders") == []
    [version] = project.rows("hist_s__orders")
    assert version["_cdc_end_reason"] == "delete"


def test_a_delete_that_is_a_key_alone_waits_for_its_schema(orders):
    row = {"type": "record", "name": "Row", "namespace": TOPIC, "fields": []}
    row["fields"] = [{"name": "id", "type": "long"}, {"name": "__op", "type": "string"}]
    key = {"type": "record", "name": "Key", "namespace": TOPIC, "fields": row["fields"][:1]}
    project = orders("avro_tombstone", [entry(1, row)], format="unwrapped", add_fields=["op"])
    project.land(
        [
            record(0, frame(1, row, {"id": 7, "__op": "c"})),
            record(1, None, key=frame(2, key, {"id": 7})),
        ]
    )
    project.run("run")
    [refused] = project.rows("dq_s__quarantine")
    assert (refused["reason"], refused["detail"]) == ("unknown_schema", "schema: 2")
    land_schemas(project, [entry(2, key, TOPIC + "-key")])
    project.run("run")
    assert project.rows("dq_s__quarantine") == project.rows("cur_s__orders") == []


def test_container_files_of_a_sink(orders, tmp_path):
    """A file has one schema; files of both land in one topic, repeatedly, each once."""
    project = orders("avro_files", [])
    files = []
    for name, schema, changes in [
        ("orders+0+0000000000.avro", FIRST, [change(0, id=1, amount=Decimal("5.00"))]),
        ("orders+0+0000000001.avro", LATER, [change(1, id=2, amount=None, note="new")]),
    ]:
        file = tmp_path / name
        with file.open("wb") as stream:
            fastavro.writer(stream, fastavro.parse_schema(schema, {}), changes)
        files.append(file)
    land(project.spark, files[:1], project.landing, form="avro", topic=TOPIC)
    project.run("run")
    done = land(project.spark, files, project.landing, form="avro", topic=TOPIC)
    assert (done.landed, done.present) == (1, 1)
    project.run("run")
    rows = {
        row["id"]: (str(row["amount"]), row["note"], row["_cdc_unknown"])
        for row in project.rows("cur_s__orders")
    }
    assert rows == {1: ("5.00", None, '["note"]'), 2: ("None", "new", None)}
    assert project.rows("dq_s__quarantine") == []

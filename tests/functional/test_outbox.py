"""Outboxes by hand: deliveries over several runs, bytes and Avro, refused records that are
corrected, typed payloads, wrong declarations. tests/docs/test_outbox_page.py shows the values."""

import base64
import json
from datetime import datetime
from decimal import Decimal

import pytest

from tests.functional.conftest import drop
from tests.functional.outbox_project import counts_of, events_of, models_of, refused_of
from tests.functional.project import DbtFailed, Project
from tests.functional.test_avro import frame
from tests.oracle.outbox import Outbox, read_all
from tests.oracle.records import Record
from tests.session import append_rows

SCHEMA = {
    "type": "record",
    "name": "OrderPlaced",
    "fields": [{"name": "no", "type": "long"}, {"name": "note", "type": ["null", "string"]}],
}
LATER = {"type": "record", "name": "Moved", "fields": [{"name": "to", "type": "string"}]}
BESIDE = {
    "type": "record",
    "name": "Beside",
    "fields": [{"name": "payload", "type": ["null", "string"]}, {"name": "kind", "type": "string"}],
}
SCHEMAS = {1: SCHEMA, 3: {"type": "string"}, 4: BESIDE}


PLACED = frame(1, SCHEMA, {"no": 7, "note": 'say "}"'})
BASE64 = base64.b64encode(PLACED).decode()
NESTED = "[" * 31 + "1.0" + "]" * 31
HOSTILE = "'; drop table x; -- {{ 1 }} ${y} \\ \u2028 \N{GRINNING FACE} \\u0000"
SCHEMAS_OF = {"avro_schemas": "outbox_hand_landing.schemas"}
AVRO = {"payload": "avro", **SCHEMAS_OF, "value_converter": "binary"}
# name -> declaration
OUTBOXES = {
    "plain": {},
    "avro": AVRO,
    "within": {
        **AVRO,
        "value_converter": "json",
        "fields_additional_placement": "type:envelope:kind",
    },
    "values": {
        **SCHEMAS_OF,
        "value_converter": "avro",
        "fields_additional_placement": "type:envelope:kind",
    },
    "text_values": {**SCHEMAS_OF, "value_converter": "avro"},
    "bytes": {"payload": "binary", "value_converter": "binary"},
    "base64": {"payload": "binary"},
    "secret": {"sensitive": True},
    "rows": {"captured": "rows", "topic": "rows.outbox", "payload": "avro", **SCHEMAS_OF},
    "deep": {"fields_additional_placement": "type:envelope"},
}
for name, outbox in OUTBOXES.items():
    outbox.setdefault("topic", f"{name}.${{routedByValue}}")


def record(outbox: str, offset: int, value, event: str | None = None, **more) -> dict:
    headers = {} if event is None else {"id": f'"{event}"'}
    return {
        "topic": "rows.outbox" if outbox == "rows" else f"{outbox}.Order",
        "partition": more.pop("partition", 0),
        "offset": offset,
        "timestamp": 1556890294000 + more.pop("at", offset),
        "key": '"1"',
        "value": value,
        "headers": headers | more.pop("headers", {}),
    } | more


def text(payload: str) -> str:
    """A JSON converter's form of a text."""
    return json.dumps(payload)


def of_mongodb(id_: str, payload: dict | None) -> str:
    document = {"_id": id_, "aggregatetype": "Order", "type": "Placed", "payload": payload}
    return json.dumps({"after": json.dumps(document), "source": {}, "op": "c"})


FIRST = [
    record("plain", 9, text('{"a": 1.0, "n": "x"}'), "twice"),
    record("plain", 2, text("{}"), "once"),
    record("plain", 3, text('{"a":1}'), "reused"),
    record("plain", 4, text(HOSTILE), "broken"),
    record("plain", 5, text(json.dumps({HOSTILE: HOSTILE})), HOSTILE.replace("\\", "/")),
    record("plain", 6, text('{"big": 12345678901234567890.12345678901234567890}'), "digits"),
    record("plain", 7, b'"\xff"', "no text"),
    record("plain", 8, '{"payload":1,"like":"an envelope"}', "like"),
    record("plain", 10, "{}", "object"),
    record("avro", 0, PLACED, "a0"),
    record("avro", 1, frame(2, LATER, {"to": "B4"}), "a1"),
    record("avro", 2, PLACED[:-1], "a2"),
    record("avro", 3, PLACED + b"\0", "a3"),
    record("avro", 4, '{"status":"BEGIN"}', "a4"),
    record("avro", 5, None, "a5"),
    record("avro", 6, b"", "a6"),
    record("avro", 7, frame(3, {"type": "string"}, "word"), "a7"),
    record("within", 0, {"payload": BASE64, "kind": "Placed"}, "w0"),
    record("within", 1, {"payload": None, "kind": "Placed"}, "w1"),
    record("within", 2, {"payload": BASE64[:-8], "kind": "Placed"}, "w2"),
    record("within", 3, {"payload": "?", "kind": "Placed"}, "w3"),
    record("values", 0, frame(4, BESIDE, {"payload": '{"a": 1.10}', "kind": "Placed"}), "v0"),
    record("values", 1, frame(4, BESIDE, {"payload": None, "kind": "Placed"}), "v1"),
    record("values", 2, frame(3, {"type": "string"}, "{}"), "v2"),
    record("values", 3, frame(9, {"type": "string"}, "{}"), "v3"),
    record("text_values", 0, frame(3, {"type": "string"}, '{"a": 1.10}'), "t0"),
    record("bytes", 0, b"\xff\x00{}", "b0"),
    record("bytes", 1, None, "b1"),
    record("base64", 0, '"/wB7fQ=="', "c0"),
    record("base64", 1, '"no base64!"', "c1"),
    record("secret", 0, text("cut {"), "s0"),
    record("secret", 1, text("{}"), "s1"),
    record("secret", 2, text('{"a":"secret"}'), "s1"),
    record("rows", 0, of_mongodb("r0", {"$binary": {"base64": BASE64, "subType": "00"}})),
    record("rows", 1, of_mongodb("r1", {"$binary": BASE64, "$type": "00"})),
    record("rows", 2, of_mongodb("r2", None)),
    record("deep", 0, f'{{"payload":{NESTED},"type":"x"}}', "d0"),
    record("deep", 1, f'{{"payload":[[[{NESTED}]]],"type":"x"}}', "d1"),
    record("deep", 2, '{"payload":{"a":1},"type":"x"} {"payload":2}', "d2"),
]
SECOND = [
    record("plain", 4, text('{"a":1.00,"n":"x"}'), "twice", partition=1, at=-100),
    record("plain", 2, text("{}"), "once"),
    record("plain", 11, text('{"a":2}'), "reused"),
    record("plain", 12, text('{"a":1}'), "reused", key='"2"'),
    record("plain", 13, text('{"a": 1}'), "reused"),
    record("plain", 14, None, "reused"),
    record("plain", 2, text('{"made":"anew"}'), "anew", at=99999),
    record("unknown", 0, "{}", "u0"),
]
# the oracle's reasons for them
WORDS = {
    "plain": Outbox(prefix="plain."),
    "avro": Outbox(value_converter="binary", payload="avro", prefix="avro.", schemas=SCHEMAS),
    "bytes": Outbox(value_converter="binary", payload="binary", prefix="bytes."),
}


@pytest.fixture(scope="module")
def project(spark, tmp_path_factory):
    """All of them in two runs; before the second the missing schema is fetched."""
    made = Project(
        tmp_path_factory.mktemp("outbox_hand"),
        spark,
        "s",
        {"connector": "postgresql"},
        {"t": {"topic": "t", "key": ["id"], "columns": {"id": "int"}}},
        schema="outbox_hand",
        landing="outbox_hand_landing.events",
        layers={"t": ["stg"]},
        outboxes=OUTBOXES,
        extra_models={
            model: sql
            for name in OUTBOXES
            for model, sql in models_of(name).items()
            if name == "plain" or "accounting" not in model
        },
    )
    spark.sql("create table outbox_hand_landing.schemas (id bigint, subject string, schema string)")
    fetch(made, SCHEMAS)
    made.land(FIRST)
    made.run("run")
    made.first = {name: refused_of(made, name) for name in ("avro",)}
    fetch(made, {2: LATER})
    made.land(SECOND)
    made.run("run")
    yield made
    drop(spark, made)


def fetch(project, schemas: dict[int, dict]) -> None:
    """As `afterimage schemas` does; the subject is the application's, not the topic's."""
    rows = [(number, "orders.placed", json.dumps(schema)) for number, schema in schemas.items()]
    append_rows(project.spark, "outbox_hand_landing.schemas", rows)


def oracle_records(name: str, records: list[dict]) -> list[Record]:
    return [
        Record(
            r["topic"],
            r["partition"],
            r["offset"],
            r["key"],
            r["value"],
            r["headers"],
            r["timestamp"],
        )
        for r in records
        if r["topic"].startswith(f"{name}.")
    ]


@pytest.mark.parametrize("name", WORDS)
def test_events_are_those_of_the_oracle(name, project, compared):
    words = WORDS[name]
    if name == "avro":
        words = Outbox(**vars(words) | {"schemas": SCHEMAS | {2: LATER}})
    events, refused, deliveries = read_all(oracle_records(name, FIRST + SECOND), words)
    assert events_of(project, name) == events
    assert refused_of(project, name) == refused
    rows = project.rows(f"{name}_events")
    assert {row["event_id"]: row["deliveries"] for row in rows} == deliveries
    compared["outbox events by hand with the oracle"] += len(events)


def test_each_event_is_one(project):
    """Of several deliveries the first counts, even if it landed in the later run; the others are
    counted as duplicates."""
    rows = {row["event_id"]: row for row in project.rows("plain_events")}
    twice, once = rows["twice"], rows["once"]
    assert (twice["_cdc_partition"], twice["_cdc_offset"], twice["deliveries"]) == (1, 4, 2)
    assert twice["payload"] == '{"a":1.00,"n":"x"}'
    assert once["deliveries"] == 1
    assert rows["anew"]["payload"] == '{"made":"anew"}', "a topic made anew begins with offset 0"
    reused = [row for row in project.rows("plain_refused") if row["reason"] == "event_id_reused"]
    assert {row["offset"] for row in reused} == {11, 12, 14}
    assert {row["event_id"] for row in reused} == {"reused"}
    assert rows["reused"]["deliveries"] == 2
    counts = counts_of(project, "plain")
    landed = {
        (r["partition"], r["offset"], r["timestamp"])
        for r in FIRST + SECOND
        if r["topic"] == "plain.Order"
    }
    assert counts.pop(("landed", None)) == len(landed) == sum(counts.values())
    assert counts == {
        ("event", None): 8,
        ("duplicate", None): 2,
        ("refused", "event_id_reused"): 3,
        ("refused", "payload_does_not_parse"): 1,
        ("refused", "not_utf8"): 1,
    }
    unrouted = {
        r["topic"]: r["kind"]
        for r in project.rows("dq_s__accounting")
        if r["outcome"] == "unrouted"
    }
    assert unrouted["plain.Order"] == unrouted["rows.outbox"] == "outbox"
    assert unrouted["unknown.Order"] == "unknown_topic"


def test_hostile_text_is_data(project):
    [row] = project.rows("plain_events", "_cdc_offset = 5")
    assert json.loads(row["payload"]) == {HOSTILE: HOSTILE}
    assert row["event_id"] == HOSTILE.replace("\\", "/")
    [refused] = project.rows("plain_refused", "offset = 4")
    assert json.loads(refused["record_value"]) == HOSTILE
    [digits] = project.rows("plain_events", "event_id = 'digits'")
    assert digits["payload"] == '{"big": 12345678901234567890.12345678901234567890}'


def test_bytes_that_cannot_be_read_wait_for_their_schema(project):
    assert project.first["avro"] == {
        ("avro.Order", 0, 1): "unknown_schema",
        ("avro.Order", 0, 2): "broken_avro",
        ("avro.Order", 0, 3): "broken_avro",
        ("avro.Order", 0, 4): "broken_avro",
    }
    details = {row["offset"]: row["detail"] for row in project.rows("avro_refused")}
    assert details == {2: "schema: 1", 3: "schema: 1", 4: "schema: "}
    found = {id_: (e.payload, e.kind) for id_, e in events_of(project, "avro").items()}
    assert found == {
        "a0": ('{"no":7,"note":"say \\"}\\""}', "object"),
        "a1": ('{"to":"B4"}', "object"),
        "a5": (None, "empty"),
        "a6": (None, "empty"),
        "a7": ('"word"', "text"),
    }


@pytest.mark.shows("mongodb", "any", "outbox row")
def test_avro_within_json_and_json_within_avro(project):
    payload = '{"no":7,"note":"say \\"}\\""}'
    within = events_of(project, "within")
    assert {id_: (e.payload, e.kind, e.type) for id_, e in within.items()} == {
        "w0": (payload, "object", "Placed"),
        "w1": (None, "empty", "Placed"),
    }
    assert set(refused_of(project, "within").values()) == {"broken_avro"}
    rows = events_of(project, "rows")
    assert {id_: e.payload for id_, e in rows.items()} == {"r0": payload, "r1": payload, "r2": None}
    values = events_of(project, "values")
    assert {id_: (e.payload, e.type) for id_, e in values.items()} == {
        "v0": ('{"a": 1.10}', "Placed"),
        "v1": (None, "Placed"),
    }
    reasons = {key[2]: reason for key, reason in refused_of(project, "values").items()}
    assert reasons == {2: "wrong_form", 3: "unknown_schema"}
    assert events_of(project, "text_values")["t0"].payload == '{"a": 1.10}'


def test_bytes(project):
    assert {(e.payload, e.kind) for e in events_of(project, "bytes").values()} == {
        ("/wB7fQ==", "binary"),
        (None, "empty"),
    }
    assert events_of(project, "base64")["c0"].payload == "/wB7fQ=="
    assert list(refused_of(project, "base64").values()) == ["payload_does_not_parse"]


def test_what_is_sensitive_is_kept_as_a_hash(project):
    rows = project.rows("secret_refused")
    assert {row["reason"] for row in rows} == {"payload_does_not_parse", "event_id_reused"}
    assert all(row["record_value"].startswith("sha256:") for row in rows)
    assert all(
        row["record_value"] is None for row in project.rows("secret_records", "outcome = 'event'")
    )
    assert "cut {" not in str(project.rows("secret_records", "outcome = 'refused'"))


def test_what_lies_too_deep_is_refused_and_not_guessed(project):
    assert events_of(project, "deep")["d0"].payload == NESTED
    reasons = {key[2]: reason for key, reason in refused_of(project, "deep").items()}
    assert reasons == {1: "too_deep", 2: "broken_json"}


def test_several_forms_in_a_topic_are_told(project):
    """Texts, an object, and one that looks like an envelope."""
    project._text(
        "models/tests.yml",
        "models: [{name: plain_records, data_tests: [afterimage.outbox_one_form]},"
        " {name: avro_records, data_tests: [afterimage.outbox_one_form]},"
        " {name: plain_refused, data_tests: [afterimage.cdc_refused_at_most]}]\n",
    )
    with pytest.raises(DbtFailed) as failed:
        project.run("test")
    assert "Got 3 results" in str(failed.value) and "outbox_one_form_plain_records" in str(
        failed.value
    )
    assert "outbox_one_form_avro_records" not in str(failed.value)
    assert "cdc_refused_at_most_plain_refused" in str(failed.value)


def test_any_session_reads_the_same(project, spark):
    """With the SQL that the first run compiled, under ANSI and in another time zone."""
    [sql] = (project.folder / "target" / "compiled").rglob("plain_records.sql")
    query = sql.read_text()
    before = [
        spark.conf.get(name) for name in ("spark.sql.ansi.enabled", "spark.sql.session.timeZone")
    ]
    query = query.replace("where outcome <> 'refused' or", "where false and")
    columns = (
        "* except (headers, placed, decided_at, event_ts, _cdc_landed_ts), unix_micros(event_ts)"
    )
    shown = [spark.sql(f"select {columns} from ({query})").collect()]
    try:
        spark.conf.set("spark.sql.ansi.enabled", "true")
        spark.conf.set("spark.sql.session.timeZone", "Asia/Kathmandu")
        shown.append(spark.sql(f"select {columns} from ({query})").collect())
    finally:
        spark.conf.set("spark.sql.ansi.enabled", before[0])
        spark.conf.set("spark.sql.session.timeZone", before[1])
    assert len(shown[0]) == 15
    assert sorted(map(str, shown[0])) == sorted(map(str, shown[1]))


def test_a_full_refresh_does_not_lose_what_landing_lost(project, spark):
    spark.sql("create table outbox_hand_landing.kept as select * from outbox_hand_landing.events")
    spark.sql("drop table outbox_hand_landing.events")
    spark.sql(
        "create table outbox_hand_landing.events as select * from outbox_hand_landing.kept"
        " where topic <> 'plain.Order' or offset <> 9"
    )
    before = len(project.rows("plain_records"))
    with pytest.raises(DbtFailed, match=r"--full-refresh refused: 1 record\(s\)"):
        project.run("run", "--full-refresh", "--select", "plain_records")
    assert len(project.rows("plain_records")) == before
    spark.sql("insert into outbox_hand_landing.events select * from outbox_hand_landing.kept")
    events = events_of(project, "plain")
    project.run("run", "--full-refresh", "--select", "plain_records")
    assert events_of(project, "plain") == events
    # the same position twice with different contents: one is read, and an alarm reports it
    project.land([record("plain", 9, text('{"b": 9}'), "elsewhere")])
    project.run("run", "--select", "plain_records")
    assert counts_of(project, "plain")["alarm", "two_records_at_one_place"] == 1
    # the same if one run reads both
    project.run("run", "--full-refresh", "--select", "plain_records")
    counts = counts_of(project, "plain")
    assert ("pending", None) not in counts
    # two runs at once: each has written what it read
    deliveries = {r["event_id"]: r["deliveries"] for r in project.rows("plain_events")}
    refused = sorted(refused_of(project, "plain"))
    spark.sql("insert into outbox_hand.plain_records select * from outbox_hand.plain_records")
    rows = project.rows("plain_events")
    assert len(rows) == len(deliveries)
    assert {r["event_id"]: r["deliveries"] for r in rows} == deliveries
    assert counts_of(project, "plain") == counts
    assert len(project.rows("plain_refused")) == len(refused)


COLUMNS = {
    "no": "bigint",
    "total": "decimal(6,2)",
    "note": "string",
    "raw": "json",
    "at": "timestamp",
    "local": "timestamp_ntz",
    "day": "date",
    "paid": "boolean",
    "lines": "array<struct<sku: string, qty: int>>",
    "it's odd": "int",
}
# payload -> row, names of columns that do not fit
PAYLOADS = {
    '{"no": 1, "total": 1.10, "note": "x", "raw": {"b": 1.10, "a": [ ]},'
    ' "at": "2024-02-29T12:00:00", "local": "2024-02-29T12:00:00.123456",'
    ' "day": "2024-02-29", "paid": true, "lines": [{"sku": "s", "qty": 2}],'
    ' "it\'s odd": 3, "more": 1}': (
        {
            "no": 1,
            "total": Decimal("1.10"),
            "note": "x",
            "raw": '{"b": 1.10, "a": [ ]}',
            "at": datetime(2024, 2, 29, 12),
            "local": datetime(2024, 2, 29, 12, 0, 0, 123456),
            "day": datetime(2024, 2, 29).date(),
            "paid": True,
            "lines": [{"sku": "s", "qty": 2}],
            "it's odd": 3,
        },
        None,
    ),
    '{"no": 9223372036854775808, "total": 1.239, "note": 1.10, "raw": "1.10", "at": "yesterday",'
    ' "paid": "true", "lines": {}}': (
        {"note": "1.10", "raw": '"1.10"'},
        ["no", "total", "at", "paid", "lines"],
    ),
    '{"no": 1.0, "total": 10000.00, "note": {"b": 1}, "day": "2024-02-30"}': (
        {"note": '{"b": 1}'},
        ["no", "total", "day"],
    ),
    '{"total": "5.5", "no": null, "note": null, "raw": null}': ({"total": Decimal("5.50")}, None),
    '{"total": 1e2, "note": ""}': ({"total": Decimal("100.00"), "note": ""}, None),
    "": ({}, None),
}


def test_typed_payloads(make_project):
    """A value is complete, or its column is named; nothing is rounded."""
    typed = (
        f"{{{{ afterimage.outbox_payload(ref('o_events'), {COLUMNS!r}, 'Order', 'Placed') }}}}\n"
    )
    project = make_project(
        "outbox_typed",
        source_contract={},
        tables={},
        outboxes={"o": {"topic": "o.${of}", "fields_additional_placement": "type:header"}},
        extra_models=models_of("o", only=("NAME_records", "NAME_events"))
        | {"typed": typed, "state": "{{ afterimage.outbox_state(ref('o_events')) }}\n"},
    )
    headers = {"type": "Placed"}
    landed = [
        record("o", offset, text(payload), f"e{offset}", headers=headers, at=-offset)
        for offset, payload in enumerate(PAYLOADS)
    ]
    project.land(
        [
            *landed,
            record(
                "o", 90, text("{}"), "other type", headers={"type": "Paid"}, partition=1, at=-100
            ),
            record("o", 91, "null", "of another", key='"2"', headers=headers, topic="o.Cart"),
            # a recreated topic: its offsets repeat, later
            *(record("o", n, text("{}"), f"before {n}", topic="o.Anew") for n in range(3)),
            record("o", 0, text("{}"), "anew 0", topic="o.Anew", at=9000),
            record("o", 1, text("{}"), "anew 1", topic="o.Anew", at=9001),
        ]
    )
    project.run("run")
    rows = {row["_cdc_event_id"]: row for row in project.rows("typed")}
    assert rows.keys() == {f"e{offset}" for offset in range(len(PAYLOADS))}
    for offset, (expected, misfits) in enumerate(PAYLOADS.values()):
        row = rows[f"e{offset}"]
        assert {name: row[name] for name in COLUMNS} == dict.fromkeys(COLUMNS) | expected
        assert (row["_cdc_misfits"] and json.loads(row["_cdc_misfits"])) == misfits
    state = {(row["aggregate_type"], row["aggregate_id"]): row for row in project.rows("state")}
    order, cart = state["Order", "1"], state["Cart", "2"]
    assert (order["events"], order["partitions"], order["last_event_id"]) == (7, 2, "e0")
    assert (cart["events"], cart["partitions"], cart["is_empty"]) == (1, 1, True)
    anew = state["Anew", "1"]
    assert (anew["events"], anew["partitions"], anew["last_event_id"]) == (5, 1, "anew 1")
    project.extra_models = {
        "wrong": "{{ afterimage.outbox_payload(ref('o_events'), "
        " {'a': 'bigint); x', 'A': 'int', '_cdc_x': 'int'}) }}"
    }
    project.write()
    with pytest.raises(DbtFailed) as failed:
        project.run("run", "--select", "wrong")
    for said in ("a: bigint); x is not known here", "A: differs from another", "_cdc_x: the name"):
        assert said in str(failed.value)


# declaration -> its error
WRONG = [
    ("a map", "outbox: expected a map of keys"),
    (
        {"topics": "x"},
        "outbox.topics: unknown key. Did you mean topic? Known keys: captured, topic",
    ),
    ({"captured": "table"}, 'outbox.captured: "table" is not allowed. Allowed: router, rows.'),
    ({"topic": 5}, "outbox.topic: expected a text or list, got 5"),
    ({"topic": []}, "outbox.topic: [] must be one or several"),
    ({"topic": "all"}, "outbox.topic: all has no part for the aggregate type"),
    ({"field_event_id": "x"}, "outbox.field_event_id: goes with captured: rows"),
    (
        {"captured": "rows", "event_type": "header:x"},
        "Of rows it is a column: say field_event_type.",
    ),
    ({"fields_additional_placement": "type"}, '"type" is not column:placement'),
    (
        {"fields_additional_placement": "type:body"},
        "body is not a placement. Allowed: header, envelope",
    ),
    (
        {"fields_additional_placement": "a:header:x,b:header:x"},
        "two fields are placed in the header as x",
    ),
    (
        {"fields_additional_placement": "a:envelope:payload"},
        "a is placed in the envelope as payload",
    ),
    (
        {"fields_additional_placement": "a:envelope", "value_converter": "string"},
        "string writes the payload alone, and fields_additional_placement puts a beside it",
    ),
    ({"value_converter": "string", "payload": "binary"}, "StringConverter does not carry bytes"),
    ({"event_type": "type"}, "outbox.event_type: type is not a place. Allowed: header:<name>"),
    ({"event_type": "envelope:x"}, "x is not placed in the envelope"),
    ({"event_type": "payload:type"}, "a path begins with $."),
    ({"event_type": "payload:$.type", "payload": "text"}, "payload:$.type needs payload: json."),
    ({"payload": "avro", "value_converter": "binary"}, "outbox.avro_schemas: missing"),
    (
        {"payload": "avro", "avro_schemas": "x y.z", "value_converter": "binary"},
        '"x y.z" is not a table name',
    ),
    ({"avro_schemas": "a.b"}, "nothing of this outbox is in Avro"),
    (
        {"payload": "avro", "avro_schemas": "a.b", "avro_framing": "headers"},
        "a payload within a value has no headers of its own",
    ),
    ({"captured": "rows", "value_converter": "string"}, "change events are in json or avro"),
    ({"sensitive": "yes"}, "outbox.sensitive: expected a truth value"),
]


def test_wrong_declarations_are_refused_all_at_once(make_project, spark):
    project = make_project(
        "outbox_wrong",
        source_contract={},
        tables={},
        outboxes={f"o{number}": outbox for number, (outbox, _) in enumerate(WRONG)},
        extra_models={
            name: model
            for number in range(len(WRONG))
            for name, model in models_of(f"o{number}", only=("NAME_records",)).items()
        },
    )
    with pytest.raises(DbtFailed) as failed:
        project.run("run")
    told = str(failed.value)
    missing = [
        said
        for n, (_, said) in enumerate(WRONG)
        if f"s.o{n}: outbox" not in told or said not in told
    ]
    assert missing == []
    assert f"{len(WRONG)} fault(s) in CDC contracts" in told
    assert not spark.sql("show tables in outbox_wrong").where("not isTemporary").collect()


def test_models_that_read_what_is_no_outbox_say_so(make_project):
    table = {"topic": "t", "key": ["id"], "columns": {"id": "int"}}
    records = "{{ afterimage.outbox_records(FROM) }}"
    project = make_project(
        "outbox_none",
        source_contract={"connector": "postgresql"},
        tables={"t": table, "u": table | {"topic": "u"}, "v": table | {"topic": "v"}},
        layers={"t": ["stg"], "u": ["stg"], "v": ["stg"]},
        outboxes={"u": {}, "v": {"captured": "rows"}, "w": {"captured": "rows"}},
        extra_models={
            "of_table": records.replace("FROM", "source('s', 't')"),
            "of_log": records.replace("FROM", "ref('stg_s__u')"),
            "of_rows": records.replace("FROM", "ref('stg_s__v')"),
            "of_landing": records.replace("FROM", "source('s', 'w')"),
        },
    )
    with pytest.raises(DbtFailed) as failed:
        project.run(
            "run",
            "--select",
            "stg_s__t",
            "stg_s__u",
            "stg_s__v",
            "of_table",
            "of_log",
            "of_rows",
            "of_landing",
        )
    told = str(failed.value)
    for said in (
        "s.t is not declared as an outbox",
        "outbox.captured is router. Say captured: rows",
        "the contract of the table has no column payload, but id",
        "outbox.topic: missing. With captured: rows",
    ):
        assert said in told

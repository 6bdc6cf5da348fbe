"""Numbers carry no unit, and base64 no scale. If the record's schema block has another unit than
the contract, the record is read by it; another scale is refused: it would be another value."""

import base64
import json

MILLIS = "io.debezium.time.Timestamp"
MICROS = "io.debezium.time.MicroTimestamp"
NOT_SENT_IN_BASE64 = base64.b64encode(b"__debezium_unavailable_value").decode()
COLUMNS = {
    "id": "int",
    "amount": "numeric(10,2)",
    "amounts": "numeric(10,2)[]",
    "placed_at": "timestamp(3)",
    "seen_at": "timestamp(6)[]",
    "due": "date",
    "snapshot": "time(6)",
    # two of them share their name with a member of the previous column; the third has a long schema
    "loc": "point",
    "x": "timestamp(6)",
    "price": "numeric",
    "value": "numeric(10,2)",
    "said": "date",
    "photo": "bytea",
}
NANOS = "io.debezium.time.NanoTimestamp"
ZONED = "io.debezium.time.ZonedTimestamp"


def members(*fields: tuple[str, str]) -> dict:
    """A struct within the row."""
    told = [{"type": type_, "optional": False, "field": name} for name, type_ in fields]
    return {"type": "struct", "fields": told, "optional": True, "name": "io.debezium.data.Some"}


def schema_of(**names: str) -> dict:
    """A schema block as Kafka's JSON converter writes it; the name of a type by its column."""
    told = {
        "placed_at": MILLIS,
        "seen_at": MICROS,
        "due": "io.debezium.time.Date",
        "snapshot": "io.debezium.time.MicroTime",
        "scale": "2",
        "scales": "2",
        "x": MICROS,
        "scale_of_value": "2",
        "said": "io.debezium.time.Date",
        "photo": "bytes",
    } | names
    amount = {
        "type": "bytes",
        "optional": True,
        "name": "org.apache.kafka.connect.data.Decimal",
        "version": 1,
        "parameters": {"scale": told["scale"], "connect.decimal.precision": "10"},
        "field": "amount",
    }
    element = {name: value for name, value in amount.items() if name != "field"} | {
        "parameters": {"scale": told["scales"], "connect.decimal.precision": "10"}
    }
    placed = {"type": "int64", "optional": False, "name": told["placed_at"], "version": 1}
    seen = {"type": "int64", "optional": True, "name": told["seen_at"], "version": 1}
    source_type = {"__debezium.source.column.type": "_TIMESTAMP"}
    due = {"type": "int32", "optional": True, "name": told["due"], "version": 1}
    time = {"type": "int64", "optional": True, "name": told["snapshot"], "version": 1}
    fields = [
        {"type": "int32", "optional": False, "field": "id"},
        amount,
        {"type": "array", "items": element, "optional": True, "field": "amounts"},
        placed | {"doc": 'of the "order"', "default": 0, "field": "placed_at"},
        {
            "type": "array",
            "items": seen,
            "optional": True,
            "parameters": source_type,
            "field": "seen_at",
        },
        due | {"field": "due"},
        time | {"field": "snapshot"},
        members(("x", "double"), ("y", "double")) | {"field": "loc"},
        {"type": "int64", "optional": True, "name": told["x"], "version": 1, "field": "x"},
        members(("scale", "int32"), ("value", "bytes")) | {"field": "price"},
        amount | {"parameters": {"scale": told["scale_of_value"]}, "field": "value"},
        {
            "type": "int32",
            "optional": True,
            "name": told["said"],
            "version": 1,
            "doc": "so much was said of it, " * 60,
            "parameters": {"__debezium.source.column.comment": "when {utc}"},
            "field": "said",
        },
        {"type": told["photo"], "optional": True, "field": "photo"},
    ]
    snapshot = {"type": "string", "optional": True, "name": "io.debezium.data.Enum", "version": 1}
    parts = {"after": fields, "source": [snapshot | {"field": "snapshot"}]}
    return {
        "type": "struct",
        "fields": [{"type": "struct", "fields": part, "field": n} for n, part in parts.items()],
    }


def record(offset: int, values: dict | None = None, topic: str = "t.items", **names: str) -> dict:
    """`values` replace those of the row."""
    row = {
        "id": offset,
        "amount": base64.b64encode((150).to_bytes(2, "big")).decode(),
        "amounts": [base64.b64encode((150).to_bytes(2, "big")).decode(), None],
        "placed_at": 1_700_000_000_000,
        "seen_at": [1_700_000_000_000_000],
        "due": 19_675,
        "snapshot": 3_600_000_000,
        "loc": {"x": 1.0, "y": 2.0},
        "x": 1_700_000_000_000_000,
        "price": {"scale": 1, "value": "AQ=="},
        "value": base64.b64encode((150).to_bytes(2, "big")).decode(),
        "said": 19_675,
        "photo": "AQI=",
    } | (values or {})
    source = {"lsn": 100 + offset, "txId": 1, "snapshot": "false"}
    payload = {"op": "c", "after": row, "source": source}
    value = {"schema": schema_of(**names), "payload": payload}
    return {"topic": topic, "partition": 0, "offset": offset, "value": value}


def left_alone(offset: int, before: str, after: str) -> dict:
    """An update under REPLICA IDENTITY FULL that left a long value unchanged."""
    found = record(offset, {"photo": after}, "t.photos")
    found["value"]["payload"] |= {"op": "u", "before": {"id": offset, "photo": before}}
    return found


def moved(offset: int) -> list[dict]:
    """A key changed by one update: two records, whose headers carry it in the row's unit."""
    old, new = (1_700_000_000_000_000 + more for more in (1, 2))
    keys = {"oldkey": {"placed_at": old}, "newkey": {"placed_at": new}}
    gone = record(offset, topic="t.moments", placed_at=MICROS)
    come = record(offset + 1, {"placed_at": new, "id": 1}, "t.moments", placed_at=MICROS)
    gone["value"]["payload"] |= {"op": "d", "after": None, "before": {"placed_at": old, "id": 1}}
    gone["headers"] = {"__debezium.newkey": json.dumps(keys["newkey"])}
    come["headers"] = {"__debezium.oldkey": json.dumps(keys["oldkey"])}
    come["value"]["payload"]["source"]["lsn"] = gone["value"]["payload"]["source"]["lsn"]
    return [gone, come]


def in_cloud(offset: int, moment: int, unit: str) -> dict:
    """A CloudEvent whose data have their own block, as with `json.schemas.enable`."""
    field = {"type": "int64", "optional": True, "name": unit, "field": "placed_at"}
    row = {"type": "struct", "fields": [{"type": "int32", "field": "id"}, field], "optional": True}
    images = [row | {"field": name} for name in ("before", "after")]
    value = {
        "specversion": "1.0",
        "id": f"name:t;lsn:{100 + offset};txId:1",
        "iodebeziumop": "c",
        "iodebeziumlsn": str(100 + offset),
        "iodebeziumtable": "clouds",
        "data": {
            "schema": {"type": "struct", "fields": images},
            "payload": {"before": None, "after": {"id": offset, "placed_at": moment}},
        },
    }
    return {"topic": "t.clouds", "partition": 0, "offset": offset, "value": value}


def duration(offset: int, time: int | str, unit: str | None, topic: str = "t.durations") -> dict:
    """A TIME of MySQL; `unit`: its name in the schema block, None without a block."""
    type_ = "string" if isinstance(time, str) else "int32" if abs(time) < 2**31 else "int64"
    fields = [{"type": "int32", "field": "id"}]
    fields += [{"type": type_, "optional": True, "name": unit, "version": 1, "field": "took"}]
    images = [{"type": "struct", "fields": fields, "field": name} for name in ("before", "after")]
    source = {"file": "b.000001", "pos": 100 + offset, "row": 0, "snapshot": "false"}
    payload = {"op": "c", "after": {"id": offset, "took": time}, "source": source}
    block = {"type": "struct", "fields": images}
    value = {"schema": block, "payload": payload} if unit else payload
    return {"topic": topic, "partition": 0, "offset": offset, "value": value}


MICRO_TIME, NANO_TIME = "io.debezium.time.MicroTime", "io.debezium.time.NanoTime"
MILLI_TIMES = ["io.debezium.time.Time", "org.apache.kafka.connect.data.Time"]
# for adaptive_time_microseconds, and for connect: the expected reading, None: refused
DURATIONS = [
    (45_296_789_000, None, "12:34:56.789"),
    (45_296_789_000, MICRO_TIME, "12:34:56.789"),
    *((45_296_789, unit, "12:34:56.789") for unit in MILLI_TIMES),
    (-3_020_399_000, MILLI_TIMES[0], "-838:59:59"),
    (3_020_400_000, MILLI_TIMES[0], None),
    (-3_020_399_000_000_000, NANO_TIME, "-838:59:59"),
    (3_020_400_000_000_000, NANO_TIME, None),
    ("12:34:56Z", "io.debezium.time.IsoTime", None),
]
DURATIONS_OF_CONNECT = [
    (45_296_789, None, "12:34:56.789"),
    (-1_000_000, MICRO_TIME, "-00:00:01"),
    (1_000_000_000, NANO_TIME, "00:00:01"),
]


def test_a_record_is_read_by_what_its_block_says_or_refused(make_project):
    project = make_project(
        "schema_block",
        tables={
            "items": {"topic": "t.items", "key": ["id"], "columns": COLUMNS},
            "photos": {
                "topic": "t.photos",
                "key": ["id"],
                "columns": {"id": "int", "photo": "bytea"},
                "settings": {"binary_handling_mode": "hex"},
                "replica_identity": "full",
            },
            "moments": {
                "topic": "t.moments",
                "key": ["placed_at"],
                "columns": {"placed_at": "timestamp(3)", "id": "int"},
            },
            "clouds": {
                "topic": "t.clouds",
                "format": "cloudevents",
                "key": ["id"],
                "columns": {"id": "int", "placed_at": "timestamp(3)"},
            },
            "durations": {
                "topic": "t.durations",
                "connector": "mysql",
                "key": ["id"],
                "columns": {"id": "int", "took": "time(6)"},
            },
            "durations_of_connect": {
                "topic": "t.durations_of_connect",
                "connector": "mysql",
                "key": ["id"],
                "columns": {"id": "int", "took": "time(6)"},
                "settings": {"time_precision_mode": "connect"},
            },
        },
        layers={
            name: ["stg"]
            for name in (
                "items",
                "photos",
                "moments",
                "clouds",
                "durations",
                "durations_of_connect",
            )
        },
    )
    project.land(
        [
            record(0),
            record(1, scale="4"),
            record(2, {"placed_at": 1_700_000_000_000_123}, placed_at=MICROS),
            record(3, {"seen_at": [1_700_000_000_000_001_000, None]}, seen_at=NANOS),
            # days are days under either name
            record(4, due="org.apache.kafka.connect.data.Date"),
            record(6, scales="4"),
            record(5, due=MILLIS),
            record(7, {"x": 1_700_000_000_000}, x=MILLIS),
            record(17, {"x": 1_700_000_000_000_001_001}, x=NANOS),
            record(18, {"snapshot": 3_600_000}, snapshot="io.debezium.time.Time"),
            record(19, {"snapshot": 86_400_001}, snapshot="io.debezium.time.Time"),
            record(10, x=ZONED),
            record(8, scale_of_value="4"),
            record(9, said=MILLIS),
            # a text that is base64, or may also be hexadecimal
            record(11, {"photo": "AQI="}, photo="string"),
            record(12, {"photo": "0102"}, photo="string"),
            record(13, {"photo": "0102"}),
            record(1, {"photo": "0102"}, "t.photos"),
            record(2, {"photo": "0102"}, "t.photos", photo="string"),
            left_alone(3, "AQI=", NOT_SENT_IN_BASE64),
            *moved(0),
            in_cloud(0, 1_700_000_000_123, MILLIS),
            in_cloud(1, 1_700_000_000_123_456, MICROS),
            *(duration(at, *told[:2]) for at, told in enumerate(DURATIONS)),
            *(
                duration(at, *told[:2], "t.durations_of_connect")
                for at, told in enumerate(DURATIONS_OF_CONNECT)
            ),
        ]
    )
    project.run("run")
    staged = {row["id"]: row for row in project.rows("stg_s__items")}
    assert sorted(staged) == [0, 2, 3, 4, 7, 11, 13, 17, 18]
    assert (str(staged[0]["amount"]), str(staged[0]["placed_at"])) == (
        "1.50",
        "2023-11-14 22:13:20",
    )
    moment = "2023-11-14 22:13:20"
    assert str(staged[2]["placed_at"]) == f"{moment}.000123"
    assert [str(seen) for seen in staged[3]["seen_at"]] == [f"{moment}.000001", "None"]
    assert (str(staged[7]["x"]), str(staged[17]["x"])) == (moment, f"{moment}.000001")
    assert staged[17]["_cdc_special"] == json.dumps(
        {"x": f"{moment}.000001001"}, separators=(",", ":")
    )
    assert staged[18]["snapshot"] == "01:00:00"
    in_base64 = base64.b64decode("0102")
    assert (staged[11]["photo"], staged[13]["photo"]) == (b"\1\2", in_base64)
    photos = {row["id"]: row["photo"] for row in project.rows("stg_s__photos")}
    # a value not sent in an update, in either form, comes from the row before it
    assert photos == {1: in_base64, 2: b"\1\2", 3: b"\1\2"}
    [gone, come] = sorted(project.rows("stg_s__moments"), key=lambda row: row["_cdc_offset"])
    assert (gone["_cdc_op"], come["_cdc_op"]) == ("d", "c")
    assert come["_cdc_previous_key"] == gone["_cdc_key"] == f"{moment}.000001"
    assert come["_cdc_key"] == f"{moment}.000002"
    clouds = {row["id"]: str(row["placed_at"]) for row in project.rows("stg_s__clouds")}
    assert clouds == {0: f"{moment}.123000", 1: f"{moment}.123456"}
    in_schema = "in the schema of the record, where"
    days = "io.debezium.time.Date or org.apache.kafka.connect.data.Date is date"
    for table, told in {
        "durations": DURATIONS,
        "durations_of_connect": DURATIONS_OF_CONNECT,
    }.items():
        took = {row["id"]: row["took"] for row in project.rows(f"stg_s__{table}")}
        assert took == {at: text for at, (*_, text) in enumerate(told) if text}
    refused = project.rows("dq_s__quarantine")
    assert {r["offset"]: r["detail"] for r in refused if r["topic"] == "t.durations"} == {
        5: 'took: {"v":3020400000} does not fit time(6)',
        7: 'took: {"v":3020400000000000} does not fit time(6)',
        8: f"took: io.debezium.time.IsoTime {in_schema} {MICRO_TIME} or"
        f" {' or '.join(MILLI_TIMES)} or {NANO_TIME} is time(6)",
    }
    assert {r["offset"]: r["detail"] for r in refused if r["topic"] != "t.durations"} == {
        1: "amount: scale 4 in the schema of the record does not fit numeric(10,2)",
        6: "amounts: scale 4 in the schema of the record does not fit numeric(10,2)[]",
        5: f"due: {MILLIS} {in_schema} {days}",
        10: f"x: {ZONED} {in_schema} {MICROS} or {MILLIS} or"
        f" org.apache.kafka.connect.data.Timestamp or {NANOS} is timestamp(6)",
        12: "photo: text in the schema of the record, where binary_handling_mode is bytes: "
        "it may be base64 or hexadecimal",
        19: 'snapshot: {"v":86400001} does not fit time(6)',
        8: "value: scale 4 in the schema of the record does not fit numeric(10,2)",
        9: f"said: {MILLIS} {in_schema} {days}",
    }
    assert {row["reason"] for row in refused} == {"value_does_not_fit"}


LATER = {"placed_at": "timestamp(3)", "id": "int"}
MOMENT = 1_700_000_000_000


def change(offset: int, moment: int, block: dict | None = None, last: bool = False) -> dict:
    """An insert; block: its schema; last: after the payload, as in sorted JSON."""
    source = {"lsn": 100 + offset, "txId": offset, "snapshot": "false"}
    after = {"placed_at": moment, "id": offset}
    value = {"before": None, "after": after, "source": source, "op": "c"}
    parts = {"schema": block, "payload": value} if block else value
    return dict(reversed(parts.items())) if last else parts


def key_of(moment: int, unit: str | None = None) -> dict:
    """A record's own key, with its schema block if a unit is given."""
    if not unit:
        return {"placed_at": moment}
    fields = [{"type": "int64", "optional": False, "name": unit, "field": "placed_at"}]
    return {"schema": {"type": "struct", "fields": fields}, "payload": {"placed_at": moment}}


def test_a_block_that_comes_after_records_without_one(make_project):
    """The form of the earlier records applies only to them."""
    flat = {"format": "unwrapped", "key": ["placed_at"]}
    tables = {"changes": {"key": ["id"]}, "flat": flat, "moments": {"key": ["placed_at"]}}
    project = make_project(
        "later_block",
        tables={n: {"topic": f"t.{n}", "columns": LATER} | of for n, of in tables.items()},
    )

    def land(table: str, offset: int, key: dict, value: object):
        project.land(
            [{"topic": f"t.{table}", "partition": 0, "offset": offset, "key": key, "value": value}]
        )

    land("changes", 0, {"id": 0}, change(0, MOMENT))
    land("flat", 0, key_of(MOMENT), {"placed_at": MOMENT, "id": 0})
    land("moments", 0, key_of(MOMENT), change(0, MOMENT))
    project.run("run")
    for name in tables:
        kept = project.spark.sql(f"show tblproperties {project.schema}.stg_s__{name}").collect()
        [form] = [row["value"] for row in kept if row["key"] == "afterimage.form"]
        assert json.loads(bytes.fromhex(form.removeprefix("hex:")))["block"] is None
    block = schema_of(placed_at=MICROS)
    land("changes", 1, {"id": 1}, change(1, MOMENT * 1000 + 1, block))
    land("changes", 2, {"id": 2}, change(2, MOMENT * 1000 + 2, block, last=True))
    land("changes", 3, {"id": 3}, json.dumps(change(3, MOMENT * 1000 + 3, block), indent=4))
    land("flat", 1, key_of(MOMENT * 1000, MICROS), None)
    # for a record without a block, its key gives the unit
    land("moments", 1, key_of(MOMENT * 1000 + 1, MICROS), change(1, MOMENT * 1000 + 1))
    project.run("run")
    assert project.rows("dq_s__quarantine") == []
    shown = {
        name: sorted(str(r["placed_at"]) for r in project.rows(f"cur_s__{name}")) for name in tables
    }
    moment = "2023-11-14 22:13:20"
    assert shown == {
        "changes": [moment, *(f"{moment}.00000{digit}" for digit in (1, 2, 3))],
        "flat": [],
        "moments": [moment, f"{moment}.000001"],
    }

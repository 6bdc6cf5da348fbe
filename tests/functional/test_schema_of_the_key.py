"""A value of the key may be only in the record's own key: for a record without a value, and for a
column that column.exclude.list omits from it. It is read by the schema of that key."""

import base64

from tests.functional.capture_project import keep_schemas
from tests.functional.test_avro import entry, frame
from tests.functional.test_schema_block import MICROS, MILLIS

MOMENT = 1_700_000_000_000
SHOWN = "2023-11-14 22:13:20"
DECIMAL = "org.apache.kafka.connect.data.Decimal"
SCHEMAS = "schema_of_the_key_landing.schemas"


def field(name: str, kind: str, semantic: str | None = None, **parameters: str) -> dict:
    told = {"type": kind, "optional": True, "field": name}
    return told | ({"name": semantic, "parameters": parameters} if semantic else {})


NOTE = field("note", "string")
AT_MILLIS, AT_MICROS = field("at", "int64", MILLIS), field("at", "int64", MICROS)
TWO, FOUR = (field("n", "bytes", DECIMAL, scale=scale) for scale in ("2", "4"))


def unscaled(number: int) -> str:
    return base64.b64encode(number.to_bytes(2, "big")).decode()


def row(fields: list[dict], values: dict) -> dict:
    return {"schema": {"type": "struct", "fields": fields, "name": "row"}, "payload": values}


def change(fields: list[dict], op: str, before: dict | None, after: dict | None, lsn: int) -> dict:
    images = [{"type": "struct", "fields": fields, "field": name} for name in ("before", "after")]
    source = {"lsn": lsn, "txId": lsn, "snapshot": "false"}
    payload = {"before": before, "after": after, "source": source, "op": op}
    return {"schema": {"type": "struct", "fields": images, "name": "Envelope"}, "payload": payload}


def record(table: str, offset: int, key: object, value: object) -> dict:
    place = {"topic": f"t.{table}", "partition": 0, "offset": offset}
    return place | {"timestamp": MOMENT + offset, "key": key, "value": value}


def in_avro(kind: str) -> dict:
    return {"type": "long", "connect.name": kind}


def schema_in_avro(name: str, *fields: tuple[str, object]) -> dict:
    told = [{"name": field, "type": kind} for field, kind in fields]
    return {"type": "record", "name": name, "fields": told}


def test_it_is_read_by_the_schema_of_its_key(make_project):
    moment, flat = {"at": "timestamp(3)", "note": "text"}, {"format": "unwrapped"}
    number = {"n": "numeric(10,2)", "note": "text"}
    tables = {
        "flat": {"key": ["at"], "columns": moment} | flat,
        "left_out": {"key": ["at"], "columns": moment},
        "numbers": {"key": ["n"], "columns": number} | flat,
        "codes": {
            "key": ["code"],
            "columns": {"code": "bytea", "note": "text"},
            "settings": {"binary_handling_mode": "hex"},
        }
        | flat,
        "avro": {"key": ["at"], "columns": moment, "avro_schemas": SCHEMAS} | flat,
        # for a delete by its key alone no other column's scale matters
        "deleted": {"key": ["note"], "columns": number},
    }
    project = make_project(
        "schema_of_the_key",
        tables={name: {"topic": f"t.{name}"} | table for name, table in tables.items()},
    )
    millis, micros = (
        schema_in_avro("Key", ("at", in_avro(unit))) | {"namespace": unit}
        for unit in (MILLIS, MICROS)
    )
    rows = schema_in_avro("Value", ("at", in_avro(MILLIS)), ("note", "string"))
    keep_schemas(
        project.spark,
        SCHEMAS,
        [
            entry(1, rows, "t.avro-value"),
            entry(2, millis, "t.avro-key"),
            entry(3, micros, "t.avro-key"),
        ],
    )
    first = {"at": MOMENT, "note": "a"}
    project.land(
        [
            record("flat", 0, row([AT_MILLIS], {"at": MOMENT}), row([AT_MILLIS, NOTE], first)),
            record(
                *("left_out", 0, row([AT_MILLIS], {"at": MOMENT})),
                change([NOTE], "c", None, {"note": "a"}, 1),
            ),
            *(
                record(
                    *("numbers", offset, row([TWO], {"n": unscaled(n)})),
                    row([TWO, NOTE], {"n": unscaled(n), "note": str(n)}),
                )
                for offset, n in enumerate((150, 15000))
            ),
            record(
                *("codes", 0, row([field("code", "string")], {"code": "69b71d"})),
                row([field("code", "string"), NOTE], {"code": "69b71d", "note": "a"}),
            ),
            record("avro", 0, frame(2, millis, {"at": MOMENT}), frame(1, rows, first)),
            record(
                *("deleted", 0, row([NOTE], {"note": "a"})),
                change([TWO, NOTE], "c", None, {"n": unscaled(150), "note": "a"}, 1),
            ),
        ]
    )
    project.run("run")
    project.land(
        [
            record("flat", 1, row([AT_MICROS], {"at": MOMENT * 1000}), None),
            record(
                *("left_out", 1, row([AT_MICROS], {"at": MOMENT * 1000})),
                change([NOTE], "u", None, {"note": "b"}, 2),
            ),
            record("numbers", 2, row([FOUR], {"n": unscaled(15000)}), None),
            record("codes", 1, row([field("code", "bytes")], {"code": "abcd"}), None),
            record("avro", 1, frame(3, micros, {"at": MOMENT * 1000}), None),
            record(
                *("deleted", 1, row([NOTE], {"note": "a"})),
                change([FOUR, NOTE], "d", {"n": None, "note": "a"}, None, 2),
            ),
        ]
    )
    project.run("run")
    left = {name: [r["note"] for r in project.rows(f"cur_s__{name}")] for name in tables}
    assert {name: sorted(notes) for name, notes in left.items() if notes} == {
        "left_out": ["b"],
        "numbers": ["150", "15000"],
    }
    assert [str(r["at"]) for r in project.rows("cur_s__left_out")] == [SHOWN]
    # the same number at another scale is refused, as in a value
    [refused] = project.rows("dq_s__quarantine")
    assert (refused["topic"], refused["offset"], refused["reason"]) == (
        *("t.numbers", 2),
        "value_does_not_fit",
    )

"""Files of Google Datastream: JSON lines and Avro, read in full or refused; unified types as JSON
has them; landed once, however the bucket is copied."""

import gzip
import io
import json
from datetime import UTC, datetime
from random import Random

import fastavro
import pytest
from tests.laws.datastream import Database
from tests.session import drop_schema

from afterimage.errors import UserError
from afterimage.land.files import land
from afterimage.readers import datastream, unified
from afterimage.readers.record import Broken

METADATA = {
    "type": "record",
    "name": "source_metadata",
    "fields": [
        {"name": "table", "type": "string"},
        {"name": "log_file", "type": ["null", "string"]},
        {"name": "log_position", "type": ["null", "long"]},
        {"name": "primary_keys", "type": {"type": "array", "items": "string"}},
        {"name": "change_type", "type": "string"},
        {"name": "is_deleted", "type": "boolean"},
    ],
}


def millis(name: str) -> dict:
    return {"name": name, "type": {"type": "long", "logicalType": "timestamp-millis"}}


def schema(columns: list[dict]) -> dict:
    """As in the files of Google's tests, with other columns."""
    return {
        "type": "record",
        "name": "datastream",
        "fields": [
            {"name": "uuid", "type": "string"},
            millis("read_timestamp"),
            millis("source_timestamp"),
            {"name": "object", "type": "string"},
            {"name": "read_method", "type": "string"},
            {"name": "stream_name", "type": "string"},
            {"name": "sort_keys", "type": {"type": "array", "items": ["string", "long"]}},
            {"name": "source_metadata", "type": METADATA},
            {"name": "payload", "type": {"type": "record", "name": "payload", "fields": columns}},
        ],
    }


def event(number: int, **payload) -> dict:
    return {
        "uuid": f"u{number}",
        "read_timestamp": 1706774405120,
        "source_timestamp": 1706774401000,
        "object": "depot_pallet",
        "read_method": "mysql-cdc-binlog",
        "stream_name": "projects/acme/locations/eu/streams/depot",
        "sort_keys": [1706774401000, "bin.000012", number],
        "source_metadata": {
            "table": "pallet",
            "log_file": "bin.000012",
            "log_position": number,
            "primary_keys": ["id"],
            "change_type": "INSERT",
            "is_deleted": False,
        },
        "payload": {"id": number} | payload,
    }


ID = {"name": "id", "type": "long"}


def avro(events: list[dict], columns=(ID,)) -> bytes:
    file = io.BytesIO()
    parsed = fastavro.parse_schema(schema(list(columns)), {})
    fastavro.writer(file, parsed, events, sync_interval=400)
    return file.getvalue()


def json_lines(events: list[dict]) -> bytes:
    """As Datastream's JSON: times as text, read time in milliseconds."""
    times = {"read_timestamp": "2024-02-01T08:00:05.12Z"}
    times |= {"source_timestamp": "2024-02-01T08:00:01Z"}
    return "".join(json.dumps(e | times) + "\n" for e in events).encode()


def read(data: bytes) -> list:
    return list(datastream.read(io.BytesIO(data)))


def test_both_forms_of_an_event_are_one_record():
    events = [event(number) for number in range(3)]
    of_avro, of_json = read(avro(events)), read(json_lines(events))
    for one, other in zip(of_avro, of_json, strict=True):
        assert json.loads(one.value) == json.loads(other.value)
        assert (one.topic, one.line, one.timestamp) == (other.topic, other.line, other.timestamp)
    assert of_avro[0].topic == "depot_pallet"
    read_at = datetime(2024, 2, 1, 8, 0, 5, 120000, tzinfo=UTC)
    assert of_avro[0].timestamp == read_at.timestamp() * 1000
    assert {(r.partition, r.offset, r.key) for r in of_avro} == {(None, None, None)}


def test_times_of_a_record():
    told = {
        "2024-02-01T08:00:05.120Z": 1706774405120,
        "2024-02-01T08:00:05": 1706774405000,  # without a zone it is UTC
        "2024-02-01T09:00:05+01:00": 1706774405000,
        "2024-02-01 08:00:05.120 UTC": None,
        1706774405120: 1706774405120,
        True: None,
    }
    for text, wanted in told.items():
        line = json.dumps(event(1) | {"read_timestamp": text}).encode()
        assert read(line)[0].timestamp == wanted, text


def test_an_avro_file_cut_within_a_block_is_refused():
    whole = avro([event(number) for number in range(9)])
    taken = []
    for end in range(4, len(whole)):
        try:
            taken.append(len(read(whole[:end])))
        except UserError as error:
            assert "cut short" in str(error)
    # nothing shows that blocks are missing after a complete one
    assert len(taken) == len(set(taken)) < 9


def test_a_json_file_cut_within_a_line_says_which():
    whole = json_lines([event(1), event(2)])
    first, second = read(whole[:-20])
    assert first.topic == "depot_pallet"
    assert isinstance(second, Broken) and second.line == 2 and "not JSON" in second.reason


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b'{"op":"c"}', "names no object"),
        (b'{"object":""}', "names no object"),
        (b'{"object":7}', "names no object"),
        (b"[1]", "names no object"),
        (b'{"object":"\xff"}', "not UTF-8"),
        (b"{" * 9, "not JSON"),
        (b"[" * 100_000, "nested too deep"),
    ],
)
def test_lines_that_are_no_events_are_broken(line, reason):
    (broken,) = read(line + b"\n")
    assert isinstance(broken, Broken) and reason in broken.reason and broken.raw == line


def test_an_avro_file_of_something_else_is_broken_record_by_record():
    file = io.BytesIO()
    other = {"type": "record", "name": "r", "fields": [ID]}
    fastavro.writer(file, fastavro.parse_schema(other, {}), [{"id": 7}])
    (broken,) = read(file.getvalue())
    assert isinstance(broken, Broken) and "names no object" in broken.reason
    assert broken.raw == b'{"id":7}'


def structure(*fields: tuple[str, str]) -> dict:
    return {
        "type": "record",
        "name": "_".join(name for name, _ in fields),
        "fields": [{"name": name, "type": ["null", kind]} for name, kind in fields],
    }


INTERVAL = structure(("months", "int"), ("hours", "int"), ("micros", "long"))
NANO = structure(
    ("years", "int"), ("months", "int"), ("days", "int"), ("hours", "int"),
    ("minutes", "int"), ("seconds", "int"), ("nanos", "int"),
)  # fmt: skip
TEXT = structure(("value", "string"), ("length", "int"))
MOMENT = structure(("date", "int"), ("time", "long"))
LARGEST = "18446744073709551615"
ZONED = structure(("timestamp", "long"), ("offset", "int"))
PARTS = ("years", "months", "days", "hours", "minutes", "seconds", "nanos")
HOUR = 3_600_000


@pytest.mark.parametrize(
    ("kind", "value", "text"),
    [
        ({"type": "int", "logicalType": "date"}, 19782, "2024-02-29"),
        ({"type": "int", "logicalType": "date"}, -719163, "0000-12-31"),
        ({"type": "int", "logicalType": "date"}, 2932897, "+10000-01-01"),
        ({"type": "int", "logicalType": "time-millis"}, 29730001, "08:15:30.001"),
        ({"type": "long", "logicalType": "time-micros"}, 86399999999, "23:59:59.999999"),
        ({"type": "long", "logicalType": "time-interval-micros"}, 5, "00:00:00.000005"),
        ({"type": "long", "logicalType": "time-interval-micros"}, -3020399000000, "-838:59:59"),
        (
            {"type": "long", "logicalType": "timestamp-micros"},
            -62135596800000000,
            "0001-01-01T00:00:00Z",
        ),
        ({"type": "long", "logicalType": "timestamp-micros"}, 9223372036825200000, "infinity"),
        ({"type": "long", "logicalType": "timestamp-micros"}, -9223372036832400000, "-infinity"),
        ({"type": "long", "logicalType": "local-timestamp-millis"}, 1, "1970-01-01T00:00:00.001"),
        ({"type": "long", "logicalType": "timestamp-nanos-of-none"}, 7, 7),
        (
            {"type": "bytes", "logicalType": "decimal", "precision": 38, "scale": 3},
            (-123456).to_bytes(4, "big", signed=True),
            "-123.456",
        ),
        ({"type": "string", "logicalType": "number"}, LARGEST, LARGEST),
        ({"type": "string", "logicalType": "varchar"}, "Roma", "Roma"),
        (TEXT, {"value": "Roma", "length": 30}, "Roma"),
        (ZONED, {"timestamp": 56, "offset": HOUR}, "1970-01-01T01:00:00.000056+01:00"),
        (ZONED, {"timestamp": 0, "offset": -HOUR // 2}, "1969-12-31T23:30:00-00:30"),
        (INTERVAL, {"months": 14, "hours": 25, "micros": 1500000}, "P14MT25H1.5S"),
        (INTERVAL, {"months": 0, "hours": 0, "micros": 0}, "P0D"),
        (
            NANO,
            dict(zip(PARTS, (1, 31, 3890, 25, 31, 12, -9), strict=True)),
            "P1Y31M3890DT25H31M11.999999991S",
        ),
        (NANO, dict.fromkeys(PARTS) | {"months": 1000}, "P1000M"),
        (MOMENT, {"date": 1, "time": 1}, "1970-01-02T00:00:00.000001"),
    ],
)  # fmt: skip
def test_unified_types_as_json_has_them(kind, value, text):
    """Including the checks of Google's own unit tests, and their mistakes (.000005)."""
    columns = [ID, {"name": "v", "type": ["null", kind]}]
    (record,) = read(raw_avro(columns, event(1, v=value)))
    assert json.loads(record.value)["payload"]["v"] == text


def raw_avro(columns: list[dict], *events: dict) -> bytes:
    """A file with raw values: fastavro writes no timestamp beyond Python's."""
    file, body = io.BytesIO(), io.BytesIO()
    real = schema(columns)
    plain = json.loads(json.dumps(real).replace('"logicalType"', '"wasLogical"'))
    fastavro.writer(body, fastavro.parse_schema(plain, {}), events, sync_marker=b"s" * 16)
    file.write(body.getvalue().replace(b"wasLogical", b"logicalType"))
    return _with_header(file.getvalue(), real)


def _with_header(data: bytes, real: dict) -> bytes:
    """The blocks of a file after a header with another schema."""
    blocks = data[data.index(b"s" * 16) + 16 :]
    header = io.BytesIO()
    fastavro.writer(header, fastavro.parse_schema(real, {}), [], sync_marker=b"s" * 16)
    return header.getvalue() + blocks


def test_columns_of_a_row_named_like_parts_of_a_type_stay():
    columns = [{"name": "date", "type": "int"}, {"name": "time", "type": "long"}]
    (record,) = read(avro([event(1) | {"payload": {"date": 1, "time": 2}}], columns))
    assert json.loads(record.value)["payload"] == {"date": 1, "time": 2}
    assert unified.form(schema(columns)["fields"][-1]["type"]) is None


def test_a_file_is_known_from_its_objects_folder_on():
    inside = "depot_pallet/2024/02/01/08/00/ab12_mysql-cdc-binlog_-1_5_0.avro"
    assert datastream.place(f"/mnt/bucket/prefix/{inside}") == inside
    assert datastream.place(f"gs/other/{inside}") == inside
    assert datastream.place("/tmp/copied.jsonl") == "copied.jsonl"


@pytest.mark.parametrize("form", ["datastream", "avro"])
def test_two_files_of_one_name_are_refused_where_they_differ(form, tmp_path):
    """File and line identify the lines: the second file would be lost."""
    paths = [tmp_path / shard / "part-0" for shard in ("shard1", "shard2")]
    for number, path in enumerate(paths):
        path.parent.mkdir()
        path.write_bytes(avro([event(number)]))
    with pytest.raises(UserError, match="differ, and both are known as part-0") as failed:
        land(None, paths, "landing.events", form=form, topic="t")
    assert all(str(path) in failed.value.message for path in paths)
    assert "rename one of them" in failed.value.message


def test_a_file_of_a_name_that_was_landed_is_refused_where_it_differs(spark, tmp_path):
    """Equal copies, in one command or two, are one file; a longer one adds what is new."""
    table = "cli_datastream_names.events"
    paths = [tmp_path / shard / "part-0.jsonl" for shard in ("shard1", "copy", "longer", "other")]
    for path in paths:
        path.parent.mkdir()
    for path, told in zip(paths, ([1, 2], [1, 2], [1, 2, 3], [7, 8, 9]), strict=True):
        events = [event(number) for number in told]
        path.write_bytes(json_lines(events))
    try:
        assert land(spark, paths[:2], table, form="datastream").landed == 2
        assert land(spark, [paths[1]], table, form="datastream").landed == 0
        assert land(spark, [paths[2]], table, form="datastream").landed == 1
        with pytest.raises(UserError, match=r"has another record of part-0\.jsonl:\d"):
            land(spark, [paths[3]], table, form="datastream")
        assert spark.table(table).count() == 3
    finally:
        drop_schema(spark, "cli_datastream_names")


def test_a_bucket_lands_once(spark, tmp_path):
    """Events of a generated database in JSON, plain and gzipped, and Avro; then again from a copy
    of the bucket elsewhere, with one more file."""
    made_up = [json.dumps(e) for e in stream_of(3)]
    half = len(made_up) // 2
    bucket = tmp_path / "bucket"
    minute = bucket / "made_up" / "2024" / "02" / "01" / "08"
    for name, data in {
        "00/first.jsonl": "\n".join(made_up[:half]).encode(),
        "01/second.jsonl": gzip.compress("\n".join(made_up[half:]).encode()),
    }.items():
        (minute / name).parent.mkdir(parents=True)
        (minute / name).write_bytes(data)
    (minute / "00" / "third.avro").write_bytes(avro([event(number) for number in range(7)]))
    (minute / "00" / ".part").write_bytes(b"still being written")
    table = "datastream_files.events"
    try:
        told = land(spark, [bucket], table, form="datastream")
        assert (told.read, told.landed, told.broken) == (len(made_up) + 7, len(made_up) + 7, 0)
        copy = tmp_path / "elsewhere" / "copy"
        copy.parent.mkdir()
        bucket.rename(copy)
        later = copy / "made_up" / "2024" / "02" / "01" / "08" / "02" / "fourth.jsonl"
        later.parent.mkdir()
        later.write_text("\n".join(made_up[:2]))  # redelivered, in another file
        told = land(spark, [copy], table, form="datastream")
        assert (told.landed, told.present) == (2, len(made_up) + 7)
        rows = spark.sql(f"select topic, partition, offset, value, file from {table}").collect()
        assert len({row["offset"] for row in rows}) == len(rows) == len(made_up) + 9
        newest = sorted(rows, key=lambda row: row["offset"])[-2:]
        assert [bytes(row["value"]).decode() for row in newest] == made_up[:2]
        assert {row["topic"] for row in rows} == {"made_up", "depot_pallet"}
    finally:
        drop_schema(spark, "datastream_files")


def stream_of(seed: int) -> list[dict]:
    database = Database(Random(seed), "mysql")
    database.work(10)
    return database.events

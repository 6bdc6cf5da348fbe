"""Landing from a folder that fills: each run reads what is new or changed, and nothing is lost of
files that are late, empty, overwritten or still being written."""

import gzip
import json
import os
from datetime import UTC, datetime

import pytest
from click.testing import CliRunner

from afterimage import session
from afterimage.cli import main
from afterimage.errors import UserError
from afterimage.land import files as landing
from afterimage.land import sources

TABLE = "folder_landing.events"


@pytest.fixture
def table(spark):
    def dropped():
        for name in (TABLE, f"{TABLE}__files"):
            spark.sql(f"drop table if exists {name}")

    dropped()
    yield TABLE
    dropped()


@pytest.fixture(params=["path", "address"])
def land(spark, table, tmp_path, request):
    """Lands the folder, once read by this process and once by Spark."""
    folder = tmp_path / "in"
    folder.mkdir()
    given = folder if request.param == "path" else folder.as_uri()
    return lambda **options: landing.land(spark, [given], table, **options)


def lines(*offsets: int) -> bytes:
    records = [
        {"topic": "t", "partition": 0, "offset": n, "timestamp": n, "key": None, "value": f"v{n}"}
        for n in offsets
    ]
    return "".join(json.dumps(record) + "\n" for record in records).encode()


def write(file, content: bytes, modified: int | None = None):
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content)
    if modified is not None:
        os.utime(file, (modified, modified))


def offsets(spark) -> list[int]:
    return sorted(row.offset for row in spark.table(TABLE).where("topic is not null").collect())


def test_each_file_is_read_once(spark, land, tmp_path):
    write(tmp_path / "in/2026/1.jsonl", lines(1, 2))
    write(tmp_path / "in/2.jsonl.gz", gzip.compress(lines(3)))
    write(tmp_path / "in/_temporary/0/3.jsonl", lines(90))
    write(tmp_path / "in/.4.jsonl.tmp", lines(91))
    assert land().read == 3
    assert offsets(spark) == [1, 2, 3]
    done = land()
    assert (done.read, done.unchanged) == (0, 2)
    assert "not read: 2 files, unchanged since the last time" in done.remarks()


def test_a_file_read_in_another_way_or_into_another_table_is_new(spark, land, tmp_path):
    write(tmp_path / "in/1.jsonl", lines(1))
    assert land(form="jsonl-base64").broken == 1
    assert (land().landed, offsets(spark)) == (1, [1])
    spark.sql(f"drop table {TABLE}")
    assert (land().landed, offsets(spark)) == (1, [1])
    assert land().read == 0


def test_names_that_look_like_patterns(spark, land, tmp_path):
    """Of file names; `{1,2}` and `[12]` would also match the others."""
    for number, name in enumerate(("1", "2", "{1,2}", "[12]", "a b%20c", "?", "*", "ü")):
        write(tmp_path / f"in/{name}.jsonl", lines(number))
    assert (land().landed, offsets(spark)) == (8, list(range(8)))


def test_late_empty_and_overwritten_files(spark, land, tmp_path):
    write(tmp_path / "in/1.jsonl", lines(1), modified=2000)
    write(tmp_path / "in/2.jsonl", b"", modified=2000)
    assert land().read == 1
    write(tmp_path / "in/0.jsonl", lines(7), modified=1000)  # comes late
    write(tmp_path / "in/1.jsonl", lines(9), modified=3000)  # overwritten, of the same length
    write(tmp_path / "in/2.jsonl", lines(2), modified=2000)
    done = land()
    assert (done.read, done.landed, done.unchanged) == (3, 3, 0)
    assert offsets(spark) == [1, 2, 7, 9]


def test_a_file_that_is_being_written(spark, land, tmp_path):
    """Its complete lines land, and the rest when it is there; nothing lands as broken."""
    whole, packed = lines(1, 2), gzip.compress(lines(3, 4))
    write(tmp_path / "in/1.jsonl", whole[:-20])
    write(tmp_path / "in/2.jsonl.gz", packed[:-9])
    write(tmp_path / "in/3.jsonl", lines(5))
    done = land()
    assert {1, 5} <= set(offsets(spark))
    remarks = "\n".join(done.remarks())
    assert "1.jsonl: line 2, the last one, is incomplete" in remarks
    assert "2.jsonl.gz: the gzip file is damaged or cut short" in remarks
    again = land()
    assert again.landed == 0 and len(again.incomplete) == 2, "said each time"
    write(tmp_path / "in/1.jsonl", whole)
    write(tmp_path / "in/2.jsonl.gz", packed)
    land()
    assert offsets(spark) == [1, 2, 3, 4, 5]
    assert spark.table(TABLE).count() == 5


def test_a_broken_line_within_a_file_lands_as_ever(spark, land, tmp_path):
    write(tmp_path / "in/1.jsonl", lines(1) + b'{"topic":\n' + lines(2))
    assert (land().broken, offsets(spark)) == (1, [1, 2])


def test_a_run_killed_before_it_remembers_reads_again(spark, land, tmp_path, monkeypatch):
    write(tmp_path / "in/1.jsonl", lines(1))

    def killed(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(landing, "remember", killed)
        with pytest.raises(KeyboardInterrupt):
            land()
    done = land()
    assert (done.read, done.landed, offsets(spark)) == (1, 0, [1])


def test_parquet_of_a_job_that_copies_topics(spark, land, tmp_path):
    """Written by Spark, in its own types; the third of the files is damaged."""
    moment = datetime(2026, 1, 2, 3, 4, 5, 678000, tzinfo=UTC)
    header = [("h", b"\x00\xff"), ("none", None)]
    rows = [
        ("t", 0, 1, moment, b"k", b"\x00v", header),
        ("t", 1, 5, None, None, None, None),
    ]
    columns = (
        "topic string, partition int, offset bigint, timestamp timestamp, key binary, "
        "value binary, headers array<struct<key: string, value: binary>>"
    )
    for number, row in enumerate(rows):
        written = spark.createDataFrame([row], columns).withColumn("other", landing.F.lit(1))
        written.coalesce(1).write.parquet((tmp_path / f"in/{number}").as_posix())
    write(tmp_path / "in/9.parquet", b"PAR1")
    done = land(form="parquet")
    landed = spark.table(TABLE).orderBy("offset").collect()
    assert [row.asDict(True)["headers"] for row in landed] == [
        [{"key": "h", "value": b"\x00\xff"}, {"key": "none", "value": None}],
        None,
    ]
    names = ("topic", "partition", "offset", "key", "value")
    assert [[row[name] for name in names] for row in landed] == [
        ["t", 0, 1, b"k", b"\x00v"],
        ["t", 1, 5, None, None],
    ]
    shown = spark.table(TABLE).selectExpr("unix_millis(timestamp)").orderBy("offset").collect()
    assert [row[0] for row in shown] == [round(moment.timestamp() * 1000), None]
    assert list(done.other.items()) == [("other", 2)]
    assert [path.rpartition("/")[2] for path in done.incomplete] == ["9.parquet"]


def test_the_last_row_of_a_file_without_lines_lands_though_it_is_broken(spark, land, tmp_path):
    row = {"topic": None, "partition": 0, "offset": 1, "value": "v"}
    schema = "topic string, partition int, offset bigint, value string"
    made = spark.createDataFrame([row], schema).coalesce(1)
    made.write.parquet((tmp_path / "in/p").as_posix())
    done = land(form="parquet")
    assert (done.broken, done.landed, done.incomplete) == (1, 1, {})


def test_a_file_that_stays_damaged_fails_the_command(spark, table, tmp_path, monkeypatch):
    """Not while it may still be written; what the others have lands in any case."""
    monkeypatch.setattr(session, "spark_session", lambda target: spark)
    write(tmp_path / "in/1.jsonl", lines(1))
    write(tmp_path / "in/2.jsonl.gz", gzip.compress(lines(2))[:-9])

    def landed():
        return CliRunner().invoke(main, ["land", "files", str(tmp_path / "in"), "--into", table])

    assert landed().exit_code == 0
    write(tmp_path / "in/2.jsonl.gz", gzip.compress(lines(2))[:-9], modified=1000)
    done = landed()
    assert (done.exit_code, offsets(spark)) == (1, [1])
    assert "2.jsonl.gz: the gzip file is damaged or cut short" in done.output
    assert "has not changed for an hour" in " ".join(done.output.split())


def test_an_address_of_a_large_file_is_refused(spark, table, tmp_path, monkeypatch):
    monkeypatch.setattr(sources, "_LARGEST", 10)
    write(tmp_path / "1.jsonl", lines(1))
    with pytest.raises(UserError, match="land it from a path, or split it"):
        landing.land(spark, [(tmp_path / "1.jsonl").as_uri()], table)


@pytest.mark.parametrize(
    ("column", "fault"),
    [
        ("cast(offset as string) as offset", "column offset is string"),
        ("map('h', value) as headers", "column headers is map<"),
        ("'now' as timestamp", "column timestamp is string"),
        ("struct(value) as key", "column key is struct<"),
    ],
)
def test_a_parquet_column_of_another_type(spark, table, tmp_path, column, fault):
    made = spark.sql("select 't' as topic, 0 as partition, 1L as offset, 'v' as value")
    name = column.rpartition(" ")[2]
    made = made.selectExpr(*(each for each in made.columns if each != name), column).coalesce(1)
    made.write.parquet((tmp_path / "p").as_posix())
    with pytest.raises(UserError, match=fault):
        landing.land(spark, list((tmp_path / "p").glob("*.parquet")), table, form="parquet")


def test_a_parquet_file_without_these_columns(spark, table, tmp_path):
    spark.range(1).coalesce(1).write.parquet((tmp_path / "other").as_posix())
    [file] = (tmp_path / "other").glob("*.parquet")
    with pytest.raises(UserError, match="no column topic, partition, offset, value"):
        landing.land(spark, [file], table, form="parquet")


def test_an_address_that_is_not_there(spark, table):
    with pytest.raises(UserError, match="file:/nowhere"):
        landing.land(spark, ["file:///nowhere/at/all"], table)


def test_the_command_takes_both(spark, table, tmp_path, monkeypatch):
    monkeypatch.setattr(session, "spark_session", lambda target: spark)
    write(tmp_path / "in/1.jsonl", lines(1))
    write(tmp_path / "2.jsonl", lines(2))
    given = [str(tmp_path / "in"), (tmp_path / "2.jsonl").as_uri()]
    done = CliRunner().invoke(main, ["land", "files", *given, "--into", table])
    assert done.output.splitlines()[-1] == f"{table}: landed 2, already there 0, broken 0"
    assert offsets(spark) == [1, 2]

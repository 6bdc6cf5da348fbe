"""Landing files in a table on the shared session."""

import gzip
import json
import shutil
from types import SimpleNamespace

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner
from tests.session import warehouse_of

from afterimage import session
from afterimage.cli import main
from afterimage.errors import UserError
from afterimage.land import files as landing


@pytest.fixture
def table(spark, request):
    """The name of a table that does not exist yet."""
    name = "cli_landing.events"
    spark.sql(f"drop table if exists {name}")
    yield name
    spark.sql(f"drop table if exists {name}")


def event(offset, **fields) -> str:
    record = {"topic": "t", "partition": 0, "offset": offset, "timestamp": 0, "key": None}
    return json.dumps(record | {"value": f"v{offset}", "headers": None} | fields)


def write(path, *lines: str):
    text = "".join(f"{line}\n" for line in lines).encode()
    path.write_bytes(gzip.compress(text) if path.suffix == ".gz" else text)
    return path


def counts(done) -> tuple[int, int, int]:
    return done.landed, done.present, done.broken


def test_every_column(spark, table, tmp_path):
    text = "line\u2028separator \U0001f600 \x00 'quote\" \\ {{ jinja }}"
    file = write(
        tmp_path / "a.jsonl",
        event(
            2**63 - 1,
            timestamp=1795240071548,
            key="k\u2028",
            value=text,
            headers={"h": "x", "n": None},
        ),
        event(1, timestamp=-62135596800000, value={"n": 1}, headers=[{"key": "l", "value": "y"}]),
        event(2, timestamp=None, value=None),
    )
    assert counts(landing.land(spark, [file], table)) == (3, 0, 0)
    columns = {column.name: column.dataType.simpleString() for column in spark.table(table).schema}
    assert columns == landing.COLUMNS
    rows = spark.sql(
        f"select topic, partition, offset, cast(timestamp as string) at, key, value, headers, "
        f"file, line from {table} order by line"
    ).collect()
    assert [tuple(row)[:4] for row in rows] == [
        ("t", 0, 2**63 - 1, "2026-11-21 05:47:51.548"),
        ("t", 0, 1, "0001-01-01 00:00:00"),
        ("t", 0, 2, None),
    ]
    assert [(row.key, row.value) for row in rows] == [
        ("k\u2028".encode(), text.encode()),
        (None, b'{"n": 1}'),
        (None, None),
    ]
    assert [row.headers and [tuple(header) for header in row.headers] for row in rows] == [
        [("h", b"x"), ("n", None)],
        [("l", b"y")],
        None,
    ]
    assert [(row.file, row.line) for row in rows] == [("a.jsonl", n) for n in (1, 2, 3)]


def test_again_in_any_packing_and_order_adds_nothing(spark, table, tmp_path):
    plain = write(tmp_path / "a.jsonl", event(1), event(2), "broken")
    assert counts(landing.land(spark, [plain], table)) == (3, 0, 1)
    assert counts(landing.land(spark, [plain], table)) == (0, 3, 1)
    packed = write(tmp_path / "b.jsonl.gz", event(3), event(2), event(1))
    assert counts(landing.land(spark, [packed], table)) == (1, 2, 0)
    assert spark.table(table).count() == 4


def test_files_that_a_killed_insert_left_are_not_published(spark, table, tmp_path):
    """Those of its finished tasks, where Hadoop's committer keeps them until the commit."""
    landing.land(spark, [write(tmp_path / "1.jsonl", event(1))], table)
    folder = warehouse_of(spark, "cli_landing") / "events"
    left = folder / "_temporary" / "0" / "task_202611300000000000000000000000000_0000_m_000000"
    left.mkdir(parents=True)
    [file] = folder.glob("*.parquet")
    shutil.copy(file, left / file.name.replace("part-00000", "part-00009"))
    landing.land(spark, [write(tmp_path / "2.jsonl", event(2))], table)
    assert sorted(row.offset for row in spark.table(table).collect()) == [1, 2]
    assert not left.exists()


def test_the_first_of_a_coordinate_lands(spark, table, tmp_path):
    file = write(tmp_path / "a.jsonl", event(1, value="a"), event(1, value="b"), event(2))
    other = write(tmp_path / "b.jsonl", event(1, value="c"), event(1, topic="u"))
    assert counts(landing.land(spark, [file, other, file], table)) == (3, 5, 0)
    rows = spark.sql(f"select topic, offset, cast(value as string) from {table}").collect()
    assert sorted(map(tuple, rows)) == [("t", 1, "a"), ("t", 2, "v2"), ("u", 1, "v1")]


def test_broken_lines_land_whole(spark, table, tmp_path):
    lines = ["kaputt", "kaputt", '{"topic": "t"}', event(1)[:-9], "", event(2), "[3]", "4", "5"]
    done = landing.land(spark, [write(tmp_path / "a.jsonl", *lines)], table)
    assert counts(done) == (8, 0, 7)
    assert done.places[0] == "a.jsonl:1 not JSON: Expecting value at column 1"
    assert len(done.places) == landing.FIRST_PLACES
    assert "broken: … and 2 more" in done.remarks()
    rows = spark.sql(
        f"select line, cast(value as string) as value, file from {table} where topic is null "
        "and partition is null and offset is null and timestamp is null and key is null "
        "and headers is null order by line"
    ).collect()
    assert [(row.line, row.value) for row in rows] == [
        (number, line) for number, line in enumerate(lines, 1) if line and number != 6
    ]
    assert {row.file for row in rows} == {"a.jsonl"}

    # The same line elsewhere is another delivery, as is another line in the same place.
    moved = write(tmp_path / "a.jsonl", "other", *lines)
    assert counts(landing.land(spark, [moved], table)) == (7, 2, 8)


@pytest.mark.parametrize("bound", [{"CHUNK_ROWS": 3}, {"CHUNK_BYTES": 100}, {"CHUNK_ROWS": 1}])
def test_chunk_boundaries(spark, table, tmp_path, monkeypatch, bound):
    for name, value in bound.items():
        monkeypatch.setattr(landing, name, value)
    lines = [event(n, value="x" * (n * 7 % 90)) if n % 5 else f"broken {n}" for n in range(1, 22)]
    file = write(tmp_path / "a.jsonl.gz", *lines)
    assert counts(landing.land(spark, [file], table)) == (21, 0, 4)
    rows = spark.sql(f"select line, offset, length(value) as size from {table}").collect()
    assert sorted((row.line, row.offset or row.line, row.size) for row in rows) == [
        (n, n, n * 7 % 90 if n % 5 else len(f"broken {n}")) for n in range(1, 22)
    ]


def test_lines_without_a_place_are_counted_and_kept_apart(spark, table, tmp_path):
    lines = [f'{{"id": {n}}}\t{{"n": {n}}}' for n in range(1, 5)]
    given = {"form": "console", "topic": "t"}
    first = write(tmp_path / "a.txt", *lines[:3])
    done = landing.land(spark, [first], table, **given)
    assert counts(done) == (3, 0, 0)
    assert any("without partition and offset: 3 records" in line for line in done.remarks())
    # The same again, and a longer dump with the same beginning.
    assert counts(landing.land(spark, [first], table, **given)) == (0, 3, 0)
    longer = write(tmp_path / "b.txt", *lines)
    assert counts(landing.land(spark, [longer], table, **given)) == (1, 3, 0)
    rows = spark.sql(f"select partition, offset, cast(value as string) from {table}").collect()
    assert sorted(map(tuple, rows)) == [(0, n, f'{{"n": {n}}}') for n in range(1, 5)]

    # Other records of the topic would have offsets with another meaning.
    other = write(tmp_path / "c.txt", *lines[1:])
    for files in ([other], [longer, other], [first]):
        with pytest.raises(UserError, match="dump them again with"):
            landing.land(spark, files, table, **given)
    assert spark.table(table).count() == 4
    assert counts(landing.land(spark, [other], table, form="console", topic="u")) == (3, 0, 0)


def test_large_values(spark, table, tmp_path):
    file = write(tmp_path / "a.jsonl", *(event(n, value="ü" * 5_000_000) for n in range(8)))
    assert counts(landing.land(spark, [file], table)) == (8, 0, 0)
    row = spark.sql(f"select min(length(value)) as low, max(length(value)) as high from {table}")
    assert tuple(row.first()) == (10_000_000, 10_000_000)


def test_nothing_in_the_files_still_makes_the_table(spark, table, tmp_path):
    assert counts(landing.land(spark, [write(tmp_path / "a.jsonl")], table)) == (0, 0, 0)
    assert spark.table(table).count() == 0


def test_cut_gzip_lands_nothing(spark, table, tmp_path):
    whole = write(tmp_path / "whole.jsonl", event(1))
    cut = write(tmp_path / "cut.jsonl.gz", *(event(n) for n in range(500)))
    cut.write_bytes(cut.read_bytes()[:-20])
    with pytest.raises(UserError, match=r"cut\.jsonl\.gz.* damaged or cut short"):
        landing.land(spark, [whole, cut], table)
    assert not spark.catalog.tableExists(table)


def test_missing_file(spark, table, tmp_path):
    with pytest.raises(UserError, match=r"no such file: .*gone\.jsonl"):
        landing.land(spark, [tmp_path / "gone.jsonl"], table)


@pytest.mark.parametrize("name", ["events", "a.b.c", "a.b; drop table x", "a.`b`", "", "ä.b"])
def test_a_name_that_is_no_schema_and_table(spark, tmp_path, name):
    with pytest.raises(UserError, match=r"not schema\.table"):
        landing.land(spark, [write(tmp_path / "a.jsonl", event(1))], name)


def test_a_table_of_another_shape_names_the_columns(spark, table, tmp_path):
    spark.sql("create schema if not exists cli_landing")
    spark.sql(
        f"create table {table} (topic string, partition int, offset int, timestamp timestamp, "
        "key binary, value string, headers array<struct<key string, value binary>>, file string, "
        "extra date) using parquet"
    )
    with pytest.raises(UserError) as caught:
        landing.land(spark, [write(tmp_path / "a.jsonl", event(1))], table)
    assert [line for line in caught.value.message.splitlines() if line.startswith("  ")] == [
        "  offset: needs bigint, is int",
        "  value: needs binary, is string",
        "  line: needs bigint, is missing",
        "  extra: date, not expected",
    ]
    assert spark.table(table).count() == 0


def test_columns_in_another_order(spark, table, tmp_path):
    columns = ", ".join(f"`{name}` {kind}" for name, kind in reversed(landing.COLUMNS.items()))
    spark.sql("create schema if not exists cli_landing")
    spark.sql(f"create table {table} ({columns}) using parquet")
    landing.land(spark, [write(tmp_path / "a.jsonl", event(5))], table)
    assert tuple(spark.sql(f"select topic, offset, file, line from {table}").first()) == (
        "t",
        5,
        "a.jsonl",
        1,
    )


def test_command(spark, table, tmp_path, monkeypatch):
    monkeypatch.setattr(session, "spark_session", lambda target: spark)
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "a.jsonl", event(1, broker=4), "broken")
    (tmp_path / "link.jsonl").symlink_to("a.jsonl")
    done = CliRunner().invoke(main, ["land", "files", "link.jsonl", "--into", table])
    assert done.exit_code == 0, done.output
    assert done.output.splitlines() == [
        "broken: link.jsonl:2 not JSON: Expecting value at column 1",
        "broken lines are in the table too: topic is null, value is the whole line",
        "not landed: field broker of 1 record",
        f"{table}: landed 2, already there 0, broken 1",
    ]
    # The name is the given one, not the link's target.
    assert spark.table(table).select("file").distinct().collect() == [("link.jsonl",)]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["gone.jsonl", "--into", "a.b"], "'gone.jsonl' does not exist"),
        (["in", "--into", "a.b", "--format", "console", "--topic", "t"], "takes one complete dump"),
        (["--into", "a.b"], "Missing argument 'FILES...'"),
        (["here.jsonl"], "Missing option '--into'"),
        (["here.jsonl", "--into", "a.b", "--format", "xml"], "'jsonl', 'jsonl-base64'"),
        (["here.jsonl", "--into", "events"], "'events' is not schema.table"),
    ],
)
def test_command_with_wrong_input(spark, tmp_path, monkeypatch, arguments, message):
    monkeypatch.setattr(session, "spark_session", lambda target: spark)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "here.jsonl").touch()
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "1.txt").touch()
    done = CliRunner().invoke(main, ["land", "files", *arguments])
    assert done.exit_code != 0
    assert message in " ".join(done.output.split())


def test_the_command_gives_the_format_of_a_new_table(tmp_path, monkeypatch):
    given = []

    def land(*_, file_format, **__):
        given.append(file_format)
        return landing.Landed()

    monkeypatch.setattr(session, "spark_session", lambda target: None)
    monkeypatch.setattr(landing, "land", land)
    command = ["land", "files", str(tmp_path), "--into", "a.b"]
    for options in ([], ["--file-format", "iceberg"]):
        assert CliRunner().invoke(main, [*command, *options]).exit_code == 0
    assert given == ["parquet", "iceberg"]


def test_a_cluster_has_the_rows_sent(tmp_path, monkeypatch):
    """It cannot read the files of this machine."""
    file = tmp_path / "records.parquet"
    pq.write_table(pa.table({"topic": ["t", "t"]}), file)
    spark = SimpleNamespace(createDataFrame=lambda rows: rows.num_rows)
    monkeypatch.setattr(landing, "is_remote", lambda: True)
    assert landing._records(spark, file) == 2

"""`afterimage reconcile`: a table next to its database, a file or a table of the warehouse."""

import contextlib
import csv
import json
import re
import shlex
import sqlite3
import time

import pytest
from click.testing import CliRunner
from rich.console import Console
from tests.functional.conftest import drop
from tests.functional.project import Project

from afterimage import reconcile
from afterimage.cli import main
from afterimage.reconcile import MEANING, Reconciled, Taken

SECOND = 1767225600  # 2026-01-01
LATER = 4102444800  # 2100-01-01
COLUMNS = {"id": "int", "note": "text", "data": "bytea"}


def change(table, offset, row, at=SECOND, op="c"):
    source = {
        "connector": "postgresql",
        "name": "pg1",
        "schema": "shop",
        "table": table,
        "lsn": 100 + offset,
        "txId": offset,
        "ts_ms": int(at * 1000),
    }
    value = {"op": op, "source": source, "before": None, "after": row}
    return {
        "topic": f"pg1.shop.{table}",
        "partition": 0,
        "offset": offset,
        "timestamp": source["ts_ms"],
        "key": {"id": row["id"]},
        "value": value,
    }


def command(project, *arguments):
    done = CliRunner().invoke(
        main, ["reconcile", *map(str, arguments), "--project-dir", str(project.folder)]
    )
    if done.exception and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done


def counts(done) -> dict:
    return {name: n for name, n in json.loads(done.output)["counts"].items() if n}


@pytest.fixture(scope="module")
def project(spark, tmp_path_factory):
    """Orders 1 to 3, the first of which changes in 2100, so that all up to then is staged; and
    lines, whose changes end before any source is read."""
    note = {"key": ["id"], "columns": {"id": "int", "note": "text"}}
    made = Project(
        tmp_path_factory.mktemp("reconcile") / "consumer",
        spark,
        "shop",
        {"connector": "postgresql", "topic_prefix": "pg1"},
        {
            "orders": {"topic": "pg1.shop.orders", "key": ["id"], "columns": COLUMNS},
            "lines": {"topic": "pg1.shop.lines", **note},
            "beats": {"topic": "pg1.shop.beats", **note},
            "bag": {
                "topic": "pg1.shop.bag",
                "key": [],
                "replica_identity": "full",
                "columns": {"id": "int"},
            },
        },
        schema="reconcile_command",
        landing="reconcile_command_landing.events",
        layers={"beats": ["stg"]},
        operator_events=[],
    )
    rows = [{"id": n, "note": t, "data": "AQ=="} for n, t in ((1, "a"), (2, "it's"), (3, None))]
    made.land([change("orders", n, row) for n, row in enumerate(rows)])
    # the same values again: a change that makes no version
    made.land([change("orders", 3, rows[2], SECOND + 9, "u")])
    made.land([change("orders", 4, rows[0] | {"note": "[/later]"}, LATER, "u")])
    made.land([change("lines", n, {"id": n, "note": "[/x]"}) for n in (1, 2)])
    made.run("seed")
    made.run("run")
    yield made
    drop(spark, made)


@pytest.fixture
def database(tmp_path):
    """The source, with the same rows."""
    path = tmp_path / "shop.db"
    with contextlib.closing(sqlite3.connect(path)) as made, made:
        made.execute("create table lines (id integer primary key, note text)")
        made.execute("insert into lines values (1, '[/x]'), (2, '[/y]')")
        made.execute("create table orders (id integer primary key, note text, data blob)")
        for row in ((1, "a", b"\1"), (2, "it's", b"\1"), (3, None, b"\1")):
            made.execute("insert into orders values (?, ?, ?)", row)
    return path


def of(database, *arguments):
    place = ("--database", f"sqlite:///{database}", "--database-table", "orders")
    return ("shop.orders", *place, *arguments)


def test_equal_rows(project, database):
    done = command(project, *of(database))
    assert done.exit_code == 0, done.output
    assert "identical" in done.output and "hist_shop__orders and 3 source rows" in done.output
    assert not list(project.folder.glob("target/reconcile/*")), "rows of the source are left"


def test_what_differs_and_the_events_that_end_it(project, database, tmp_path):
    with contextlib.closing(sqlite3.connect(database)) as made, made:
        made.execute("update orders set note = 'b' where id = 1")
        made.execute("delete from orders where id = 3")
        made.execute("insert into orders values (9, 'new', null)")
    done = command(project, *of(database, "--format", "json"))
    assert done.exit_code == 1
    assert counts(done) == {"identical": 1, "modified": 1, "added": 1, "removed": 1}
    found = json.loads(done.output)
    assert found["columns"] == [{"column_name": "note", "records": 1}]
    assert {(row["row_key"], row["status"]) for row in found["samples"]} == {
        *(("1", "modified"), ("3", "removed"), ("9", "added")),
    }
    seed = tmp_path / "operator_events.csv"
    shown = command(project, *of(database, "--close", seed))
    assert "1 event for operator_events.csv" in shown.output and not seed.exists()
    written = command(project, *of(database, "--close", seed, "--write"))
    assert "1 event added" in written.output, written.output
    again = command(project, *of(database, "--close", seed, "--write"))
    assert "0 events added" in again.output
    with seed.open(encoding="utf-8", newline="") as file:
        [event] = project.operator_events = list(csv.DictReader(file))
    # at the newest change, which made no version
    assert (event["kind"], event["row_key"], event["position"]) == ("close", "3", f"{103:020d}")
    project.write()
    project.run("seed")
    project.run("run")
    assert [row["id"] for row in project.rows("cur_shop__orders")] == [1, 2]


def test_a_difference_is_pending_until_a_later_change_is_staged(project, database):
    """Found at last by the command that is printed, which then removes the kept rows."""
    arguments = ("--database", f"sqlite:///{database}", "--database-table", "lines")
    done = command(project, "shop.lines", *arguments)
    assert done.exit_code == 0 and "pending" in done.output and "[/y]" in done.output
    [again] = re.findall(r"afterimage reconcile (.*)", done.output)
    [kept] = project.folder.glob("target/reconcile/*")
    assert kept.stat().st_mode & 0o77 == 0
    project.land([change("lines", 3, {"id": 3, "note": "later"}, time.time() + 9)])
    project.run("run", "--select", "stg_shop__lines+")
    found = command(project, *shlex.split(again.replace("target/", f"{project.folder}/target/")))
    assert found.exit_code == 1 and "modified" in found.output, found.output
    assert not list(project.folder.glob("target/reconcile/*"))


def test_rows_that_the_change_logs_have_not_reached(project, database, spark):
    """Read in 2100, later than every change."""
    spark.sql("create or replace temporary view few as select '1' as id, 'z' as note, null as data")
    done = command(
        project,
        *("shop.orders", "--rows", "few", "--taken-at", "2100-01-02 00:00:00", "--format", "json"),
    )
    assert done.exit_code == 0
    assert set(counts(done)) == {"pending"}


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
def test_files(project, database, spark, tmp_path, ending):
    rows = [("1", "a", "\\x01"), ("2", "it's", "\\x01"), ("3", None, "\\x01")]
    file = tmp_path / f"orders.{ending}"
    if ending == "csv":
        file.write_text("id,note,data\n" + "".join(f"{i},{n or ''},{d}\n" for i, n, d in rows))
    elif ending == "jsonl":
        file.write_text(
            "".join(json.dumps(dict(zip(COLUMNS, r, strict=True))) + "\n" for r in rows)
        )
    else:
        spark.createDataFrame(rows, list(COLUMNS)).coalesce(1).write.parquet(str(file))
        [file] = file.glob("*.parquet")
    done = command(
        project,
        *("shop.orders", "--file", file, "--taken-at", "2026-06-01 00:00:00", "--format", "json"),
    )
    assert (done.exit_code, counts(done)) == (0, {"identical": 3}), done.output


def test_a_database_without_the_hashes(project, database):
    done = command(project, *of(database, "--narrow"))
    assert done.exit_code == 1
    assert "--narrow reads postgresql, mysql, mariadb, not sqlite" in " ".join(done.output.split())
    assert not list(project.folder.glob("target/reconcile/*"))


FAULTS = [
    (["shop.orders"], "give the source as one of"),
    (["shop.orders", "--rows", "x", "--write"], "--write belongs to --close"),
    (["shop.orders", "--rows", "x", "--narrow"], "--narrow belongs to --database"),
    (["shop.orders", "--rows", "x", "--close", "x.csv"], "--close needs --taken-at"),
    (["shop.parts", "--rows", "x"], "no model of shop.parts. The project has: shop.bag"),
    (
        ["shop.orders", "--rows", "x", "--close", "x", "--format", "json"],
        "leave --format out",
    ),
    (["shop.bag", "--rows", "(select 1 as id)"], "shop.bag has no key"),
    (["shop.beats", "--rows", "(select 1 as id)"], "no history"),
    (["shop.orders", "--rows", "(select 1 as id)"], "lack note, data"),
    (["shop.orders", "--rows", "x", "--taken-at", "soon"], "'soon' does not match the formats"),
    (
        ["shop.orders", "--rows", "(select 1 as id)", "--exclude", "id"],
        "its rows are matched by id, which is masked or excluded",
    ),
    (
        ["shop.orders", "--rows", "(select 1 as id)", "--exclude", "nota"],
        "has no column nota to exclude",
    ),
]


@pytest.mark.parametrize(("arguments", "said"), FAULTS, ids=[said for _, said in FAULTS])
def test_faults(project, database, arguments, said):
    if arguments[0] == "shop.beats":
        arguments = [*arguments, "--taken-at", "2026-01-02 00:00:00"]
    done = command(project, *arguments)
    assert done.exit_code in (1, 2)
    assert said in " ".join(done.output.split())


def test_a_file_of_another_kind_and_a_table_that_is_not_there(project, database, tmp_path):
    file = tmp_path / "orders.xlsx"
    file.touch()
    done = command(project, "shop.orders", "--file", file)
    assert ".csv, .jsonl or .parquet" in done.output
    done = command(project, *of(database, "--database-table", "parts"))
    assert "the database has no table parts: name it by --database-table" in done.output
    assert done.exit_code == 1


def test_each_status_has_its_meaning():
    statuses = [status for status in MEANING if status != "identical"]
    found = {
        "model": "hist_shop__orders",
        "source_rows": 9,
        "reached": None,
        "statuses": [{"status": each, "records": 1, "in_source": 1} for each in statuses],
        "columns": [],
        "samples": [],
        "kept": "kept",
    }
    console = Console(record=True, width=200)
    Reconciled("shop.orders", found, Taken(None, None), None).show(console)
    text = console.export_text()
    for status in ("identical", *statuses):
        assert re.search(rf"{status} +│ \d+ +│ \w+", text), text


@pytest.fixture
def compared_with(tmp_path, monkeypatch):
    """Compares without dbt. Out: the command's result, and what the macro is given."""
    (tmp_path / "dbt_project.yml").write_text("name: consumer\nprofile: consumer\n")
    given = {}

    def operation(name, target, **arguments):
        given.update(arguments)
        found = {"model": "hist_shop__orders", "source_rows": 0, "reached": None, "kept": "kept"}
        return [json.dumps(found | {"statuses": [], "columns": [], "samples": []})]

    monkeypatch.setattr(reconcile, "operation", operation)

    def run(*options):
        command = ["reconcile", "shop.orders", *options, "--project-dir", str(tmp_path)]
        return CliRunner().invoke(main, command), given

    return run


@pytest.mark.parametrize(
    ("options", "since", "until"),
    [
        ([], "2026-01-02 03:00:00", "2026-01-02 03:00:02"),
        (["--margin", "0"], "2026-01-02 03:00:01", "2026-01-02 03:00:01"),
        (["--margin", "61.5"], "2026-01-02 02:58:59.500000", "2026-01-02 03:01:02.500000"),
        (
            ["--taken-until", "2026-01-02 04:00:00", "--margin", "1"],
            "2026-01-02 03:00:00",
            "2026-01-02 04:00:01",
        ),
    ],
)
def test_when_the_source_was_read(compared_with, options, since, until):
    done, given = compared_with("--rows", "x", "--taken-at", "2026-01-02 03:00:01", *options)
    assert done.exit_code == 0, done.output
    assert (given["taken_from"], given["taken_until"]) == (since, until)
    assert f"source read {since} to {until} UTC" in done.output


def test_how_many_rows_of_each_status_are_shown(compared_with):
    for options, number in (([], 10), (["--samples", "3"], 3)):
        done, given = compared_with("--rows", "x", *options)
        assert (done.exit_code, given["samples"]) == (0, number)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("--rows x --taken-until 2026-01-02", "--taken-until belongs to --taken-at"),
        # it has a clock
        ("--database sqlite:// --taken-until 2026-01-02", "--taken-until belongs to --taken-at"),
        ("--rows x --taken-at 2026-01-03 --taken-until 2026-01-02", "is earlier than --taken-at"),
        ("--rows x --reached 2026-01-02", "--reached needs --taken-at"),
    ],
)
def test_times_that_cannot_be(compared_with, options, said):
    done, given = compared_with(*options.split())
    assert done.exit_code == 2 and said in done.output and not given

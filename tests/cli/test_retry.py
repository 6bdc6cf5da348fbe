"""Refused records: pending, and retried after a change of contract or by `afterimage retry`."""

import contextlib
import json
import re
import shutil

import pytest
import yaml
from click.testing import CliRunner
from tests.functional.project import REPOSITORY, DbtFailed, Project

from afterimage.cli import main

PLACE = "pg1.shop.orders"


def record(offset, amount, topic=PLACE, **fields):
    """A create whose amount is a decimal text."""
    source = {"lsn": 100 + offset, "connector": "postgresql", "ts_ms": 1700000000000 + offset}
    value = {"op": "c", "source": source, "after": {"id": offset, "amount": amount}}
    return {"topic": topic, "partition": 0, "offset": offset, "value": value} | fields


def command(project, *arguments):
    return CliRunner().invoke(main, [*arguments, "--project-dir", str(project.folder)])


def drop(spark, schema):
    spark.sql(f"drop schema if exists {schema} cascade")


@pytest.fixture
def project(spark, tmp_path, monkeypatch):
    # A wide terminal: the report's text is not cut.
    monkeypatch.setenv("COLUMNS", "200")
    for schema in ("retry", "retry_landing"):
        drop(spark, schema)
    made = Project(
        tmp_path / "consumer",
        spark,
        "shop",
        {
            "connector": "postgresql",
            "topic_prefix": "pg1",
            "settings": {"decimal_handling_mode": "string"},
        },
        {
            "orders": {
                "topic": PLACE,
                "key": ["id"],
                "columns": {"id": "int", "amount": "numeric(4,2)"},
            }
        },
        schema="retry",
        landing="retry_landing.events",
        layers={"orders": ["stg"]},
    )
    made.land([record(1, "12.50"), record(2, "1234.50")])
    made.run("run")
    yield made
    for schema in ("retry", "retry_landing"):
        drop(spark, schema)


def staged(project):
    return sorted((row["id"], str(row["amount"])) for row in project.rows("stg_shop__orders"))


def refused(project):
    rows = project.rows("dq_shop__quarantine")
    return [(row["topic"], row["offset"], row["reason"], row["detail"]) for row in rows]


MISFIT = 'amount: {"v":"1234.50"} does not fit numeric(4,2) under decimal_handling_mode string'
WAITING = (PLACE, 2, "value_does_not_fit", MISFIT)


def test_a_widened_contract_lets_it_in_once(project):
    assert staged(project) == [(1, "12.50")]
    assert refused(project) == [WAITING]
    project.run("run")
    assert refused(project) == [WAITING]

    project.tables["orders"]["columns"]["amount"] = "numeric(9,2)"
    project.write()
    # The tables have the narrower type: a wider one requires that they are rebuilt.
    project.run("run", "--full-refresh")
    assert staged(project) == [(1, "12.50"), (2, "1234.50")]
    assert refused(project) == []
    project.run("run")
    assert staged(project) == [(1, "12.50"), (2, "1234.50")]
    assert project.counts() == {
        ("orders", "landed", None): 2,
        ("orders", "staged", None): 2,
    }


def test_a_type_of_another_width_is_refused_before_anything_is_written(project):
    project.tables["orders"]["columns"]["amount"] = "numeric(9,2)"
    project.write()
    with pytest.raises(
        DbtFailed, match=r"is decimal\(4,2\), the contract now makes it decimal\(9,2\)"
    ):
        project.run("run")
    assert staged(project) == [(1, "12.50")]
    assert [row[1] for row in refused(project)] == [2]


@pytest.fixture
def mended(project, spark):
    """A record refused under a contract that has been corrected since; the column's Spark type is
    unchanged: time(3) is milliseconds in the stream, time is microseconds, both are texts."""
    for schema in ("retry", "retry_landing"):
        drop(spark, schema)
    project.tables["orders"]["columns"]["amount"] = "time(3)"
    project.__post_init__()
    project.land([record(1, 43200000), record(2, 43200000000)])
    project.run("run")
    assert staged(project) == [(1, "12:00:00")]
    assert [row[1] for row in refused(project)] == [2]
    return project


def test_a_mended_contract_lets_it_in_once_with_the_next_run(mended):
    mended.tables["orders"]["columns"]["amount"] = "time"
    mended.write()
    for _ in range(2):
        mended.run("run")
        # Staged rows stay as they were decoded; refused records are retried.
        assert staged(mended) == [(1, "12:00:00"), (2, "12:00:00")]
        assert refused(mended) == []
    assert mended.counts() == {("orders", "landed", None): 2, ("orders", "staged", None): 2}


@contextlib.contextmanager
def older_package(project, was: str, is_: str):
    """The package as an earlier version could have been: a text of decode_time differs."""
    installed = project.folder / "dbt_packages" / "afterimage"
    installed.unlink()
    installed.mkdir()
    for name in ("macros", "models"):
        shutil.copytree(REPOSITORY / name, installed / name)
    shutil.copy(REPOSITORY / "dbt_project.yml", installed)
    for path, before, after in (
        ("macros/contract/contract_of.sql", f"'{version()}'", "'0.0.1'"),
        ("macros/decode/decode_time.sql", was, is_),
    ):
        text = (installed / path).read_text(encoding="utf-8")
        assert before in text
        (installed / path).write_text(text.replace(before, after), encoding="utf-8")
    yield
    shutil.rmtree(installed)
    installed.symlink_to(REPOSITORY)


def version() -> str:
    """The package's version, from dbt_project.yml."""
    return yaml.safe_load((REPOSITORY / "dbt_project.yml").read_text(encoding="utf-8"))["version"]


def test_a_newer_package_tries_again(project, spark):
    """An earlier version accepted no time after noon; today's does, and the next run accepts it."""
    for schema in ("retry", "retry_landing"):
        drop(spark, schema)
    project.tables["orders"]["columns"]["amount"] = "time"
    project.write()
    project.__post_init__()
    project.land([record(1, 43200000000), record(2, 43200000001)])
    with older_package(project, "86400 * 10", "43200 * 10"):
        for _ in range(2):
            project.run("run")
            assert staged(project) == [(1, "12:00:00")]
            assert [row[1] for row in refused(project)] == [2]
    for _ in range(2):
        project.run("run")
        assert staged(project) == [(1, "12:00:00"), (2, "12:00:00.000001")]
        assert refused(project) == []


def test_a_run_cut_off_before_the_change_is_in_loses_nothing(mended, spark):
    """The ledger has it as resolved, and then the run ends: the next one must still accept it."""
    before = spark.table("retry.stg_shop__orders").collect()
    shape = spark.table("retry.stg_shop__orders").schema
    mended.tables["orders"]["columns"]["amount"] = "time"
    mended.write()
    mended.run("run")
    kept = spark.createDataFrame(before, shape).coalesce(1)
    kept.write.mode("overwrite").insertInto("retry.stg_shop__orders")
    spark.catalog.refreshTable("retry.stg_shop__orders")
    assert staged(mended) == [(1, "12:00:00")]

    mended.run("run")
    assert staged(mended) == [(1, "12:00:00"), (2, "12:00:00")]
    assert refused(mended) == []


def test_retry(project, spark):
    ledger = "retry.stg_shop__orders__ledger"

    def attempts():
        return spark.table(ledger).where("offset = 2 and outcome = 'refused'").count()

    assert attempts() == 1
    project.run("run")
    assert attempts() == 1  # not retried in vain
    done = command(project, "retry")
    assert done.exit_code == 0, done.output
    assert "stg_shop__orders: 1 refused record pending for the next run" in done.output
    project.run("run")
    assert attempts() == 2
    assert staged(project) == [(1, "12.50")]
    assert refused(project) == [WAITING]  # one record, however often it was retried
    assert project.counts()[("orders", "refused", "value_does_not_fit")] == 1
    project.run("run")
    assert attempts() == 2

    done = command(project, "retry", "stg_shop__orders")
    assert done.exit_code == 0
    project.run("run")
    assert attempts() == 3

    done = command(project, "retry", "stg_shop__order", "cur_shop__orders")
    assert done.exit_code == 1
    assert "no change log: stg_shop__order, cur_shop__orders" in done.output
    assert "The project has: stg_shop__orders" in done.output


def test_retry_before_the_first_run(project, spark):
    drop(spark, "retry")
    done = command(project, "retry")
    assert (done.exit_code, done.output) == (0, "stg_shop__orders: has not run yet\n")


def test_report(project):
    project.land(
        [
            record(3, None, value=None),
            record(0, "1.00", topic="pg1.shop.carts"),
            record(0, "1.00", topic="pg1.transaction"),
            record(4, "a\x1b[31m[bold]" + "x" * 500),
            {"line": "no record"},
        ]
    )
    done = command(project, "report")
    assert done.exit_code == 0, done.output
    assert "ALARM: unknown_topic" in done.output
    assert "1 topic(s) that no contract declares" in done.output
    assert re.search(r"pg1\.shop\.carts\W+ALARM", done.output)
    assert re.search(r"pg1\.transaction\W+transaction\W+1\b", done.output)
    # landed, staged, duplicate, ignored, refused, pending
    row = r"orders\W+4\W+1\W+0\W+0\W+1 value_does_not_fit\W+2\b"
    assert re.search(row, done.output), done.output

    project.run("run")
    done = command(project, "report", "--newest", "5")
    row = r"orders\W+4\W+1\W+0\W+1 tombstone\W+2 value_does_not_fit\W+0\b"
    assert re.search(row, done.output), done.output
    assert "REFUSED: 2 value_does_not_fit: a value is not of" in done.output
    assert "REFUSED: 1 unreadable_line: " in done.output
    assert f"{PLACE} 0:2" in done.output
    assert "\x1b[31m" not in done.output
    assert "x" * 200 not in done.output

    told = json.loads(command(project, "report", "--format", "json").output)
    [table] = [row for row in told["change_logs"] if row["table_name"] == "orders"]
    assert table["changes"] == 1 and table["last_change"]
    file = project.folder / "report.html"
    done = command(project, "report", "--html", str(file))
    assert (done.exit_code, done.output) == (0, f"wrote {file}\n")
    assert "value_does_not_fit" in file.read_text()


def test_drift(project):
    wider = record(3, "1.00")
    wider["value"]["after"]["note"] = "x"
    project.land([wider])
    done = command(project, "drift", "--table", "shop.orders")
    assert done.exit_code == 0, done.output
    assert "# shop.orders in models/sources.yml" in done.output
    assert "note: text" in done.output
    done = command(project, "drift", "--table", "shop.nothing")
    assert done.exit_code == 1 and "There are: shop.orders" in done.output


def test_report_keeps_what_is_sensitive(project):
    # Declared before anything is refused: the quarantine keeps its input.
    project.tables["orders"]["sensitive"] = ["amount"]
    project.write()
    project.run("run", "--full-refresh")
    done = command(project, "report")
    assert done.exit_code == 0, done.output
    assert "amount: (sensitive) does not fit numeric(4,2)" in done.output
    assert "sha256:" in done.output
    assert "1234.50" not in done.output


def test_report_without_quality_models(project):
    for path in (project.folder / "models").glob("dq_*"):
        path.unlink()
    done = command(project, "report")
    assert done.exit_code == 1
    assert "no model of afterimage.accounting()" in done.output

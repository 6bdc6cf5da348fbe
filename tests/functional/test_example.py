"""The shipped example as `make demo` runs it, small: the demo's deliveries through the project's
own models, tests and docs; its current state is compared with the source database."""

import contextlib

import pytest
from dbt.cli.main import dbtRunner

from afterimage.land.files import land
from afterimage.outcomes import remedies
from tests.functional.project import REPOSITORY
from tests.oracle.records import read_json_lines
from tests.truth.captures import captures
from tests.truth.compare import compare_table

# Tests of a group stay in one process: their shared state is expensive to build and, here, has one
# target folder.
pytestmark = pytest.mark.xdist_group("example")
TABLES = ("customers", "products", "orders", "order_lines", "stock_slots", "carts")


def dbt(*arguments: str):
    """A dbt command on the repository's own project, target ci; its result."""
    with contextlib.chdir(REPOSITORY):
        result = dbtRunner().invoke(
            [
                *arguments,
                "--project-dir",
                str(REPOSITORY),
                "--profiles-dir",
                str(REPOSITORY / "profiles"),
                "--target",
                "ci",
                "--quiet",
            ]
        )
    assert result.success, result.exception or [
        f"{r.node.name}: {r.message}"
        for r in result.result
        if str(r.status) not in ("success", "pass")
    ]
    return result.result


@pytest.fixture(scope="module")
def built(spark):
    """The first delivery, then the other two, with `dbt build` after each."""
    spark.sql("create database if not exists landing")
    with contextlib.chdir(REPOSITORY):
        land(spark, [REPOSITORY / "demo" / "shop.first.jsonl.gz"], "landing.shop_events")
    dbt("seed")
    dbt("run")
    with contextlib.chdir(REPOSITORY):
        land(
            spark,
            [REPOSITORY / "demo" / f"shop.{name}.jsonl.gz" for name in ("second", "third")],
            "landing.shop_events",
        )
    result = dbt("build")
    yield result
    spark.sql("drop database landing cascade")
    spark.sql("drop database afterimage cascade")


def test_models_tests_and_unit_tests_pass(built):
    kinds = [r.node.resource_type for r in built]
    assert kinds.count("model") == 22
    assert kinds.count("test") > 20
    assert kinds.count("unit_test") >= 3


@pytest.mark.parametrize("table", TABLES)
def test_current_state_equals_the_database(built, table, spark, compared):
    spec = captures()["shop"].spec.tables[f"shop.{table}"]
    expected = read_json_lines(REPOSITORY / "demo" / "truth" / f"shop.{table}.jsonl")
    rows = [
        row.asDict(recursive=True) for row in spark.table(f"afterimage.cur_shop__{table}").collect()
    ]
    # rows unchanged since ADD COLUMN points: the stream does not show that they hold NULL
    differences = [
        d
        for d in compare_table(spec, expected, rows)
        if not (d.column == "points" and d.reason == "unknown" and d.expected is None)
    ]
    assert differences == []
    compared["rows of the example's cur_ compared with the database"] += len(expected)


def test_every_record_is_accounted_for(built, spark):
    outcomes = {row["outcome"] for row in spark.table("afterimage.dq_shop__accounting").collect()}
    assert outcomes <= {"landed", "staged", "ignored", "unrouted"}


def test_every_count_of_a_kind_has_its_remedy(built, spark):
    """The seed holds the file as it is, and joins to accounting; entries that a contract declares
    under side_topics need no remedy."""
    seed = spark.table("afterimage.afterimage_remedies")
    held = {(row.outcome, row.kind): (row.meaning, row.remedy) for row in seed.collect()}
    assert held == {kind: tuple(row.values()) for kind, row in remedies().items()}
    counted = spark.table("afterimage.dq_shop__accounting").where("kind is not null")
    left = counted.join(seed, ["outcome", "kind"], "anti").collect()
    assert [row.kind for row in left] == ["marks of the capture rig"] and counted.count() > 1


def test_a_second_run_writes_nothing(built, spark):
    def files():
        from pathlib import Path

        warehouse = (
            Path(spark.conf.get("spark.sql.warehouse.dir").removeprefix("file:")) / "afterimage.db"
        )
        return {
            (str(p), p.stat().st_mtime_ns)
            for p in warehouse.rglob("*.parquet")
            if "fct_" not in str(p)
        }

    before = files()
    assert before
    dbt("run", "--select", "staging", "history", "current")
    assert files() == before


def test_docs_are_written(built):
    dbt("docs", "generate", "--static")
    assert (REPOSITORY / "target" / "static_index.html").stat().st_size > 100_000

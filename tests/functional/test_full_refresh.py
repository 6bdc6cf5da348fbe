"""Law of full refresh: it equals the incremental result while landing still holds the start."""

import pytest

from tests.functional.conftest import drop
from tests.functional.project import DbtFailed
from tests.functional.small_stream import PARTS, build, contents


@pytest.fixture
def project(spark, tmp_path):
    made = build(spark, tmp_path, "refreshed")
    yield made
    drop(spark, made)


def test_equals_the_incremental_result(project):
    for part in PARTS:
        project.land(part)
        project.run("run")
    incremental = contents(project)
    project.run("run", "--full-refresh")
    assert contents(project) == incremental


def test_is_refused_where_landing_lacks_the_start(project, spark):
    first, second, third = PARTS
    project.land(first + second)
    project.run("run")
    before = project.rows("stg_s__keyed")
    kept = spark.table(project.landing).where("offset >= 2").collect()
    spark.sql(f"truncate table {project.landing}")
    spark.createDataFrame(kept, spark.table(project.landing).schema).write.insertInto(
        project.landing
    )
    with pytest.raises(DbtFailed, match=r"2 change\(s\).*are no longer in"):
        project.run("run", "--full-refresh", "--select", "stg_s__keyed", "stg_s__bag")
    assert project.rows("stg_s__keyed") == before
    project.land(third)
    project.run("run")
    assert len(contents(project)["hist keyed"]) == 3

"""`+afterimage_schema`: companion tables of models are in their own schema."""

import pytest

from tests.functional.conftest import drop, drop_schema
from tests.functional.project import DbtFailed
from tests.functional.small_stream import PARTS, TABLES, build, contents
from tests.functional.statements import around_first

BESIDE = "beside_companions"  # as dbt names a custom schema: <target>_<custom>


@pytest.fixture
def project(spark, tmp_path):
    built = build(spark, tmp_path, "beside")
    built.model_config["+afterimage_schema"] = "companions"
    built.write()
    yield built
    drop(spark, built)
    drop_schema(spark, BESIDE)


@pytest.mark.formats
def test_the_models_stand_alone_and_their_rows_are_the_same(project, spark, tmp_path):
    plain = build(spark, tmp_path, "beside_nothing")
    for part in PARTS:
        for each in (project, plain):
            each.land(part)
            each.run("run")
    expected = contents(plain)
    beside = {name for name in tables(plain) if "__log" in name or "__ledger" in name}
    drop(spark, plain)

    assert beside and tables(project, BESIDE) == beside
    assert {name for name in tables(project) if not name.startswith("dq_")} == {
        f"{layer}_s__{table}" for layer in ("stg", "hist", "cur") for table in TABLES
    }
    assert contents(project) == expected
    for command in (["run-operation", "afterimage.maintain"], ["run", "--full-refresh"]):
        project.run(*command)
        assert contents(project) == expected


@pytest.mark.formats
def test_a_run_that_fails_leaves_no_lock_there(project):
    # before the first run the schema does not exist either
    project.run("run-operation", "afterimage.restore_swapped")
    project.land(PARTS[0])
    failing = around_first(f"insert into {project.schema}.stg_s__keyed ", after=lambda: 1 / 0)
    with failing, pytest.raises(DbtFailed, match="division"):
        project.run("run")
    assert tables(project, BESIDE) == {"stg_s__keyed__ledger", *beside_bag(project)}
    project.run("run")
    assert len(project.rows("stg_s__keyed")) == 2


def test_two_models_of_one_name_are_refused(project):
    # the other project has them in its own schema
    project.extra_models["other/more"] = (
        "{{ config(schema='companions', alias='stg_s__keyed', afterimage_schema='') }}\n"
        "{{ afterimage.change_log(source('s', 'keyed')) }}"
    )
    project.write()
    project.land(PARTS[0])
    with pytest.raises(DbtFailed, match="would be in one schema, beside_companions"):
        project.run("run")
    assert tables(project, BESIDE) == set()


def tables(project, schema: str | None = None) -> set[str]:
    """Names of the tables and views of a schema."""
    schemas = [row[0] for row in project.spark.sql("show databases").collect()]
    schema = schema or project.schema
    if schema not in schemas:
        return set()
    views = project.spark.sql(f"show views in {schema}").collect()
    found = project.spark.sql(f"show tables in {schema}").where("not isTemporary").collect()
    return {row["tableName"] for row in found} | {row["viewName"] for row in views}


def beside_bag(project) -> set[str]:
    return {name for name in tables(project, BESIDE) if "_bag__" in name and "batch" not in name}

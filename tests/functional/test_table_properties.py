"""`tblproperties` of a model, as in dbt-spark's own models: on each of its tables."""

import pytest

from tests.functional.project import Project
from tests.functional.small_stream import PARTS, TABLES
from tests.session import file_format_of

KEPT = [
    "stg_s__keyed",
    "stg_s__keyed__ledger",
    "hist_s__keyed__log",
]


@pytest.fixture
def project(spark, tmp_path):
    from tests.functional.conftest import drop

    built = Project(
        tmp_path / "properties",
        spark,
        "s",
        {"connector": "postgresql", "topic_prefix": "t"},
        {"keyed": dict(TABLES["keyed"])},
        schema="properties",
        landing="properties_landing.events",
        model_config={"+tblproperties": {"team": "it's ours"} | _of_the_format(spark)},
    )
    built.land([record for record in PARTS[0] if record["topic"] == "t.p.keyed"])
    built.run("run")
    yield built
    drop(spark, built)


def _of_the_format(spark) -> dict:
    """A property that the package itself sets to another value."""
    return {
        "delta": {"delta.enableDeletionVectors": False},
        "iceberg": {"write.merge.mode": "copy-on-write"},
    }.get(file_format_of(spark), {})


def found_on(project, table: str) -> dict[str, str]:
    rows = project.spark.sql(f"show tblproperties {project.schema}.{table}").collect()
    return {row["key"]: row["value"] for row in rows}


@pytest.mark.formats
def test_each_kept_table_has_them_after_maintenance_too(project, spark):
    wanted = {name: str(value).lower() for name, value in _of_the_format(spark).items()}
    for command in (["run"], ["run-operation", "afterimage.maintain"]):
        project.run(*command)
        current = "cur_s__keyed" + ("__log" if file_format_of(spark) == "parquet" else "")
        for table in [*KEPT, current]:
            found = {name: value.lower() for name, value in found_on(project, table).items()}
            assert found["team"] == "it's ours"
            assert found.items() >= wanted.items()


@pytest.mark.parquet
@pytest.mark.iceberg
def test_no_dictionary_is_tried_of_what_hardly_comes_twice(project, spark):
    told = {
        "parquet": "parquet.enable.dictionary#_cdc_event_id=false",
        "iceberg": "write.parquet.dict-encoding-enabled.column._cdc_event_id=false",
    }[file_format_of(spark)]
    table = f"{project.schema}.stg_s__keyed"
    rows = spark.sql(f"describe extended {table}").collect()
    assert told in " ".join(row["data_type"] for row in rows)

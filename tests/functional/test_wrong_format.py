"""A table format that the session would not write is refused before anything is written."""

import pytest

from afterimage.table_formats import TABLE_FORMATS
from tests.functional.project import DbtFailed
from tests.functional.small_stream import FIRST, TABLES
from tests.functional.statements import passing_through
from tests.session import file_format_of


@pytest.fixture
def project(make_project):
    return make_project(
        "formats",
        source="src",
        source_contract={"connector": "postgresql"},
        tables={"keyed": TABLES["keyed"]},
    )


@pytest.mark.formats
def test_a_format_the_session_cannot_make(project, spark):
    project.land(FIRST)
    own = file_format_of(spark)
    for other in TABLE_FORMATS:
        if other == own or (own == "delta" and other == "parquet"):
            continue
        project.model_config = {"+file_format": other}
        project.write()
        with pytest.raises(DbtFailed, match=rf"must be a table of {other}.*Nothing was written"):
            project.run("run", "--select", "stg_src__keyed")
    listed = spark.sql(f"show tables in {project.schema}").where("not isTemporary").collect()
    assert [table.tableName for table in listed if not table.isTemporary] == []


@pytest.mark.formats
def test_a_table_of_another_format(project, spark):
    project.land(FIRST)
    project.run("run", "--select", "stg_src__keyed")
    written = project.files()
    other = "delta" if file_format_of(spark) != "delta" else "parquet"
    project.model_config = {"+file_format": other}
    project.write()
    told = f"is a table of {file_format_of(spark)}, and file_format of the model is {other}"
    with pytest.raises(DbtFailed, match=told):
        project.run("run")
    assert project.files() == written


@pytest.mark.parquet
def test_a_current_state_whose_format_is_another_now(project, spark):
    """A view has no provider that shows its format; the session must still support it."""
    project.land(FIRST)
    project.run("run")
    before = project.rows("cur_src__keyed")
    written = project.files()
    project.model_config = {"cur_src__keyed": {"+file_format": "delta"}}
    project.write()
    with pytest.raises(DbtFailed, match=r"cur_src__keyed must be a table of delta.*Nothing was"):
        project.run("run")
    assert project.files() == written
    assert project.rows("cur_src__keyed") == before


@pytest.mark.delta
def test_delta_without_its_extension(project):
    def act(sql, carry_out):
        carry_out(
            "select 'spark.sql.extensions', '<undefined>'"
            if "set spark.sql.extensions" in sql
            else sql
        )

    project.land(FIRST)
    told = (
        "without io.delta.sql.DeltaSparkSessionExtension in spark.sql.extensions there is no MERGE"
    )
    with passing_through(act), pytest.raises(DbtFailed, match=told):
        project.run("run")


def test_a_format_nobody_knows(project):
    project.model_config = {"+file_format": "csv"}
    project.write()
    with pytest.raises(DbtFailed, match=r"csv is not supported\. Use one of: parquet"):
        project.run("run")

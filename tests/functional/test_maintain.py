"""`dbt run-operation afterimage.maintain`: fewer files, the same rows, also when it is cut off."""

from __future__ import annotations

import contextlib

import pytest

from tests.functional.project import DbtFailed
from tests.functional.small_stream import PARTS, build, contents
from tests.functional.statements import passing_through
from tests.session import file_format_of

pytestmark = pytest.mark.formats


@pytest.fixture
def project(spark, tmp_path):
    from tests.functional.conftest import drop

    built = build(spark, tmp_path, "maintain")
    for part in PARTS[:2]:
        built.land(part)
        built.run("run")
    yield built
    drop(spark, built)


def data_files(project) -> int:
    """Files of the change log that a reader of it opens."""
    table = f"{project.schema}.stg_s__keyed"
    return project.spark.sql(
        f"select count(*) as files from (select distinct input_file_name() from {table})"
    ).first()["files"]


def test_the_rows_stay_and_the_models_go_on(project, spark):
    before, files = contents(project), data_files(project)
    assert files > 1

    project.run("run-operation", "afterimage.maintain", "--args", "{keep_hours: 168}")

    assert data_files(project) == 1
    assert contents(project) == before
    project.land(PARTS[2])
    project.run("run")
    assert len(project.rows("hist_s__keyed")) == 3
    assert sorted(row["note"] for row in project.rows("cur_s__keyed")) == ["B"]


@pytest.mark.slow
def test_cut_off_anywhere_it_leaves_no_trace(project, spark):
    if file_format_of(spark) != "parquet":
        pytest.skip("Delta and Iceberg replace files by a commit of their own")
    before = contents(project)
    arguments = "{models: [stg_s__keyed]}"
    for number in range(1, 40):
        with cut_off(number) as sent, contextlib.suppress(DbtFailed):
            project.run("run-operation", "afterimage.maintain", "--args", arguments)
        project.run("run")
        assert contents(project) == before, sent[-1]
        for copy in ("swapped", "compacted"):
            left = project.spark.sql(f"show tables in {project.schema} like '*__{copy}'").collect()
            assert left == [], sent[-1]
        if len(sent) < number:
            return
    raise AssertionError("it never came to its end")


def test_a_model_there_is_not(project):
    with pytest.raises(DbtFailed, match="maintain: stg_s__nothing is no change log"):
        project.run("run-operation", "afterimage.maintain", "--args", "{models: [stg_s__nothing]}")


def cut_off(number: int):
    """Statements from the `number`-th on are not carried out. Out: what was sent."""
    sent: list[str] = []

    def act(sql, carry_out):
        sent.append(sql)
        if len(sent) >= number:
            raise RuntimeError("killed")
        carry_out(sql)

    @contextlib.contextmanager
    def cutting():
        with passing_through(act):
            yield sent

    return cutting()

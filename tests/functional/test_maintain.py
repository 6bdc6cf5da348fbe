"""`dbt run-operation afterimage.maintain`: fewer files, the same rows, also if it is
interrupted."""

import contextlib
import json
import os
import time
from pathlib import Path

import pytest

from tests.functional.conftest import drop
from tests.functional.project import DbtFailed
from tests.functional.small_stream import PARTS, build, contents, keyed
from tests.functional.statements import around_first, heard, passing_through
from tests.session import file_format_of

# the models of the table with which a test continues
KEYED = ("--select", "stg_s__keyed", "hist_s__keyed", "cur_s__keyed")


@pytest.fixture
def project(spark, tmp_path):
    built = build(spark, tmp_path, "maintain")
    for part in PARTS[:2]:
        built.land(part)
        built.run("run")
    yield built
    drop(spark, built)


def data_files(project) -> int:
    """The files of the change log that a reader opens."""
    table = f"{project.schema}.stg_s__keyed"
    # a session over Thrift has cached the former files
    project.spark.sql(f"refresh table {table}")
    return project.spark.sql(
        f"select count(*) as files from (select distinct input_file_name() from {table})"
    ).first()["files"]


@pytest.mark.formats
def test_the_rows_stay_and_the_models_go_on(project, spark):
    project.land([keyed(10 + id, 400 + id, "c", (id, "c")) for id in range(3, 13)])
    project.run("run", *KEYED)
    project.land([keyed(30, 500, "u", (3, "C"))])
    project.run("run", *KEYED)
    before = contents(project)
    # below the number at which Iceberg starts to rewrite by itself
    assert 1 < data_files(project) < 5
    # Parquet files are not merged
    assert (merge_notes(project, spark) > 0) == (file_format_of(spark) != "parquet")

    abandoned = left_by_a_failed_write(project)
    with heard() as sent:
        project.run("run-operation", "afterimage.maintain", "--args", "{keep_hours: 168}")

    held_while_rows_go(project, sent)
    assert not abandoned.exists()
    assert data_files(project) == 1
    assert merge_notes(project, spark) == 0
    assert contents(project) == before
    # replaced rows are gone from the log, and so is the record of their replacement
    log = project.rows("hist_s__keyed__log")
    assert len(log) == len(project.rows("hist_s__keyed"))
    assert not [row for row in log if row["_cdc_replaces_from"] is not None]
    project.land(PARTS[2])
    project.run("run")
    assert len(project.rows("hist_s__keyed")) == 3 + 11
    assert sorted(row["note"] for row in project.rows("cur_s__keyed")) == ["B", "C", *"ccccccccc"]


def left_by_a_failed_write(project) -> Path:
    """A file in the change log's folder that is not part of the table, a month old. On Parquet
    every file in the folder is; there it is a hidden one."""
    table = f"{project.schema}.stg_s__keyed"
    described = project.spark.sql(f"describe formatted {table}").collect()
    place = next(row["data_type"] for row in described if row["col_name"] == "Location")
    folder = Path(place.removeprefix("file:"))
    name = "_left" if file_format_of(project.spark) == "parquet" else "part-00000-left.parquet"
    file = next(folder.rglob("*.parquet")).with_name(name)
    file.write_bytes(b"PAR1")
    month_ago = time.time() - 30 * 86_400
    os.utime(file, (month_ago, month_ago))
    return file


def held_while_rows_go(project, sent: list[str]) -> None:
    """And no longer, so that a VACUUM that rejects its hours leaves no lock."""
    of_history = [sql for sql in sent if "hist_s__keyed" in sql]

    def places(*texts):
        return [place for place, sql in enumerate(of_history) if any(text in sql for text in texts)]

    (released,) = places(f"drop table if exists {project.schema}.hist_s__keyed__batch")
    replacing, compacting = places("insert overwrite", "rename to"), places("optimize", "call ")
    assert replacing and max(replacing) < released
    assert all(place > released for place in compacting)


def merge_notes(project, spark) -> int:
    """How many delete markers there are next to a current state's files: deletion vectors of Delta,
    delete files of Iceberg."""
    table = f"{project.schema}.cur_s__keyed"
    if file_format_of(spark) == "iceberg":
        return spark.sql(f"select content from {table}.files where content <> 0").count()
    if file_format_of(spark) == "delta":
        return deletion_vectors(spark.sql(f"describe detail {table}").first()["location"])
    return 0


def deletion_vectors(location: str) -> int:
    """Files of a Delta table that have a deletion vector in its log."""
    standing: dict[str, bool] = {}
    log = Path(location.removeprefix("file:")) / "_delta_log"
    for commit in sorted(log.glob("*.json")):
        lines = [json.loads(line) for line in commit.read_text().splitlines()]
        # a file that gets a vector is removed and added in one commit, in any order
        for removed in (line["remove"] for line in lines if "remove" in line):
            standing.pop(removed["path"], None)
        for added in (line["add"] for line in lines if "add" in line):
            standing[added["path"]] = "deletionVector" in added
    return sum(standing.values())


def test_a_history_that_was_maintained_is_read_without_a_join(project):
    def view():
        found = project.spark.sql(f"describe extended {project.schema}.hist_s__keyed").collect()
        return next(row["data_type"] for row in found if row["col_name"] == "View Text")

    assert "select /*+ broadcast(later) */" in view()
    project.run("run-operation", "afterimage.maintain")
    project.run("run")
    assert " join " not in view()


def test_a_current_state_that_was_behind_is_made_anew(project):
    """The log no longer shows which keys have arrived since."""
    project.land(PARTS[2])
    project.run("run", "--exclude", "cur_s__keyed", "cur_s__bag")

    project.run("run-operation", "afterimage.maintain")
    project.run("run")

    assert sorted(row["note"] for row in project.rows("cur_s__keyed")) == ["B"]
    assert len(project.rows("cur_s__bag")) == 5


def test_a_history_that_a_run_is_writing_is_left_to_it(project):
    project.spark.sql(
        f"create table {project.schema}.hist_s__keyed__batch (n int) using parquet "
        "tblproperties ('afterimage.owner' = 'one of 2026-11-22 08:00:00 UTC by elsewhere')"
    )
    log = project.rows("hist_s__keyed__log")
    with pytest.raises(DbtFailed, match="hist_s__keyed: another run is writing it: one of 2026"):
        project.run("run-operation", "afterimage.maintain", "--args", "{models: [hist_s__keyed]}")
    assert project.rows("hist_s__keyed__log") == log


def test_a_table_that_is_being_maintained_is_left_to_it(project, spark):
    """A run of another model that starts midway, over a server."""
    if file_format_of(spark) != "parquet":
        pytest.skip("Delta and Iceberg replace files by a commit of their own")
    table = f"{project.schema}.stg_s__keyed"
    lock = f"{table}__batch"
    rows = project.rows("stg_s__keyed")
    spark.sql(f"alter table {table} rename to {table}__swapped")
    spark.sql(f"create table {table}__compacted like {table}__swapped")
    spark.sql(
        f"create table {lock} (n int) using parquet "
        "tblproperties ('afterimage.owner' = 'one of 2026-11-22 08:00:00 UTC by elsewhere')"
    )

    def is_left() -> bool:
        listed = spark.sql(f"show tables in {project.schema} like 'stg_s__keyed__*'").collect()
        names = {row["tableName"] for row in listed}
        return {"stg_s__keyed__swapped", "stg_s__keyed__compacted"} <= names

    project.run("run", "--select", "stg_s__bag")
    assert is_left()
    with pytest.raises(DbtFailed, match="stg_s__keyed: another run is writing it: one of 2026"):
        project.run("run", "--select", "stg_s__keyed")

    spark.sql(f"drop table {lock}")
    project.run("compile")
    assert is_left()
    project.run("run")
    assert project.rows("stg_s__keyed") == rows
    assert not spark.sql(f"show tables in {project.schema} like '*__swapped'").collect()


def test_a_current_state_whose_history_is_maintained_meanwhile_is_made_anew(project):
    """What it had not processed may be gone when it reads."""
    project.land([keyed(9, 900, "d", before=(1, None))])
    project.run("run", "--exclude", "cur_s__keyed", "cur_s__bag")

    def settle():
        log = f"{project.schema}.hist_s__keyed__log"
        project.spark.sql(f"alter table {log} set tblproperties ('afterimage.settled' = '3')")

    with (
        around_first(f"overwrite table {project.schema}.cur_s__keyed__log", before=settle),
        pytest.raises(DbtFailed, match="its history was maintained while this run read it"),
    ):
        project.run("run", "--select", "cur_s__keyed")
    project.run("run")
    assert project.rows("cur_s__keyed") == []


def test_what_a_killed_maintenance_leaves_is_dropped_by_the_next_run(project, spark):
    if file_format_of(spark) != "parquet":
        pytest.skip("Delta and Iceberg replace files by a commit of their own")
    table = f"{project.schema}.stg_s__keyed__compacted"

    def copies() -> int:
        return project.spark.sql(f"show tables in {project.schema} like '*__compacted'").count()

    with cut_off(at=f"insert into {table}"), pytest.raises(DbtFailed):
        arguments = "{models: [stg_s__keyed]}"
        project.run("run-operation", "afterimage.maintain", "--args", arguments)
    assert copies() == 1
    project.run("run")
    assert copies() == 0


@pytest.mark.slow
@pytest.mark.parametrize("model", ["stg_s__keyed", "hist_s__keyed", "cur_s__keyed"])
def test_cut_off_anywhere_it_leaves_no_trace(project, spark, model):
    if file_format_of(spark) != "parquet":
        pytest.skip("Delta and Iceberg replace files by a commit of their own")
    before = contents(project)
    arguments = f"{{models: [{model}]}}"
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


def cut_off(at: int | str):
    """Statements from the `at`-th on, or from the first with that text, are not run. Out: what was
    sent."""
    sent: list[str] = []

    def act(sql, carry_out):
        sent.append(sql)
        if len(sent) >= at if isinstance(at, int) else any(at in each for each in sent):
            raise RuntimeError("killed")
        carry_out(sql)

    @contextlib.contextmanager
    def cutting():
        with passing_through(act):
            yield sent

    return cutting()

"""A current state on Parquet: a log of what runs touched, and a view of what stands in it. The rows
themselves are the business of every other test."""

from __future__ import annotations

import pytest

from tests.functional.conftest import drop
from tests.functional.project import DbtFailed
from tests.functional.small_stream import build, keyed
from tests.functional.statements import around_first, heard

pytestmark = pytest.mark.parquet
ROWS = 12


@pytest.fixture
def project(spark, tmp_path):
    built = build(spark, tmp_path, "state_log")
    built.model_config = {"+replaced_share": 0.2}
    built.write()
    built.land([keyed(id, 100 + id, "c", (id, "new")) for id in range(ROWS)])
    built.run("run")
    yield built
    drop(spark, built)


def test_an_append_holds_what_was_touched_and_no_more(project):
    change(project, 0, "u", (1, "changed"))
    assert appends(project) == {1: ROWS, 2: 1}
    change(project, 1, "d", before=(2, "changed"))
    assert appends(project) == {1: ROWS, 2: 1, 3: 1}
    assert notes(project) == {id: "new" for id in range(ROWS) if id != 2} | {1: "changed"}


def test_what_was_replaced_is_left_out_by_a_broadcast(project):
    assert " join " not in view(project)
    change(project, 0, "u", (1, "changed"))
    assert "select /*+ broadcast(later) */" in view(project)


def test_all_is_written_anew_once_a_fifth_is_replaced(project):
    change(project, 0, "u", (1, "once"))
    change(project, 1, "u", (1, "twice"))
    assert sorted(appends(project)) == [1, 2, 3]
    change(project, 2, "u", (1, "thrice"))
    # that which wrote them and the rows: a reader may have begun before
    assert appends(project) == {1: ROWS, 2: 1, 3: 1, 4: 1, 5: ROWS}
    assert " join " not in view(project)
    change(project, 3, "u", (2, "once"))
    assert appends(project) == {5: ROWS, 6: 1}
    assert notes(project) == dict.fromkeys(range(ROWS), "new") | {1: "thrice", 2: "once"}


def test_all_is_written_anew_after_fifty_appends(project):
    log = f"{project.schema}.cur_s__keyed__log"
    project.spark.sql(f"alter table {log} set tblproperties ('afterimage.append' = '49')")
    change(project, 0, "u", (1, "changed"))
    assert sorted(appends(project)) == [1, 50]
    change(project, 1, "u", (2, "changed"))
    assert appends(project) == {1: ROWS, 50: 1, 51: 1, 52: ROWS}


def test_who_began_to_read_before_a_run_comes_to_an_end(project):
    change(project, 0, "u", (1, "changed"))
    reader = project.spark.table(f"{project.schema}.cur_s__keyed")
    reader._jdf.queryExecution().executedPlan()
    change(project, 1, "u", (2, "changed"))
    change(project, 2, "u", (3, "changed"))
    assert max(appends(project)) == 5
    assert {row["id"]: row["note"] for row in reader.collect()}[2] == "new"


def test_what_was_cut_off_does_not_come_back(project):
    """All rows were written once more, by a run that never said so; then all of them went."""
    project.land([keyed(20 + id, 200 + id, "u", (id, "changed")) for id in range(4)])
    whole = "cast(3 as bigint) as cdc_append"
    with around_first(whole, after=lambda: 1 / 0), pytest.raises(DbtFailed, match="division"):
        project.run("run")
    assert appends(project) == {1: ROWS, 2: 4, 3: ROWS}
    project.land([keyed(50 + id, 500 + id, "d", before=(id, "new")) for id in range(ROWS)])
    project.run("run")
    assert notes(project) == {}


def test_a_table_of_before_makes_room_for_the_view(project):
    relation = f"{project.schema}.cur_s__keyed"
    project.spark.sql(f"drop view {relation}")
    project.spark.sql(f"drop table {relation}__log")
    project.spark.sql(f"create table {relation} (id int, _cdc_bucket int) using parquet")
    project.run("run")
    assert len(notes(project)) == ROWS


def test_maintained_it_holds_its_rows_alone(project):
    change(project, 0, "u", (1, "changed"))
    project.run("run-operation", "afterimage.maintain", "--args", "{models: [cur_s__keyed]}")
    assert appends(project) == {2: ROWS}
    assert notes(project)[1] == "changed"
    with heard() as said:
        change(project, 1, "d", before=(3, "new"))
    assert not [sql for sql in said if "(cdc_append = 2)" in sql and "drop" in sql]
    assert appends(project) == {2: ROWS, 3: 1}
    assert sorted(notes(project)) == [0, 1, 2, *range(4, ROWS)]


def change(project, number: int, op: str, after=None, before=None) -> None:
    project.land([keyed(20 + number, 200 + number, op, after, before)])
    project.run("run")


def appends(project) -> dict[int, int]:
    """How many rows each append holds."""
    rows = project.rows("cur_s__keyed__log")
    numbers = [row["cdc_append"] for row in rows]
    return {number: numbers.count(number) for number in numbers}


def notes(project) -> dict[int, str]:
    return {row["id"]: row["note"] for row in project.rows("cur_s__keyed")}


def view(project) -> str:
    found = project.spark.sql(f"describe extended {project.schema}.cur_s__keyed").collect()
    return next(row["data_type"] for row in found if row["col_name"] == "View Text")

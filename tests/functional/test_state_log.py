"""A current state on Parquet: a log of the rows that runs touched, and a view of the active ones.
All other tests cover the rows themselves."""

import pytest

from tests.functional.conftest import drop
from tests.functional.project import DbtFailed
from tests.functional.small_stream import build, keyed
from tests.functional.statements import around_first

pytestmark = pytest.mark.parquet
ROWS = 12


@pytest.fixture
def project(spark, tmp_path):
    built = build(spark, tmp_path, "state_log")
    built.model_config["+replaced_share"] = 0.2
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
    # also those of the run before: a reader may still use them
    assert appends(project) == {1: ROWS, 2: 1, 3: 1, 5: ROWS}
    assert " join " not in view(project)
    change(project, 3, "u", (2, "once"))
    assert appends(project) == {5: ROWS, 6: 1}
    assert notes(project) == dict.fromkeys(range(ROWS), "new") | {1: "thrice", 2: "once"}


def test_fifty_appends_become_one(project):
    """Of the appends after the full rewrite, not of the rewrite."""
    log = f"{project.schema}.cur_s__keyed__log"
    change(project, 0, "u", (1, "changed"))
    project.spark.sql(f"alter table {log} set tblproperties ('afterimage.append' = '50')")
    change(project, 1, "d", before=(2, "new"))
    assert appends(project) == {1: ROWS, 2: 1, 52: 2}
    assert notes(project) == {id: "new" for id in range(ROWS) if id != 2} | {1: "changed"}
    change(project, 2, "u", (1, "again"))
    assert appends(project) == {1: ROWS, 52: 2, 54: ROWS - 1}
    change(project, 3, "u", (3, "changed"))
    assert appends(project) == {54: ROWS - 1, 55: 1}
    assert notes(project)[1] == "again"


def test_of_a_change_log_too_only_the_last_two_stay(project):
    """Each run writes all rows if no history shows what was touched."""
    project.extra_models["cur_of_log"] = "{{ afterimage.current_state(ref('stg_s__keyed')) }}"
    project.write()
    for number in range(4):
        change(project, number, "u", (1, f"{number}"))
    assert appends(project, "cur_of_log") == {3: ROWS, 4: ROWS}


def test_who_began_to_read_before_a_run_comes_to_an_end(project):
    change(project, 0, "u", (1, "changed"))
    reader = project.spark.table(f"{project.schema}.cur_s__keyed")
    reader._jdf.queryExecution().executedPlan()
    change(project, 1, "u", (2, "changed"))
    change(project, 2, "u", (3, "changed"))
    assert max(appends(project)) == 5
    assert {row["id"]: row["note"] for row in reader.collect()}[2] == "new"


def test_what_was_cut_off_does_not_come_back(project):
    """A run rewrote all rows without committing that it had; then all of them were deleted."""
    project.land([keyed(20 + id, 200 + id, "u", (id, "changed")) for id in range(4)])
    whole = "cast(3 as bigint) as cdc_append"
    with around_first(whole, after=lambda: 1 / 0), pytest.raises(DbtFailed, match="division"):
        project.run("run")
    assert appends(project) == {1: ROWS, 2: 4, 3: ROWS}
    project.land([keyed(50 + id, 500 + id, "d", before=(id, "new")) for id in range(ROWS)])
    project.run("run")
    assert notes(project) == {}


def test_what_the_view_reads_stays_when_a_run_is_cut_off_before_it(project):
    """A run rewrote and committed all rows, but readers do not have the new view yet."""
    before = notes(project)
    project.land([keyed(20 + id, 200 + id, "u", (id, "changed")) for id in range(4)])
    view_made = f"view {project.schema}.cur_s__keyed ("
    with around_first(view_made, before=lambda: 1 / 0), pytest.raises(DbtFailed, match="division"):
        project.run("run")
    assert notes(project) == before

    maintenance = ["run-operation", "afterimage.maintain", "--args", "{models: [cur_s__keyed]}"]
    with pytest.raises(
        DbtFailed, match=r"last run was interrupted.*: cur_s__keyed. Run these models"
    ):
        project.run(*maintenance)
    assert not project.spark.sql(f"show tables in {project.schema} like '*__batch'").collect()

    project.land([keyed(40, 400, "u", (9, "changed"))])
    failing = around_first(f"table {project.schema}.cur_s__keyed__log", after=lambda: 1 / 0)
    with failing, pytest.raises(DbtFailed, match="division"):
        project.run("run")
    assert notes(project) == before

    project.run("run")
    assert notes(project) == before | dict.fromkeys([0, 1, 2, 3, 9], "changed")
    project.run(*maintenance)
    assert notes(project) == before | dict.fromkeys([0, 1, 2, 3, 9], "changed")


def test_a_log_that_was_never_filled_is_filled(spark, tmp_path):
    built = build(spark, tmp_path, "state_log_empty")
    built.run("run")
    assert notes(built) == {}
    built.land([keyed(0, 100, "c", (1, "new"))])
    built.run("run")
    assert notes(built) == {1: "new"}
    drop(spark, built)


def test_a_run_upon_which_another_one_came_goes_on_from_that(project):
    """Under its lock it reads again the state that it continues from."""
    project.land([keyed(20, 200, "u", (1, "changed"))])
    project.run("run", "--exclude", "cur_s__keyed")
    log = f"{project.schema}.cur_s__keyed__log"

    def elsewhere():
        project.spark.sql(f"alter table {log} set tblproperties ('afterimage.append' = '7')")

    with around_first("create table if not exists", before=elsewhere):
        project.run("run", "--select", "cur_s__keyed")
    assert appends(project) == {1: ROWS, 8: 1}
    assert notes(project)[1] == "changed"


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
    assert appends(project) == {1: ROWS}
    assert notes(project)[1] == "changed"
    change(project, 1, "d", before=(3, "new"))
    assert appends(project) == {1: ROWS, 3: 1}
    assert sorted(notes(project)) == [0, 1, 2, *range(4, ROWS)]


def change(project, number: int, op: str, after=None, before=None) -> None:
    project.land([keyed(20 + number, 200 + number, op, after, before)])
    project.run("run")


def appends(project, model: str = "cur_s__keyed") -> dict[int, int]:
    """The number of rows in each append."""
    rows = project.rows(f"{model}__log")
    numbers = [row["cdc_append"] for row in rows]
    return {number: numbers.count(number) for number in numbers}


def notes(project) -> dict[int, str]:
    return {row["id"]: row["note"] for row in project.rows("cur_s__keyed")}


def view(project) -> str:
    found = project.spark.sql(f"describe extended {project.schema}.cur_s__keyed").collect()
    return next(row["data_type"] for row in found if row["col_name"] == "View Text")

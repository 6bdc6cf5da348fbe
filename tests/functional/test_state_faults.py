"""State stored with a table that is damaged or of another version: reported, and nothing is
written."""

import pytest

from tests.functional.conftest import drop
from tests.functional.project import DbtFailed
from tests.functional.small_stream import PARTS, build, keyed

MODELS = ("--select", "stg_s__keyed", "hist_s__keyed", "cur_s__keyed")


@pytest.fixture(scope="module")
def project(spark, tmp_path_factory):
    built = build(spark, tmp_path_factory.mktemp("state"), "state_faults")
    built.land(PARTS[0])
    built.run("run")
    yield built
    drop(spark, built)


@pytest.mark.formats
@pytest.mark.parametrize(
    ("table", "name", "value"),
    [
        ("stg_s__keyed", "batch", "abc"),
        ("stg_s__keyed", "read", "hex:7b7"),
        ("stg_s__keyed", "seen", '{"unknown": [],'),
        ("hist_s__keyed__log", "applied", "-1"),
        ("hist_s__keyed__log", "version", "1"),
        ("stg_s__keyed__ledger", "version", "1"),
    ],
)
def test_it_is_refused_with_the_way_out(project, table, name, value):
    relation = f"{project.schema}.{table}"
    rows = project.spark.sql(f"show tblproperties {relation}").collect()
    whole = next(row[1] for row in rows if row[0] == f"afterimage.{name}")

    def put(text: str) -> None:
        pair = f"'afterimage.{name}' = '{text}'"
        project.spark.sql(f"alter table {relation} set tblproperties ({pair})")

    before = len(project.rows("stg_s__keyed"))
    place = 1000 + before
    project.land([keyed(place, place, "u", (1, table + name))])
    put(value)
    told = "another version" if name == "version" else f"has a damaged property: afterimage.{name}"
    with pytest.raises(DbtFailed, match=told) as failed:
        project.run("run", *MODELS)
    assert "--full-refresh" in str(failed.value) and table in str(failed.value)
    assert len(project.rows("stg_s__keyed")) == before + table.startswith("hist")

    put(whole)
    project.run("run", *MODELS)
    assert table + name in {row["note"] for row in project.rows("cur_s__keyed")}


@pytest.mark.formats
@pytest.mark.parametrize(
    ("model", "name"),
    [("stg_s__keyed", "key"), ("stg_s__keyed", "seen"), ("hist_s__keyed", "seen")],
)
def test_a_change_log_that_remembers_nothing_is_not_gone_on_with(project, model, name):
    """A copy without the table's properties: its rows have not been counted."""
    relation = f"{project.schema}.stg_s__keyed"
    rows = project.spark.sql(f"show tblproperties {relation}").collect()
    whole = next(row[1] for row in rows if row[0] == f"afterimage.{name}")
    before = {layer: project.rows(layer) for layer in ("stg_s__keyed", "hist_s__keyed")}
    place = 5000 + len(before["stg_s__keyed"])
    project.land([keyed(place, place, "u", (1, model + name))])
    project.spark.sql(f"alter table {relation} unset tblproperties ('afterimage.{name}')")
    # for anything that the history has not processed, it must query the change log
    if model.startswith("hist"):
        log = f"{project.schema}.hist_s__keyed__log"
        project.spark.sql(f"alter table {log} set tblproperties ('afterimage.applied' = '0')")
    with pytest.raises(DbtFailed, match="which records how it was built") as failed:
        project.run("run", "--select", model)
    assert f"afterimage.{name}" in str(failed.value) and "--full-refresh" in str(failed.value)
    assert before == {layer: project.rows(layer) for layer in before}

    pair = f"'afterimage.{name}' = '{whole}'"
    project.spark.sql(f"alter table {relation} set tblproperties ({pair})")
    project.run("run", *MODELS)
    assert model + name in {row["note"] for row in project.rows("cur_s__keyed")}


@pytest.mark.formats
@pytest.mark.parametrize(("name", "value"), [("batch", "abc"), ("version", "1")])
@pytest.mark.parametrize("model", ["stg_s__keyed", "cur_s__keyed"])
def test_a_full_refresh_is_the_way_out(project, model, name, value):
    before = project.rows("cur_s__keyed")
    relation = f"{project.schema}.{model}"
    shown = project.spark.sql(f"show tables in {project.schema} like '{model}__log*'").collect()
    if shown:
        relation = f"{project.schema}.{shown[0]['tableName']}"
    pair = f"'afterimage.{'applied' if model.startswith('cur') and name == 'batch' else name}'"
    project.spark.sql(f"alter table {relation} set tblproperties ({pair} = '{value}')")
    with pytest.raises(DbtFailed, match="--full-refresh"):
        project.run("run", *MODELS)
    project.run("run", "--full-refresh", "--select", model)
    project.run("run", *MODELS)
    after = project.rows("cur_s__keyed")
    assert {row["note"] for row in after} == {row["note"] for row in before}


@pytest.mark.formats
def test_a_change_log_without_its_ledger_is_refused(project):
    """Refused records that landing has since lost would be forgotten."""
    before, place = project.rows("stg_s__keyed"), 9000
    project.land([keyed(place, place, "u", (1, "without a ledger"))])
    ledger = f"{project.schema}.stg_s__keyed__ledger"
    project.spark.sql(f"drop table {ledger}")
    with pytest.raises(DbtFailed, match="without its ledger") as failed:
        project.run("run", *MODELS)
    assert ledger.split(".")[1] in str(failed.value) and "--full-refresh" in str(failed.value)
    assert project.rows("stg_s__keyed") == before
    project.run("run", "--full-refresh", "--select", "stg_s__keyed")
    project.run("run", *MODELS)
    assert "without a ledger" in {row["note"] for row in project.rows("cur_s__keyed")}

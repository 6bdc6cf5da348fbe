"""Two runs of one model at once: the second is refused before it writes, or is harmless."""

import re
import subprocess

import pytest

from tests.functional.project import DbtFailed
from tests.functional.small_stream import FIRST, SECOND, TABLES, keyed
from tests.functional.statements import around_first, passing_through

MODELS = ["stg_src__keyed", "hist_src__keyed", "cur_src__keyed"]


@pytest.fixture
def project(make_project):
    made = make_project(
        "two_runs",
        source="src",
        tables={"keyed": TABLES["keyed"]},
    )
    made.land(FIRST)
    made.run("run")
    made.land([record for record in SECOND if record["topic"] == "t.p.keyed"])
    return made


@pytest.fixture
def other_process():
    """A process that lives until the test ends it."""
    process = subprocess.Popen(["sleep", "600"])
    yield process
    process.kill()
    process.wait()


def written_by(process, project, model: str) -> str:
    """The lock a run in another process holds on a model. Out: its name."""
    host = project.spark.sql(
        "select try_reflect('java.net.InetAddress', 'getLocalHost') as host"
    ).first()["host"]
    lock = f"{project.schema}.{model}__batch"
    owner = f"another of 2026-11-22 08:00:00 UTC by {host} process {process.pid} JVM 1a"
    project.spark.sql(
        f"create table {lock} (n int) using parquet tblproperties ('afterimage.owner' = '{owner}')"
    )
    return lock


@pytest.mark.parametrize("model", MODELS)
def test_a_model_that_another_run_writes_is_left_to_it(project, other_process, model):
    if model != MODELS[0]:
        project.run("run", "--exclude", f"{model}+")
    lock = written_by(other_process, project, model)
    known = lock.replace("__batch", "__known")
    project.spark.sql(f"create table {known} (n int) using parquet")
    written = project.files()

    told = f"{model}: another run is writing it: another of 2026.* Nothing was written"
    with pytest.raises(DbtFailed, match=told):
        project.run("run", "--select", model)
    assert project.files() == written
    # and does not touch the other run's tables, also at the end
    for left in ("batch", "known"):
        assert project.spark.sql(f"show tables in {project.schema} like '*__{left}'").collect()

    project.spark.sql(f"drop table {known}")
    other_process.kill()
    other_process.wait()
    project.run("run")
    assert not project.spark.sql(f"show tables in {project.schema} like '*__batch'").collect(), lock
    assert [row["note"] for row in project.rows("cur_src__keyed")] == ["B"]


@pytest.mark.parametrize("model", MODELS)
def test_nor_is_it_built_anew_while_another_run_writes_it(project, other_process, model):
    project.run("run")
    before = project.rows(model)
    written_by(other_process, project, model)
    with pytest.raises(DbtFailed, match=f"{model}: another run is writing it"):
        project.run("run", "--full-refresh", "--select", model)
    assert project.rows(model) == before


@pytest.mark.formats
def test_a_run_that_finds_the_table_made_meanwhile(project, other_process):
    """dbt knows the tables from its start; the catalog decides."""
    with (
        around_first(
            "create table if not exists",
            before=lambda: written_by(other_process, project, MODELS[0]),
        ),
        pytest.raises(DbtFailed, match="another run is writing it"),
    ):
        project.run("run", "--select", MODELS[0])


def test_a_failed_model_keeps_nobody_off(project):
    """On a server its lock table would look like that of a run that goes on."""
    with (
        around_first("insert into", before=lambda: 1 / 0),
        pytest.raises(DbtFailed, match="division"),
    ):
        project.run("run", "--select", MODELS[0])
    assert not project.spark.sql(f"show tables in {project.schema} like '*__batch'").collect()


@pytest.mark.parametrize(
    ("model", "grows", "by"),
    [
        ("hist_src__keyed", "stg_src__keyed", "batch"),
        ("cur_src__keyed", "hist_src__keyed__log", "append"),
    ],
)
def test_what_another_run_adds_meanwhile_is_taken_in_by_the_next(project, model, grows, by):
    """When a model runs, its input may have grown since dbt listed it."""
    project.run("run", "--exclude", model, f"{model}+1")
    project.run("run", "--select", grows.removesuffix("__log"))
    relation = f"{project.schema}.{grows}"

    def through(batch: int) -> None:
        project.spark.sql(
            f"alter table {relation} set tblproperties ('afterimage.{by}' = '{batch}')"
        )

    through(1)
    with around_first("show table extended", after=lambda: through(2)):
        project.run("run", "--select", model)
    project.run("run")

    assert [row["note"] for row in project.rows("cur_src__keyed")] == ["B"]
    assert len(project.rows("hist_src__keyed")) == 3


@pytest.mark.parametrize("is_quoted", [False, True])
def test_what_another_run_staged_meanwhile_is_not_staged_again(project, is_quoted):
    """A run reads what dbt listed at its start; under its lock it checks again."""
    settings = project.folder / "dbt_project.yml"
    settings.write_text(f"{settings.read_text()}\nquoting: {{identifier: {is_quoted}}}\n")
    table = f"{project.schema}.stg_src__keyed"

    def state() -> dict[str, str]:
        rows = project.spark.sql(f"show tblproperties {table}").collect()
        return {row[0]: row[1] for row in rows if row[0].startswith("afterimage.")}

    def put(properties: dict[str, str]) -> None:
        pairs = ", ".join(f"'{name}' = '{value}'" for name, value in properties.items())
        project.spark.sql(f"alter table {table} set tblproperties ({pairs})")

    before = state()
    project.run("run", "--select", MODELS[0])
    after = state()
    project.land([keyed(900, 9_000_000, "u", (1, "C"))])
    put(before)
    with around_first("show table extended", after=lambda: put(after)):
        project.run("run")

    batches = sorted(row["_cdc_batch"] for row in project.rows("stg_src__keyed"))
    assert set(batches) == {1, 2, 3} and batches.count(3) == 1
    assert [row["note"] for row in project.rows("cur_src__keyed")] == ["C"]


@pytest.mark.parametrize("model", MODELS)
def test_what_a_former_run_of_this_process_left_is_in_nobodys_way(project, model):
    def die(sql, carry_out):
        if re.search(rf"insert (into|overwrite table) {project.schema}\.{model}", sql):
            died.append(sql)
        if died:
            raise RuntimeError("killed")
        carry_out(sql)

    died = []
    with passing_through(die), pytest.raises(DbtFailed):
        project.run("run")
    assert project.spark.sql(f"show tables in {project.schema} like '*__batch'").collect()
    project.run("run")
    assert not project.spark.sql(f"show tables in {project.schema} like '*__batch'").collect()
    assert [row["note"] for row in project.rows("cur_src__keyed")] == ["B"]

"""Law of crash, with real processes: a process is killed (SIGKILL, Ctrl-C) while Spark writes, or
has no space for its files; the next one continues over the same tables."""

import json

import pytest

from tests.functional.conftest import drop
from tests.functional.dbt_process import SCHEMA, dbt_process
from tests.functional.small_stream import PARTS, build, contents
from tests.server import ServerSession
from tests.session import file_format_of

pytestmark = [pytest.mark.formats, pytest.mark.slow]
# change log, history, current state
PLACES = [
    f"insert into {SCHEMA}.stg_s__keyed ",
    f"insert into {SCHEMA}.hist_s__keyed__log",
    f"into {SCHEMA}.cur_s__keyed ",
]


@pytest.fixture
def file_format(spark):
    if isinstance(spark, ServerSession):
        pytest.skip("a server outlives the process")
    return file_format_of(spark)


@pytest.fixture(scope="module")
def unharmed(spark, tmp_path_factory):
    """The result of two deliveries without a kill."""
    project = build(spark, tmp_path_factory.mktemp("unharmed"), "unharmed_process")
    for part in PARTS[:2]:
        project.land(part)
        project.run("run")
    yield json.loads(json.dumps(contents(project)))
    drop(spark, project)


def test_a_process_killed_in_each_layer_leaves_no_trace(unharmed, file_format, tmp_path):
    first = dbt_process(tmp_path, file_format, "--land", "1")
    assert first.returncode == 0, first.stdout
    landing = iter([["--land", "2"], [], []])
    for place in PLACES:
        if file_format == "parquet" and place == PLACES[-1]:
            place = f"overwrite table {SCHEMA}.cur_s__keyed__log"
        killed = dbt_process(tmp_path, file_format, *next(landing), "--kill", place)
        assert killed.returncode == -9, f"{place}\n{killed.stdout}"
    last = dbt_process(tmp_path, file_format)
    assert last.returncode == 0, last.stdout
    assert json.loads((tmp_path / "contents.json").read_text()) == unharmed


def test_files_of_finished_tasks_are_not_published_by_the_next_insert(
    unharmed, file_format, tmp_path
):
    """Hadoop's committer would publish them (see set_attempt_id)."""
    if file_format != "parquet":
        pytest.skip("Delta and Iceberg name the files of a write in its commit")
    first = dbt_process(tmp_path, file_format, "--land", "1")
    assert first.returncode == 0, first.stdout
    landing = iter([["--land", "2"], [], []])
    for table in ("stg_s__keyed__ledger", "stg_s__keyed", "hist_s__keyed__log"):
        place = ["--kill", f"insert into {SCHEMA}.{table} ", "--after-a-task"]
        killed = dbt_process(tmp_path, file_format, *next(landing), *place)
        assert killed.returncode == -9, f"{table}\n{killed.stdout}"
        assert list(tmp_path.glob(f"**/{table}/_temporary/*/task_*/*.parquet")), table
    last = dbt_process(tmp_path, file_format)
    assert last.returncode == 0, last.stdout
    assert json.loads((tmp_path / "contents.json").read_text()) == unharmed


def test_ctrl_c_leaves_no_trace(unharmed, file_format, tmp_path):
    first = dbt_process(tmp_path, file_format, "--land", "1")
    assert first.returncode == 0, first.stdout
    ended = dbt_process(tmp_path, file_format, "--land", "2", "--kill", PLACES[1], "--by", "SIGINT")
    assert ended.returncode != 0, ended.stdout
    last = dbt_process(tmp_path, file_format)
    assert last.returncode == 0, last.stdout
    assert json.loads((tmp_path / "contents.json").read_text()) == unharmed


def test_no_room_for_a_file(file_format, tmp_path):
    landed = dbt_process(tmp_path, file_format, "--land", "1", "--land-large", "--only-land")
    assert landed.returncode == 0, landed.stdout
    full = dbt_process(tmp_path, file_format, "--file-limit", "2500000")
    assert full.returncode == 1
    assert "stg_s__keyed" in full.stdout and "File too large" in full.stdout
    after = dbt_process(tmp_path, file_format)
    assert after.returncode == 0, after.stdout
    shown = json.loads((tmp_path / "contents.json").read_text())
    assert len(shown["cur keyed"]) == 3

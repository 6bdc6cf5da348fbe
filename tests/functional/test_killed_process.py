"""Law of crash, for real: a process is killed (SIGKILL) while Spark writes; the next one goes on
over the same tables."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from tests.functional.conftest import drop
from tests.functional.project import REPOSITORY
from tests.functional.small_stream import PARTS, build, contents
from tests.server import ServerSession
from tests.session import file_format_of

pytestmark = [pytest.mark.formats, pytest.mark.slow]

# change log, history, current state
PLACES = [
    "insert into killed.stg_s__keyed ",
    "insert into killed.hist_s__keyed__log",
    "into killed.cur_s__keyed ",
]


@pytest.fixture(scope="module")
def unharmed(spark, tmp_path_factory):
    """What stands after two deliveries when nothing is killed."""
    project = build(spark, tmp_path_factory.mktemp("unharmed"), "unharmed_process")
    for part in PARTS[:2]:
        project.land(part)
        project.run("run")
    yield json.loads(json.dumps(contents(project)))
    drop(spark, project)


def test_a_process_killed_in_each_layer_leaves_no_trace(unharmed, spark, tmp_path):
    if isinstance(spark, ServerSession):
        pytest.skip("a server outlives the process: see test_killed_server.py")
    file_format = file_format_of(spark)
    assert dbt_process(tmp_path, file_format, "1") == 0
    parts = iter(["2", "0", "0"])
    for place in PLACES:
        if file_format == "parquet":
            place = place.replace("into killed.cur", "overwrite table killed.cur")
        assert dbt_process(tmp_path, file_format, next(parts), place) == -9, place
    assert dbt_process(tmp_path, file_format, "0") == 0
    assert json.loads((tmp_path / "contents.json").read_text()) == unharmed


def dbt_process(folder, *arguments: str) -> int:
    """How a process ended, and with it all that it started."""
    command = [sys.executable, "-m", "tests.functional.dbt_process", str(folder), *arguments]
    path = os.pathsep.join([str(REPOSITORY), str(REPOSITORY / "scripts")])
    with (folder / "log.txt").open("ab") as log:
        return subprocess.run(
            command,
            cwd=REPOSITORY,
            env={**os.environ, "PYTHONPATH": path},
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            check=False,
        ).returncode

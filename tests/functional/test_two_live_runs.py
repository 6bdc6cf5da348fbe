"""Two `dbt run`s at once, in two processes, over one Thrift server: refused or harmless."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.functional.small_stream import PARTS, build, contents

pytestmark = [pytest.mark.thrift, pytest.mark.slow]
RUNS = 2


def dbt_run(project, number: int) -> subprocess.Popen:
    command = [Path(sys.executable).with_name("dbt"), "run", "--no-use-colors"]
    folders = ["--project-dir", project.folder, "--profiles-dir", project.folder]
    return subprocess.Popen(
        [*command, *folders, "--target-path", project.folder / f"target_{number}"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


@pytest.mark.spark
def test_they_are_refused_or_do_no_harm(tmp_path):
    from tests.server import served

    with served(tmp_path / "server", "local", 0) as session:
        alone, shared = (build(session, tmp_path / name, name) for name in ("alone", "shared"))
        for part in PARTS:
            for project in (alone, shared):
                project.land(part)
            alone.run("run")
            if not (shared.folder / "dbt_packages").exists():
                shared.run("parse")
            runs = [dbt_run(shared, number) for number in range(RUNS)]
            told = [run.communicate(timeout=300)[0] for run in runs]
            for run, text in zip(runs, told, strict=True):
                refused = "another run is writing it" in text or "another run has written" in text
                assert run.returncode == 0 or refused, text
            # what the refused run would have done
            shared.run("run")
            assert contents(shared) == contents(alone), "\n".join(told)

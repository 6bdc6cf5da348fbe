"""`afterimage reconcile` against a running PostgreSQL that has done the work of a capture."""

import json
import re

import pytest

# tests.live.postgres needs it; it comes with the `live` extra.
pytest.importorskip("psycopg")

from click.testing import CliRunner

from afterimage.cli import main
from tests.functional.capture_project import landing_records, project_of, table_name
from tests.functional.conftest import drop
from tests.live.postgres import Postgres, find_postgres
from tests.live.workload import workload
from tests.truth.captures import captures

pytestmark = pytest.mark.live


@pytest.fixture
def database():
    """A server after the statements of the capture, and its URL."""
    if find_postgres() is None:
        pytest.skip("no PostgreSQL: scripts/ci/install_databases.sh")
    notes = (captures()["shop"].folder / "NOTES.md").read_text()
    seed, transactions = map(int, re.search(r"--seed (\d+) --transactions (\d+)", notes).groups())
    with Postgres() as server, server.connect() as connection, server.connect() as b:
        sessions = {"main": connection, "b": b}
        for step in workload(seed, transactions):
            if step.kind != "snapshot":
                sessions[step.session].execute(step.sql)
        at = connection.info
        url = f"postgresql://{at.user}:{at.password}@{at.host}:{at.port}/{at.dbname}"
        yield connection, url


def test_every_row_is_found_and_a_newer_one_is_pending(database, spark, tmp_path, compared):
    connection, url = database
    capture = captures()["shop"]
    project = project_of(capture, tmp_path / "project", spark, schema="live_reconcile")

    def reconciled(table: str) -> dict:
        arguments = ["reconcile", f"src.{table}", "--database", url, "--format", "json"]
        arguments += ["--project-dir", str(project.folder)]
        excluded = ("--exclude", "tags") if table == "products" else ()
        done = CliRunner().invoke(main, [*arguments, *excluded])
        assert done.exit_code == 0, done.output
        return json.loads(done.output)["counts"]

    try:
        project.land(landing_records(capture.records))
        project.run("run")
        for name in capture.spec.tables:
            counts = reconciled(table_name(name))
            assert counts == {"identical": len(capture.final[name])}, name
            compared["rows of a running PostgreSQL reconciled"] += counts["identical"]
        connection.execute(
            "update shop.orders set comment = 'newer' where id in (select min(id) from shop.orders)"
        )
        assert reconciled("orders")["pending"] == 1
    finally:
        drop(spark, project)

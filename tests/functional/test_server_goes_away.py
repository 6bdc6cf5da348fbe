"""A Thrift server that disappears in the middle of a run: dbt reports it, and the next run
continues."""

import os
import signal
import threading

import pytest

from tests.functional.project import DbtFailed
from tests.functional.small_stream import FIRST, build
from tests.functional.statements import around_first

pytestmark = pytest.mark.thrift
# seconds into the statement
DELAY = 0.3


def kill(process: int) -> None:
    threading.Timer(DELAY, os.kill, [process, signal.SIGKILL]).start()


@pytest.mark.spark
def test_the_next_run_goes_on(tmp_path):
    from afterimage import server
    from tests.server import ServerSession, served

    with served(tmp_path / "server", "local", 0) as session:
        project = build(session, tmp_path, "harmed")
        project.land(FIRST)
        thrift = server.parts()[-1]
        with (
            around_first("insert into harmed.hist_s__", before=lambda: kill(thrift.process)),
            pytest.raises(DbtFailed) as failed,
        ):
            project.run("run")
        told = str(failed.value)
        assert "hist_s__" in told and ("TSocket" in told or "Could not connect" in told), told

        server.stop()
        server.start("local", thrift.port, 0)
        project.spark = ServerSession(thrift.port, session.settings)
        project.run("run")
        for table, rows in {"keyed": [(1, "a"), (2, "b")], "bag": [(7, "x"), (7, "x")]}.items():
            for layer in ("stg", "hist", "cur"):
                found = project.rows(f"{layer}_s__{table}")
                assert sorted((row["id"], row["note"]) for row in found) == rows, layer
        project.spark.stop()

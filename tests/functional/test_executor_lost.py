"""Executors that are killed while statements run: Spark computes their tasks again, and each change
is there once."""

import os
import signal
import threading
import time
from contextlib import suppress
from pathlib import Path

import pytest

from afterimage import server
from tests.functional.small_stream import build, keyed
from tests.functional.statements import passing_through

pytestmark = pytest.mark.thrift
LONGEST = 60  # seconds until a statement writes
KEYS = 40
# a statement that writes, and its table
WRITES = {
    "insert into lost.stg_s__keyed__batch": "stg_s__keyed__batch",
    "insert into lost.stg_s__keyed (": "stg_s__keyed",
    "insert into lost.hist_s__keyed__log": "hist_s__keyed__log",
    "insert overwrite table lost.cur_s__keyed__log": "cur_s__keyed__log",
}


def executors() -> list[int]:
    """Process ids of the executors: children of the server's workers."""
    workers = {str(part.process) for part in server.parts() if part.name.startswith("worker")}
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            fields = stat.read_text().rpartition(")")[2].split()
            if fields[1] in workers and fields[0] != "Z":
                found.append(int(stat.parent.name))
    return found


@pytest.mark.spark
def test_each_change_is_there_once(tmp_path, compared):
    """Both executors are killed in each statement that writes, while a task has a file open."""
    from tests.server import served

    killed: list[str] = []

    def kill_while_it_writes(table: Path) -> None:
        end = time.monotonic() + LONGEST
        while time.monotonic() < end and not any(table.glob("_temporary/*/_temporary/*")):
            time.sleep(0.005)
        for process in executors():
            os.kill(process, signal.SIGKILL)
            killed.append(table.name)

    with served(tmp_path / "server", "local", 2) as session:
        tables = Path(session.conf.get("spark.sql.warehouse.dir"), "lost.db")

        def act(sql, carry_out):
            for statement, table in WRITES.items():
                if statement in sql:
                    threading.Thread(target=kill_while_it_writes, args=[tables / table]).start()
            carry_out(sql)

        project = build(session, tmp_path, "lost")
        for run in range(2):
            first = run * KEYS
            # several files, so that both executors have something to read
            for part in range(4):
                project.land(
                    keyed(at, 100 + at, "c", (at, f"note {at}"))
                    for at in range(first + part * KEYS // 4, first + (part + 1) * KEYS // 4)
                )
            with passing_through(act):
                project.run("run")
            expected = [(key, f"note {key}") for key in range(first + KEYS)]
            for layer in ("stg", "hist", "cur"):
                found = project.rows(f"{layer}_s__keyed")
                assert sorted((row["id"], row["note"]) for row in found) == expected, layer
        told = (server.project_root() / ".spark" / "server" / "thrift.log").read_text()
    assert set(killed) == set(WRITES.values()), killed
    lost = told.count("Lost task")
    assert lost
    compared["tasks lost with their executor, and computed again"] += lost

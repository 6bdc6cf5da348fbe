"""Two workers versus one: the same load on a cluster of this machine, through its Thrift server.

    python -m bench.workers --events 1000000 --out target/bench

prints CPU and wall seconds of each model for one worker and for two (a core and 1 GB each), and
fails if rows differ from the generator's own account. Needs the extra `thrift`.
"""

import contextlib
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from afterimage import server
from afterimage.errors import UserError
from bench.generate import Workload, create_landing
from bench.options import parser
from bench.ours import MODELS, REPOSITORY, Consumer
from bench.run import VALIDITY, step_of
from bench.sessions import TARGETS

LANDING = "bench_landing.events"
PORT = 10_015


class Wire:
    """A connection to the server with the methods of a session that the generator uses."""

    def __init__(self, port: int):
        from pyhive import hive

        self._connection = hive.connect(server.HOST, port)

    def sql(self, text: str) -> list[tuple]:
        """The rows of a statement."""
        with self._connection.cursor() as cursor:
            cursor.execute(text)
            return cursor.fetchall() if cursor.description else []

    def close(self) -> None:
        self._connection.close()


@contextlib.contextmanager
def cluster(folder: Path, target: str, workers: int) -> Iterator[Wire]:
    """A server with so many workers that keeps all its files in a folder: paths in the profile are
    relative, so it starts in a copy of it."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    shutil.copy(REPOSITORY / "dbt_project.yml", folder)
    shutil.copytree(REPOSITORY / "profiles", folder / "profiles")
    profiles = os.environ.pop("DBT_PROFILES_DIR", None)
    with contextlib.chdir(folder):
        try:
            server.start(target, PORT, workers)
            with contextlib.closing(Wire(PORT)) as wire:
                yield wire
        finally:
            server.stop()
            if profiles:
                os.environ["DBT_PROFILES_DIR"] = profiles


def wrong_rows(wire: Wire, consumer: Consumer, workload: Workload, batch: int) -> int:
    """Our rows that are missing in the generator's own account, and vice versa."""
    columns = list(workload.columns)
    wrong = 0
    for model, names, expected in (
        ("cur_bench__orders", columns, workload.current(batch)),
        ("hist_bench__orders", [*columns, *VALIDITY], workload.history(batch)),
    ):
        found = f"select {', '.join(names)} from {consumer.relation(model)}"
        truth = f"select {', '.join(names)} from ({expected})"
        for one, other in ((found, truth), (truth, found)):
            wrong += wire.sql(f"select count(*) from ({one} except all {other})")[0][0]
    return wrong


def measure(options, workers: int) -> int:
    """Loads and increments on so many workers, each printed when done. Out: wrong rows."""
    workload = Workload(options.events, options.increment, increments=2)
    folder = options.out / f"workers-{workers}"
    connection = {
        "method": "thrift",
        "host": server.HOST,
        "port": PORT,
        "poll_interval": 1,
        "query_retries": 0,
    }
    consumer = Consumer(
        folder / "consumer", LANDING, options.format, f"workers_{workers}", connection=connection
    )
    with cluster(folder, TARGETS[options.format], workers) as wire:
        create_landing(wire, LANDING, options.format)
        consumer.write()
        for batch in range(workload.increments + 1):
            wire.sql(f"insert into {LANDING} {workload.records(batch)}")
            run = consumer.run()
            for model in MODELS:
                cost = run.models[model]
                print(
                    f"{workers} workers: {step_of(batch)}: {model}: {cost.cpu_s:.1f} CPU s, "
                    f"{cost.wall_s:.1f} s",
                    flush=True,
                )
        wrong = wrong_rows(wire, consumer, workload, workload.increments)
        print(f"{workers} workers: {wrong} wrong rows", flush=True)
    return wrong


def main() -> None:
    options = parser(__doc__, events=1_000_000).parse_args()
    if sum(measure(options, workers) for workers in (1, 2)):
        raise UserError("the rows differ from the generator's own account")


if __name__ == "__main__":
    main()

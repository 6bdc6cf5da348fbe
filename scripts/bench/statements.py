"""What each statement of the models costs: of the first load and of the last increment.

    python -m bench.statements --format delta --events 250000 --out target/bench

prints a line a statement: CPU seconds, wall seconds, length, and how it begins.
"""

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from bench import sessions
from bench.generate import Workload, create_landing, land
from bench.measure import Cost, spent
from bench.options import parser
from bench.ours import Consumer
from bench.run import LANDING

INCREMENTS = 5


@dataclass
class Statement:
    """One statement and what it has cost until its rows were fetched."""

    sql: str
    cost: Cost = field(default_factory=Cost)

    def __str__(self) -> str:
        words = " ".join(re.sub(r"/\*.*?\*/", "", self.sql, flags=re.S).split())
        return f"{self.cost.cpu_s:7.2f} {self.cost.wall_s:7.2f} {len(self.sql):6} {words[:120]}"


@contextmanager
def recording(cursor: type) -> Iterator[list[Statement]]:
    """The statements a class of cursors carries out (by `execute` and `fetchall`), as they come."""
    execute, fetchall = cursor.execute, cursor.fetchall
    statements: list[Statement] = []

    def counted(call):
        start = spent()
        try:
            return call()
        finally:
            statements[-1].cost += spent() - start

    def execute_counted(self, sql, *parameters):
        statements.append(Statement(sql))
        return counted(lambda: execute(self, sql, *parameters))

    def fetchall_counted(self):
        return counted(lambda: fetchall(self))

    cursor.execute, cursor.fetchall = execute_counted, fetchall_counted
    try:
        yield statements
    finally:
        cursor.execute, cursor.fetchall = execute, fetchall


def main() -> None:
    options = parser(__doc__, events=250_000).parse_args()
    folder = options.out / "statements"
    shutil.rmtree(folder, ignore_errors=True)
    spark = sessions.start(options.format, folder)
    from dbt.adapters.spark.session import Cursor

    consumer = Consumer(folder / "consumer", LANDING, options.format)
    workload = Workload(options.events, options.increment, increments=INCREMENTS)
    create_landing(spark, consumer.landing, options.format)
    consumer.write()
    for batch in range(INCREMENTS + 1):
        land(spark, consumer.landing, workload, batch)
        with recording(Cursor) as statements:
            run = consumer.run()
        total = sum(run.models.values(), run.rest)
        print(f"-- run {batch}: {total.cpu_s:.1f} CPU s, {len(statements)} statements", flush=True)
        if batch in (0, INCREMENTS):
            print("\n".join(map(str, statements)), flush=True)
    spark.stop()


if __name__ == "__main__":
    main()

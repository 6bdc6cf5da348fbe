"""CPU and wall seconds of a step: this process and all below it, Spark's JVM among them."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from afterimage.errors import UserError

PROC = Path("/proc")


@dataclass(frozen=True)
class Cost:
    cpu_s: float = 0
    wall_s: float = 0

    def __add__(self, other: "Cost") -> "Cost":
        return Cost(self.cpu_s + other.cpu_s, self.wall_s + other.wall_s)

    def __sub__(self, other: "Cost") -> "Cost":
        return Cost(self.cpu_s - other.cpu_s, self.wall_s - other.wall_s)


@dataclass(frozen=True)
class Measurement:
    """A line of the results.

    floor_ratio: CPU over that of the base's floor in the same session, None where there is no
    floor; wrong_rows: how many rows of
    the result are not those of the generator's own account, or are missing; None when not compared;
    factor: what the workload has other than the usual one, see bench.factors; tables: of how many
    tables the step is, see bench.many; statements, commits (those that write), sql_bytes,
    longest_line: of what was sent to Spark, where it was counted.
    """

    contestant: str
    format: str
    step: str
    base_events: int
    batch_events: int
    cpu_s: float
    wall_s: float
    floor_ratio: float | None = None
    wrong_rows: int | None = None
    factor: str = ""
    tables: int | None = None
    statements: int | None = None
    commits: int | None = None
    sql_bytes: int | None = None
    longest_line: int | None = None

    def as_dict(self) -> dict:
        """Its fields; of those that not every step has, the known ones."""
        always = {"floor_ratio", "wrong_rows"}
        return {k: v for k, v in asdict(self).items() if v is not None or k in always}


def spent() -> Cost:
    """What the process tree has used so far; the difference of two is the cost of what lay between.

    Errors: UserError where there is no /proc (Linux only).
    """
    return Cost(cpu_seconds(os.getpid()), time.monotonic())


@contextmanager
def measured() -> Iterator[list[Cost]]:
    """Cost of the block, in the list once it is left."""
    cost: list[Cost] = []
    start = spent()
    yield cost
    cost.append(spent() - start)


def cpu_seconds(root: int) -> float:
    """User and system time of a process, its descendants and the ended ones they waited for."""
    if not (PROC / "self" / "stat").is_file():
        raise UserError("bench reads CPU time from /proc, which only Linux has; run it in Linux")
    ticks, children = {}, {}
    for folder in PROC.iterdir():
        if not folder.name.isdigit():
            continue
        try:
            # the command may hold spaces and parentheses: the fields begin after the last one
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:  # ended meanwhile
            continue
        process = int(folder.name)
        ticks[process] = sum(map(int, fields[11:15]))
        children.setdefault(int(fields[1]), []).append(process)
    tree, total = [root], 0
    while tree:
        process = tree.pop()
        total += ticks.get(process, 0)
        tree += children.get(process, [])
    return total / os.sysconf("SC_CLK_TCK")

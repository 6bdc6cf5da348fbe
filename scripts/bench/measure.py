"""CPU and wall seconds of a step: this process and its descendants, including Spark's JVM."""

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

    floor_ratio: CPU divided by that of the base's floor in the same session, None without a floor;
    wrong_rows: how many rows of the result differ from the generator's own account or are missing,
    None when not compared; factor: the varied factor of the workload, see bench.factors; tables:
    the number of tables of the step, see bench.many; statements, commits (statements that write),
    sql_bytes, longest_line: of the SQL sent to Spark, where it was counted.
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
        """Its fields; of the optional ones, only the known ones."""
        always = {"floor_ratio", "wrong_rows"}
        return {k: v for k, v in asdict(self).items() if v is not None or k in always}


def spent() -> Cost:
    """What the process tree has used so far; the difference of two is the cost between them.

    Errors: UserError without /proc (Linux only).
    """
    return Cost(cpu_seconds(os.getpid()), time.monotonic())


@contextmanager
def measured() -> Iterator[list[Cost]]:
    """Cost of the block; the list contains it after the block."""
    cost: list[Cost] = []
    start = spent()
    yield cost
    cost.append(spent() - start)


def cpu_seconds(root: int) -> float:
    """User and system time of a process, its descendants and ended ones they waited for."""
    if not (PROC / "self" / "stat").is_file():
        raise UserError("bench reads CPU time from /proc, which only Linux has; run it in Linux")
    ticks, children = {}, {}
    for folder in PROC.iterdir():
        if not folder.name.isdigit():
            continue
        try:
            # the command may contain spaces and parentheses: the fields begin after the last one
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

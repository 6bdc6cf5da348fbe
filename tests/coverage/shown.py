"""The cells that the tests show, by a collection of pytest in its own process."""

import json
import subprocess
import sys
import tempfile
from collections import defaultdict
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from tests.coverage.counts import Cell

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Showing:
    """The records of a stream that a test uses, counted by cell; declared cells have none."""

    test: str
    stream: str
    cell: Cell
    records: int


@dataclass(frozen=True)
class Shown:
    """`tests`: every test there is, by its node id."""

    tests: tuple[str, ...]
    showings: tuple[Showing, ...]

    @cached_property
    def by_cell(self) -> dict[Cell, list[Showing]]:
        found = defaultdict(list)
        for showing in self.showings:
            found[showing.cell].append(showing)
        return dict(found)

    def number(self, cell: Cell) -> tuple[int, int]:
        """(records, tests) of a cell; a stream that several tests use counts once."""
        there = self.by_cell.get(cell, [])
        records = {showing.stream or showing.test: showing.records for showing in there}
        return sum(records.values()), len({showing.test for showing in there})

    def of_stream(self, name: str) -> bool:
        """Whether a test uses the stream or capture of that name."""
        return name in self._streams

    @cached_property
    def _streams(self) -> set[str]:
        return {showing.stream for showing in self.showings}

    def of_file(self, path: str, function: str = "") -> int:
        """How many tests a file has, or a function of it."""
        names = (test.partition("[")[0].partition("::") for test in self.tests)
        return sum(file == path and function in ("", name) for file, _, name in names)


@cache
def shown() -> Shown:
    """What the tests of this repository show."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "cells.json"
        command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider"]
        command += ["-p", "tests.coverage.collect", "--cells", str(file), "tests"]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        if not file.exists():
            raise RuntimeError(f"pytest could not collect the tests:\n{done.stdout}{done.stderr}")
        found = json.loads(file.read_text())
    return Shown(
        tuple(found["tests"]),
        tuple(
            Showing(test, stream, Cell(*cell), records)
            for test, stream, *cell, records in found["shown"]
        ),
    )

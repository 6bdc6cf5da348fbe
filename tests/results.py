"""One table of the results of several test runs, each on its own table format or server.

    python -m tests.results target/formats/*.json

Reads the files that `pytest --results FILE` wrote; exits 1 if a test failed or none ran.
"""

import json
import sys
from pathlib import Path

from rich.console import Console
from rich.table import Table


def main(files: list[Path]) -> int:
    """See the module."""
    runs = {file.stem: json.loads(file.read_text()) for file in files}
    shown = Table("", *runs, title="on each table format, and over a Thrift server")
    outcomes = {"passed": "tests passed", "skipped": "tests skipped"}
    for outcome, words in outcomes.items():
        shown.add_row(words, *(f"{run['tests'][outcome]:,}" for run in runs.values()))
    for what in sorted({what for run in runs.values() for what in run["compared"]}):
        shown.add_row(what, *(f"{run['compared'].get(what, 0):,}" for run in runs.values()))
    failed = {name: run["tests"]["failed"] + run["tests"]["error"] for name, run in runs.items()}
    shown.add_section()
    shown.add_row("tests that found a difference", *map(str, failed.values()))
    Console(width=120).print(shown)
    return int(any(failed.values()) or not all(run["tests"]["passed"] for run in runs.values()))


if __name__ == "__main__":
    sys.exit(main([Path(name) for name in sys.argv[1:]]))

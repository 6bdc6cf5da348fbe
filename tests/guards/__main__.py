"""The tests that fail when a file is broken: `make test-of FILE=macros/history/intervals.sql`.

    python -m tests.guards FILE…          run them
    python -m tests.guards --list FILE…   only name them
    python -m tests.guards --learn        take in what `tests.guards.record` wrote down

Known from three places: mutants.yml (its tests were seen to fail), the macro files that tests call
(macros.json beside this file, which holds the quickest tests of each), and the names of files and
modules that tests mention.
"""

import json
import re
import sys
from collections import defaultdict
from pathlib import Path

import pytest

from tests.guards.record import RECORDS
from tests.mutants.run import mutants

ROOT = Path(__file__).resolve().parents[2]
CALLED = Path(__file__).with_name("macros.json")
# so many tests per macro file are kept, the quickest first
MOST = 6
GOLDEN = "tests/golden/test_golden.py"


def tests_of(file: str) -> list[list[str]]:
    """Arguments for pytest, a list for each run of it.

    In: a path in the repository. Out: none if no test is known for it.
    """
    path = Path(file)
    if path.parts[:1] == ("tests",) and path.name.startswith("test_"):
        return [[file]]
    selected = {tuple(mutant.tests) for mutant in mutants([]) if mutant.file == file}
    by_name = {
        name for name in _called().get(file, []) if (ROOT / name.partition("::")[0]).exists()
    }
    by_name |= _mentioning(path)
    # golden SQL first: it answers in half a minute
    golden = [[GOLDEN]] if path.parts[:1] in (("macros",), ("models",)) else []
    return [*golden, *map(list, sorted(selected)), *([sorted(by_name)] if by_name else [])]


def _called() -> dict[str, list[str]]:
    return json.loads(CALLED.read_text()) if CALLED.is_file() else {}


def _mentioning(path: Path) -> set[str]:
    """Test files that name the file (a page), import the module or call the macro directly."""
    words = {"/".join(path.parts[-2:])}
    if path.suffix == ".py":
        module = path.with_suffix("").parts
        module = module[1:] if module[0] == "scripts" else module
        words = {".".join(module), f"from {'.'.join(module[:-1])} import {module[-1]}"}
    found = set()
    for test in ROOT.glob("tests/*/test_*.py"):
        text = test.read_text(encoding="utf-8")
        calls = path.suffix == ".sql" and "Macros" in text and f".{path.stem}(" in text
        if calls or any(re.search(rf"(?<![\w.]){re.escape(word)}\b", text) for word in words):
            found.add(str(test.relative_to(ROOT)))
    return found


def learn() -> int:
    """Keeps, for each macro file, the quickest tests that call it."""
    calls: dict[str, list[tuple[float, str]]] = defaultdict(list)
    for record in RECORDS.glob("*.jsonl"):
        for line in map(json.loads, record.read_text().splitlines()):
            for file in line["files"]:
                calls[file].append((line["seconds"], line["test"]))
    kept = {}
    for file, tests in calls.items():
        # the quickest among the cases of one function
        by_function = {name.partition("[")[0]: name for _, name in sorted(tests, reverse=True)}
        quickest = [name for _, name in sorted(tests) if name in by_function.values()]
        kept[file] = list(dict.fromkeys(quickest))[:MOST]
    CALLED.write_text(json.dumps(kept, indent=1, sort_keys=True) + "\n")
    print(f"{len(kept)} macro files, {len({t for tests in kept.values() for t in tests})} tests")
    return 0


def main(arguments: list[str]) -> int:
    """See the module. Out: pytest's exit code, the worst of several."""
    if arguments == ["--learn"]:
        return learn()
    only_names = arguments[:1] == ["--list"]
    files = arguments[1:] if only_names else arguments
    if not files:
        sys.exit("which file? make test-of FILE=macros/history/intervals.sql")
    runs = []
    for file in files:
        if not (ROOT / file).is_file():
            sys.exit(f"{file} is no file here: name it from the root of the repository")
        if not (found := tests_of(file)):
            sys.exit(f"no test is known for {file}: make check, then make test")
        runs += [run for run in found if run not in runs]
    for run in runs:
        print("pytest", *run, flush=True)
    if only_names:
        return 0
    return max(int(pytest.main(["-q", "-p", "no:cacheprovider", *run])) for run in runs)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

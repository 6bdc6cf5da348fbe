"""Breaks the macros on purpose, one way at a time, and checks whether a test notices.

    python -m tests.mutants.run [NAME …]
    python -m tests.mutants.run --part 2/6      every sixth, beginning with the second

Each entry of mutants.yml names a file, the text to replace (which occurs there exactly once), its
replacement, and the tests that must then fail. Everything happens in a copy of the repository, in
one process per table format (a process starts Spark once, with one format). Ends with a list of
what killed what; exits 1 when a mutant survives, 2 when the tests fail without any.
"""

import contextlib
import io
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
IN_COPY = "AFTERIMAGE_MUTANTS_IN_COPY"


@dataclass(frozen=True)
class Mutant:
    """One deliberate breakage. `tests`: arguments for pytest."""

    name: str
    file: str
    find: str
    replace: str
    tests: list[str]

    @property
    def file_format(self) -> str:
        named = "--file-format" in self.tests
        return self.tests[self.tests.index("--file-format") + 1] if named else "parquet"


class Failures:
    """A pytest plugin that collects the names of the tests that failed."""

    def __init__(self):
        self.names: list[str] = []

    def pytest_runtest_logreport(self, report):
        if report.failed:
            self.names.append(report.nodeid.rpartition("::")[2])


def mutants(names: list[str]) -> list[Mutant]:
    """The entries of mutants.yml, or those named."""
    entries = yaml.safe_load((HERE / "mutants.yml").read_text(encoding="utf-8"))
    groups = entries["tests"]
    found = [Mutant(**entry | {"tests": groups[entry["tests"]]}) for entry in entries["mutants"]]
    unknown = set(names) - {mutant.name for mutant in found}
    if unknown:
        raise SystemExit(f"no such mutant: {', '.join(sorted(unknown))}")
    return [mutant for mutant in found if not names or mutant.name in names]


def in_copy(names: list[str]) -> int:
    """Copies the files that git does not ignore and runs this module there; out: its exit code."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    with tempfile.TemporaryDirectory() as folder:
        for name in filter(None, listed.stdout.decode().split("\0")):
            if (ROOT / name).is_file():
                target = Path(folder, "main", name)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes((ROOT / name).read_bytes())
        copy = Path(folder, "main")
        (copy / ".jars").symlink_to(ROOT / ".jars")
        shared = os.environ.get("AFTERIMAGE_SHARED") or str(ROOT.parent / "shared")
        paths = f"{copy}{os.pathsep}{copy / 'scripts'}"
        environment = os.environ | {
            IN_COPY: "1",
            "PYTHONPATH": paths,
            "AFTERIMAGE_SHARED": shared,
        }
        command = [sys.executable, "-m", "tests.mutants.run", *names]
        return subprocess.run(command, cwd=copy, env=environment, check=False).returncode


def failing(tests: list[str]) -> list[str]:
    """Names of the tests that fail, at most one; pytest's own output only if it cannot run."""
    forget_tests()
    failures, said = Failures(), io.StringIO()
    with contextlib.redirect_stdout(said):
        code = pytest.main([*tests, "-x", "-q", "-p", "no:cacheprovider"], plugins=[failures])
    if code not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
        raise SystemExit(f"pytest {' '.join(tests)} ended with {code!r}:\n{said.getvalue()}")
    return failures.names


def forget_tests() -> None:
    """Lets Python import the tests again: some read the macros when they are imported."""
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if file and Path(file).is_relative_to(ROOT / "tests") and HERE not in Path(file).parents:
            del sys.modules[name]


def main(names: list[str]) -> int:
    """See the module."""
    if names[:1] == ["--part"]:
        number, parts = map(int, names[1].split("/"))
        # mutants with the same test stay together: it first runs without any mutant
        ordered = sorted(mutants([]), key=lambda mutant: (mutant.file_format, mutant.tests))
        groups = sorted({tuple(mutant.tests) for mutant in ordered})
        mine = groups[number - 1 :: parts]
        names = [mutant.name for mutant in ordered if tuple(mutant.tests) in mine]
    if not os.environ.get(IN_COPY):
        by_format: dict[str, list[str]] = {}
        for mutant in mutants(names):
            by_format.setdefault(mutant.file_format, []).append(mutant.name)
        return max([in_copy(of_format) for of_format in by_format.values()])
    wanted = mutants(names)
    print(f"{len(wanted)} mutants", flush=True)
    for tests in {tuple(mutant.tests) for mutant in wanted}:
        already = failing(list(tests))
        if already:
            print(f"fails without any mutant: {already}")
            return 2
    survived = []
    for mutant in wanted:
        path = Path.cwd() / mutant.file
        text = path.read_text(encoding="utf-8")
        times = text.count(mutant.find)
        if times != 1:
            raise SystemExit(f"{mutant.name}: {mutant.find!r} is {times} times in {mutant.file}")
        begun = time.monotonic()
        path.write_text(text.replace(mutant.find, mutant.replace), encoding="utf-8")
        try:
            killers = failing(mutant.tests)
        finally:
            path.write_text(text, encoding="utf-8")
        seconds = time.monotonic() - begun
        said = f"killed by {killers[0]}" if killers else "SURVIVED"
        print(f"{mutant.name:<55} {said} ({seconds:.0f} s)", flush=True)
        survived += [] if killers else [mutant.name]
    print(f"{len(wanted) - len(survived)} of {len(wanted)} mutants killed")
    return 1 if survived else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

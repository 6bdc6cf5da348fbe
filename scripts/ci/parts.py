"""The full test suite in parts, each of which can run alone.

    python scripts/ci/parts.py                  list them
    python scripts/ci/parts.py truth laws-2     these; truth is truth-1 and truth-2
    python scripts/ci/parts.py --all            all, in this order
    python scripts/ci/parts.py --all --resume   … continuing where an earlier run stopped
    python scripts/ci/parts.py --within 40      for so many minutes, each hour starting with the
                                                next one: in CI

Each part is a pytest with two processes. The last lines report for each part how long it took and
what it compared, and for each omitted part when it last ran here. A part whose time ends starts no
further test. Runs in the active Python
environment; usually run by `make test-all` and `make test-<part>`.
"""

import argparse
import contextlib
import datetime
import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

ROOT = Path(__file__).resolve().parents[2]
OUT = ROOT / "target" / "tests"
# in the user's cache folder, so that the next checkout knows too
RAN = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "afterimage" / "ran.json"


@dataclass(frozen=True)
class Part:
    """A pytest over files, or another command.

    minutes: on two cores; files: patterns of the test files, except those that `but` names; marks:
    which of their tests; shard: 2/3 is every third of them, starting with the second; command:
    instead of pytest.
    """

    name: str
    holds: str
    minutes: int
    files: tuple[str, ...] = ()
    but: tuple[str, ...] = ()
    marks: str = "spark and not live and not thrift"
    shard: str = ""
    command: tuple[str, ...] = ()

    @property
    def family(self) -> str:
        """laws of laws-2."""
        return self.name.rpartition("-")[0] or self.name

    @property
    def paths(self) -> list[str]:
        """The files, by their paths in the repository."""
        found = {path for pattern in self.files for path in ROOT.glob(pattern)}
        left_out = {ROOT / name for name in self.but}
        return sorted(str(path.relative_to(ROOT)) for path in found - left_out)


TRUTH = ("tests/functional/test_truth.py", "tests/truth/test_fixtures.py")
SHAPES = (
    *("tests/functional/test_systems_in_shapes.py", "tests/functional/test_mongodb_in_shapes.py"),
    *("tests/functional/test_writer_versions.py", "tests/functional/test_beside_the_jdbc_sink.py"),
)
CRASH = ("tests/functional/test_crash.py", "tests/functional/test_killed_process.py")
LAWS = ("tests/laws/test_model_laws.py",)
MUTANTS = 6
# minutes of a part without a measured time
UNMEASURED = 40
# minutes that a test which has begun may take when the time of its part ends
GRACE = 5


def sharded(shards: int, name: str, holds: str, minutes: int, **more) -> list[Part]:
    """A part that is too long for one run, as several."""
    return [
        Part(f"{name}-{n}", f"{holds}, {n} of {shards}", minutes, shard=f"{n}/{shards}", **more)
        for n in range(1, shards + 1)
    ]


PARTS = (
    *sharded(2, "truth", "captures and fixtures against their databases", 35, files=TRUTH),
    *sharded(3, "laws", "made-up databases of every connector", UNMEASURED, files=LAWS),
    *sharded(
        *(2, "documents", "the same of MongoDB, Datastream and outboxes", UNMEASURED),
        files=("tests/laws/test_*.py", "tests/functional/test_outbox_laws.py"),
        but=LAWS,
    ),
    Part(
        *("streams", "streams of users, cases of the documentation", UNMEASURED),
        files=("tests/truth/test_*.py", "tests/docs/test_*.py"),
        but=TRUTH,
    ),
    Part("shapes", "each system in each form of record", UNMEASURED, SHAPES),
    Part(
        *("models", "what each model, macro and alarm does", UNMEASURED),
        files=("tests/functional/test_*.py", "tests/golden/test_*.py", "tests/unit/test_*.py"),
        but=(*TRUTH, *SHAPES, *CRASH, "tests/functional/test_outbox_laws.py"),
    ),
    *sharded(2, "crash", "a run that ends at any statement", UNMEASURED, files=CRASH),
    Part(
        "commands",
        "the command line, the demo, the benchmark",
        UNMEASURED,
        ("tests/cli/test_*.py",),
    ),
    Part(
        *("formats", "Parquet, Delta, Iceberg, a Thrift server over a cluster", UNMEASURED),
        command=("scripts/ci/test_formats.sh",),
    ),
    *(
        Part(
            *(f"mutants-{number}", f"mutants of the macros, {number} of {MUTANTS}", UNMEASURED),
            command=(sys.executable, "-m", "tests.mutants.run", "--part", f"{number}/{MUTANTS}"),
        )
        for number in range(1, MUTANTS + 1)
    ),
    Part(
        *("quick", "every test that needs no Spark", 4, ("tests/*/test_*.py",)),
        marks="not spark and not live",
    ),
    Part(
        *("types", "each source type under each setting", 6),
        files=("tests/types/test_*.py", "tests/coverage/test_*.py"),
    ),
)


@dataclass(frozen=True)
class Ended:
    """The result of a part. outcome: passed, failed, or cut off (no time was left for all)."""

    outcome: str
    seconds: float
    found: dict


def run(part: Part, resume: bool, seconds: float | None = None) -> Ended:
    """Run a part; its output goes to the terminal. `seconds`: time limit."""
    passed, results = OUT / f"{part.name}.passed", OUT / f"{part.name}.json"
    OUT.mkdir(parents=True, exist_ok=True)
    results.unlink(missing_ok=True)
    if not resume:
        passed.unlink(missing_ok=True)
    processes = os.environ.get("TEST_PROCESSES", "2")
    command = [*part.command] or [
        *("pytest", "-rs", "--thorough", "-m", part.marks, "--durations=10"),
        *("--numprocesses", processes, "--dist", "loadgroup"),
        *(("--shard", part.shard) if part.shard else ()),
        *(("--within", str(seconds)) if seconds else ()),
        *("--resume", str(passed), "--results", str(results), *part.paths),
    ]
    print(f"\n=== {part.name}: {part.holds}", flush=True)
    begun = time.monotonic()
    process = subprocess.Popen(command, cwd=ROOT, env=surroundings(), start_new_session=True)
    try:
        code = process.wait(None if seconds is None else seconds + (not part.command) * GRACE * 60)
        # 5: every test passed before
        outcome = "passed" if code in (0, 5 if resume else 0) else "failed"
    except subprocess.TimeoutExpired:
        outcome = "cut off"
    finally:
        end(process)
    found = json.loads(results.read_text()) if results.is_file() else {}
    if outcome == "passed" and found.get("out_of_time"):
        outcome = "cut off"
    return Ended(outcome, time.monotonic() - begun, found)


def surroundings() -> dict[str, str]:
    """PATH with the programs of this environment."""
    programs = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
    return os.environ | {"PATH": programs}


def end(process: subprocess.Popen) -> None:
    """End a part's process and its descendants: Spark has its own processes."""
    for kind in (signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, kind)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(10)


def in_turn(hour: int) -> list[Part]:
    """All parts, each hour starting with the next one. In: hours since 1970."""
    first = hour % len(PARTS)
    return [*PARTS[first:], *PARTS[:first]]


def ran_before() -> dict[str, str]:
    """Part → the day it last passed on this machine."""
    return json.loads(RAN.read_text()) if RAN.is_file() else {}


def remember(name: str) -> None:
    """Record that a part passed today."""
    RAN.parent.mkdir(parents=True, exist_ok=True)
    RAN.write_text(json.dumps(ran_before() | {name: str(datetime.date.today())}))


def report(ended: dict[str, Ended], console: Console) -> None:
    """One line per part: its result, or when it last ran."""
    table = Table("part", "outcome", "minutes", "tests", "compared")
    for part in PARTS:
        done = ended.get(part.name)
        if done is None:
            last = ran_before().get(part.name, "never on this machine")
            table.add_row(part.name, "left out", "", "", f"last ran: {last}")
            continue
        tests = done.found.get("tests", {})
        counts = ", ".join(f"{number:,} {kind}" for kind, number in tests.items() if number)
        compared = [
            (n, what)
            for what, n in done.found.get("compared", {}).items()
            if " row" in what or "rows" in what
        ]
        most = "; ".join(f"{n:,} {what}" for n, what in sorted(compared, reverse=True)[:2])
        table.add_row(part.name, done.outcome, f"{done.seconds / 60:.1f}", counts, most)
    console.print(table)


def main() -> int:
    """See the module."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="PART")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--resume", action="store_true")
    parser.add_argument("--within", type=float, metavar="MINUTES")
    options = parser.parse_args()
    # truth is truth-1 and truth-2
    named = [part for part in PARTS if {part.name, part.family} & set(options.names)]
    unknown = set(options.names) - {name for part in PARTS for name in (part.name, part.family)}
    if unknown:
        known = ", ".join(part.name for part in PARTS)
        parser.error(f"no such part: {', '.join(sorted(unknown))}; there are {known}")
    console = Console(width=None if sys.stdout.isatty() else 160, highlight=False)
    if options.within is not None:
        chosen = in_turn(int(time.time() // 3600))
    elif options.all:
        chosen = PARTS
    else:
        chosen = named
    if not chosen:
        for part in PARTS:
            console.print(f"{part.name:<14} {part.minutes:>3} min  {part.holds}")
        return 0
    until = time.monotonic() + (options.within or 0) * 60
    ended: dict[str, Ended] = {}
    for part in chosen:
        left = until - time.monotonic() if options.within is not None else None
        if left is not None and left <= 0:
            break
        ended[part.name] = run(part, options.resume, left)
        if ended[part.name].outcome == "passed":
            remember(part.name)
    report(ended, console)
    return int(any(done.outcome == "failed" for done in ended.values()))


if __name__ == "__main__":
    sys.exit(main())

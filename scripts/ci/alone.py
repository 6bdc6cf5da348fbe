"""Run a command that tests, alone in this checkout and with room enough.

    python scripts/ci/alone.py pytest …

Two at once would share two cores and 6 GB, and each take the other's time for its own: the second
one ends with a message. TEST_PROCESSES, for the command, is how many processes of tests there is
room for: two, or one where memory is short.
"""

import fcntl
import os
import sys
from pathlib import Path

LOCK = Path(__file__).resolve().parents[2] / "pyproject.toml"
ALONE = "AFTERIMAGE_TESTS_ALONE"
# a Spark of tests with its Python
GB_A_PROCESS = 2.5


def main(command: list[str]) -> None:
    """Replaces this process by the command; the lock goes with it."""
    if os.environ.get(ALONE) is None:
        file = os.open(LOCK, os.O_RDONLY)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            sys.exit("Tests are running in this checkout already: wait for them, or end them.")
        os.set_inheritable(file, True)
        os.environ[ALONE] = "1"
        os.environ.setdefault("TEST_PROCESSES", str(processes(gigabytes_free())))
    os.execvp(command[0], command)


def processes(free: float) -> int:
    """How many processes of tests there is room for.

    In: free memory in GB. Errors: SystemExit where not even one has room.
    """
    if free < GB_A_PROCESS:
        sys.exit(
            f"The tests need {GB_A_PROCESS} GB of free memory, and there are {free:.1f} GB: end "
            "something, or give the machine (container) more. Tests that need no Spark need less: "
            ".venv/bin/pytest -m 'not spark and not live'"
        )
    if free < 2 * GB_A_PROCESS:
        print(f"{free:.1f} GB of memory are free: one process of tests, not two; that takes longer")
        return 1
    return min(2, os.cpu_count() or 1)


def gigabytes_free() -> float:
    """Free memory of the machine, or of the container where that is less."""
    found = []
    memory = Path("/proc/meminfo")
    if memory.is_file():
        lines = dict(line.split(":", 1) for line in memory.read_text().splitlines())
        found.append(int(lines["MemAvailable"].split()[0]) / 1e6)
    limit, used = (Path("/sys/fs/cgroup") / name for name in ("memory.max", "memory.current"))
    if limit.is_file() and limit.read_text().strip() != "max":
        found.append((int(limit.read_text()) - int(used.read_text())) / 1e9)
    # elsewhere (macOS) nobody says: go on
    return min(found, default=100.0)


if __name__ == "__main__":
    main(sys.argv[1:])

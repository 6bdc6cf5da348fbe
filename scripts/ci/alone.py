"""Run a test command, alone in this checkout and with enough memory.

    python scripts/ci/alone.py pytest …

Two at once would share two cores and 6 GB and distort each other's times: the second one exits
with a message. TEST_PROCESSES tells the command how many test processes fit in memory: two, or
one if memory is short.
"""

import fcntl
import os
import sys
from pathlib import Path

LOCK = Path(__file__).resolve().parents[2] / "pyproject.toml"
ALONE = "AFTERIMAGE_TESTS_ALONE"
# a Spark for tests with its Python
GB_A_PROCESS = 2.5


def main(command: list[str]) -> None:
    """Replaces this process by the command, which keeps the lock."""
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
    """How many test processes fit in memory.

    In: free memory in GB. Errors: SystemExit if not even one fits.
    """
    if free < GB_A_PROCESS:
        sys.exit(
            f"The tests need {GB_A_PROCESS} GB of free memory, but there are {free:.1f} GB: end "
            "something, or give the machine (container) more. Tests without Spark need less: "
            ".venv/bin/pytest -m 'not spark and not live'"
        )
    if free < 2 * GB_A_PROCESS:
        print(f"{free:.1f} GB of memory are free: one test process, not two; that takes longer")
        return 1
    return min(2, os.cpu_count() or 1)


def gigabytes_free() -> float:
    """Free memory of the machine, or of the container if that is less."""
    found = []
    memory = Path("/proc/meminfo")
    if memory.is_file():
        lines = dict(line.split(":", 1) for line in memory.read_text().splitlines())
        found.append(int(lines["MemAvailable"].split()[0]) / 1e6)
    limit, used = (Path("/sys/fs/cgroup") / name for name in ("memory.max", "memory.current"))
    if limit.is_file() and limit.read_text().strip() != "max":
        found.append((int(limit.read_text()) - int(used.read_text())) / 1e9)
    # other systems (macOS) do not report it: continue
    return min(found, default=100.0)


if __name__ == "__main__":
    main(sys.argv[1:])

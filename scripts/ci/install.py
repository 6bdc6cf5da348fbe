"""Install the packages (into .venv) and jars (into .jars) that a Makefile target needs.

    python3 scripts/ci/install.py run|dev|formats|live|bench

If everything is installed, it does nothing; a second process waits for the first. Runs with any
Python 3.11 or newer and its standard library.
"""

import contextlib
import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
VENV = ROOT / ".venv"
EXTRAS = {
    "run": "",
    "dev": "[dev]",
    "formats": "[dev,thrift,connect]",
    "live": "[dev,live]",
    "bench": "[bench]",
    "docs": "[docs]",
}
# the demo and the example's documentation need only Parquet and JSON
WITHOUT_JARS = ("run", "docs")
NO_VENV = (
    f"{sys.executable} cannot make virtual environments. Install its venv module (Debian, Ubuntu: "
    "apt install python3-venv)."
)
NO_PACKAGES = (
    "The packages could not be installed: pip's output is above. Make sure that the Python package "
    "index can be reached and run it again; downloaded packages are kept."
)


def main(name: str) -> None:
    """Install for one of EXTRAS; exits with a message and code 1 if something is missing."""
    os.chdir(ROOT)
    with locked():
        if stamp(name).is_file() and stamp(name).read_text() == state():
            installed = True
        else:
            installed = False
            make_environment()
            print(f"Installing packages into {VENV.name} (the first time takes a few minutes)")
            pip = [VENV / "bin" / "python", "-m", "pip", "install", "--quiet"]
            options = ["--disable-pip-version-check", "--constraint", "requirements.lock"]
            if call([*pip, *options, "--editable", f".{EXTRAS[name]}"]):
                sys.exit(NO_PACKAGES)
            stamp(name).write_text(state())
    if name not in WITHOUT_JARS:
        command = [VENV / "bin" / "afterimage", "jars"]
        if call(command, stdout=subprocess.DEVNULL if installed else None):
            sys.exit(1)


def stamp(name: str) -> Path:
    """The file that records for which state the packages were installed."""
    return VENV / f".{name}"


def state() -> str:
    """A hash of everything that determines what is installed."""
    asked = b"".join((ROOT / file).read_bytes() for file in ("requirements.lock", "pyproject.toml"))
    return hashlib.sha256(asked + str(ROOT).encode()).hexdigest()


def make_environment() -> None:
    """Creates .venv if it is missing, incomplete or moved, so that its pip does not run."""
    probe = [VENV / "bin" / "python", "-m", "pip", "--version"]
    with contextlib.suppress(OSError):
        if call(probe, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) == 0:
            return
    if call([sys.executable, "-c", "import venv, ensurepip"], stderr=subprocess.DEVNULL):
        sys.exit(NO_VENV)
    shutil.rmtree(VENV, ignore_errors=True)
    if call([sys.executable, "-m", "venv", VENV]):
        sys.exit(NO_VENV)


def call(command: list, **options) -> int:
    """Run a command without variables of an activated environment. Out: its exit code."""
    leaks = ("VIRTUAL_ENV", "PYTHONPATH", "PYTHONHOME")
    clean = {name: value for name, value in os.environ.items() if name not in leaks}
    return subprocess.run(command, env=clean, check=False, **options).returncode


@contextlib.contextmanager
def locked() -> Iterator[None]:
    """One process installs at a time. The lock ends with the process that holds it."""
    with (ROOT / "requirements.lock").open() as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print("Another make is installing here: waiting for it", flush=True)
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1] not in EXTRAS:
        sys.exit(f"usage: install.py {'|'.join(EXTRAS)}")
    main(sys.argv[1])

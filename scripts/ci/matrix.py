"""The example, a difficult stream and commands on versions of Python, Spark and dbt other than the
locked ones; and the SQL that the example would send to Databricks.

    python scripts/ci/matrix.py                 every combination
    python scripts/ci/matrix.py oldest …        these

Each has its own environment in target/matrix: the packages of requirements.lock, except those of
the combination. Jars are those of the locked Spark, so tables are Parquet. Some six minutes each.
Usually run by `make matrix`.
"""

import os
import re
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = (
    *("tests/functional/test_example.py", "tests/functional/test_commands_on_targets.py"),
    *("tests/truth/test_user_streams.py", "-k", "example or drift or (models and values_not_sent)"),
)


@dataclass(frozen=True)
class Combination:
    """python: the interpreter's version; packages: installed as they are, instead of the locked
    ones, or, if it is alone, with their dependencies; tests: for pytest."""

    name: str
    python: str
    packages: tuple[str, ...] = ()
    tests: tuple[str, ...] = EXAMPLE
    is_alone: bool = False


COMBINATIONS = (
    Combination(
        *("oldest", "3.11"),
        # dbt-core 1.10 treats the grouping limit of a later sqlparse as an error
        ("pyspark==4.0.5", "dbt-core==1.10.23", "dbt-spark==1.10.3", "sqlparse==0.5.3"),
    ),
    Combination("locked", "3.13"),
    Combination("spark-4.2", "3.12", ("pyspark==4.2.1",)),
    Combination(
        *("newest", "3.13"),
        # dbt-core 1.12 requires the last two, and an experimental parser, which is not used
        ("pyspark==4.3.0", "dbt-core==1.12.6", "metricflow", "python-dotenv"),
    ),
    Combination(
        *("databricks", "3.11"),
        ("dbt-databricks==1.11.8", "dbt-core==1.11.8", "pytest<9.2", "sqlglot"),
        ("--noconftest", "tests/databricks/rendered.py"),
        is_alone=True,
    ),
)


def main(names: list[str]) -> int:
    """See the module."""
    unknown = set(names) - {each.name for each in COMBINATIONS}
    if unknown:
        sys.exit(f"no such combination: {', '.join(sorted(unknown))}; see {Path(__file__).name}")
    table = Table("combination", "Python", "other than locked", "outcome", "minutes")
    failed = False
    for each in COMBINATIONS:
        if names and each.name not in names:
            continue
        begun = time.monotonic()
        outcome = tried(each)
        failed |= outcome == "failed"
        minutes = f"{(time.monotonic() - begun) / 60:.1f}"
        table.add_row(each.name, each.python, " ".join(each.packages), outcome, minutes)
    Console(width=None if sys.stdout.isatty() else 120).print(table)
    return failed


def tried(each: Combination) -> str:
    """passed, failed, or why it was skipped."""
    python = shutil.which(f"python{each.python}")
    if python is None or subprocess.run([python, "--version"], check=False).returncode:
        return f"skipped: no python{each.python} here"
    folder = ROOT / "target" / "matrix" / each.name
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run([python, "-m", "venv", folder], check=True)
    leaks = ("VIRTUAL_ENV", "PYTHONPATH", "PYTHONHOME")
    clean = {name: value for name, value in os.environ.items() if name not in leaks}
    clean |= {"PATH": f"{folder / 'bin'}{os.pathsep}{clean['PATH']}"}
    clean |= {"DBT_PROFILES_DIR": str(ROOT / "profiles")}
    pip = [folder / "bin" / "pip", "install", "--quiet", "--disable-pip-version-check"]
    for packages in [each.packages] if each.is_alone else in_place(each.packages):
        if subprocess.run([*pip, *packages], env=clean, check=False).returncode:
            return "failed"
    command = [folder / "bin" / "pytest", "-q", *each.tests]
    ended = subprocess.run(command, cwd=ROOT, env=clean, check=False)
    return "failed" if ended.returncode else "passed"


def in_place(packages: tuple[str, ...]) -> tuple[list[str], list[str]]:
    """Requirements for pip: the locked packages, with these replaced, and our package."""
    replaced = {re.split("[=<>]", package)[0] for package in packages}
    locked = re.findall(r"^([\w.-]+)(==\S+)", (ROOT / "requirements.lock").read_text(), re.M)
    kept = [name + version for name, version in locked if name not in replaced]
    return ["--no-deps", *kept, *packages], ["--no-deps", "--editable", str(ROOT)]


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))

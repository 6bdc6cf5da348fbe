"""docs/how-to/first-table.md as a newcomer follows it: its files in an empty folder, its commands
each in a separate process, and their output compared with the page. The transcript is kept in
target/first-table.txt."""

import os
import re
import shlex
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.docs.markdown import ROOT, tables

PAGE = (ROOT / "docs/how-to/first-table.md").read_text(encoding="utf-8")
# in the environment of the tests already
INSTALLED = ("python3 -m venv .venv", "source .venv/bin/activate", "pip install -e ../afterimage")
FILES = "dbt_project.yml packages.yml profiles.yml monday.jsonl tuesday.jsonl schema.sql"


def blocks() -> list[tuple[str, str, str]]:
    """The page's blocks: language, the first name in the paragraph before, and the text."""
    found = []
    parts = re.split(r"(?m)^```(\w*)\n", PAGE)
    for prose, language, text in zip(parts[::4], parts[1::4], parts[2::4], strict=False):
        name = re.search(r"`([^`]+)`", prose.strip().rsplit("\n\n", 1)[-1])
        found.append((language, name[1] if name else "", text))
    return found


def printed(output: str) -> list[list[str]]:
    """The rows of the table that dbt shows, including its header."""
    lines = [line for line in output.splitlines() if line.startswith("| ")]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return [row for row in rows if not set("".join(row)) <= {"-"}]


def test_each_file_is_named_before_its_text():
    assert [name for language, name, _ in blocks() if language != "sh"] == FILES.split()


def test_it_installs_into_an_environment_of_its_own():
    assert blocks()[0][2].splitlines() == list(INSTALLED)


@pytest.mark.spark
def test_its_files_and_commands_give_what_it_shows(tmp_path):
    programs = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    surroundings = {"PATH": programs, "HOME": str(tmp_path), "NO_COLOR": "1"}
    surroundings |= {name: os.environ[name] for name in ("JAVA_HOME",) if name in os.environ}
    shown, said, builds = [], [], []
    for language, name, text in blocks():
        if language != "sh":
            text = text.replace("../afterimage", str(ROOT))
            (tmp_path / name).write_text(text, encoding="utf-8")
            continue
        for command in text.splitlines():
            if command in INSTALLED:
                continue
            begun = time.monotonic()
            done = subprocess.run(
                shlex.split(command),
                cwd=tmp_path,
                env=surroundings,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
            )
            took = time.monotonic() - begun
            said.append(f"$ {command}    # {took:.1f} s\n{done.stdout}")
            assert done.returncode == 0, "\n".join(said)
            assert not re.search(r"SparkSession|\[Stage|WARN |HiveConf", done.stdout), done.stdout
            if command.startswith("dbt show"):
                shown.append(printed(done.stdout))
            if command.startswith("dbt build"):
                builds.append(done.stdout)
    (ROOT / "target").mkdir(exist_ok=True)
    (ROOT / "target" / "first-table.txt").write_text("\n".join(said), encoding="utf-8")
    for build in builds:
        passed = re.findall(r"PASS (?:afterimage_)?(\w+?)_(?:stg|hist|cur|dq)_library__", build)
        assert {"cdc_conservation", "cdc_intervals", "cdc_agreement"} <= set(passed), build
    current, history, records = tables(PAGE)
    for table, rows in zip((current, history), shown, strict=True):
        assert [list(table.columns), *(list(row.values()) for row in table.rows)] == rows
    html = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "books" in html
    assert [list(row.values())[1] for row in records.rows] == [str(PAGE.count('"offset":'))] * 2

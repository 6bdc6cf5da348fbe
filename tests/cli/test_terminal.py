"""What a user sees: the lines of dbt with the project's own profile, and faults of commands."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from afterimage.cli import main

ROOT = Path(__file__).parents[2]


@pytest.mark.spark
def test_what_spark_warns_of_is_in_its_log(tmp_path):
    """In a separate process and folder, whose catalog is created then: Hive warns of that."""
    shutil.copytree(ROOT / "profiles", tmp_path / "profiles")
    (tmp_path / "dbt_project.yml").write_text("name: x\nprofile: afterimage\n", encoding="utf-8")
    command = ["show", "--inline", "select 1 as one", "--profiles-dir", "profiles"]
    done = subprocess.run(
        [sys.executable, "-c", "from dbt.cli.main import cli; cli()", *command],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    said = done.stdout + done.stderr
    assert done.returncode == 0, said
    assert "|   1 |" in said
    assert "WARN " not in said and "Derby" not in said, said
    assert " WARN " in (tmp_path / "logs" / "spark.log").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "command, said, has_usage",
    [
        ("land files gone.jsonl --into a.b", "Path 'gone.jsonl' does not exist.", False),
        ("scaffold --all-topics --ddl gone.sql", "File 'gone.sql' does not exist.", False),
        ("report --format xml", "'xml' is not one of 'text', 'json'.", False),
        ("report --newest -1", "-1 is not in the range x>=0.", False),
        ("reconcile shop.orders --samples -1", "-1 is not in the range x>=0.", False),
        ("reconcile shop.orders --margin -1", "-1.0 is not in the range x>=0.", False),
        ("reconcile shop.orders --taken-until soon", "'%Y-%m-%d'.", False),
        ("erase shop.orders --keep-hours -1", "-1 is not in the range x>=0.", False),
        ("bench --events 0", "0 is not in the range x>=1.", False),
        ("bench --increment 0", "0 is not in the range x>=1.", False),
        ("bench --tables -1", "-1 is not in the range x>=0.", False),
        ("server start --port 65536", "65536 is not in the range 1<=x<=65535.", False),
        ("server start --connect 0", "0 is not in the range 1<=x<=65535.", False),
        ("server start --workers -1", "-1 is not in the range x>=0.", False),
        ("schemas --ids id", "'id' is not one of 'globalId', 'contentId'.", False),
        ("land files . --file-format orc", "'parquet', 'delta', 'iceberg'.", False),
        ("land kafka --consumer-config gone", "File 'gone' does not exist.", False),
        # here the usage says what to write
        ("land files", "Missing argument 'FILES...'.", True),
        ("scaffold", "give either --topic (once or more) or --all-topics", True),
    ],
)
def test_a_wrong_value_is_reported_without_the_usage(command, said, has_usage):
    done = CliRunner().invoke(main, command.split())
    assert done.exit_code == 2
    assert done.output.rstrip().endswith(said)
    assert done.output.startswith("Usage:" if has_usage else "Error: Invalid value for")

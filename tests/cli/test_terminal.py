"""What a user sees who runs dbt with the project's own profile: dbt's lines, and no others."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

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

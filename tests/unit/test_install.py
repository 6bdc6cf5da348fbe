"""What `make` checks before any test: one installation at a time, enough space, one suite."""

import fcntl
import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def script(name: str):
    """A script of scripts/ci, which is no package, as a module."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "scripts" / "ci" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    """The installer in its own folder; `said` are the commands that it would have run."""
    install = script("install")
    for name in ("requirements.lock", "pyproject.toml"):
        (tmp_path / name).write_text(name)
    monkeypatch.setattr(install, "ROOT", tmp_path)
    monkeypatch.setattr(install, "VENV", tmp_path / ".venv")
    monkeypatch.chdir(tmp_path)
    install.said = []

    def call(command, **options):
        install.said.append(" ".join(map(str, command)).replace(str(tmp_path), "."))
        if "venv" in command:
            (tmp_path / ".venv").mkdir()
        return install.fails(install.said[-1])

    install.fails = lambda command: 1 if command.endswith("pip --version") else 0
    monkeypatch.setattr(install, "call", call)
    return install


def test_what_is_installed_is_not_installed_again(checkout):
    checkout.main("dev")
    first = list(checkout.said)
    assert any("--editable .[dev]" in command for command in first)
    assert first[-1].endswith("afterimage jars")
    checkout.said.clear()
    checkout.main("dev")
    assert [command for command in checkout.said if "pip" in command] == []
    # the jars are checked each time: one may have been damaged
    assert checkout.said == [first[-1]]


def test_another_lock_file_installs_again(checkout, tmp_path):
    checkout.main("dev")
    (tmp_path / "requirements.lock").write_text("dbt-core==9")
    checkout.said.clear()
    checkout.main("dev")
    assert any("--editable" in command for command in checkout.said)


def test_the_demo_needs_no_jars(checkout):
    checkout.main("run")
    assert [command for command in checkout.said if command.endswith("jars")] == []


def test_packages_that_cannot_be_had(checkout, tmp_path):
    checkout.fails = lambda command: "--editable" in command or command.endswith("--version")
    with pytest.raises(SystemExit, match=r"could not be installed.*index can be reached"):
        checkout.main("dev")
    assert not (tmp_path / ".venv" / ".dev").exists()


def test_a_python_without_venv(checkout):
    checkout.fails = lambda command: 1
    with pytest.raises(SystemExit, match="apt install python3-venv"):
        checkout.main("dev")


def test_a_second_one_waits(checkout, tmp_path, capsys):
    holds = (
        "import fcntl, sys; f = open('requirements.lock'); fcntl.flock(f, fcntl.LOCK_EX);"
        "print('held', flush=True); import time; time.sleep(1)"
    )
    command = [sys.executable, "-c", holds]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=tmp_path) as other:
        assert other.stdout.readline() == "held\n"
        checkout.main("run")
    assert "Another make is installing here: waiting for it" in capsys.readouterr().out


def test_room_for_tests(capsys):
    alone = script("alone")
    assert alone.processes(16) == min(2, alone.os.cpu_count())
    assert alone.processes(4) == 1
    assert "one test process" in capsys.readouterr().out
    with pytest.raises(SystemExit, match=r"need 2\.5 GB of free memory, but there are 1\.0 GB"):
        alone.processes(1)


def test_a_second_suite_in_one_checkout_is_refused(tmp_path, monkeypatch):
    alone = script("alone")
    lock = tmp_path / "pyproject.toml"
    lock.write_text("")
    monkeypatch.setattr(alone, "LOCK", lock)
    monkeypatch.delenv(alone.ALONE, raising=False)
    with lock.open() as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        with pytest.raises(SystemExit, match="Tests are running in this checkout already"):
            alone.main(["true"])


def test_a_python_that_will_not_do():
    done = subprocess.run(
        ["make", "--no-print-directory", "python", "PYTHON=/bin/false"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode
    assert "is older than the Python 3.11 needed" in done.stdout

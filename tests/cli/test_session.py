"""Reading the profile, and the message if it is unsuitable. No second session is started."""

import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner
from pyspark.errors import AnalysisException

from afterimage import session
from afterimage.cli import main
from afterimage.errors import UserError

PROFILE = """
shop:
  target: here
  outputs:
    here: {type: spark, method: session, host: NA, schema: s, server_side_parameters: {
      spark.sql.warehouse.dir: "{{ env_var('AFTERIMAGE_TEST_DIR') }}"}}
"""


@pytest.fixture
def project(tmp_path, monkeypatch):
    (tmp_path / "dbt_project.yml").write_text("name: shop\nprofile: shop\nversion: '1'\n")
    (tmp_path / "profiles").mkdir()
    (tmp_path / "profiles" / "profiles.yml").write_text(PROFILE)
    (tmp_path / "below").mkdir()
    monkeypatch.chdir(tmp_path / "below")
    monkeypatch.setenv("AFTERIMAGE_TEST_DIR", "somewhere")
    return tmp_path


def test_parameters_are_those_of_the_target(project):
    parameters = session.credentials_of(None).server_side_parameters
    assert parameters["spark.sql.warehouse.dir"] == "somewhere"
    # dbt-spark adds this to the profile's settings; ours must not differ from dbt's.
    assert parameters["spark.sql.ansi.enabled"] == "false"


def test_a_variable_that_is_not_set(project, monkeypatch):
    monkeypatch.delenv("AFTERIMAGE_TEST_DIR")
    with pytest.raises(UserError, match="AFTERIMAGE_TEST_DIR"):
        session.spark_session()


def test_a_target_that_is_not_there(project):
    with pytest.raises(UserError, match="nowhere"):
        session.spark_session("nowhere")


def test_a_target_that_is_not_embedded(project, monkeypatch):
    # dbt refuses such a target by itself if its driver is not installed.
    monkeypatch.setattr(session, "credentials_of", lambda target: SimpleNamespace(method="thrift"))
    with pytest.raises(UserError, match="far has method thrift"):
        session.spark_session("far")


@pytest.mark.parametrize(
    "command",
    [
        "land files . --into a.b --target nowhere",
        "land kafka --brokers b:9092 --topics t --into a.b --target nowhere",
        "schemas 1.avsc --into a.b --target nowhere",
        "demo --target nowhere",
        "validate --target nowhere",
        "scaffold --topic t --target nowhere",
        "model-yaml --target nowhere",
        "retry --target nowhere",
        "drift --target nowhere",
        "report --target nowhere",
        "reconcile shop.orders --rows a.b --target nowhere",
        "erase shop.orders --target nowhere",
        "server start --target nowhere",
    ],
)
def test_a_command_uses_the_given_target(project, monkeypatch, command):
    (project / "below" / "1.avsc").write_text('{"type": "long"}')
    (project / "demo").mkdir()
    for name in ("first", "second", "third"):
        (project / "demo" / f"shop.{name}.jsonl.gz").touch()
    monkeypatch.setattr("afterimage.demo.use_java", lambda: None)
    monkeypatch.setattr("afterimage.server.use_java", lambda: None)
    done = CliRunner().invoke(main, command.split())
    assert done.exit_code == 1 and isinstance(done.exception, SystemExit), done.output
    assert "does not have a target named 'nowhere'" in " ".join(done.output.split())


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("http://spark.example.org", "an address of Spark Connect is sc://HOST:PORT"),
        ("sc://127.0.0.1:1", "sc://127.0.0.1:1 was not reached: Connection refused"),
    ],
)
def test_a_cluster_that_is_not_there(address, told):
    with pytest.raises(UserError, match=told):
        session.remote_session(address)


def test_a_cluster_without_the_packages_to_reach_it(monkeypatch):
    def remote(address):
        raise ImportError("No module named 'grpc'")

    monkeypatch.setattr(
        session, "SparkSession", SimpleNamespace(builder=SimpleNamespace(remote=remote))
    )
    with socket.create_server(("127.0.0.1", 0)) as there:
        address = f"sc://127.0.0.1:{there.getsockname()[1]}"
        with pytest.raises(UserError, match=r"pip install 'afterimage\[connect\]'"):
            session.remote_session(address)


def test_a_terminal_shows_what_is_waited_for(tmp_path):
    """Even though the block's own output goes to a file meanwhile."""
    script = (
        "import os, time; from afterimage.session import jvm_output, shown_as_busy\n"
        "from pathlib import Path\n"
        "with shown_as_busy('starting Spark'), jvm_output(Path('log')): time.sleep(0.5)"
    )
    ours, theirs = os.openpty()
    command = [sys.executable, "-c", script]
    subprocess.run(
        command, cwd=tmp_path, stderr=theirs, check=True, env=os.environ | {"TERM": "xterm"}
    )
    os.close(theirs)
    assert b"starting Spark" in os.read(ours, 10_000)


def test_an_error_of_a_statement_is_said_once(spark, capfd):
    with pytest.raises(AnalysisException, match="nothing_here"):
        spark.sql("select nothing_here")
    assert "nothing_here" not in "".join(capfd.readouterr())


@pytest.mark.parametrize("command", ["validate", "report", "drift", "model-yaml"])
def test_no_project(command, tmp_path, monkeypatch):
    """Not that of the package, which has models of its own."""
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(main, [command])
    assert done.exit_code == 1
    assert f"no dbt_project.yml in {tmp_path} or above it" in done.output
    assert not list(tmp_path.iterdir())


def test_no_profile(project, monkeypatch):
    monkeypatch.setenv("HOME", str(project))
    (project / "profiles" / "profiles.yml").unlink()
    with pytest.raises(UserError, match=r"no profiles\.yml in .*profiles"):
        session.spark_session()


SHOW = ["dbt", "show", "--inline", "select * from landing.events", "--profiles-dir", "profiles"]
OPERATION = "from afterimage.invoke import operation; operation('report_rows')"


@pytest.mark.spark
@pytest.mark.slow
def test_a_catalog_in_use_is_explained(tmp_path):
    """Processes in one project; the second gets the reason why it cannot have the catalog, also in
    dbt."""
    root = Path(__file__).parents[2]
    shutil.copy(root / "dbt_project.yml", tmp_path)
    shutil.copytree(root / "profiles", tmp_path / "profiles")
    start = "from afterimage.session import spark_session; spark_session()"
    hold = f"{start}; print('up', flush=True); input()"
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, "cwd": tmp_path}
    with subprocess.Popen([sys.executable, "-c", hold], **pipes) as first:
        try:
            assert first.stdout.readline() == "up\n"
            second, third, fourth = (
                subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
                for command in (
                    [sys.executable, "-c", start],
                    SHOW,
                    [sys.executable, "-c", OPERATION],
                )
            )
        finally:
            first.communicate("\n")
    said = third.stdout + third.stderr
    assert "Another instance of Derby may have already booted the database" in said
    assert third.returncode != 0
    for done in (second, fourth):
        assert done.returncode == 1
        assert "the catalog in .spark/metastore is in use by another process" in done.stderr


def test_a_jvm_that_does_not_start_shows_its_last_words(tmp_path):
    log = tmp_path / "spark.log"
    log.write_text("".join(f"word {n}\n" for n in range(100)))
    said = session.explain(RuntimeError("[JAVA_GATEWAY_EXITED] Java gateway process exited"), log)
    assert "word 99" in said
    assert "word 50" not in said

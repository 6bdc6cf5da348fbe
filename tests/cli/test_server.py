"""`afterimage server`, with a program in place of Spark's that answers on the ports it is given."""

import re
import socket
import sys

import pytest
from click.testing import CliRunner
from tests.server import free_port

from afterimage import server
from afterimage.cli import main

PROGRAM = """\
#!{python}
import re, socket, sys, time
print(*sys.argv, flush=True)
ports = re.findall(r"(?:--port |[.]port=)([0-9]+)", " ".join(sys.argv))
held = [socket.create_server(("127.0.0.1", int(port))) for port in ports]
time.sleep(60)
"""
PROFILE = """
shop:
  target: here
  outputs:
    here: &here {type: spark, method: session, host: NA, schema: s, server_side_parameters: {}}
    other: {<<: *here, server_side_parameters: {spark.sql.warehouse.dir: elsewhere}}
"""


@pytest.fixture
def command(tmp_path, monkeypatch):
    """Runs a command of the server for a project from outside its folder; nothing stays running."""
    program = tmp_path / "program"
    program.write_text(PROGRAM.format(python=sys.executable))
    program.chmod(0o755)
    monkeypatch.setattr(server, "_spark", lambda name: str(program))
    monkeypatch.setattr(server, "use_java", lambda: None)
    (tmp_path / "dbt_project.yml").write_text("name: shop\nprofile: shop\n")
    (tmp_path / "profiles.yml").write_text(PROFILE)

    def run(*arguments):
        given = ["server", *map(str, arguments), "--project-dir", str(tmp_path)]
        return CliRunner().invoke(main, given)

    yield run
    run("stop")


def answers(port) -> bool:
    with socket.socket() as asked:
        return asked.connect_ex(("127.0.0.1", int(port))) == 0


def test_start_and_stop(command, tmp_path):
    port, connect = free_port(), free_port()
    options = ("--port", port, "--workers", 2, "--connect", connect, "--target", "other")
    started = command("start", *options)
    assert started.exit_code == 0, started.output
    found = dict(re.findall(r"(?m)^(\S+): process \d+, 127\.0\.0\.1:(\d+)$", started.output))
    assert list(found) == ["master", "worker-1", "worker-2", "thrift"]
    assert found["thrift"] == str(port)
    assert f"Spark Connect: --remote sc://127.0.0.1:{connect}\n" in started.output
    assert all(map(answers, [*found.values(), connect]))
    settings = (tmp_path / ".spark" / "server" / "thrift.log").read_text().split()
    assert {
        "spark.sql.warehouse.dir=elsewhere",
        f"spark.master=spark://127.0.0.1:{found['master']}",
        "spark.cores.max=2",
        f"spark.connect.grpc.binding.port={connect}",
    } <= set(settings)

    again = command("start")
    assert again.exit_code == 1 and "a server runs already: master (process" in again.output
    ended = command("stop")
    assert ended.output.splitlines() == [f"{name}: ended" for name in reversed(found)]
    assert not any(map(answers, [*found.values(), connect]))
    assert command("stop").output == "No server is running.\n"


def test_it_is_alone_without_workers(command):
    port = free_port()
    started = command("start", "--port", port)
    assert re.fullmatch(
        rf"thrift: process \d+, 127\.0\.0\.1:{port}\n`afterimage server stop` ends them\.\n",
        started.output,
    )


@pytest.mark.parametrize("option", ["--port", "--connect"])
def test_a_port_that_is_taken(command, option):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = command("start", "--port", free_port(), option, port)
    assert done.exit_code == 1
    assert f"port {port} of 127.0.0.1 is taken: choose another with {option}" in done.output

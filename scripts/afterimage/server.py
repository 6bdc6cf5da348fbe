"""A Spark Thrift server on this machine, alone or with its own cluster; all on loopback.

`.spark/server` records the process ids of what was started, for `afterimage server stop`.

    afterimage server start --workers 2 --connect 15002
    afterimage land files events.jsonl --into landing.events --remote sc://127.0.0.1:15002
    dbt run --target thrift
    afterimage server stop
"""

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from afterimage.errors import UserError
from afterimage.jars import require_jars
from afterimage.java import use_java
from afterimage.project import project_root
from afterimage.session import parameters_of

HOST = "127.0.0.1"
CONNECT_CLASS = "org.apache.spark.sql.connect.SparkConnectPlugin"
SERVER_CLASS = "org.apache.spark.sql.hive.thriftserver.HiveThriftServer2"
MASTER_CLASS = "org.apache.spark.deploy.master.Master"
WORKER_CLASS = "org.apache.spark.deploy.worker.Worker"
LONGEST_START = 240  # seconds


@dataclass(frozen=True)
class Part:
    """A process of the server: master, worker-1, …, thrift."""

    name: str
    process: int
    port: int
    started: str  # the kernel's start time: process ids are reused


def start(target: str | None, port: int, workers: int, connect: int | None = None) -> list[Part]:
    """Start a Thrift server with the settings of an embedded target.

    In: the target whose catalog, table format and jars it gets; its port; the number of workers
    with one core and 1 GB each (0: the server computes itself); the port of Spark Connect, None
    for no Spark Connect.
    Out: the running parts, the Thrift server last. It answers before this returns.
    Errors: UserError when a server runs already, the port is taken, or a part does not start;
    nothing is left running then.
    """
    if running := parts():
        listed = ", ".join(f"{part.name} (process {part.process})" for part in running)
        raise UserError(f"a server runs already: {listed}; `afterimage server stop` ends it")
    for option, wanted in {"--port": port, "--connect": connect}.items():
        if wanted and _answers(wanted):
            raise UserError(f"port {wanted} of {HOST} is taken: choose another with {option}")
    use_java()
    settings = parameters_of(target)
    require_jars(settings)
    _folder().mkdir(parents=True, exist_ok=True)
    try:
        if workers:
            settings |= _cluster(workers)
            # the workers have another working directory than the server
            if path := settings.get("spark.driver.extraClassPath"):
                settings["spark.executor.extraClassPath"] = str(project_root() / path)
        if connect:
            settings |= {
                "spark.plugins": CONNECT_CLASS,
                "spark.connect.grpc.binding.address": HOST,
                "spark.connect.grpc.binding.port": str(connect),
            }
        _thrift(settings, port)
    except BaseException:
        stop()
        raise
    return parts()


def stop() -> list[Part]:
    """End the parts that `start` started, the Thrift server first. Out: the ended parts."""
    ended = list(reversed(parts()))
    for part in ended:
        _end(part)
    if _record().is_file():
        _record().unlink()
    return ended


def parts() -> list[Part]:
    """The started parts that still run."""
    if not _record().is_file():
        return []
    known = [Part(**part) for part in json.loads(_record().read_text())]
    return [part for part in known if _is_ours(part)]


def _thrift(settings: dict[str, str], port: int) -> None:
    command = [_spark("spark-submit"), "--class", SERVER_CLASS]
    for name, value in settings.items():
        command += ["--conf", f"{name}={value}"]
    command += ["spark-internal", "--hiveconf", f"hive.server2.thrift.port={port}"]
    command += ["--hiveconf", f"hive.server2.thrift.bind.host={HOST}"]
    _launch("thrift", command, port)


def _cluster(workers: int) -> dict[str, str]:
    """Starts a master and its workers. Out: the settings of a server that uses them."""
    port, page = _free_port(), _free_port()
    place = ["--host", HOST, "--port", str(port), "--webui-port", str(page)]
    _launch("master", [_spark("spark-class"), MASTER_CLASS, *place], port)
    address = f"spark://{HOST}:{port}"
    for number in range(1, workers + 1):
        port, page = _free_port(), _free_port()
        place = ["--host", HOST, "--port", str(port), "--webui-port", str(page)]
        size = ["--cores", "1", "--memory", "1g", "--work-dir", str(_folder() / "work")]
        command = [_spark("spark-class"), WORKER_CLASS, address, *place, *size]
        _launch(f"worker-{number}", command, port)
    return {
        "spark.master": address,
        "spark.executor.memory": "900m",
        "spark.cores.max": str(workers),
        "spark.driver.host": HOST,
        "spark.driver.memory": "1g",
    }


def _launch(name: str, command: list[str], port: int) -> None:
    """Starts a part, records it, and waits until it answers."""
    environment = {**os.environ, "SPARK_LOCAL_IP": HOST, "PYSPARK_PYTHON": sys.executable}
    # for a Thrift server this would be the heap, with precedence over spark.driver.memory
    environment.pop("SPARK_DAEMON_MEMORY", None)
    if name != "thrift":
        environment["SPARK_DAEMON_MEMORY"] = "256m"
    log = _folder() / f"{name}.log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            command,
            cwd=project_root(),
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    known = [*parts(), Part(name, process.pid, port, _started(process.pid))]
    _record().write_text(json.dumps([asdict(part) for part in known]))
    for _ in range(LONGEST_START * 2):
        if _answers(port):
            return
        if process.poll() is not None:
            break
        time.sleep(0.5)
    last = log.read_text(errors="replace").splitlines()[-15:]
    ended = "ended" if process.poll() is not None else f"gave no answer in {LONGEST_START} s"
    raise UserError("\n  ".join([f"the {name} {ended}; the end of {log}:", *last]))


def _end(part: Part) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(part.process, signal.SIGTERM)
        for _ in range(100):
            if not _is_ours(part):
                return
            with contextlib.suppress(ChildProcessError):
                os.waitpid(part.process, os.WNOHANG)
            time.sleep(0.2)
        os.kill(part.process, signal.SIGKILL)


def _is_ours(part: Part) -> bool:
    """Whether the process is still the one that was started."""
    return part.started != "" and _started(part.process) == part.started


def _started(process: int) -> str:
    """Start time of a process in the kernel's ticks; empty without a process or without /proc."""
    try:
        # the command may contain spaces and parentheses: the fields begin after the last one
        fields = Path("/proc", str(process), "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return ""
    return "" if fields[0] == "Z" else fields[19]


def _answers(port: int) -> bool:
    with socket.socket() as asked:
        asked.settimeout(1)
        return asked.connect_ex((HOST, port)) == 0


def _free_port() -> int:
    with socket.socket() as asked:
        asked.bind((HOST, 0))
        return asked.getsockname()[1]


def _spark(program: str) -> str:
    import pyspark

    return str(Path(pyspark.__file__).parent / "bin" / program)


def _folder() -> Path:
    return project_root() / ".spark" / "server"


def _record() -> Path:
    return _folder() / "parts.json"

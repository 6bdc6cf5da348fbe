"""A throw-away Kafka broker and a Kafka Connect worker with Debezium's connectors, on loopback.

`mvn` fetches them from Maven Central (pom.xml); AFTERIMAGE_KAFKA names a folder that has them.
"""

import json
import os
import shutil
import socket
import subprocess
import tarfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import requests

from afterimage.java import java_home
from tests.live.service import Service, ServiceError, answers
from tests.server import free_port

SOURCES = (
    "io.debezium:debezium-connector-postgres:3.6.3.Final:tar.gz:plugin",
    "io.debezium:debezium-connector-mariadb:3.5.0.Final:tar.gz:plugin",
)
CLUSTER = "afterimageafterimage0A"
PARTITIONS = 3


def missing() -> str | None:
    """What a test with Kafka lacks here."""
    if os.environ.get("AFTERIMAGE_KAFKA") or shutil.which("mvn"):
        return None
    return "no Kafka: `mvn` fetches it (Debian: apt install maven), or AFTERIMAGE_KAFKA names it"


def fetched(folder: Path, plugins: tuple[str, ...] = SOURCES) -> Path:
    """The folder with `libs` (Kafka's jars) and `plugins` (the connectors)."""
    if named := os.environ.get("AFTERIMAGE_KAFKA"):
        return Path(named)
    pom = Path(__file__).with_name("pom.xml")
    into = f"-DoutputDirectory={folder}/libs"
    _mvn("copy-dependencies", "-f", pom, "-DincludeScope=runtime", into)
    for plugin in plugins:
        _mvn("copy", f"-Dartifact={plugin}", f"-DoutputDirectory={folder}")
    for archive in folder.glob("*.tar.gz"):
        with tarfile.open(archive) as files:
            files.extractall(folder / "plugins", filter="data")
    return folder


def _mvn(goal: str, *options: object) -> None:
    done = subprocess.run(
        ["mvn", "-q", f"dependency:{goal}", *map(str, options)],
        capture_output=True,
        text=True,
        timeout=900,
    )
    if done.returncode:
        raise ServiceError(f"mvn dependency:{goal}: {(done.stdout + done.stderr)[-2000:]}")


def broker(folder: Path, programs: Path) -> Service:
    """A broker of one node, formatted and started; `address` is its host and port."""
    folder.mkdir(parents=True, exist_ok=True)
    port, controller = free_port(), free_port()
    settings = {
        "process.roles": "broker,controller",
        "node.id": 1,
        "controller.quorum.voters": f"1@127.0.0.1:{controller}",
        "listeners": f"PLAINTEXT://127.0.0.1:{port},CONTROLLER://127.0.0.1:{controller}",
        "controller.listener.names": "CONTROLLER",
        "log.dirs": folder / "log",
        "num.partitions": PARTITIONS,
        "group.initial.rebalance.delay.ms": 0,
        # one node, and few partitions of its own topics, which saves seconds
        "offsets.topic.replication.factor": 1,
        "offsets.topic.num.partitions": 1,
        "transaction.state.log.replication.factor": 1,
        "transaction.state.log.min.isr": 1,
        "transaction.state.log.num.partitions": 1,
        "share.coordinator.state.topic.replication.factor": 1,
        "share.coordinator.state.topic.num.partitions": 1,
    }
    file = folder / "server.properties"
    file.write_text("".join(f"{name}={value}\n" for name, value in settings.items()))
    java = java_home().path / "bin" / "java"
    classes = ["-cp", f"{programs / 'libs'}/*"]
    storage = ["kafka.tools.StorageTool", "format", "-t", CLUSTER, "-c", file]
    subprocess.run([java, *classes, *storage], check=True, capture_output=True, timeout=60)
    service = Service("kafka", folder, [*classes, "kafka.Kafka", str(file)], lambda: _listens(port))
    service.address = f"127.0.0.1:{port}"
    service.start()
    return service


def _listens(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
    except OSError:
        return False
    return True


class Connect(Service):
    """A Kafka Connect worker; its offsets and settings are in Kafka and outlive it."""

    def __init__(self, folder: Path, programs: Path, brokers: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        port = free_port()
        self.url = f"http://127.0.0.1:{port}/connectors"
        settings = {
            "bootstrap.servers": brokers,
            "group.id": "connect",
            "listeners": f"http://127.0.0.1:{port}",
            "plugin.path": programs / "plugins",
            # starts in a third of the time, and finds what has a manifest
            "plugin.discovery": "service_load",
            "key.converter": "org.apache.kafka.connect.json.JsonConverter",
            "key.converter.schemas.enable": "false",
            "value.converter": "org.apache.kafka.connect.json.JsonConverter",
            "value.converter.schemas.enable": "false",
            "offset.flush.interval.ms": 1000,
            "offset.storage.topic": "connect-offsets",
            "offset.storage.replication.factor": 1,
            "offset.storage.partitions": 1,
            "config.storage.topic": "connect-configs",
            "config.storage.replication.factor": 1,
            "status.storage.topic": "connect-status",
            "status.storage.replication.factor": 1,
            "status.storage.partitions": 1,
        }
        file = folder / "connect.properties"
        file.write_text("".join(f"{name}={value}\n" for name, value in settings.items()))
        main = ["-cp", f"{programs / 'libs'}/*", "org.apache.kafka.connect.cli.ConnectDistributed"]
        super().__init__("connect", folder, [*main, str(file)], lambda: answers(self.url))

    def add(self, name: str, settings: dict[str, str]) -> None:
        """Add a connector, or give it other settings; its topics get `PARTITIONS` partitions."""
        made = {
            "topic.creation.default.partitions": str(PARTITIONS),
            "topic.creation.default.replication.factor": "1",
        }
        self._send("put", f"{name}/config", settings | made)

    def offsets(self, name: str) -> dict:
        """Up to where a connector has read, as the worker keeps it."""
        return requests.get(f"{self.url}/{name}/offsets", timeout=10).json()

    def read_again_from(self, name: str, offsets: dict) -> None:
        """Set a connector back to earlier offsets, as an operator does."""
        self._send("put", f"{name}/stop")
        end = time.monotonic() + 60
        while self._status(name).get("tasks") != []:
            if time.monotonic() > end:
                raise ServiceError(f"connector {name} does not stop: {self._status(name)}")
            time.sleep(0.3)
        self._send("patch", f"{name}/offsets", offsets)
        self._send("put", f"{name}/resume")
        self.wait_until_running(name)

    def _send(self, method: str, path: str, content: dict | None = None) -> None:
        done = requests.request(method, f"{self.url}/{path}", json=content, timeout=60)
        if not done.ok:
            raise ServiceError(f"{method} {path}: {done.text}")

    def versions(self, connector: str) -> tuple[str, str]:
        """Of Kafka and of the connector with this class, as the worker reports them."""
        root = self.url.removesuffix("connectors")
        plugins = requests.get(f"{root}connector-plugins", timeout=10).json()
        [version] = [plugin["version"] for plugin in plugins if plugin["class"] == connector]
        return requests.get(root, timeout=10).json()["version"], version

    def remove(self, name: str) -> None:
        requests.delete(f"{self.url}/{name}", timeout=60).raise_for_status()

    def wait_until_running(self, name: str, seconds: float = 60) -> None:
        """Errors: ServiceError with the task's own trace, if it fails."""
        end = time.monotonic() + seconds
        said = {}
        while time.monotonic() < end:
            said = self._status(name)
            states = [task["state"] for task in said.get("tasks", [])]
            if states == ["RUNNING"]:
                return
            if "FAILED" in states:
                break
            time.sleep(0.5)
        raise ServiceError(f"connector {name} does not run: {said}")

    def _status(self, name: str) -> dict:
        """Empty while the worker does not answer."""
        try:
            return requests.get(f"{self.url}/{name}/status", timeout=10).json()
        except (requests.RequestException, json.JSONDecodeError):
            return {}

    def failure(self, name: str) -> str | None:
        """Why a task failed: the innermost cause; None while it runs."""
        said = requests.get(f"{self.url}/{name}/status", timeout=10).json()
        for task in said.get("tasks", []):
            if task["state"] == "FAILED":
                causes = [line for line in task["trace"].splitlines() if "Caused by: " in line]
                return causes[-1].removeprefix("Caused by: ") if causes else task["trace"][:300]
        return None


@contextmanager
def kafka(folder: Path, programs: Path) -> Iterator[Service]:
    """A broker during the block."""
    service = broker(folder, programs)
    try:
        yield service
    finally:
        service.stop()

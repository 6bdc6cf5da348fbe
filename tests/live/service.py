"""A server of the rig: a Java program in a process of its own, on loopback."""

import contextlib
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import requests

from afterimage.java import java_home


class ServiceError(RuntimeError):
    """The server ended at once or does not answer."""


class Service:
    """A Java program that is started, killed and started again on the same folder and port.

    arguments: of Java; answers: whether it can be used.
    """

    def __init__(
        self, name: str, folder: Path, arguments: list[str], answers: Callable[[], bool]
    ) -> None:
        self.name = name
        self.log = folder / f"{name}.log"
        self._arguments = arguments
        self._answers = answers
        self._process: subprocess.Popen | None = None

    def start(self, seconds: float = 90) -> None:
        java = java_home().path / "bin" / "java"
        small = ["-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"]
        with self.log.open("a") as log:
            self._process = subprocess.Popen(
                [java, *small, *self._arguments],
                stdout=log,
                stderr=subprocess.STDOUT,
                cwd=self.log.parent,
            )
        end = time.monotonic() + seconds
        while self._process.poll() is None and time.monotonic() < end:
            if self._answers():
                return
            time.sleep(0.3)
        self.kill()
        raise ServiceError(f"{self.name} does not answer:\n{self.log.read_text()[-3000:]}")

    def stop(self) -> None:
        """As an operator stops it."""
        end(self._process, (signal.SIGTERM, 30))

    def kill(self) -> None:
        """As a machine that fails."""
        end(self._process)


def end(process: subprocess.Popen | None, *signals: tuple[signal.Signals, int]) -> None:
    """End a process if it still runs: by each signal, with the seconds it then has; at last by
    SIGKILL."""
    for sign, seconds in (*signals, (signal.SIGKILL, 10)):
        if process is None or process.poll() is not None:
            return
        process.send_signal(sign)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(seconds)


def answers(url: str) -> bool:
    """Whether a server answers a request."""
    try:
        return requests.get(url, timeout=5).ok
    except requests.RequestException:
        return False

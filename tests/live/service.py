"""A server of the rig: a Java program in a process of its own, on loopback."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from afterimage.java import java_home


class ServiceError(RuntimeError):
    """The server ended at once or does not answer."""


class Service:
    """A Java program that is started, killed and started again on the same folder and port.

    arguments: the program's main class and its arguments; answers: whether it can be used.
    """

    def __init__(
        self, name: str, folder: Path, jars: Path, arguments: list[str], answers: Callable[[], bool]
    ) -> None:
        self.name = name
        self.log = folder / f"{name}.log"
        self._jars = jars
        self._arguments = arguments
        self._answers = answers
        self._process: subprocess.Popen | None = None

    def start(self, seconds: float = 90) -> None:
        java = java_home().path / "bin" / "java"
        small = ["-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"]
        with self.log.open("a") as log:
            self._process = subprocess.Popen(
                [java, *small, "-cp", f"{self._jars}/*", *self._arguments],
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
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(30)
            except subprocess.TimeoutExpired:
                self.kill()

    def kill(self) -> None:
        """As a machine that fails."""
        if self._process is not None and self._process.poll() is None:
            self._process.kill()
            self._process.wait()

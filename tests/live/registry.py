"""A throw-away Apicurio Registry on loopback, in the version that made the captures in Avro.

It is fetched from Maven Central by `mvn`; AFTERIMAGE_REGISTRY names a folder that has it already.
"""

from __future__ import annotations

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

ARTIFACT = "io.apicurio:apicurio-registry-app:3.0.9:tar.gz:all"
SECONDS = 90


def fetched(folder: Path) -> Path | None:
    """The registry's folder, or None if neither it nor `mvn` exists."""
    if named := os.environ.get("AFTERIMAGE_REGISTRY"):
        return Path(named)
    if shutil.which("mvn") is None:
        return None
    subprocess.run(
        ["mvn", "-q", "dependency:copy", f"-Dartifact={ARTIFACT}", f"-DoutputDirectory={folder}"],
        check=True,
        capture_output=True,
        timeout=600,
    )
    [archive] = folder.glob("*.tar.gz")
    with tarfile.open(archive) as files:
        files.extractall(folder, filter="data")
    return folder


@contextmanager
def registry(folder: Path) -> Iterator[str]:
    """Runs it during the block; gives the address of its APIs."""
    [program] = folder.glob("*-runner.jar")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with (folder / "registry.log").open("w") as log:
        process = subprocess.Popen(
            [
                str(java_home().path / "bin" / "java"),
                "-Xmx512m",
                "-Dquarkus.http.host=127.0.0.1",
                f"-Dquarkus.http.port={port}",
                "-jar",
                str(program),
            ],
            stdout=log,
            stderr=subprocess.STDOUT,
        )
    url = f"http://127.0.0.1:{port}/apis"
    try:
        _wait(f"{url}/ccompat/v7/subjects", process)
        yield url
    finally:
        process.terminate()
        process.wait(30)


def _wait(url: str, process: subprocess.Popen) -> None:
    end = time.monotonic() + SECONDS
    while process.poll() is None and time.monotonic() < end:
        try:
            if requests.get(url, timeout=5).ok:
                return
        except requests.RequestException:
            pass
        time.sleep(0.5)
    raise RuntimeError(f"the registry does not answer (exit code {process.poll()})")

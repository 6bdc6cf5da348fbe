"""A throw-away Apicurio Registry on loopback, in the version that made the captures in Avro.

It is fetched from Maven Central by `mvn`; AFTERIMAGE_REGISTRY names a folder that has it already.
"""

import os
import shutil
import subprocess
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.live.service import Service, answers
from tests.server import free_port

ARTIFACT = "io.apicurio:apicurio-registry-app:3.0.9:tar.gz:all"


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
    port = free_port()
    url = f"http://127.0.0.1:{port}/apis"
    address = ["-Dquarkus.http.host=127.0.0.1", f"-Dquarkus.http.port={port}"]
    service = Service(
        "registry",
        folder,
        [*address, "-jar", str(program)],
        lambda: answers(f"{url}/ccompat/v7/subjects"),
    )
    service.start()
    try:
        yield url
    finally:
        service.stop()

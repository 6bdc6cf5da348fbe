"""A dbt run in a process of its own, over tables that outlive it; killed within a statement.

    python -m tests.functional.dbt_process FOLDER FORMAT NUMBER [TEXT]

Lands the NUMBER-th part of the small stream (0: none) and runs all models on the format's target,
with all it keeps in FOLDER. With a TEXT, the process and its JVM are killed while the first
statement that holds it is carried out; else what a reader sees is written to FOLDER/contents.json.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
import threading
from pathlib import Path

from afterimage.java import use_java
from afterimage.session import parameters_of
from tests.functional.project import REPOSITORY
from tests.functional.small_stream import PARTS, build, contents
from tests.functional.statements import around_first
from tests.session import FILE_FORMAT

SCHEMA = "killed"
# seconds into the statement
DELAY = 0.3


def main(folder: Path, file_format: str, number: int, text: str | None) -> None:
    """See the module."""
    with contextlib.chdir(REPOSITORY):
        settings = parameters_of("local" if file_format == "parquet" else file_format)
    settings |= {FILE_FORMAT: file_format, "spark.ui.showConsoleProgress": "false"}
    os.chdir(folder)
    use_java()
    from pyspark.sql import SparkSession

    builder = SparkSession.builder
    for name, value in settings.items():
        builder = builder.config(name, value)
    spark = builder.getOrCreate()
    project = build(spark, folder / "project", SCHEMA)
    if number:
        project.land(PARTS[number - 1])
    if text is None:
        project.run("run")
        (folder / "contents.json").write_text(json.dumps(contents(project)))
        return

    def kill():
        threading.Timer(DELAY, lambda: os.killpg(os.getpgid(0), signal.SIGKILL)).start()

    with around_first(text, before=kill):
        project.run("run")
    raise SystemExit(f"no statement was killed that holds {text}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), (sys.argv[4:] or [None])[0])

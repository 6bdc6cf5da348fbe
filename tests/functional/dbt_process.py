"""A dbt run in its own process, over tables that outlive it; killed, or out of disk space.

    python -m tests.functional.dbt_process FOLDER FORMAT [--land 1 2] [--kill TEXT [--by SIGINT]] …
    … [--kill TEXT --after-a-task]  once an insert has files of a finished task, before its commit

Lands parts of the small stream and runs all models on the format's target, with all data in FOLDER.
What a reader then sees is written to FOLDER/contents.json.
"""

import argparse
import contextlib
import json
import os
import re
import resource
import signal
import subprocess
import sys
import threading
import time
from functools import partial
from pathlib import Path

from tests.functional.project import REPOSITORY
from tests.functional.small_stream import PARTS, build, contents, keyed
from tests.functional.statements import around_first, passing_through
from tests.session import CLASS_PATH, FILE_FORMAT, class_path

SCHEMA = "in_process"
# seconds into the statement
DELAY = 0.3
# one row that makes a file of 6 MB
LARGE = keyed(50, 500, "c", (50, "".join(f"{n * 7919 % 1000003:06d}" for n in range(1_000_000))))


def main() -> None:
    """See the module."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("format")
    parser.add_argument("--land", type=int, nargs="*", default=[], help="which parts")
    parser.add_argument("--land-large", action="store_true", help="one more record, of 6 MB")
    parser.add_argument("--only-land", action="store_true")
    parser.add_argument("--kill", metavar="TEXT", help="within the first statement that holds it")
    parser.add_argument("--after-a-task", action="store_true", help="of that insert; Parquet")
    parser.add_argument("--by", default="SIGKILL", help="the signal; SIGINT is Ctrl-C")
    parser.add_argument("--file-limit", type=int, help="longest file it may write, in bytes")
    options = parser.parse_args()
    spark = session(options.folder, options.format)
    if options.file_limit:
        limit_files(spark, options.file_limit)
    project = build(spark, options.folder / "project", SCHEMA)
    for number in options.land:
        project.land(PARTS[number - 1])
    if options.land_large:
        project.land([LARGE])
    if options.only_land:
        return
    end = partial(kill, signal.Signals[options.by])
    killed = contextlib.nullcontext()
    if options.after_a_task:
        killed = passing_through(partial(killed_after_a_task, options.kill, options.folder))
    elif options.kill:
        killed = around_first(options.kill, before=end)
    with killed:
        project.run("run")
    if options.kill:
        raise SystemExit(f"no statement was killed that holds {options.kill}")
    (options.folder / "contents.json").write_text(json.dumps(contents(project)))


def session(folder: Path, file_format: str):
    """The session of a format's target, with its catalog and tables in the folder."""
    from afterimage.java import use_java
    from afterimage.session import parameters_of

    with contextlib.chdir(REPOSITORY):
        settings = parameters_of("local" if file_format == "parquet" else file_format)
    settings |= {FILE_FORMAT: file_format, "spark.ui.showConsoleProgress": "false"}
    if file_format != "parquet":
        settings[CLASS_PATH] = class_path(file_format)
    if file_format != "iceberg":
        # dbt requests this when it creates the session: a catalog that outlives the process
        settings["spark.sql.catalogImplementation"] = "hive"
    os.chdir(folder)
    use_java()
    from pyspark.sql import SparkSession

    return SparkSession.builder.config(map=settings).getOrCreate()


def limit_files(spark, longest: int) -> None:
    """The JVM may write no longer files from now on. In: bytes."""
    jvm = spark.sparkContext._jvm.java.lang.ProcessHandle.current().pid()
    resource.prlimit(jvm, resource.RLIMIT_FSIZE, (longest, longest))


def kill(by: signal.Signals) -> None:
    """Ends this process and its JVM shortly: by SIGKILL like a machine that goes down, or by SIGINT
    like Ctrl-C, which requests the end."""
    threading.Timer(DELAY, lambda: os.killpg(os.getpgid(0), by)).start()


def killed_after_a_task(text: str, folder: Path, sql: str, carry_out) -> None:
    """The insert gets one more task, which never ends, and the process is killed when the files of
    another one are complete."""
    if text not in sql:
        return carry_out(sql)
    table, columns = re.search(r"insert into (\S+) \(([^)]+)\)", sql).groups()
    sleeps = "reflect('java.lang.Thread', 'sleep', 60000L) = ''"

    def watch():
        while not list(folder.glob(f"**/{table.split('.')[1]}/_temporary/*/task_*")):
            time.sleep(0.05)
        os.killpg(os.getpgid(0), signal.SIGKILL)

    threading.Thread(target=watch, daemon=True).start()
    return carry_out(f"{sql}\nunion all\nselect {columns} from {table} where {sleeps}")


def dbt_process(folder: Path, *arguments: str) -> subprocess.CompletedProcess:
    """Runs this module; out: its exit status and all output of it and its JVM."""
    command = [sys.executable, "-m", "tests.functional.dbt_process", str(folder), *arguments]
    path = os.pathsep.join([str(REPOSITORY), str(REPOSITORY / "scripts")])
    return subprocess.run(
        command,
        cwd=REPOSITORY,
        env={**os.environ, "PYTHONPATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
        check=False,
    )


if __name__ == "__main__":
    main()

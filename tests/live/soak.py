"""A soak of the living chain: a database is written to for many minutes, servers are killed now and
then, and at quiet points the tables are compared with the database.

    python -m tests.live.soak --minutes 30 --seed 7

Ends at the first difference with exit code 1, and then keeps the tables and the servers' logs.
"""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console
from rich.table import Table

from afterimage.errors import UserError
from afterimage.table_formats import TABLE_FORMATS
from tests.functional.capture_project import project_of
from tests.functional.project import Project
from tests.live.capture import end_cleanly_on_sigterm
from tests.live.chain import Chain, Writer, chain
from tests.live.comparison import differences
from tests.live.kafka import fetched, missing
from tests.live.service import Service
from tests.live.workload import Shop, Sizes, Step, before_the_snapshot, insert
from tests.session import embedded_spark, warehouse_of
from tests.truth.captures import captures

CHANGES_A_SECOND = 20  # at most
QUIET_MINUTES, FAULT_MINUTES = 5, 7
BUSY_SECONDS, DOWN_SECONDS = 10, 5
CONNECTOR = "shop-1"
NEVER = ("refused", "pending", "landed_again")  # outcomes of no record at a quiet point
LAYERS = ("landing", "stg", "hist", "cur", "dq")


@dataclass
class Soak:
    """The chain, the project, and what was measured so far."""

    servers: Chain
    project: Project
    begun: float = field(default_factory=time.monotonic)
    compared: Counter = field(default_factory=Counter)
    lines: list[dict[str, object]] = field(default_factory=list)  # one for each quiet point
    runs: list[float] = field(default_factory=list)  # their seconds
    faults: int = 0
    cut: int = 0  # landings that failed while a server was down

    @property
    def minute(self) -> float:
        return (time.monotonic() - self.begun) / 60

    def say(self, text: str) -> None:
        print(f"{self.minute:6.2f} min  {text}", flush=True)

    def land(self, fault: Future) -> None:
        """Land; this may fail only while a server is down."""
        was_over = fault.done()
        try:
            self.servers.land(self.project.spark, self.project.landing)
        except UserError as error:
            if was_over:
                raise
            self.cut += 1
            self.say(f"landing failed: {str(error).splitlines()[0]}")

    def run(self) -> None:
        begun = time.monotonic()
        self.project.run("run")
        self.runs.append(time.monotonic() - begun)
        self.say(f"dbt run {len(self.runs)}: {self.runs[-1]:.1f} s")

    def restart(self, service: Service) -> None:
        time.sleep(BUSY_SECONDS)  # at a quiet point the server had nothing to do
        self.say(f"{service.name} is killed")
        service.kill()
        time.sleep(DOWN_SECONDS)
        service.start()
        self.say(f"{service.name} answers again")

    def compare(self) -> list[str]:
        """Land and build all that was written; the differences. Nothing may be written meanwhile.

        The history is compared as of this quiet point and of all before.
        """
        servers, project, number = self.servers, self.project, len(self.lines) + 1
        servers.work([Step("mark", insert("mark", {"n": number, "note": "quiet"}), mark=number)])
        servers.connect.wait_until_running(CONNECTOR)
        servers.land_until(project.spark, project.landing, number)
        self.run()
        spec = captures()["shop"].spec, captures()["shop"].former_spec
        final = servers.rows()
        found = differences(project, *spec, final, servers.marks.values(), self.compared)
        events = project.spark.table(project.landing).count()
        outcomes = Counter()
        for (_, outcome, _), records in project.counts().items():
            outcomes[outcome] += records
        found += [f"{outcomes[name]} {name}" for name in NEVER if outcomes[name]]
        if outcomes["landed"] + outcomes["unrouted"] != events:
            found.append(f"landing has {events} records: {outcomes}")
        if outcomes["landed"] != sum(outcomes[name] for name in ("staged", "duplicate", "ignored")):
            found.append(f"a landed record has not one outcome: {outcomes}")
        if found:
            rows = {"final": final} | {str(n): vars(m) for n, m in servers.marks.items()}
            (project.folder / "database.json").write_text(json.dumps(rows))
        self.measure(events, outcomes, len(found))
        return found

    def measure(self, events: int, outcomes: Counter, found: int) -> None:
        last = self.lines[-1] if self.lines else {"minute": 0, "events": 0, "dbt runs": 0}
        minute = round(self.minute, 2)
        line = {
            "minute": minute,
            "events": events,
            "duplicates": outcomes["duplicate"],
            "events/s": round((events - last["events"]) / (minute - last["minute"]) / 60, 1),
            "servers killed": self.faults,
            "dbt runs": len(self.runs),
            "mean s": round(statistics.mean(self.runs[last["dbt runs"] :]), 1),
            "last s": round(self.runs[-1], 1),
            "differences": found,
        }
        self.say(f"quiet point: {line}; {dict(outcomes)}")
        self.lines.append(line | memory(self.project.spark) | files(self.project))


def memory(spark) -> dict[str, int]:
    """MB: resident memory of this process and of Spark's JVM, and what the JVM's heap holds."""
    spark._jvm.java.lang.System.gc()
    heap = spark._jvm.java.lang.Runtime.getRuntime()
    pids = {"Python MB": os.getpid(), "JVM MB": spark.sparkContext._gateway.proc.pid}
    resident = {
        name: int(subprocess.check_output(["ps", "-o", "rss=", "-p", str(pid)])) >> 10
        for name, pid in pids.items()
    }
    return resident | {"heap MB": (heap.totalMemory() - heap.freeMemory()) >> 20}


def files(project: Project) -> dict[str, str]:
    """Number of files and MB of each layer; without the checksums of a local file system."""
    number, size = Counter(), Counter()
    for schema in (project.schema, project.landing.split(".")[0]):
        folder = warehouse_of(project.spark, schema)
        for path in (path for path in folder.rglob("*") if path.is_file()):
            if path.suffix != ".crc":
                table = path.relative_to(folder).parts[0]
                layer = table.split("_")[0] if schema == project.schema else "landing"
                number[layer] += 1
                size[layer] += path.stat().st_size
    return {f"{layer} files MB": f"{number[layer]} {size[layer] / 1e6:.1f}" for layer in LAYERS}


def soak(folder: Path, minutes: float, seed: int, file_format: str) -> tuple[list[str], int]:
    """The differences of the last quiet point, and how many rows all of them compared."""
    quiet_every, fault_every = min(QUIET_MINUTES, minutes / 2), min(FAULT_MINUTES, minutes / 3)
    with ExitStack() as ends:
        # ends with this process: after Ctrl-C it may no longer answer
        spark = embedded_spark(folder / "warehouse", file_format=file_format)
        servers = ends.enter_context(chain(folder / "servers", fetched(folder / "programs")))
        java = spark._jvm.java.lang.System.getProperty("java.version")
        for name, version in (servers.versions() | {"Spark": spark.version, "Java": java}).items():
            print(f"{name:<11} {version}", flush=True)
        project = project_of(captures()["shop"], folder / "project", spark, schema="soak")
        shop = Shop(seed, Sizes())
        servers.work(before_the_snapshot(shop))
        servers.capture(CONNECTOR)
        work, writer, found = Soak(servers, project), Writer(servers, shop, CHANGES_A_SECOND), []
        ends.callback(show, work)
        threads = ends.enter_context(ThreadPoolExecutor(2))
        ends.callback(writer.end)
        writing, fault = threads.submit(writer.write), threads.submit(lambda: None)
        while not found and work.minute < minutes:
            if work.minute >= fault_every * (work.faults + 1) and fault.done():
                service = (servers.connect, servers.broker)[work.faults % 2]
                fault = threads.submit(work.restart, service)
                work.faults += 1
            work.land(fault)
            work.run()
            if work.minute >= min(quiet_every * (len(work.lines) + 1), minutes):
                fault.result()
                with writer.paused():
                    found = work.compare()
            if writing.done():  # only if it failed
                writing.result()
    return found, work.compared.total()


def show(work: Soak) -> None:
    table = Table(*(work.lines[0] if work.lines else ()))
    for line in work.lines:
        table.add_row(*map(str, line.values()))
    Console(width=200).print(table)
    print(f"{work.faults} servers killed, {work.cut} landings failed meanwhile")


def main(arguments: list[str] | None = None) -> int:
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser("tests.live.soak", description=__doc__, formatter_class=raw)
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--file-format", choices=TABLE_FORMATS, default="parquet")
    options = parser.parse_args(arguments)
    if lacking := missing():
        parser.error(lacking)
    end_cleanly_on_sigterm()
    folder = Path(tempfile.mkdtemp(prefix="afterimage-soak-"))
    try:
        found, compared = soak(folder, options.minutes, options.seed, options.file_format)
    except (KeyboardInterrupt, SystemExit):
        shutil.rmtree(folder, ignore_errors=True)
        raise
    except Exception:
        print(f"kept: {folder}")
        raise
    if found:
        print(f"kept: {folder}", *found[:20], sep="\n")
    else:
        shutil.rmtree(folder, ignore_errors=True)
    print(f"{len(found)} differences in {compared:,} comparisons")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

"""Makes a capture: a database, work on it, Debezium's events, the truth.

    python -m tests.live.capture --seed 7 --transactions 200 --out DIR     (a shop, a day's work)
    python -m tests.live.capture --script tests/live/scripts/toast.sql --out DIR

README.md beside this file tells what comes out.
"""

import argparse
import gzip
import json
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.live.engine import Engine, envelope
from tests.live.mariadb import MariaDb
from tests.live.mysql import Mysql
from tests.live.postgres import Postgres
from tests.live.script import read_script, title_of
from tests.live.workload import Sizes, Step, workload

ENGINE_PROPERTIES = {
    "name": "shop",
    "converter.schemas.enable": "false",
    "database.hostname": "127.0.0.1",
    "decimal.handling.mode": "string",
    "provide.transaction.metadata": "true",
    "skipped.operations": "none",
    "tombstones.on.delete": "true",
}
SERVERS = {"postgresql": Postgres, "mysql": Mysql, "mariadb": MariaDb}
DECIMALS = {
    "string": 'a `numeric` NaN is the text `"NAN"`',
    "double": "a `numeric` is a double, digits beyond it are gone",
    "precise": "a `numeric` is base64 of its unscaled bytes, one without a declared scale a\n"
    "  struct that has lost trailing zeros (2.500 is 2.5), and NaN is null",
}
NOTES = """\
# {title}

A small shop on {server} {version}, read by Debezium {debezium} (pgoutput, embedded engine): a
snapshot of {snapshot} rows, then a seeded day of work. Made by

    {command}

The same seed gives the same statements (`source.sql`); log positions, transaction ids and times
differ from run to run. There is no broker behind the file: partition is Kafka's own choice (murmur2
of the key over 3), offsets count per topic and partition. Split files on newline only: values hold
U+2028.

In it: several updates of a row in one transaction, re-insert after delete (also in one
transaction), key changes (`customers`, `orders`, `order_lines`), shifts and swaps of a deferrable
key under REPLICA IDENTITY FULL (`stock_slots`), long TOAST texts left alone by updates and by key
changes (`customers.notes`, `products.description`), `TRUNCATE` twice (`carts`), rollback,
savepoint, three times two interleaved sessions, a logical message, `customers.points` added and
`orders.customer_id` widened in mid-stream, awkward texts, a few NaN and infinities.

Where events and `truth/` do not look alike:

- {decimals};
- `infinity` is a number in a date or timestamp (for dates another one in the snapshot than in the
  stream) and text in a timestamptz;
- `char(3)` comes padded (`"A  "`) while `::text` strips the padding;
- the new row of a key change holds Debezium's placeholder for a TOAST text that was left alone.

`truth/marks.jsonl` has all tables at marks 1 (before any change), 2 and 3 (after a third and two
thirds); no transaction was open there, and the row `n` of `shop.mark` is the next commit. The state
at mark 4, the last change, is `truth/shop.*.jsonl`.

## Counts

{records} records. Final rows: {rows}.

{table}
"""
SCRIPT_NOTES = """\
# {title}

{about}

{server} {version}, read by Debezium {debezium} (embedded engine). Made by

    {command}

from the statements in `source.sql`; log positions, transaction ids and times differ from run to
run. There is no broker behind the file: partition is Kafka's own choice (murmur2 of the key over
3), offsets count per topic and partition. `truth/marks.jsonl` has the tables as they were when
nothing from the mark's place on was written; the state at the last mark is `truth/shop.*.jsonl`.

## Counts

{records} records. Final rows: {rows}.

{table}
"""


@dataclass
class Capture:
    """The result of a run: its folder, how many records, the final rows of each table."""

    folder: Path
    records: int
    rows: dict[str, int]
    version: str
    seconds: float


def read_records(path: Path) -> Iterator[dict]:
    """The records of an `events.jsonl.gz`, split on newline only."""
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as lines:
        for line in lines:
            yield json.loads(line)


def write_records(path: Path, lines: list[str]) -> None:
    """Writes lines (newline included) as gzip without a name or time in its header."""
    with path.open("wb") as raw, gzip.GzipFile("", "wb", 9, raw, mtime=0) as packed:
        packed.write("".join(lines).encode())


def write_rows(path: Path, rows: list[dict]) -> None:
    lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    path.write_text("".join(lines), encoding="utf-8", newline="\n")


def read_mark(server: Postgres | Mysql, connection: object, mark: int) -> list[dict]:
    """The state at a mark: one dict per table with the mark's log position and the rows."""
    place = {"mark": mark} | server.read_place(connection)
    return [
        place | {"table": f"shop.{table}", "rows": rows}
        for table, rows in server.read_tables(connection).items()
        if table != "mark"
    ]


def source_sql(steps: list[Step]) -> str:
    """The statements as a file, with a comment where another session continues."""
    lines, session = [], "main"
    for step in steps:
        if step.kind == "snapshot":
            lines.append("-- the snapshot happens here")
            continue
        if step.session != session:
            session = step.session
            lines.append(f"-- session {session}")
        lines.append(f"{step.sql};")
    return "\n".join(lines) + "\n"


def operation(line: dict) -> str:
    """The name of a record in the counts: op, BEGIN or END, or tombstone."""
    event = envelope(line["value"])
    return event.get("op") or event.get("status") or "tombstone"


def counts_table(records: list[dict]) -> str:
    """Counts by topic and op as a Markdown table."""
    counts: dict[str, Counter[str]] = {}
    for record in records:
        counts.setdefault(record["topic"], Counter())[operation(record)] += 1
    lines = ["| topic | records | by op |", "|---|---|---|"]
    for topic, ops in sorted(counts.items()):
        by_op = ", ".join(f"{op} {n}" for op, n in sorted(ops.items()))
        lines.append(f"| {topic} | {ops.total()} | {by_op} |")
    return "\n".join(lines)


def debezium_version(records: list[dict]) -> str:
    sources = (envelope(record["value"]).get("source") for record in records)
    return next((s["version"] for s in sources if s), "unknown")


def capture(
    seed: int,
    transactions: int,
    out: Path,
    overrides: dict[str, str] | None = None,
    sizes: Sizes | None = None,
    timeout: float = 180,
) -> Capture:
    """A seeded day of work on the shop, captured: see `record`."""
    settings = "".join(f" --set {k}={v}" for k, v in (overrides or {}).items())
    return record(
        workload(seed, transactions, sizes),
        out,
        NOTES,
        f"python -m tests.live.capture --seed {seed} --transactions {transactions}"
        f"{settings} --out tests/captures/{out.name}",
        overrides,
        timeout,
    )


def capture_script(
    script: Path,
    out: Path,
    overrides: dict[str, str] | None = None,
    timeout: float = 180,
    server: str = "postgresql",
) -> Capture:
    """The statements of a file, captured: see `record`."""
    settings = "" if server == "postgresql" else f" --server {server}"
    settings += "".join(f" --set {k}={v}" for k, v in (overrides or {}).items())
    return record(
        read_script(script),
        out,
        SCRIPT_NOTES,
        f"python -m tests.live.capture --script tests/live/scripts/{script.name}"
        f"{settings} --out tests/captures/{out.name}",
        overrides,
        timeout,
        title_of(script),
        server,
    )


def record(
    steps: list[Step],
    out: Path,
    notes: str,
    command: str,
    overrides: dict[str, str] | None = None,
    timeout: float = 180,
    about: str = "",
    server_name: str = "postgresql",
) -> Capture:
    """Runs one capture and writes it into `out` (made if missing; files of an older one replaced).

    notes: the text of NOTES.md, with places for what the run gave; command: how to make it again.
    overrides: connector settings that replace or add to ENGINE_PROPERTIES.
    timeout: seconds for the engine from its start to the last mark.
    Raises PostgresError, MysqlError or EngineError when one of the two does not do its part.
    """
    began = time.monotonic()
    last_mark = max(step.mark for step in steps)
    marks: list[dict] = []
    with (
        tempfile.TemporaryDirectory(prefix="afterimage-capture-") as scratch,
        SERVERS[server_name]() as server,
        server.connect() as main,
        server.connect() as b,
    ):
        work = Path(scratch)
        sessions = {"main": main, "b": b}
        properties = ENGINE_PROPERTIES | server.connector() | (overrides or {})
        split = next(i for i, step in enumerate(steps) if step.kind == "snapshot")
        for step in steps[:split]:
            main.execute(step.sql)
        raw = work / "records.jsonl"
        with Engine(properties, raw, last_mark, work, timeout) as engine:
            engine.wait_for_snapshot()
            for step in steps[split + 1 :]:
                if step.kind == "mark" and step.mark < last_mark:
                    marks += read_mark(server, main, step.mark)
                sessions[step.session].execute(step.sql)
            engine.wait_for_end()
        truth = server.read_tables(main)
        version = server.version(main)
        with raw.open(encoding="utf-8", newline="\n") as file:
            lines = list(file)

    records = [json.loads(line) for line in lines]
    (out / "truth").mkdir(parents=True, exist_ok=True)
    for old in (out / "truth").glob("*.jsonl"):
        old.unlink()
    write_records(out / "events.jsonl.gz", lines)
    (out / "connector.properties").write_text(published(properties))
    (out / "source.sql").write_text(source_sql(steps), encoding="utf-8", newline="\n")
    for table, rows in truth.items():
        write_rows(out / "truth" / f"shop.{table}.jsonl", rows)
    write_rows(out / "truth" / "marks.jsonl", marks)
    text = notes.format(
        title=out.name,
        about=about,
        server=server.title,
        version=version,
        debezium=debezium_version(records),
        snapshot=sum(operation(r) == "r" for r in records),
        command=command,
        decimals=DECIMALS[properties["decimal.handling.mode"]],
        records=len(records),
        rows=", ".join(f"shop.{table} {len(rows)}" for table, rows in truth.items()),
        table=counts_table(records),
    )
    (out / "NOTES.md").write_text(text)
    rows = {table: len(rows) for table, rows in truth.items()}
    return Capture(out, len(records), rows, version, time.monotonic() - began)


def published(properties: dict[str, str]) -> str:
    """The settings as a properties file, with placeholders for what belongs to one run."""
    names = {
        "database.password": "PASSWORD",
        "database.port": "PORT",
        "offset.storage": "org.apache.kafka.connect.storage.FileOffsetBackingStore",
        "offset.storage.file.filename": "OFFSETS_FILE",
        "offset.flush.interval.ms": "1000",
    }
    return "".join(f"{key}={value}\n" for key, value in sorted((properties | names).items()))


def setting(text: str) -> tuple[str, str]:
    """`key=value` from the command line."""
    key, separator, value = text.partition("=")
    if not separator:
        raise argparse.ArgumentTypeError(f"{text!r} is not key=value")
    return key, value


def end_cleanly_on_sigterm() -> None:
    """Lets SIGTERM unwind the context managers, which stop the server and the engine."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.live.capture", description=__doc__)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--transactions", type=int, default=200)
    parser.add_argument("--script", type=Path, metavar="FILE", help="SQL to run, not the shop")
    parser.add_argument("--server", choices=SERVERS, default="postgresql", help="for --script")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--set", type=setting, action="append", default=[], metavar="KEY=VALUE",
                        help="a connector setting; may be given several times")  # fmt: skip
    parser.add_argument("--timeout", type=float, default=180, help="seconds for the engine")
    options = parser.parse_args(arguments)
    end_cleanly_on_sigterm()
    overrides, out, timeout = dict(options.set), options.out, options.timeout
    if options.script:
        done = capture_script(options.script, out, overrides, timeout, options.server)
    else:
        done = capture(options.seed, options.transactions, out, overrides, timeout=timeout)
    size = sum(f.stat().st_size for f in done.folder.rglob("*") if f.is_file())
    print(f"{done.records} records, {size // 1024} KB, {done.seconds:.1f} s: {done.folder}")
    print(", ".join(f"{table} {rows}" for table, rows in done.rows.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Makes the demo's events again: `python -m tests.live.demo_events` (about 15 seconds).

Writes `demo/shop.{first,second,third}.jsonl.gz`, `demo/truth/`, `demo/marks.jsonl` and
`demo/README.md`. The stream is cut in delivery order behind marks 2 and 3, so `demo/marks.jsonl`
holds what the database looked like after the first and after the second part.
"""

import argparse
import json
import shutil
import sys
import tempfile
from pathlib import Path

from tests.live.capture import (
    capture,
    counts_table,
    debezium_version,
    end_cleanly_on_sigterm,
    envelope,
    read_records,
    write_records,
    write_rows,
)

DEMO = Path(__file__).resolve().parents[2] / "demo"
SEED = 2024
TRANSACTIONS = 330
PARTS = ("first", "second", "third")
CUTS = (2, 3)
README = """\
# The demo's events

A small shop's change stream: {records} records that Debezium {debezium} really read from PostgreSQL
{postgres} (pgoutput, topic prefix `pg1`, decimals as strings, transaction metadata on). Made by

    python -m tests.live.demo_events

(seed {seed}, {transactions} transactions; needs PostgreSQL, Java and the `live` extra). The
statements are the same each time, log positions and times are not. `tests/live/README.md` tells how
it works, `tests/captures/shop/NOTES.md` what kinds of change are in it.

| file | holds | records |
|---|---|---|
| `shop.first.jsonl.gz` | the snapshot and the first third of the work | {first} |
| `shop.second.jsonl.gz` | the second third | {second} |
| `shop.third.jsonl.gz` | the rest | {third} |
| `truth/shop.<table>.jsonl` | the rows at the end, each column as the database prints it | {rows} |
| `marks.jsonl` | all tables after the first part (mark 2) and after the second (mark 3) | |

One record a line: `topic, partition, offset, timestamp, key, value, headers`, in the order Debezium
delivered them. `key` and `value` are the converter's texts, untouched; `value` null is a tombstone.
Partitions are what Kafka's producer would choose of three; offsets count per topic and partition
over all three files. Split on newline only: texts hold U+2028.

{table}
"""


def cut_places(records: list[dict]) -> list[int]:
    """How many records there are up to the END of the transaction of each mark in CUTS."""
    places, waiting = [], list(CUTS)
    seen = False
    for i, record in enumerate(records):
        event = envelope(record["value"])
        if not waiting:
            break
        if record["topic"] == "pg1.shop.mark":
            seen = seen or event["after"]["n"] == waiting[0]
        elif seen and event.get("status") == "END":
            places.append(i + 1)
            waiting.pop(0)
            seen = False
    return places


def write_demo(made: Path, demo: Path, postgres: str) -> dict[str, int]:
    """Cuts the capture in folder `made` into the files of the demo; returns records per part."""
    records = list(read_records(made / "events.jsonl.gz"))
    edges = [0, *cut_places(records), len(records)]
    demo.mkdir(parents=True, exist_ok=True)
    sizes = {}
    for part, start, end in zip(PARTS, edges, edges[1:], strict=False):
        lines = [json.dumps(r, ensure_ascii=False) + "\n" for r in records[start:end]]
        write_records(demo / f"shop.{part}.jsonl.gz", lines)
        sizes[part] = len(lines)
    truth = demo / "truth"
    shutil.rmtree(truth, ignore_errors=True)
    truth.mkdir()
    rows = 0
    for file in sorted((made / "truth").glob("shop.*.jsonl")):
        shutil.copyfile(file, truth / file.name)
        rows += file.read_bytes().count(b"\n")
    with (made / "truth" / "marks.jsonl").open(encoding="utf-8", newline="\n") as lines:
        states = [json.loads(line) for line in lines]
    write_rows(demo / "marks.jsonl", [s for s in states if s["mark"] in CUTS])
    text = README.format(
        records=len(records),
        debezium=debezium_version(records),
        postgres=postgres,
        seed=SEED,
        transactions=TRANSACTIONS,
        rows=f"{rows} rows",
        table=counts_table(records),
        **sizes,
    )
    (demo / "README.md").write_text(text, encoding="utf-8", newline="\n")
    return sizes


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.live.demo_events", description=__doc__)
    parser.add_argument("--out", type=Path, default=DEMO, help="where to write (default: demo/)")
    options = parser.parse_args(arguments)
    end_cleanly_on_sigterm()
    with tempfile.TemporaryDirectory(prefix="afterimage-demo-") as scratch:
        made = capture(SEED, TRANSACTIONS, Path(scratch) / "shop")
        sizes = write_demo(made.folder, options.out, made.version)
    packed = sum(f.stat().st_size for f in options.out.glob("*.gz"))
    parts = ", ".join(f"{part} {n}" for part, n in sizes.items())
    print(f"{made.records} records ({parts}), {packed // 1024} KB packed, {made.seconds:.1f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())

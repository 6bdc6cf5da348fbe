"""The cost of workloads that vary one factor of the usual one; only our models, in one session.

    python -m bench.factors --format parquet --events 250000 --out target/bench

writes <out>/factors.json, with lines like those of bench.run; with --resume it continues an
interrupted run. How the cost of an increment grows with the table:

    python -m bench.factors --format iceberg --events 1000000 --out target/growth --only \
        "the usual workload" "four times the base"
"""

import json
import shutil
from dataclasses import replace
from pathlib import Path

from bench import sessions
from bench.generate import Workload
from bench.options import parser
from bench.ours import Consumer
from bench.run import LANDING, Bench

# The usual one comes first, and once more last, when the JVM has finished compiling.
USUAL = "the usual workload"
AGAIN = "the usual workload again"
FACTORS: dict[str, dict] = {
    USUAL: {},
    "no change late": {"late": 0.0},
    "1 in 10 of an increment late": {"late": 0.1},
    "increments of 100": {"increment": 100},
    "one change a key": {"per_key": 1},
    "a hundred changes a key": {"per_key": 100},
    "half of the updates on one key": {"hot": 0.5},
    "all updates on one key": {"hot": 1.0},
    "every key from a snapshot": {"snapshot": 1.0},
    "no key from a snapshot": {"snapshot": 0.0},
    "no delete": {"deletes": 0.0},
    "1 change in 4 a delete": {"deletes": 0.25},
    "1 in 10 delivered twice": {"duplicates": 0.1},
    "1 update in 10 changes the key": {"moves": 0.1},
    "no value left out": {"unsent": 0.0},
    "a truncate in the first increment": {"truncate": True},
    "100 columns, as many bytes": {"more": 91},
    "1,000 columns, as many bytes": {"more": 991},
    "four times the base": {},
    "four times the base, all updates on one key": {"hot": 1.0},
    "sixteen times the base": {},
    AGAIN: {},
}
INCREMENTS = 3
# The size of the base, as a multiple of the usual one, if it differs.
TIMES = {
    "four times the base": 4,
    "four times the base, all updates on one key": 4,
    "sixteen times the base": 16,
}


def workload(factor: str, events: int, increment: int) -> Workload:
    """The workload of a factor. In: its name; events of the usual base and increment."""
    usual = Workload(TIMES.get(factor, 1) * events, increment, increments=INCREMENTS)
    varied = replace(usual, **FACTORS[factor])
    wider = varied.record_bytes / usual.record_bytes
    return replace(
        varied, events=round(varied.events / wider), increment=round(varied.increment / wider)
    )


def _drop(spark, schema: str) -> None:
    """Drops a schema with its content; Iceberg's catalogs do not cascade, and list views apart."""
    for view in spark.sql(f"show views in {schema}").collect():
        spark.sql(f"drop view {schema}.{view.viewName}")
    for table in spark.sql(f"show tables in {schema}").collect():
        if table.namespace:
            spark.sql(f"drop table {schema}.{table.tableName}")
    spark.sql(f"drop schema {schema}")


def measure(spark, options, number: int, factor: str) -> list[dict]:
    """The base and the increments of one factor, in their own schema. Out: their lines."""
    schema = f"factor_{number}"
    varied = workload(factor, options.events, options.increment)
    folder = options.out / "factors" / schema
    consumer = Consumer(folder, LANDING, options.format, schema, columns=varied.columns)
    bench = Bench(spark, consumer, varied, factor=factor)
    lines = [line.as_dict() for line in bench.load()]
    _drop(spark, schema)
    return lines


def main() -> None:
    asked = parser(__doc__, events=250_000)
    asked.add_argument(
        "--only", nargs="+", choices=FACTORS, default=list(FACTORS), metavar="FACTOR"
    )
    asked.add_argument("--resume", action="store_true", help="keep the factors measured before")
    options = asked.parse_args()
    written = options.out / "factors.json"
    shutil.rmtree(options.out / "factors", ignore_errors=True)
    lines = _measured_before(written, options) if options.resume else []
    known = {line["factor"] for line in lines}
    waiting = [factor for factor in options.only if factor not in known]
    if waiting:
        spark = sessions.start(options.format, options.out / "factors")
        print("-- once, not counted: the JIT compiler", flush=True)
        measure(spark, options, len(FACTORS), USUAL)
        for number, factor in enumerate(waiting):
            print(f"-- {factor}", flush=True)
            lines += measure(spark, options, number, factor)
            written.write_text(json.dumps(lines, indent=1))
        spark.stop()
    if any(line["wrong_rows"] for line in lines):
        raise SystemExit(1)


def _measured_before(written: Path, options) -> list[dict]:
    """The lines of an interrupted run with the same base and increment."""
    lines = json.loads(written.read_text()) if written.is_file() else []
    usual = [line for line in lines if line["factor"] == USUAL and line["contestant"] == "ours_all"]
    sizes = {(line["format"], line["batch_events"]) for line in usual}
    same = sizes == {(options.format, options.events), (options.format, options.increment)}
    return lines if same else []


if __name__ == "__main__":
    main()

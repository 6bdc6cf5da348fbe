"""What a workload costs that differs from the usual one in one thing; ours alone, in one session.

    python -m bench.factors --format parquet --events 250000 --out target/bench

writes <out>/factors.json, lines as those of bench.run. How an increment grows with the table:

    python -m bench.factors --format iceberg --events 1000000 --out target/growth --only \
        "the usual workload" "four times the base"
"""

import json
import shutil
from dataclasses import replace

from bench import sessions
from bench.generate import Workload
from bench.options import parser
from bench.ours import Consumer
from bench.run import LANDING, Bench

# The usual one comes first, and once more last: how much two equal runs differ in one session.
USUAL = "the usual workload"
FACTORS: dict[str, dict] = {
    USUAL: {},
    "no change late": {"late": 0.0},
    "1 in 10 of an increment late": {"late": 0.1},
    "increments of 100": {"increment": 100},
    "all updates on one key": {"hot": 1.0},
    "1 in 10 delivered twice": {"duplicates": 0.1},
    "no value left out": {"unsent": 0.0},
    "100 columns, as many bytes": {"more": 91},
    "1,000 columns, as many bytes": {"more": 991},
    "four times the base": {},
    "four times the base, all updates on one key": {"hot": 1.0},
    "sixteen times the base": {},
    "the usual workload again": {},
}
INCREMENTS = 3
# How many times the usual base, where it is another one.
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
    """A schema and all that is in it; Iceberg's catalogs do not cascade, and list views apart."""
    for view in spark.sql(f"show views in {schema}").collect():
        spark.sql(f"drop view {schema}.{view.viewName}")
    for table in spark.sql(f"show tables in {schema}").collect():
        if table.namespace:
            spark.sql(f"drop table {schema}.{table.tableName}")
    spark.sql(f"drop schema {schema}")


def main() -> None:
    asked = parser(__doc__, events=250_000)
    asked.add_argument(
        "--only", nargs="+", choices=FACTORS, default=list(FACTORS), metavar="FACTOR"
    )
    options = asked.parse_args()
    out, folder = options.out, options.out / "factors"
    shutil.rmtree(folder, ignore_errors=True)
    spark = sessions.start(options.format, folder, options.jars)
    lines = []
    for number, factor in enumerate(options.only):
        print(f"-- {factor}", flush=True)
        schema = f"factor_{number}"
        varied = workload(factor, options.events, options.increment)
        consumer = Consumer(
            folder / schema, LANDING, options.format, schema, columns=varied.columns
        )
        bench = Bench(spark, consumer, varied, factor=factor)
        lines += [line.as_dict() for line in bench.load()]
        _drop(spark, schema)
        (out / "factors.json").write_text(json.dumps(lines, indent=1))
    spark.stop()
    if any(line["wrong_rows"] for line in lines):
        raise SystemExit(1)


if __name__ == "__main__":
    main()

"""One format from start to end: land, floor, ours; in one session.

    python -m bench.run --format parquet --events 1000000 --increment 10000 --out target/bench

writes <out>/<format>.json (measurements) and <out>/<format>.rows.json (row counts and hashes).
"""

import argparse
import json
import shutil
from pathlib import Path

from bench import sessions
from bench.floor import run_floor
from bench.generate import COLUMNS, Workload, create_landing, land
from bench.measure import Cost, Measurement, measured
from bench.ours import LAYOUTS, Consumer

LANDING = "landing.bench_events"
# of the run and its landing, not of the row
NOT_COMPARED = {"_cdc_processed_ts", "_cdc_landed_ts", "_cdc_batch", "_cdc_bucket"}


def _say(text: str) -> None:
    print(text, flush=True)


def bench(spark, consumer: Consumer, workload: Workload, say=_say) -> list[Measurement]:
    """Every step of one format on an empty landing table. Out: the measurements, floor first."""
    results: list[Measurement] = []
    floor_cpu = 1.0

    def record(contestant: str, step: str, batch_events: int, cost: Cost) -> None:
        results.append(
            Measurement(
                contestant,
                consumer.file_format,
                step,
                workload.events,
                batch_events,
                round(cost.cpu_s, 2),
                round(cost.wall_s, 2),
                round(cost.cpu_s / floor_cpu, 3),
            )
        )
        say(f"{contestant}: {step}: {cost.cpu_s:.1f} CPU s, {cost.cpu_s / floor_cpu:.2f} x floor")

    create_landing(spark, consumer.landing, consumer.file_format)
    land(spark, consumer.landing, workload, 0)
    # the first pass warms the JVM up; the second counts
    for _ in range(2):
        with measured() as cost:
            run_floor(spark, consumer.landing)
    floor_cpu = cost[0].cpu_s
    record("floor", "initial", workload.events, cost[0])
    spark.sql("drop table spark_catalog.bench_floor.parsed")

    consumer.write()
    for batch in range(workload.increments + 1):
        if batch:
            land(spark, consumer.landing, workload, batch)
        run = consumer.run()
        step = f"increment {batch}" if batch else "initial"
        for model, cost in [*run.models.items(), ("dbt", run.rest)]:
            record(model, step, workload.batch_events(batch), cost)
        for layout in LAYOUTS:
            record(layout, step, workload.batch_events(batch), run.of(layout))
    run = consumer.run()
    for layout in LAYOUTS:
        record(layout, "nothing new", 0, run.of(layout))
    for model in ("hist_bench__orders", "cur_bench__orders"):
        with measured() as cost:
            spark.table(consumer.relation(model)).write.format("noop").mode("append").save()
        record(model, "read all", 0, cost[0])
    return results


def rows(spark, consumer: Consumer) -> dict[str, dict]:
    """Of history and current state: how many rows, and a hash of them that knows no order."""
    found = {}
    for model in ("hist_bench__orders", "cur_bench__orders"):
        table = spark.table(consumer.relation(model))
        names = sorted(set(table.columns) - NOT_COMPARED)
        hashed = f"xxhash64(to_json(struct({', '.join(names)})))"
        row = table.selectExpr(
            "count(*) as rows", f"string(sum(cast({hashed} as decimal(38, 0)))) as hash"
        ).first()
        found[model] = {"rows": row["rows"], "hash": row["hash"]}
    return found


def faults(spark, consumer: Consumer, workload: Workload, batch: int) -> list[str]:
    """What does not agree with the generator's own account after a batch; [] when all does."""
    told = []
    columns = ", ".join(COLUMNS)
    compared = {
        "cur_bench__orders": (columns, workload.current(batch)),
        "hist_bench__orders": (f"{columns}, valid_from, valid_to", workload.history(batch)),
    }
    for model, (names, expected_sql) in compared.items():
        ours = spark.table(consumer.relation(model)).selectExpr(*names.split(", "))
        expected = spark.sql(f"select {names} from ({expected_sql})").localCheckpoint()
        for what, frame in (
            ("too many", ours.exceptAll(expected)),
            ("missing", expected.exceptAll(ours)),
        ):
            if number := frame.count():
                told.append(f"{model}: {number} {what}, such as {frame.first()}")
    log = consumer.relation("stg_bench__orders")
    expected = spark.sql(workload.counts(batch)).first().asDict()
    found = {"accepted": spark.table(log).count()}
    kinds = dict(spark.sql(f"select kind, count(*) from {log}__ledger group by kind").collect())
    found |= {"redelivered": kinds.pop("redelivered", 0), "tombstones": kinds.pop("tombstone", 0)}
    if found != expected or kinds:
        told.append(f"records: {found | kinds} instead of {expected}")
    return told


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--format", choices=sessions.FORMATS, default="parquet")
    parser.add_argument("--events", type=int, default=1_000_000)
    parser.add_argument("--increment", type=int, default=10_000)
    parser.add_argument("--out", type=Path, default=Path("target/bench"))
    parser.add_argument("--jars", type=Path, nargs="*", default=[])
    parser.add_argument("--check", action="store_true", help="compare with the generator's account")
    options = parser.parse_args()
    out = options.out.absolute()
    folder = out / options.format
    shutil.rmtree(folder, ignore_errors=True)
    spark = sessions.start(options.format, folder, [jar.absolute() for jar in options.jars])
    consumer = Consumer(folder / "consumer", LANDING, options.format)
    workload = Workload(options.events, options.increment)
    results = bench(spark, consumer, workload)
    lines = [measurement.as_dict() for measurement in results]
    (out / f"{options.format}.json").write_text(json.dumps(lines, indent=1))
    found = rows(spark, consumer)
    (out / f"{options.format}.rows.json").write_text(json.dumps(found, indent=1))
    print(json.dumps(found))
    if options.check:
        wrong = faults(spark, consumer, workload, workload.increments)
        print("\n".join(wrong) or "rows agree with the generator's account")
    spark.stop()
    if options.check and wrong:
        raise SystemExit(1)


if __name__ == "__main__":
    main()

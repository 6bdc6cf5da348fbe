"""The bench of one format: land, floor, our models and the contestants, in one session.

    python -m bench.run --format parquet --events 1000000 --increment 10000 --out target/bench

writes <out>/<format>.json (measurements) and <out>/<format>.rows.json (row counts and hashes).
"""

import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass, field

from bench import sessions
from bench.contestants import CONTESTANTS, Contestant
from bench.floor import run_floor
from bench.generate import COLUMNS, Workload, create_landing, land
from bench.measure import Cost, Measurement, measured
from bench.options import parser
from bench.ours import LAYOUTS, Consumer, Run
from bench.recording import counts, recording

LANDING = "landing.bench_events"
INCREMENTS = 5
READS = 5  # each takes a few tenths of a second
VALIDITY = ["valid_from", "valid_to"]
# columns of the run and its landing, not of the row
NOT_COMPARED = {"_cdc_processed_ts", "_cdc_landed_ts", "_cdc_batch"}


def _say(text: str) -> None:
    print(text, flush=True)


@dataclass
class Bench:
    """The measurements of one format, on an empty landing table."""

    spark: object
    consumer: Consumer
    workload: Workload
    contestants: list[Contestant] = field(default_factory=list)
    say: Callable[[str], None] = _say
    factor: str = ""
    results: list[Measurement] = field(default_factory=list)

    def run(self) -> list[Measurement]:
        """Every step of all contestants, floor first. Out: the measurements."""
        self.load()
        self._nothing_new()
        self._reads()
        return self.results

    def load(self) -> list[Measurement]:
        """Only the base and the increments."""
        create_landing(self.spark, self.consumer.landing, self.consumer.file_format)
        land(self.spark, self.consumer.landing, self.workload, 0)
        self._floor()
        self.consumer.write()
        for contestant in self.contestants:
            self.spark.sql(f"create schema if not exists {contestant.schema}")
            contestant.prepare()
        for batch in range(self.workload.increments + 1):
            if batch:
                land(self.spark, self.consumer.landing, self.workload, batch)
            self._ours(batch)
            for contestant in list(self.contestants):
                self._contestant(contestant, batch)
        return self.results

    @property
    def _more(self) -> dict[str, str]:
        columns = self.workload.columns
        return {name: columns[name] for name in columns if name not in COLUMNS}

    def _floor(self) -> None:
        # the first pass warms the JVM up; the second counts
        for _ in range(2):
            with measured() as cost:
                run_floor(self.spark, self.consumer.landing, self._more)
        self._record("floor", "initial", 0, cost[0])
        self.spark.sql("drop table spark_catalog.bench_floor.parsed")

    def _ours(self, batch: int) -> None:
        run = self._run_of_ours()
        wrong = self._wrong(batch, self._rows_of_ours)
        for model, cost in [*run.models.items(), ("dbt", run.rest)]:
            self._record(f"part: {model}", step_of(batch), batch, cost)
        self._layouts(run, step_of(batch), batch, wrong)

    def _run_of_ours(self) -> Run:
        from dbt.adapters.spark.session import Cursor

        with recording(Cursor, with_costs=False) as statements:
            run = self.consumer.run()
        run.sent = counts(statements)
        return run

    def _layouts(self, run: Run, step: str, batch: int | None, wrong: int | None = None) -> None:
        """A run builds all layers, so the sent SQL belongs to the layout with all."""
        for layout in LAYOUTS:
            sent = run.sent if layout == "ours_all" else {}
            self._record(layout, step, batch, run.of(layout), wrong, **sent)

    def _contestant(self, contestant: Contestant, batch: int) -> None:
        """A contestant that fails is reported and leaves the run; its earlier steps count."""
        try:
            with measured() as cost:
                contestant.run(batch)
        except Exception as error:
            self.contestants.remove(contestant)
            self.say(f"{contestant.name}: {step_of(batch)}: failed: {str(error)[:500]}")
            return
        wrong = self._wrong(
            batch,
            lambda of, columns: (
                contestant.rows(getattr(contestant, of), columns)
                if getattr(contestant, of)
                else None
            ),
        )
        self._record(contestant.name, step_of(batch), batch, cost[0], wrong)

    def _nothing_new(self) -> None:
        self._layouts(self._run_of_ours(), "nothing_new", None)

    def _reads(self) -> None:
        """Reads of our models next to a plain table of the same rows, in the same format."""
        one_key = f"order_id = {self.workload.keys // 2}"
        as_of = "_cdc_position < '{0}' and coalesce(_cdc_end_position >= '{0}', true)"
        history = self.consumer.relation("hist_bench__orders")
        positions = f"select percentile_approx(bigint(_cdc_position), 0.5) from {history}"
        middle = as_of.format(f"{self.spark.sql(positions).first()[0]:020d}")
        for step, model, where in (
            ("read_current", "cur_bench__orders", "true"),
            ("read_history", "hist_bench__orders", "true"),
            ("read_as_of", "hist_bench__orders", f"{one_key} and {middle}"),
        ):
            relation = self.consumer.relation(model)
            plain = self.consumer.relation("plain_copy")
            using = self.consumer.file_format
            self.spark.sql(f"create table {plain} using {using} as select * from {relation}")
            for contestant, read in (("plain_table", plain), ("ours_all", relation)):
                for number in range(1 + READS):
                    with measured() as cost:
                        _read(self.spark.table(read).where(where))
                    if number:  # the first one warms up
                        self._record(contestant, step, None, cost[0])
            self.spark.sql(f"drop table {plain}")

    def _rows_of_ours(self, of: str, columns: list[str]):
        model = {"current": "cur_bench__orders", "history": "hist_bench__orders"}[of]
        return self.spark.table(self.consumer.relation(model)).selectExpr(*columns)

    def _wrong(self, batch: int, rows_of) -> int | None:
        """Rows that differ from the generator's own account; compared at the first and last."""
        if batch not in (0, self.workload.increments):
            return None
        wrong = 0
        for of, columns, expected in (
            ("current", list(self.workload.columns), self.workload.current(batch)),
            ("history", [*self.workload.columns, *VALIDITY], self.workload.history(batch)),
        ):
            found = rows_of(of, columns)
            if found is not None:
                truth = self.spark.sql(f"select {', '.join(columns)} from ({expected})")
                wrong += found.exceptAll(truth).count() + truth.exceptAll(found).count()
        return wrong

    def _record(
        self,
        contestant: str,
        step: str,
        batch: int | None,
        cost: Cost,
        wrong: int | None = None,
        **sent: int,
    ) -> None:
        floor = self.results[0].cpu_s if self.results else cost.cpu_s
        line = Measurement(
            contestant,
            self.consumer.file_format,
            step,
            self.workload.events,
            0 if batch is None else self.workload.batch_events(batch),
            round(cost.cpu_s, 2),
            round(cost.wall_s, 2),
            round(cost.cpu_s / floor, 3),
            wrong,
            self.factor,
            **sent,
        )
        self.results.append(line)
        remark = "" if wrong is None else f", {wrong} wrong rows"
        self.say(
            f"{contestant}: {step}: {cost.cpu_s:.1f} CPU s, {line.floor_ratio:.2f} x floor{remark}"
        )


def _read(frame) -> None:
    """Reads all columns of all rows and discards them. (Delta does not let Spark's `noop` sink read
    a table with deletion vectors.)"""
    frame._jdf.queryExecution().toRdd().count()


def step_of(batch: int) -> str:
    return "increment" if batch else "initial"


def rows(spark, consumer: Consumer) -> dict[str, dict]:
    """For history and current state: the number of rows, and a hash independent of their order."""
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
    """Differences from the generator's own account after a batch; [] if none."""
    differences = []
    compared = {
        "cur_bench__orders": (list(workload.columns), workload.current(batch)),
        "hist_bench__orders": ([*workload.columns, *VALIDITY], workload.history(batch)),
    }
    for model, (names, expected_sql) in compared.items():
        ours = spark.table(consumer.relation(model)).selectExpr(*names)
        expected = spark.sql(f"select {', '.join(names)} from ({expected_sql})").localCheckpoint()
        for what, frame in (
            ("too many", ours.exceptAll(expected)),
            ("missing", expected.exceptAll(ours)),
        ):
            if number := frame.count():
                differences.append(f"{model}: {number} {what}, such as {frame.first()}")
    log = consumer.relation("stg_bench__orders")
    expected = spark.sql(workload.counts(batch)).first().asDict()
    found = {"accepted": spark.table(log).count()}
    kinds = dict(spark.sql(f"select kind, count(*) from {log}__ledger group by kind").collect())
    found |= {"redelivered": kinds.pop("redelivered", 0), "tombstones": kinds.pop("tombstone", 0)}
    if found != expected or kinds:
        differences.append(f"records: {found | kinds} instead of {expected}")
    return differences


def main() -> None:
    asked = parser(__doc__, events=1_000_000)
    asked.add_argument("--alone", action="store_true", help="ours and the floor only")
    names = [kind.name for kind in CONTESTANTS]
    asked.add_argument("--against", nargs="+", choices=names, default=names, metavar="CONTESTANT")
    options = asked.parse_args()
    out, folder = options.out, options.out / options.format
    shutil.rmtree(folder, ignore_errors=True)
    spark = sessions.start(options.format, folder)
    consumer = Consumer(folder / "consumer", LANDING, options.format)
    workload = Workload(options.events, options.increment, increments=INCREMENTS)
    contestants = [
        kind(spark, LANDING, options.format, "contestants", folder / kind.name)
        for kind in CONTESTANTS
        if options.format in kind.formats and kind.name in options.against and not options.alone
    ]
    lines = [line.as_dict() for line in Bench(spark, consumer, workload, contestants).run()]
    (out / f"{options.format}.json").write_text(json.dumps(lines, indent=1))
    found = rows(spark, consumer)
    (out / f"{options.format}.rows.json").write_text(json.dumps(found, indent=1))
    wrong = faults(spark, consumer, workload, workload.increments)
    print("\n".join(wrong) or "our rows agree with the generator's account")
    spark.stop()
    if wrong:
        raise SystemExit(1)


if __name__ == "__main__":
    main()

"""The bench on a small workload: the models' rows equal the generator's own fold; times are not
tested."""

import json
import subprocess
import sys
from dataclasses import asdict, replace
from types import SimpleNamespace

import pytest
from click.testing import CliRunner
from rich.console import Console
from tests.session import drop_schema, file_format_of

from afterimage import bench
from afterimage.bench import table
from afterimage.cli import main
from bench.contestants import MergeCurrent, MergeScd2, Recompute
from bench.factors import AGAIN, FACTORS, USUAL, _measured_before, workload
from bench.floor import floor_select
from bench.generate import Workload, create_landing, land
from bench.measure import cpu_seconds, measured
from bench.ours import LAYOUTS, MODELS, Consumer
from bench.page import write
from bench.recording import recording
from bench.run import Bench, faults, rows

WORKLOAD = Workload(events=20_000, increment=2_000, increments=2, late=0.05)
SMALL = Workload(events=4_000, increment=400, increments=2, late=0.05)
WORKLOADS = {
    "the usual": SMALL,
    "rare things": replace(SMALL, moves=0.1, truncate=True, hot=0.2, deletes=0.2),
    "more of it": WORKLOAD,
}


@pytest.fixture
def consumer(spark, tmp_path):
    own = file_format_of(spark)
    consumer = Consumer(tmp_path / "consumer", "bench_landing.events", own, "bench_small")
    create_landing(spark, consumer.landing, own)
    yield consumer
    for schema in ("bench_small", "bench_landing", "bench_others"):
        drop_schema(spark, schema)


def test_the_workload_holds_what_it_says(spark):
    """Each key is created first, ends only while it exists, and is created again only after its
    end."""
    spark.sql(WORKLOAD.changes()).createOrReplaceTempView("bench_changes")
    wrong = spark.sql("""
        select * from (
            select op, lag(op) over (partition by order_id order by number) as earlier
            from bench_changes
        )
        where (op in ('r', 'c') and earlier <> 'd')
            or (op in ('u', 'd') and (earlier is null or earlier = 'd'))
    """)
    assert wrong.count() == 0
    found = spark.sql("""
        select count(*) as changes, count(distinct order_id) as keys, count_if(op = 'd') as deletes,
            count_if(op = 'c' and number >= 5000) as again, count_if(is_unsent) as unsent,
            count_if(is_redelivered and redelivery_batch > batch) as redelivered_later,
            count_if(number < 20000 and batch > 0) as late,
            count_if(batch = 1 and number >= 20000) as increment
        from bench_changes
    """).first()
    assert (found["changes"], found["keys"], found["increment"]) == (24_000, WORKLOAD.keys, 2_000)
    for share in ("deletes", "again", "unsent", "redelivered_later", "late"):
        assert found[share] > 0, share
    spark.catalog.dropTempView("bench_changes")


@pytest.mark.parametrize(
    "name",
    [
        *list(WORKLOADS)[:2],
        *(pytest.param(name, marks=pytest.mark.slow) for name in list(WORKLOADS)[2:]),
    ],
)
def test_the_models_hold_the_generators_rows_after_every_delivery(spark, consumer, compared, name):
    workload = WORKLOADS[name]
    consumer.write()
    for batch in range(workload.increments + 1):
        # duplicates on top, and deletes after a truncate
        assert land(spark, consumer.landing, workload, batch) > 0.8 * workload.batch_events(batch)
        run = consumer.run()
        assert set(run.models) == set(MODELS)
        assert all(run.of(layout).wall_s > 0 for layout in LAYOUTS)
        assert faults(spark, consumer, workload, batch) == []
        compared["rows of the bench with the generator"] += sum(
            found["rows"] for found in rows(spark, consumer).values()
        )
    before = rows(spark, consumer)
    consumer.run()
    assert rows(spark, consumer) == before


def test_rare_things_are_in_the_workload(spark):
    workload = WORKLOADS["rare things"]
    spark.sql(workload.records(1)).createOrReplaceTempView("bench_records")
    found = spark.sql("""
        select count_if(get_json_object(decode(value, 'utf-8'), '$.op') = 't') as truncates,
            count_if(headers[0].key = '__debezium.oldkey') as created,
            count_if(headers[0].key = '__debezium.newkey') as deleted,
            count(distinct partition, offset) = count(*) as places_differ
        from bench_records
    """).first()
    assert found["truncates"] == 1
    assert found["created"] == found["deleted"] > 5
    assert found["places_differ"]
    spark.catalog.dropTempView("bench_records")


@pytest.mark.iceberg
@pytest.mark.parquet
def test_what_others_do_is_right_where_nothing_is_late(spark, consumer, tmp_path):
    """So their faults in the bench are inherent, and no mistake in their SQL."""
    workload = Workload(events=2_000, increment=200, increments=1, late=0.0)
    contestants = [
        kind(spark, consumer.landing, consumer.file_format, "bench_others", tmp_path / kind.name)
        for kind in (MergeCurrent, MergeScd2, Recompute)
        if consumer.file_format in kind.formats
    ]
    lines = Bench(spark, consumer, workload, contestants).load()
    wrong = {
        line.contestant: line.wrong_rows
        for line in lines
        if line.step == "increment" and not line.contestant.startswith("part: ")
    }
    names = [contestant.name for contestant in contestants]
    assert wrong == dict.fromkeys([*LAYOUTS, *names], 0)
    # a run has all layers, so the statements sent are reported for all three together
    sent = {line.contestant: line.statements for line in lines if line.statements}
    assert list(sent) == ["ours_all"] and 10 < sent["ours_all"] < 60


def test_the_floor_parses_every_value(spark):
    create_landing(spark, "bench_landing.floor")
    land(spark, "bench_landing.floor", Workload(events=400, increments=0), 0)
    found = spark.sql(f"""
        select count(op) as parsed, count(order_id) as images, count(amount) as amounts,
            count(placed_at) as instants, count(source.lsn) as positions,
            count_if(op <> 'd') as living
        from ({floor_select("bench_landing.floor")})
    """).first()
    assert found["parsed"] == found["positions"] >= 400
    assert found["images"] == found["amounts"] == found["instants"] == found["living"]
    spark.sql("drop schema bench_landing cascade")


def test_cpu_of_a_process_below_is_counted():
    with measured() as cost:
        subprocess.run([sys.executable, "-c", "sum(i * i for i in range(3_000_000))"], check=True)
    assert cost[0].cpu_s > 0.05
    assert cpu_seconds(10**9) == 0


def test_the_table_of_results():
    line = {
        "contestant": "ours_change_log",
        "format": "parquet",
        "step": "initial",
        "base_events": 1000,
        "batch_events": 1000,
        "cpu_s": 4.06,
        "wall_s": 3.0,
        "floor_ratio": 2.03,
        "wrong_rows": 0,
    }
    console = Console(width=140)
    with console.capture() as said:
        console.print(table([line]))
    cells = [cell.strip() for cell in said.get().split("│") if cell.strip()]
    told = ["parquet", "ours_change_log", "initial", "1,000", "4.1", "3.0", "2.03", "0"]
    assert cells[-9:-1] == told


def _line(contestant: str, step: str, cpu_s: float, factor: str = "") -> dict:
    return {
        "contestant": contestant,
        "format": "parquet",
        "step": step,
        "base_events": 1000,
        "batch_events": 1000 if step == "initial" else 10,
        "cpu_s": cpu_s,
        "wall_s": cpu_s,
        "floor_ratio": cpu_s / 2,
        "wrong_rows": 0,
        "factor": factor,
    }


def test_the_page_tells_what_a_factor_costs_beside_the_usual(tmp_path):
    lines = [_line("floor", "initial", 2), _line("ours_all", "initial", 8)]
    lines += [_line("ours_all", "increment", cpu_s) for cpu_s in (3, 4, 5)]
    for factor, cpu_s in ((USUAL, 4), ("increments of 100", 3)):
        lines += [_line("ours_all", step, cpu_s, factor) for step in ("initial", "increment")]
    # once the JVM has compiled all
    again = [_line("ours_all", step, 2, AGAIN) for step in ("initial", "increment")]
    write(lines + again, tmp_path)
    assert (
        "| increments of 100 | 1.50 | 1.50 | 3.0 | 0 |" in (tmp_path / "benchmark.md").read_text()
    )
    write(lines, tmp_path)
    page = (tmp_path / "benchmark.md").read_text()
    assert "| **afterimage**, all three layers | 4.00 | 8.0 | 0 |" in page
    assert "| **afterimage**, all three layers | 2.00 (1.50 to 2.50) | 4.0 | 0 |" in page
    assert "| increments of 100 | 1.50 | 0.75 | 3.0 | 0 |" in page
    assert json.loads((tmp_path / "benchmark.json").read_text()) == lines


def test_the_page_tells_what_is_sent_to_spark(tmp_path):
    sent = {"statements": 35, "commits": 17, "sql_bytes": 81_400, "longest_line": 120}
    lines = [_line("ours_all", step, 3) | sent for step in ("initial", "increment")]
    write([_line("floor", "initial", 2), *lines], tmp_path)
    page = (tmp_path / "benchmark.md").read_text()
    assert "| parquet | increment | 35 | 17 | 81 | 120 |" in page


def test_the_page_tells_what_many_small_tables_cost(tmp_path):
    sent = {"statements": 800, "commits": 300, "sql_bytes": 9, "longest_line": 9, "tables": 20}
    many = [
        _line(contestant, step, cpu_s) | sent | {"floor_ratio": None}
        for contestant, cpu_s in (("ours_all", 90), ("dbt_by_hand", 60))
        for step in ("many_first", "many_increment", "many_increment", "many_one", "many_nothing")
    ]
    write([_line("floor", "initial", 2), *many], tmp_path)
    page = (tmp_path / "benchmark.md").read_text()
    ours = "| 20 | parquet | **afterimage**, all three layers | 90 | 90 / 90 | 90 | 90 | 800, 300 |"
    assert ours in page and "| 20 | parquet | dbt by hand, change log and current state |" in page
    with (console := Console(width=160)).capture() as said:
        console.print(table(many))
    assert "ours_all with 20 tables" in said.get()


def test_a_run_of_factors_goes_on_where_it_was_cut_off(tmp_path):
    written = tmp_path / "factors.json"
    asked = SimpleNamespace(format="parquet", events=1000, increment=10)
    assert _measured_before(written, asked) == []
    lines = [_line("ours_all", step, 4, USUAL) for step in ("initial", "increment")]
    written.write_text(json.dumps(lines))
    assert _measured_before(written, asked) == lines
    for other in ({"events": 2000}, {"increment": 20}, {"format": "delta"}):
        assert _measured_before(written, SimpleNamespace(**(vars(asked) | other))) == []


@pytest.mark.parametrize("factor", FACTORS)
def test_a_factor_changes_one_thing(factor):
    usual = asdict(workload(USUAL, 4000, 1000))
    changed = {
        name for name, value in asdict(workload(factor, 4000, 1000)).items() if value != usual[name]
    }
    if "columns" in factor:
        # fewer events with more bytes each
        changed -= {"events", "increment"}
    if "all updates on one key" in factor:
        # next to the same base with its updates spread
        changed -= {"events"}
    assert len(changed) == (0 if "usual" in factor else 1)


class FakeCursor:
    def execute(self, sql, *parameters):
        if sql == "broken":
            raise RuntimeError(sql)
        sum(i * i for i in range(1_000_000))

    def fetchall(self):
        return [(1,)]


def test_statements_are_recorded_with_what_they_cost():
    before = FakeCursor.execute
    cursor = FakeCursor()
    with recording(FakeCursor) as statements:
        cursor.execute("/* of dbt */ select   1")
        assert cursor.fetchall() == [(1,)]
        with pytest.raises(RuntimeError):
            cursor.execute("broken", None)
    assert [statement.sql for statement in statements] == ["/* of dbt */ select   1", "broken"]
    assert statements[0].cost.wall_s > 0
    assert str(statements[0]).endswith(" select 1")
    assert FakeCursor.execute is before


def test_a_format_there_is_not():
    done = CliRunner().invoke(main, ["bench", "--formats", "parquet,orc"])
    assert done.exit_code == 2
    assert "no such format: orc" in done.output


@pytest.fixture
def measurements(tmp_path, monkeypatch):
    """The modules that the command starts with their options; each writes a result."""
    started = []

    def start(command, env, check):
        module, *options = command[2:]
        given = dict(zip(options[::2], options[1::2], strict=False))
        name = {"bench.factors": "factors", "bench.many": f"many-{given['--format']}"}
        line = {"format": given["--format"], "contestant": module, "step": "base"}
        line |= {"batch_events": 1, "cpu_s": 1, "wall_s": 1, "floor_ratio": None}
        file = out / f"{name.get(module, given['--format'])}.json"
        file.write_text(json.dumps([line]))
        file.with_suffix(".rows.json").write_text("{}")
        started.append(" ".join([module, *options[: options.index("--out")]]))
        return SimpleNamespace(returncode=0)

    out = tmp_path / "target" / "bench"
    (tmp_path / "scripts" / "bench").mkdir(parents=True)
    (tmp_path / "scripts" / "bench" / "run.py").touch()
    monkeypatch.setattr(bench, "SCRIPTS", tmp_path / "scripts")
    monkeypatch.setattr(bench.subprocess, "run", start)
    return started


def test_what_the_command_measures(measurements, tmp_path):
    numbers = ["--events", "5000", "--increment", "40"]
    command = ["bench", *numbers, "--alone", "--factors", "--tables", "7"]
    done = CliRunner().invoke(main, command)
    assert done.exit_code == 0, done.output
    assert measurements == [
        "bench.run --format parquet --events 5000 --increment 40 --alone",
        "bench.factors --format parquet --events 500 --increment 40",
        "bench.many --format parquet --events 5000 --increment 40 --tables 7",
    ]
    results = json.loads((tmp_path / "target" / "bench" / "results.json").read_text())
    assert [each["contestant"] for each in results] == ["bench.run", "bench.factors", "bench.many"]


def test_resume_skips_what_was_measured_with_the_same_numbers(measurements):
    for events, options in ((50, []), (50, ["--resume"]), (60, ["--resume"]), (60, [])):
        command = ["bench", "--events", str(events), *options]
        assert CliRunner().invoke(main, command).exit_code == 0
    line = "bench.run --format parquet --events {} --increment 10000"
    assert measurements == [line.format(events) for events in (50, 60, 60)]

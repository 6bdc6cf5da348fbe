"""Many small tables of one landing table, each run a process of its own: ours, and dbt by hand.

    python -m bench.many --format iceberg --tables 20 --out target/bench

writes <out>/many-<format>.json: CPU and wall seconds of a first load, of increments with news of
all tables, with news of one, and with nothing new; and what was sent to Spark. dbt by hand keeps a
change log (appended above the highest offset) and a current state (merged), and no history.
`--tables 1 --base 250000 --changes 10000` measures an increment of one larger table so.
"""

import json
import shutil
import subprocess
import sys
import time

from bench import sessions
from bench.contestants.contestant import parsed
from bench.dbt_project import DbtProject
from bench.generate import COLUMNS, TOPIC, Workload, create_landing
from bench.measure import Measurement, spent
from bench.options import parser
from bench.ours import REPOSITORY
from bench.recording import counts, recording

LANDING = "landing.many_events"
CHANGES = 100
# The runs, and which of the tables have news in each. The first increment after a first load is the
# first one of its kind, so there are two.
RUNS = (
    ("many_first", "all"),
    ("many_increment", "all"),
    ("many_increment", "all"),
    ("many_one", "one"),
    ("many_nothing", "none"),
)


def workload(options) -> Workload:
    """The changes of each table: of its first load, and of each run after it."""
    return Workload(options.base, options.changes, increments=len(RUNS))


def names(tables: int) -> list[str]:
    """The tables of the source."""
    return [f"orders_{number}" for number in range(tables)]


def land(spark, options, run: int) -> None:
    """The records of a run, in a topic for each table that has news."""
    news = {"all": options.tables, "one": 1, "none": 0}[RUNS[run][1]]
    if news:
        spark.sql(
            f"insert into {LANDING} select concat(topic, '_', cast(number as string)) as topic, "
            f"records.* except (topic) from ({workload(options).records(run)}) as records "
            f"cross join range({news}) as made (number)"
        )


def ours(project: DbtProject, tables: int, file_format: str) -> None:
    """A project with change log, history and current state of each table."""
    schema, identifier = LANDING.split(".")
    contract = {
        "connector": "postgresql",
        "key": ["order_id"],
        "columns": dict(COLUMNS),
        "settings": {"decimal_handling_mode": "string", "skipped_operations": ["none"]},
    }
    sources = [
        {
            "name": name,
            "identifier": identifier,
            "config": {"meta": {"cdc": contract | {"topic": f"{TOPIC}_{number}"}}},
        }
        for number, name in enumerate(names(tables))
    ]
    files = {
        "packages.yml": {"packages": [{"local": str(REPOSITORY)}]},
        "models/sources.yml": {"sources": [{"name": "many", "schema": schema, "tables": sources}]},
    }
    for name in names(tables):
        for layer, call in {
            "stg": f"change_log(source('many', '{name}'))",
            "hist": f"history(ref('stg_many__{name}'))",
            "cur": f"current_state(ref('hist_many__{name}'))",
        }.items():
            files[f"models/{layer}_many__{name}.sql"] = f"{{{{ afterimage.{call} }}}}\n"
    project.write({"models": {project.name: {"+file_format": file_format}}}, files)
    project.dbt("deps")


def by_hand(project: DbtProject, tables: int, file_format: str) -> None:
    """A project with the models a person would write of each table, without a history."""
    log = f"""{{{{ config(
    materialized='incremental', incremental_strategy='append', file_format='{file_format}'
) }}}}
select * from ({{select}})
{{% if is_incremental() %}}where offset > (select max(offset) from {{{{ this }}}}){{% endif %}}
"""
    state = f"""{{{{ config(
    materialized='incremental', incremental_strategy='merge', unique_key='order_id',
    file_format='{file_format}'
) }}}}
select * except (recency)
from (
    select *, row_number() over (partition by order_id order by lsn desc) as recency
    from {{{{ ref('log_{{name}}') }}}}
    {{% if is_incremental() %}}where offset > (select max(offset) from {{{{ this }}}}){{% endif %}}
)
where recency = 1
"""
    files = {}
    for number, name in enumerate(names(tables)):
        select = parsed(LANDING, f"topic = '{TOPIC}_{number}'").replace(
            "select", "select\n        offset,", 1
        )
        files[f"models/log_{name}.sql"] = log.replace("{select}", select)
        files[f"models/state_{name}.sql"] = state.replace("{name}", name)
    project.write({}, files)


PROJECTS = {"ours_all": ours, "dbt_by_hand": by_hand}


def project_of(contestant: str, folder) -> DbtProject:
    """Of a contestant; both are called the same in each process."""
    return DbtProject(folder / contestant, f"many_{contestant}")


def run(options) -> None:
    """One dbt run in this process, beginning with Spark; prints what it took, as JSON."""
    from dbt.adapters.spark.session import Cursor

    folder = options.out / f"many-{options.format}"
    sessions.start(options.format, folder)
    with recording(Cursor, with_costs=False) as statements:
        project_of(options.run, folder).dbt("run")
    told = {"cpu_s": spent().cpu_s} | counts(statements)
    (folder / "run.json").write_text(json.dumps(told))


def wrong_rows(spark, options) -> int:
    """Rows of our current states that are not those of the generator's account, of the first and
    the last table; the last one has no news but those of all."""
    wrong = 0
    for number, batch in ((0, 3), (options.tables - 1, 2 if options.tables > 1 else 3)):
        found = spark.table(f"many_ours_all.cur_many__orders_{number}").selectExpr(*COLUMNS)
        truth = spark.sql(f"select {', '.join(COLUMNS)} from ({workload(options).current(batch)})")
        wrong += found.exceptAll(truth).count() + truth.exceptAll(found).count()
    return wrong


def measure(options) -> list[Measurement]:
    """Every run of every contestant. Out: the measurements."""
    folder = options.out / f"many-{options.format}"
    shutil.rmtree(folder, ignore_errors=True)
    contestants = [name for name in PROJECTS if name == "ours_all" or options.format != "parquet"]
    _process(options, "--prepare")
    lines = []
    for number, (step, _) in enumerate(RUNS):
        _process(options, "--land", str(number))
        for contestant in contestants:
            begun = time.monotonic()
            _process(options, "--run", contestant)
            wall = time.monotonic() - begun
            told = json.loads((folder / "run.json").read_text())
            cpu = told.pop("cpu_s")
            lines.append(
                Measurement(
                    contestant,
                    options.format,
                    step,
                    options.base * options.tables,
                    options.changes * {"all": options.tables, "one": 1, "none": 0}[RUNS[number][1]],
                    round(cpu, 2),
                    round(wall, 2),
                    tables=options.tables,
                    **told,
                )
            )
            print(f"{contestant}: {step}: {cpu:.1f} CPU s, {told}", flush=True)
    return lines


def _process(options, *more: str) -> None:
    """A process of its own for a part of the measurement."""
    command = [sys.executable, "-m", "bench.many", "--format", options.format]
    command += ["--tables", str(options.tables), "--out", str(options.out)]
    command += ["--base", str(options.base), "--changes", str(options.changes), *more]
    subprocess.run(command, check=True)


def main() -> None:
    asked = parser(__doc__, events=CHANGES)
    asked.add_argument("--tables", type=int, default=20)
    asked.add_argument("--base", type=int, default=CHANGES, help="changes of a first load")
    asked.add_argument("--changes", type=int, default=CHANGES, help="changes of a later run")
    asked.add_argument("--prepare", action="store_true", help="landing and projects")
    asked.add_argument("--land", type=int, metavar="RUN", help="what lands before a run")
    asked.add_argument("--run", choices=PROJECTS, help="one run")
    asked.add_argument("--check", action="store_true", help="the rows of ours")
    options = asked.parse_args()
    folder = options.out / f"many-{options.format}"
    if options.run:
        return run(options)
    if options.prepare or options.land is not None or options.check:
        spark = sessions.start(options.format, folder)
        if options.prepare:
            create_landing(spark, LANDING, options.format)
            for contestant, write in PROJECTS.items():
                write(project_of(contestant, folder), options.tables, options.format)
        elif options.land is not None:
            land(spark, options, options.land)
        elif wrong := wrong_rows(spark, options):
            raise SystemExit(f"{wrong} rows are not those of the generator's own account")
        return spark.stop()
    lines = [line.as_dict() for line in measure(options)]
    _process(options, "--check")
    (options.out / f"many-{options.format}.json").write_text(json.dumps(lines, indent=1))
    return None


if __name__ == "__main__":
    main()

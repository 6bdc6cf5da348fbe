"""The models on generated databases, by real `dbt run`s over several deliveries.

Truth, batch split, arrival order and replay at once: for any deliveries, `cur_` is what each
database holds, `hist_` as of each of its marks what it held, and one more run writes nothing.

`python -m tests.laws.shrink` shrinks a failure; the message ends with the command.
"""

from collections import defaultdict

import pytest

from tests.coverage import streams
from tests.functional.capture_project import project_of_spec, table_name
from tests.functional.conftest import drop
from tests.functional.test_truth import exists_before
from tests.laws.database import Database, log_of
from tests.laws.many import Case
from tests.laws.writers import WRITERS
from tests.oracle.spec import Table
from tests.truth.compare import compare_table

SYSTEMS = [name for name in WRITERS if name != "mariadb"]
SAMPLE = [
    Case("postgresql", 1, logs=10),
    # for each of four kinds of table: forty cuts into three runs, on each format
    Case("mariadb", 1, logs=10, runs=3),
    *(
        Case(
            connector, 1, logs=8, runs=3, only=("keyed",) + ("generated",) * (connector == "oracle")
        )
        for connector in SYSTEMS[1:]
    ),
]
SLOW = [
    *(
        case
        for connector in SYSTEMS
        for case in (
            Case(connector, 2, logs=110),
            Case(connector, 3, logs=110, in_order=True),
            Case(connector, 4, logs=30, runs=6),
        )
    ),
    # alone: all kinds of table with truncates, without other logs' changes that make a run read
    # keys again
    *(
        Case(connector, seed, runs=3 + seed % 2, in_order=seed % 3 == 0)
        for connector in SYSTEMS
        for seed in range(5, 10)
    ),
]
SLOW.append(Case("postgresql", 10, runs=2, only=("wide",)))
ON_ALL = Case("postgresql", 4, logs=30, runs=6)
CASES = [
    pytest.param(SAMPLE[0]),
    pytest.param(SAMPLE[1], marks=pytest.mark.formats),
    *(pytest.param(case) for case in SAMPLE[2:]),
    *(
        pytest.param(
            case, marks=[pytest.mark.slow, *([pytest.mark.formats] if case == ON_ALL else [])]
        )
        for case in SLOW
    ),
]


def name_of(case: Case) -> str:
    order = "in-order" if case.in_order else "in-any-order"
    of = "-".join([case.connector, *case.only])
    return f"{of}-{case.seed}-{case.logs}-logs-{order}-in-{case.runs}-runs"


@pytest.mark.shows(of="case", streams=streams.of_made_up)
@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_models_tell_what_the_databases_hold(case, spark, tmp_path, compared):
    databases = {name: case.databases(name) for name in case.kinds}
    spec = case.spec(case.kinds)
    project = project_of_spec(spec, tmp_path / "project", spark, schema="made_up")
    try:
        for part in landings(case, databases):
            project.land(part)
            project.run("run")
            compared["dbt runs over made-up databases"] += 1
        assert project.rows("dq_src__quarantine") == []
        assert not [c for c in project.counts() if c[1] in ("pending", "alarm")]
        if case.runs >= 3:
            cuts = sum(map(len, databases.values()))
            compared["random cuts of a log into three and more runs"] += cuts
        faults = []
        for name, logs in databases.items():
            table = spec.tables[f"made_up.{name}"]
            for log, found in faults_of(project, table, logs, compared).items():
                command = f"python -m tests.laws.shrink {case.connector} {case.seed} {name} {log}"
                faults.append("\n".join([command, *found[:3]]))
        assert not faults, f"{len(faults)} logs differ\n" + "\n".join(faults)
        written = project.files()
        project.run("run")
        assert project.files() == written, "a run with nothing new wrote something"
    finally:
        drop(spark, project)


def landings(case: Case, databases: dict[str, list[Database]]) -> list[list[dict]]:
    """What lands before each run, of all logs of all tables."""
    parts: list[list[dict]] = [[] for _ in range(case.runs)]
    for name, logs in databases.items():
        for database in logs:
            landed = case.deliveries(name, database.log, database.stream)
            for part, more in zip(parts, landed, strict=True):
                part += more
    return parts


def faults_of(project, table: Table, logs: list[Database], compared) -> dict[int, list[str]]:
    """Log -> how cur_ at the end and hist_ at its marks differ from what the database held."""
    current = by_log(project.rows(f"cur_src__{table_name(table.name)}"))
    history = by_log(project.rows(f"hist_src__{table_name(table.name)}"))
    strangers = (current.keys() | history.keys()) - {database.log for database in logs}
    assert not strangers, f"{table.name} has rows of no log: {strangers}"
    faults = {}
    for database in logs:
        rows = living(current[database.log])
        found = [f"in the end: {f}" for f in compare_table(table, database.rows(), rows)]
        compared["made-up databases"] += 1
        compared["records of made-up databases"] += len(database.stream)
        compared["rows of cur_ with made-up databases"] += len(rows)
        for position, expected in database.marks:
            shown = [row for row in history[database.log] if exists_before(row, position)]
            compared["marks of made-up databases"] += 1
            compared["rows of hist_ as of a mark with made-up databases"] += len(shown)
            found += [f"at {position}: {f}" for f in compare_table(table, expected, shown)]
        if table.keeps_deleted:
            found += deleted_faults(current[database.log], history[database.log])
            compared["deleted rows of cur_ with made-up databases"] += len(
                current[database.log]
            ) - len(rows)
        if found:
            faults[database.log] = found
    return faults


def living(rows: list[dict]) -> list[dict]:
    """Without the deleted rows that the current state keeps."""
    return [row for row in rows if not row.get("_cdc_is_deleted")]


def deleted_faults(current: list[dict], history: list[dict]) -> list[str]:
    """How the deleted rows in the current state differ from the last versions of deleted keys."""
    newest = {row["_cdc_key"]: row for row in sorted(history, key=lambda row: row["_cdc_order"])}
    expected = {
        (key, row["_cdc_event_id"], row["_cdc_end_reason"], row["valid_to"], row["n"])
        for key, row in newest.items()
        if not row["is_current"]
    }
    told = {
        (r["_cdc_key"], r["_cdc_event_id"], r["_cdc_end_reason"], r["_cdc_deleted_ts"], r["n"])
        for r in current
        if r["_cdc_is_deleted"]
    }
    return [f"deleted rows: {difference}" for difference in expected ^ told]


def by_log(rows: list[dict]) -> dict[int, list[dict]]:
    found = defaultdict(list)
    for row in rows:
        found[log_of(row)].append(row)
    return found

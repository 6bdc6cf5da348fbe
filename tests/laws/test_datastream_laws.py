"""Generated databases read by Google Datastream: the independent fold, and by real `dbt run`s the
models, reproduce what they hold, however the files' events land: in any order, some twice, in
several runs."""

import json
from collections import Counter, defaultdict
from dataclasses import dataclass
from datetime import datetime
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from afterimage.readers import datastream
from tests.coverage import streams
from tests.functional.conftest import drop
from tests.functional.project import Project
from tests.functional.test_truth import exists_before
from tests.laws.datastream import COLUMNS, KEYS_OF_A_LOG, Database
from tests.laws.datastream_avro import SCHEMAS, json_of_avro
from tests.laws.delivery import deliveries
from tests.oracle.datastream import PLACES, fold
from tests.truth.datastream import fixtures

SYSTEMS = tuple(COLUMNS)


def key_of(system: str) -> str:
    return next(iter(COLUMNS[system]))


# --- the fold, which comes before the models ----------------------------------------------------


@settings(max_examples=120, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.sampled_from(SYSTEMS), st.randoms(use_true_random=False), st.integers(1, 30))
def test_the_fold_tells_what_the_database_holds(system, random, steps):
    database = Database(random, system)
    database.work(steps)
    landed = [event for part in deliveries(database.events, random, 3, False) for event in part]
    folded = fold(landed, (key_of(system),), system)
    assert told(folded.rows) == literals(database, database.rows())
    for place, rows in database.marks:
        assert told(folded.rows_at(place)) == literals(database, rows), place


def told(rows: list[dict]) -> list[str]:
    return sorted(str(tuple(row.values())) for row in rows)


def literals(database: Database, rows: list[tuple]) -> list[str]:
    return sorted(str(tuple(database._literals(row))) for row in rows)


@pytest.mark.shared
def test_the_events_are_of_the_form_of_real_ones():
    """Fields and the types of their values: those of Google's MySQL files."""
    real = defaultdict(set)
    for fixture in fixtures():
        if fixture.system == "mysql":
            for path in fixture.paths:
                with path.open("rb") as stream:
                    for record in datastream.read(stream):
                        collect(real, record.value)
    made_up = defaultdict(set)
    for seed in range(20):
        database = Database(Random(seed), "mysql")
        database.work(10)
        for event in database.events:
            collect(made_up, event)
    assert made_up.keys() == real.keys()
    # numbers of JSON files, which become text in Avro
    real["read_timestamp"] |= {int}
    real["source_timestamp"] |= {int}
    assert {name: kinds - real[name] for name, kinds in made_up.items() if kinds - real[name]} == {}


# source_metadata of the event in the one real file of PostgreSQL (see datastream_avro.py)
OF_POSTGRESQL = {
    "schema": str,
    "table": str,
    "is_deleted": bool,
    "change_type": str,
    "tx_id": int,
    "lsn": str,
    "primary_keys": list,
}


def test_the_metadata_of_postgresql_is_that_of_a_real_event():
    kinds = defaultdict(set)
    for seed in range(20):
        database = Database(Random(seed), "postgresql")
        database.work(10)
        for event in database.events:
            for name, value in event["source_metadata"].items():
                kinds[name].add(type(value))
    # a row that a backfill read has no position and no transaction
    assert {name: of - {type(None)} for name, of in kinds.items()} == {
        name: {of} for name, of in OF_POSTGRESQL.items()
    }


def collect(kinds: dict[str, set], event) -> None:
    event = json.loads(event) if isinstance(event, bytes) else event
    for name, value in (event | event["source_metadata"]).items():
        if name not in ("payload", "source_metadata"):
            kinds[name].add(type(value))
    for number, value in enumerate(event.get("sort_keys") or ()):
        kinds[f"sort_keys {number}"].add(type(value))


# --- the models ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Case:
    seed: int
    logs: int
    runs: int = 3
    in_order: bool = False
    systems: tuple[str, ...] = ("mysql", "oracle")

    def __str__(self) -> str:
        order = "in-order" if self.in_order else "in-any-order"
        of = "-".join(self.systems)
        return f"{of}-{self.seed}-{self.logs}-logs-{order}-in-{self.runs}-runs"

    def databases(self, system: str) -> list[Database]:
        """For systems that also have generated Avro files, every other log is in Avro."""
        found = []
        for log in range(self.logs):
            random = Random(f"datastream {system} {self.seed} {log}")
            database = Database(random, system, log, in_avro=system in SCHEMAS and log % 2 == 1)
            database.work(30)
            found.append(database)
        return found


CASES = [
    pytest.param(
        Case(seed, logs, runs, in_order, systems),
        marks=() if logs == 10 else pytest.mark.slow,
    )
    for systems in (("mysql", "oracle"), ("postgresql", "sqlserver"))
    for seed, logs, runs, in_order in (
        (1, 10, 3, False),
        (2, 150, 3, False),
        (3, 150, 3, True),
        (4, 60, 6, False),
    )
]


def contract_of(system: str) -> dict:
    return {
        "connector": f"datastream_{system}",
        "topic": system,
        "key": [key_of(system)],
        "columns": COLUMNS[system],
    }


@pytest.mark.shows(of="case", streams=streams.of_made_up_datastream)
@pytest.mark.parametrize("case", CASES, ids=str)
def test_models_tell_what_the_databases_hold(case, spark, tmp_path, compared):
    logs = {system: case.databases(system) for system in case.systems}
    project = Project(
        tmp_path / "project",
        spark,
        "ds",
        {},
        {system: contract_of(system) for system in case.systems},
        schema="datastream_laws",
        landing="datastream_laws_landing.events",
    )
    try:
        for part in landings(case, logs):
            project.land(part)
            project.run("run")
        assert project.rows("dq_ds__quarantine") == []
        counts = project.counts()
        assert not [c for c in counts if c[1] in ("pending", "alarm")]
        told = {system: ordered_by_uuid(databases) for system, databases in logs.items()}
        assert {c[0]: n for c, n in counts.items() if c[1] == "ambiguous"} == {
            system: number for system, number in told.items() if number
        }
        faults = []
        for system, databases in logs.items():
            faults += faults_of(project, system, databases, compared)
        assert not faults, f"{len(faults)} differences\n" + "\n".join(faults[:9])
        written = project.files()
        project.run("run")
        assert project.files() == written, "a run with nothing new wrote something"
    finally:
        drop(spark, project)


def ordered_by_uuid(databases: list[Database]) -> int:
    """How many changes share a position with another change of their key; accounting reports
    them."""
    at = Counter()
    for database in databases:
        for event in database.events:
            metadata = event["source_metadata"]
            if "backfill" not in event["read_method"]:
                key = event["payload"][key_of(database.system)]
                tie_break = metadata["change_type"] == "UPDATE-DELETE"
                at[key, PLACES[database.system](event), tie_break] += 1
    return sum(number for number in at.values() if number > 1)


def landings(case: Case, logs: dict[str, list[Database]]) -> list[list[dict]]:
    """What lands before each run; a redelivered event has its own position."""
    parts: list[list[dict]] = [[] for _ in range(case.runs)]
    offset = 0
    for system, databases in logs.items():
        for database in databases:
            random = Random(f"datastream {system} {case.seed} {database.log} lands")
            in_avro = json_of_avro(database) if database.in_avro else {}
            landed = deliveries(database.events, random, case.runs, case.in_order)
            for part, events in zip(parts, landed, strict=True):
                for event in events:
                    offset += 1
                    place = {"topic": system, "partition": 0, "offset": offset}
                    value = in_avro.get(event["uuid"], event)
                    part.append(place | {"timestamp": offset, "value": value})
    return parts


def faults_of(project: Project, system: str, databases: list[Database], compared) -> list[str]:
    """How cur_ at the end and hist_ at the marks differ from what the databases held."""
    current = by_log(project.rows(f"cur_ds__{system}"), system)
    history = by_log(project.rows(f"hist_ds__{system}"), system)
    assert current.keys() | history.keys() <= set(range(len(databases)))
    faults = []
    for database in databases:
        log = database.log
        compared[f"events of made-up databases, Datastream of {system}"] += len(database.events)
        compared["rows of cur_ with made-up databases of Datastream"] += len(current[log])
        faults += differences(f"{system} {log} in the end", database.rows(), current[log], system)
        for place, rows in database.marks:
            position = position_of(place, system)
            shown = [row for row in history[log] if exists_before(row, position)]
            compared["rows of hist_ as of a mark with made-up databases of Datastream"] += len(
                shown
            )
            compared["marks of made-up databases of Datastream"] += 1
            faults += differences(f"{system} {log} at {position}", rows, shown, system)
    return faults


def differences(where: str, expected: list[tuple], rows: list[dict], system: str) -> list[str]:
    found = sorted((values_of(row, system) for row in rows), key=str)
    held = sorted(expected, key=str)
    return [] if found == held else [f"{where}: expected {held}\n  found {found}"]


def values_of(row: dict, system: str) -> tuple:
    """Key as a number, all else as the database prints it."""
    key, *rest = (row[name] for name in COLUMNS[system])
    return int(key), *(
        str(v.date() if isinstance(v, datetime) else v) if v is not None else None for v in rest
    )


def position_of(place: tuple, system: str) -> str:
    if system == "mysql":
        return f"{place[0]:010}.{place[1]:012}"
    if system in ("postgresql", "sqlserver"):
        return f"{place[0]:0{16 if system == 'postgresql' else 20}x}"
    return f"{place[0]:020}.{'0' * 24}.{'0' * 10}"


def by_log(rows: list[dict], system: str) -> dict[int, list[dict]]:
    found = defaultdict(list)
    for row in rows:
        found[int(row[key_of(system)]) // KEYS_OF_A_LOG].append(row)
    return found

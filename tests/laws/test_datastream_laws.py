"""Made-up databases read by Google Datastream: the independent fold, and by real `dbt run`s the
models, tell what they hold, however the files' events land: in any order, some of them twice, in
several runs."""

from __future__ import annotations

import json
from collections import defaultdict
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
from tests.laws.delivery import deliveries
from tests.oracle.datastream import fold
from tests.truth.datastream import fixtures, folder

SYSTEMS = tuple(COLUMNS)


def key_of(system: str) -> str:
    return next(iter(COLUMNS[system]))


# --- the fold, which may then judge -------------------------------------------------------------


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


@pytest.mark.skipif(not folder().exists(), reason="Google's files are not here")
def test_the_events_are_of_the_form_of_real_ones():
    """Fields and the types of their values: those of Google's files of MySQL."""
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
    # numbers of JSON files, where Avro's become text
    real["read_timestamp"] |= {int}
    real["source_timestamp"] |= {int}
    assert {name: kinds - real[name] for name, kinds in made_up.items() if kinds - real[name]} == {}


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

    def __str__(self) -> str:
        order = "in-order" if self.in_order else "in-any-order"
        return f"{self.seed}-{self.logs}-logs-{order}-in-{self.runs}-runs"

    def databases(self, system: str) -> list[Database]:
        found = []
        for log in range(self.logs):
            database = Database(Random(f"datastream {system} {self.seed} {log}"), system, log)
            database.work(30)
            found.append(database)
        return found


CASES = [
    pytest.param(Case(1, logs=30, runs=2), marks=pytest.mark.sampled),
    pytest.param(Case(2, logs=150), marks=pytest.mark.slow),
    pytest.param(Case(3, logs=150, in_order=True), marks=pytest.mark.slow),
    pytest.param(Case(4, logs=60, runs=6), marks=pytest.mark.slow),
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
    logs = {system: case.databases(system) for system in SYSTEMS}
    project = Project(
        tmp_path / "project",
        spark,
        "ds",
        {},
        {system: contract_of(system) for system in SYSTEMS},
        schema="datastream_laws",
        landing="datastream_laws_landing.events",
    )
    try:
        for part in landings(case, logs):
            project.land(part)
            project.run("run")
        assert project.rows("dq_ds__quarantine") == []
        assert not [c for c in project.counts() if c[1] in ("pending", "alarm", "ambiguous")]
        faults = []
        for system, databases in logs.items():
            faults += faults_of(project, system, databases, compared)
        assert not faults, f"{len(faults)} differences\n" + "\n".join(faults[:9])
        written = project.files()
        project.run("run")
        assert project.files() == written, "a run with nothing new wrote something"
    finally:
        drop(spark, project)


def landings(case: Case, logs: dict[str, list[Database]]) -> list[list[dict]]:
    """What lands before each run; an event that is delivered again has a place of its own."""
    parts: list[list[dict]] = [[] for _ in range(case.runs)]
    offset = 0
    for system, databases in logs.items():
        for database in databases:
            random = Random(f"datastream {system} {case.seed} {database.log} lands")
            landed = deliveries(database.events, random, case.runs, case.in_order)
            for part, events in zip(parts, landed, strict=True):
                for event in events:
                    offset += 1
                    place = {"topic": system, "partition": 0, "offset": offset}
                    part.append(place | {"timestamp": offset, "value": event})
    return parts


def faults_of(project: Project, system: str, databases: list[Database], compared) -> list[str]:
    """How cur_ in the end and hist_ at the marks differ from what the databases held."""
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
    return f"{place[0]:020}.{'0' * 24}.{'0' * 10}"


def by_log(rows: list[dict], system: str) -> dict[int, list[dict]]:
    found = defaultdict(list)
    for row in rows:
        found[int(row[key_of(system)]) // KEYS_OF_A_LOG].append(row)
    return found

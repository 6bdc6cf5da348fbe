"""The models against made-up databases, by real `dbt run`s over several deliveries.

Truth, batch split, arrival order and replay at once: whatever the deliveries, `cur_` is what the
database holds, `hist_` as of each mark what it held, and one more run writes nothing.

A failure is shrunk by `python -m tests.laws.shrink`, whose command the message ends with.
"""

from __future__ import annotations

from random import Random

import pytest

from tests.functional.capture_project import project_of_spec, table_name
from tests.functional.conftest import drop
from tests.functional.test_truth import exists_before
from tests.laws.database import TABLES, Database
from tests.laws.delivery import deliveries
from tests.laws.test_oracle_laws import kinds
from tests.oracle.spec import build_spec
from tests.truth.compare import compare_table

RUNS = 3


def made_up(connector: str, seed: int, transactions: int = 40) -> dict[str, Database]:
    """A database a kind of table, all of one server."""
    found = {}
    for name in kinds(connector):
        random = Random(f"{connector} {name} {seed}")
        database = Database(random, TABLES[name], connector, topic=f"t.made_up.{name}")
        database.work(transactions)
        found[f"made_up.{name}"] = database
    return found


def spec_of(databases: dict[str, Database], connector: str):
    """All their tables as one declared stream."""
    return build_spec(
        {
            "connector": connector,
            "settings": {"decimal_handling_mode": "string"},
            "tables": {name: database.declared for name, database in databases.items()},
        }
    )


CASES = [
    pytest.param("postgresql", 1, False, id="postgresql-in-any-order"),
    pytest.param("mysql", 2, False, id="mysql-in-any-order", marks=pytest.mark.slow),
    *(
        pytest.param(
            connector, seed, seed % 3 == 0, id=f"{connector}-{seed}", marks=pytest.mark.slow
        )
        for connector in ("postgresql", "mysql")
        for seed in range(3, 18)
    ),
]


@pytest.mark.parametrize(("connector", "seed", "in_order"), CASES)
def test_models_tell_what_the_database_holds(connector, seed, in_order, spark, tmp_path, compared):
    databases = made_up(connector, seed)
    spec = spec_of(databases, connector)
    project = project_of_spec(spec, tmp_path / "project", spark, schema="made_up")
    try:
        random = Random(seed)
        parts: list[list[dict]] = [[] for _ in range(RUNS)]
        for database in databases.values():
            for part, landed in zip(
                parts, deliveries(database.stream, random, RUNS, in_order), strict=True
            ):
                part += landed
        for part in parts:
            project.land(part)
            project.run("run")
        assert project.rows("dq_src__quarantine") == []
        faults = [
            fault
            for name, database in databases.items()
            for fault in faults_of(project, spec.tables[name], database, compared)
        ]
        assert faults == [], f"python -m tests.laws.shrink {connector} {seed}"
        written = project.files()
        project.run("run")
        assert project.files() == written, "a run with nothing new wrote something"
    finally:
        drop(spark, project)


def faults_of(project, table, database: Database, compared) -> list[str]:
    """How cur_ in the end and hist_ at the marks differ from the database."""
    rows = project.rows(f"cur_src__{table_name(table.name)}")
    compared["rows of cur_ with made-up databases"] += len(rows)
    faults = [str(fault) for fault in compare_table(table, database.rows(), rows)]
    history = project.rows(f"hist_src__{table_name(table.name)}")
    for position, expected in database.marks:
        shown = [row for row in history if exists_before(row, position)]
        compared["rows of hist_ as of a mark with made-up databases"] += len(shown)
        faults += [f"at {position}: {fault}" for fault in compare_table(table, expected, shown)]
    return faults

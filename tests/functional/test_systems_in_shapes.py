"""Each system in each shape: a generated database's changes, alternating between a converter's
forms, give the rows that it holds.

The converter determines a shape, the connector a log position; this tests their combinations.
"""

import json
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from random import Random

import pytest

from tests.coverage.counts import Stream
from tests.functional.capture_project import land_schemas, table_contract
from tests.functional.project import Project
from tests.laws import shapes
from tests.laws.database import TABLES, Database
from tests.laws.many import contract
from tests.laws.shapes import Shaped, contract_of
from tests.laws.writers import WRITERS
from tests.oracle.records import Record
from tests.oracle.spec import Spec, build_spec
from tests.truth.compare import canonical_key, compare_table

# name of a table → shapes of its records, which alternate
TOPICS = {
    "mixed": (*shapes.TEXTS, "Avro, Confluent"),
    "apicurio": ("Avro, Apicurio",),
    "headers": ("Avro, id in headers",),
    "events": shapes.EVENTS,
    "plain_events": (shapes.PLAIN_EVENTS,),
}
ROWS = {shape.removeprefix("row, ").replace("-", "_"): (shape,) for shape in shapes.ROWS}

# name of a table → its other settings, if the first lacks something rare: a truncate, a snapshot in
# the middle, a key change
AGAIN = {
    "postgresql_tombstone": " 2",
    "mysql_events": " 2",
    "mysql_plain_events": " 2",
    "mariadb_plain_events": " 2",
    "oracle_plain_events": " 2",
    "db2_rewrite": " 2",
    "sqlserver_mixed": " 4",
}


@dataclass(frozen=True)
class Made:
    """A table of a generated database and its records in some shapes."""

    connector: str
    name: str
    shapes: tuple[str, ...]
    kind: str

    @cached_property
    def database(self) -> Database:
        """Rows alone do not carry truncates, and offsets do not show what was not sent."""
        again = AGAIN.get(self.name, "")
        database = Database(
            Random(f"{self.connector} {self.name}{again}"),
            TABLES[self.kind],
            self.connector,
            topic=f"t.made_up.{self.name}",
            truncates=not self.is_of_rows,
        )
        if self.is_of_rows or shapes.PLAIN_EVENTS in self.shapes:
            database.writer.leaves_out = False
        database.work(transactions=60, blocking=True)
        return database

    @property
    def is_of_rows(self) -> bool:
        return self.shapes[0].startswith("row")

    @cached_property
    def shaped(self) -> Shaped:
        return Shaped(
            self.connector, self.shapes, tuple(self.database.columns), self.database.kind.key
        )

    @cached_property
    def records(self) -> list[dict]:
        return self.shaped.records(self.database.stream)

    @cached_property
    def spec(self) -> Spec:
        return build_spec(contract(self.connector, {self.name: self.database.declared}))

    def contract(self, schemas: str) -> dict:
        found = table_contract(self.spec, self.spec.tables[self.name])
        found |= contract_of(self.connector, self.shapes[-1])
        has_schemas = self.records and self.shaped.schemas
        return found | ({"avro_schemas": schemas} if has_schemas else {})


def made(connector: str) -> list[Made]:
    """All tables of a system: with a key and without one, unless a shape needs a key."""
    found = []
    for name, of in TOPICS.items():
        found.append(Made(connector, f"{connector}_{name}", of, "keyed"))
        if shapes.PLAIN_EVENTS not in of:
            found.append(Made(connector, f"{connector}_{name}_bag", of, "bag"))
    return found + [
        Made(connector, f"{connector}_{name}", of, "keyed") for name, of in ROWS.items()
    ]


def keyless() -> list[Made]:
    """A table without a key of each system, in a shape that does not mark creates."""
    return [Made(c, f"{c}_no_kind", (shapes.PLAIN_EVENTS,), "bag") for c in WRITERS]


def streams(connector: str) -> list[Stream]:
    """The landed records of a system's tables, for the coverage page."""
    return [stream_of(table) for table in made(connector)]


def keyless_streams() -> list[Stream]:
    return [stream_of(table) for table in keyless()]


def stream_of(table: Made) -> Stream:
    from tests.coverage.streams import of_spec

    spec = build_spec(
        contract(table.connector, {table.name: table.database.declared})
        | {"contract": contract_of(table.connector, table.shapes[-1])}
    )
    records = [Record(**record) for record in table.records]
    schemas = {entry["id"]: entry["schema"] for entry in table.shaped.schemas}
    return of_spec(f"made up in shapes: {table.connector}", spec, records, schemas)


@pytest.mark.slow
@pytest.mark.shows(of="connector", streams=streams)
@pytest.mark.parametrize("connector", WRITERS)
def test_rows_are_those_of_the_database(connector, make_project, compared):
    tables = made(connector)
    project = built(tables, f"shapes_{connector}", make_project)
    assert refused(project) == {}
    assert faults_of(project, tables, compared) == {}


# connector → its shape in `make test`
SAMPLE = {
    "postgresql": "events",
    "mysql": "mixed",
    "mariadb": "apicurio",
    "sqlserver": "rewrite",
    "oracle": "plain_events",
    "db2": "headers",
}


@pytest.mark.shows(streams=keyless_streams)
def test_a_shape_of_each_system(make_project, compared):
    chosen = [t for c, name in SAMPLE.items() for t in made(c) if t.name == f"{c}_{name}"]
    project = built([*chosen, *keyless()], "shapes_sample", make_project)
    # duplicates cannot be counted if creates look like snapshot reads
    assert refused(project) == {(t.name, "unknown_op"): created(t) for t in keyless()}
    assert faults_of(project, chosen, compared) == {}


def created(table: Made) -> int:
    """How many records have a row and no row before it."""
    images = [json.loads(r["value"])["data"] for r in table.records if r["value"]]
    return sum(bool(image["after"] and not image["before"]) for image in images)


def built(tables: list[Made], schema: str, make_project) -> Project:
    """The models of the tables, after one run over all their records."""
    project: Project = make_project(
        schema,
        source_contract={},
        tables={t.name: t.contract(f"{schema}_landing.schemas_{t.name}") for t in tables},
        # without history, which is allowed: the test is about how records are read
        layers={t.name: ["stg"] for t in tables},
        extra_models={
            f"cur_s__{t.name}": f"{{{{ afterimage.current_state(ref('stg_s__{t.name}')) }}}}\n"
            for t in tables
        },
    )
    for table in tables:
        if table.shaped.schemas:
            project.source_contract = {"avro_schemas": f"{schema}_landing.schemas_{table.name}"}
            land_schemas(project, table.shaped.schemas)
        project.land(table.records)
    project.run("run")
    return project


def refused(project: Project) -> dict[tuple, int]:
    rows = project.rows("dq_s__quarantine")
    return dict(Counter((row["table_name"], row["reason"]) for row in rows))


def faults_of(project: Project, tables: list[Made], compared) -> dict[str, list[str]]:
    """Table → the first differences between its current state and the database."""
    faults = {}
    for table in tables:
        declared = table.spec.tables[table.name]
        rows = project.rows(f"cur_s__{table.name}")
        expected = table.database.rows()
        if table.shapes[0] == "row, drop":  # deleted rows stay forever
            held = {canonical_key(declared, row) for row in expected}
            rows = [row for row in rows if canonical_key(declared, row) in held]
        compared["rows of cur_ with made-up databases in other shapes"] += len(rows)
        if found := compare_table(declared, expected, rows):
            faults[table.name] = [str(difference) for difference in found[:3]]
    return faults

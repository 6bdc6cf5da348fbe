"""Each system in each shape: a made-up database's changes, by turns in the forms a converter gives
them, leave the rows that it holds.

A shape is a converter's matter and a place in the log a connector's; here they meet.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from random import Random

import pytest

from tests.coverage.told import Stream
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

# name of a table → shapes of its records, by turns
TOPICS = {
    "mixed": (*shapes.TEXTS, "Avro, Confluent"),
    "apicurio": ("Avro, Apicurio",),
    "headers": ("Avro, id in headers",),
    "events": shapes.EVENTS,
    "plain_events": (shapes.PLAIN_EVENTS,),
}
ROWS = {shape.removeprefix("row, ").replace("-", "_"): (shape,) for shape in shapes.ROWS}


@dataclass(frozen=True)
class Made:
    """A table of a made-up database and its records in some shapes."""

    connector: str
    name: str
    shapes: tuple[str, ...]
    kind: str

    @cached_property
    def database(self) -> Database:
        """Rows alone tell nothing of truncates, and offsets nothing of what was not sent."""
        database = Database(
            Random(f"{self.connector} {self.name}"),
            TABLES[self.kind],
            self.connector,
            topic=f"t.made_up.{self.name}",
            truncates=not self.is_of_rows,
        )
        if self.is_of_rows or self.name == "plain_events":
            database.writer.leaves_out = False
        database.work(transactions=60)
        return database

    @property
    def is_of_rows(self) -> bool:
        return self.shapes[0].startswith("row")

    @cached_property
    def shaped(self) -> Shaped:
        return Shaped(self.connector, self.shapes, tuple(self.database.columns), self.database.kind.key)

    @cached_property
    def records(self) -> list[dict]:
        return self.shaped.records(self.database.stream)

    @cached_property
    def spec(self) -> Spec:
        return build_spec(contract(self.connector, {self.name: self.database.declared}))

    def contract(self, schemas: str) -> dict:
        found = table_contract(self.spec, self.spec.tables[self.name])
        found |= contract_of(self.connector, self.shapes[-1])
        return found | ({"avro_schemas": schemas} if self.shaped.schemas else {})


def made(connector: str) -> list[Made]:
    """All tables of a system: with a key and without one, but for rows, which need one."""
    found = []
    for name, of in TOPICS.items():
        found += [Made(connector, name, of, "keyed"), Made(connector, f"{name}_bag", of, "bag")]
    return found + [Made(connector, name, of, "keyed") for name, of in ROWS.items()]


def streams(connector: str) -> list[Stream]:
    """What the tables of a system land, for the page of coverage."""
    from tests.coverage.streams import of_spec

    found = []
    for table in made(connector):
        spec = build_spec(
            contract(connector, {table.name: table.database.declared})
            | {"contract": contract_of(connector, table.shapes[-1])}
        )
        records = [Record(**record) for record in table.records]
        schemas = {entry["id"]: entry["schema"] for entry in table.shaped.schemas}
        found.append(of_spec(f"made up in shapes: {connector}", spec, records, schemas))
    return found


@pytest.mark.shows(of="connector", streams=streams)
@pytest.mark.parametrize("connector", WRITERS)
def test_rows_are_those_of_the_database(connector, make_project, compared):
    schema = f"shapes_{connector}"
    tables = made(connector)
    records = {table.name: table.records for table in tables}
    project: Project = make_project(
        schema,
        source="s",
        source_contract={},
        # without history, as is allowed: what is asked is how records are read
        layers={t.name: ["stg"] for t in tables},
        extra_models={
            f"cur_s__{t.name}": f"{{{{ afterimage.current_state(ref('stg_s__{t.name}')) }}}}\n"
            for t in tables
        },
        tables={t.name: t.contract(f"{schema}_landing.schemas_{t.name}") for t in tables},
    )
    for table in tables:
        if table.shaped.schemas:
            project.source_contract = {"avro_schemas": f"{schema}_landing.schemas_{table.name}"}
            land_schemas(project, table.shaped.schemas)
        project.land(records[table.name])
    project.run("run")
    refused = Counter(
        (row["table_name"], row["reason"], row["detail"]) for row in project.rows("dq_s__quarantine")
    )
    assert dict(refused) == {}
    faults = {}
    for table in tables:
        declared = table.spec.tables[table.name]
        rows = project.rows(f"cur_s__{table.name}")
        expected = table.database.rows()
        if table.shapes[0] == "row, drop":  # deleted rows stay for ever
            held = {canonical_key(declared, row) for row in expected}
            rows = [row for row in rows if canonical_key(declared, row) in held]
        compared["rows of cur_ with made-up databases in other shapes"] += len(rows)
        if found := compare_table(declared, expected, rows):
            faults[table.name] = [str(difference) for difference in found[:3]]
    assert faults == {}

"""Documents in each shape: changes of a generated MongoDB, alternating between a converter's forms,
give the documents that it holds, now and at every mark.

test_systems_in_shapes.py does the same for the rows of the other systems.
"""

import json
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache, cached_property
from random import Random

import pytest

from tests.coverage.counts import Stream, Table
from tests.docs.markdown import ROOT, sections
from tests.docs.markdown import tables as tables_of
from tests.functional.capture_project import land_schemas
from tests.functional.project import Project
from tests.functional.test_systems_in_shapes import TOPICS, refused
from tests.laws import shapes
from tests.laws.document_shapes import ShapedDocuments
from tests.laws.many_documents import COLUMNS, differences, folded, log_of
from tests.laws.mongo import Mongo
from tests.laws.mongo_connector import MODES, Connector
from tests.laws.shapes import contract_of, text
from tests.oracle.records import Record


@dataclass(frozen=True)
class Made:
    """A collection of some generated databases and its records in some shapes."""

    mode: str
    name: str
    shapes: tuple[str, ...]
    logs: int = 3
    steps: int = 30

    @cached_property
    def connectors(self) -> list[Connector]:
        """The last one starts with an incremental snapshot. Only metadata or a header distinguishes
        equal changes of a transaction; events without attributes have only the header."""
        made = []
        for log in range(self.logs):
            random = Random(f"{self.mode} {self.name} {log}")
            connector = Connector(
                Mongo(random, log=log),
                random,
                mode=self.mode,
                topic=f"t.made_up.{self.name}",
                metadata=log != 1,
                initial=log != 2,
                blocking=True,
            )
            connector.work(self.steps)
            made.append(connector)
        return made

    @cached_property
    def shaped(self) -> ShapedDocuments:
        return ShapedDocuments(self.shapes)

    @cached_property
    def records(self) -> list[dict]:
        return [record for c in self.connectors for record in self.shaped.records(c.stream)]

    @property
    def tells_operations(self) -> bool:
        return shapes.PLAIN_EVENTS not in self.shapes

    def contract(self, schemas: str | None) -> dict:
        found = {"topic": f"t.made_up.{self.name}", "key": ["_id"], "columns": COLUMNS}
        found |= contract_of("mongodb", self.shapes[-1])
        return found | ({"avro_schemas": schemas} if self.records and self.shaped.schemas else {})


def made(mode: str) -> list[Made]:
    return [Made(mode, name, of) for name, of in TOPICS.items()]


# the part in `make test`: of two modes, a partial update and a document before it
SAMPLE = [
    Made(MODES[0], "mixed", TOPICS["mixed"], logs=2, steps=20),
    Made(MODES[3], "events", TOPICS["events"], logs=2, steps=20),
    Made(MODES[1], "plain_events", TOPICS["plain_events"], logs=2, steps=20),
]


@cache
def streams(mode: str) -> list[Stream]:
    """The landed records of a capture mode's collections, for the coverage page."""
    return [stream_of(table) for table in made(mode)]


@cache
def sampled_streams() -> list[Stream]:
    return [stream_of(table) for table in SAMPLE]


def stream_of(table: Made) -> Stream:
    landed = [Record(**record) for record in table.records]
    contract = table.contract("schemas")
    schemas = {entry["id"]: entry["schema"] for entry in table.shaped.schemas}
    tables = {contract["topic"]: Table(("_id",), COLUMNS)}
    name = f"made up in shapes: mongodb, {table.mode}"
    return Stream(name, "mongodb", contract, tables, landed, schemas=schemas)


@pytest.mark.slow
@pytest.mark.shows(of="mode", streams=streams)
@pytest.mark.parametrize("mode", MODES)
def test_documents_are_those_of_the_database(mode, make_project, compared):
    tables = made(mode)
    project = built(tables, f"documents_{mode}", make_project)
    assert refused(project) == {}
    assert faults_of(project, tables, compared) == {}


@pytest.mark.shows(streams=sampled_streams)
def test_a_shape_of_each_kind(make_project, compared):
    project = built(SAMPLE, "documents_sample", make_project)
    assert refused(project) == {}
    assert faults_of(project, SAMPLE, compared) == {}


def event(place: tuple[int, int] | None, data, *, op: str | None = None, **more) -> str:
    """A CloudEvent of a document; with `op` it has attributes."""
    told = {"specversion": "1.0", "source": "/debezium/mongodb/t", **more}
    if place:
        seconds, ord_ = place
        told["id"] = f"name:t;ts:{seconds * 1000};ord:{ord_}"
        told["time"] = datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%S.000Z")
    if op:
        told |= {"iodebeziumop": op, "iodebeziumtsms": str(place[0] * 1000), "iodebeziumrs": "rs0"}
        told |= {"iodebeziumord": place[1], "iodebeziumsnapshot": "false"}
    return text(told | {"data": data})


def images(after=None, before=None, update=None) -> dict:
    return {"before": before, "after": after, "updateDescription": update}


ONE, TWO = '{"_id": 1, "name": "Al"}', '{"_id": 1, "name": "Bo"}'
SET = {"removedFields": None, "updatedFields": '{"name": "Cy"}', "truncatedArrays": None}
TWICE = text({"before": None, "after": ONE})[:-1] + f',"after":{text(TWO)}}}'
# value of a record whose key is 1 → its result (_cdc_op, name), or the reason for its refusal
EVENTS = [
    (event((100, 1), images(ONE)), ("x", "Al")),
    (event((101, 1), images(TWO, update=SET)), ("u", "Bo")),
    (event((102, 1), images(None, update=SET)), ("u", "Cy")),
    (event((103, 1), images(TWO, before=ONE)), ("u", "Bo")),
    (event((104, 1), images(None, before=ONE)), ("d", "Al")),
    (event((105, 1), images()), ("d", None)),
    (event((106, 1), {"schema": {"type": "struct"}, "payload": images()}), ("d", None)),
    (event((107, 1), {"schema": {"type": "struct"}, "payload": images(ONE)}), ("x", "Al")),
    (event((108, 1), images(ONE), op="c"), ("c", "Al")),
    (event((109, 1), images(), op="d"), ("d", None)),
    (event((110, 1), {}), "wrong_envelope"),
    (event((110, 2), {"schema": {"type": "struct"}, "payload": {}}), "wrong_envelope"),
    (event((110, 3), None), "wrong_envelope"),
    (event((110, 4), images('{"_id": 2}')), "wrong_envelope"),
    (text({"id": "ts:1;ord:1", "data": images(ONE)}), "wrong_envelope"),
    (event((111, 1), images('{"_id": 1, "name": ')), "broken_document"),
    (event((111, 2), images('{"_id": 1, "name": {"$date": "no"}}')), "broken_document"),
    (event((112, 1), "TWICE").replace('"TWICE"', TWICE), "duplicate_json_key"),
    (
        event((112, 2), {"schema": {}, "payload": "TWICE"}).replace('"TWICE"', TWICE),
        "duplicate_json_key",
    ),
    (event(None, images(ONE)), "missing_position"),
    (event((113, 1), images(ONE), op="t"), "unknown_op"),
    (event((113, 2), images(ONE), op="x"), "unknown_op"),
]


def test_events_that_tell_their_change_and_that_do_not(make_project):
    """Without attributes only `data` determines the operation; if it does not, none is guessed."""
    table = {"topic": "t.made_up.people", "key": ["_id"], "format": "cloudevents"}
    project: Project = make_project(
        "documents_events",
        source_contract={"connector": "mongodb", "topic_prefix": "t"},
        tables={"people": table | {"columns": {"_id": "int", "name": "string"}}},
        layers={"people": ["stg"]},
    )
    key = text({"id": "1"})
    project.land(
        [
            {"topic": table["topic"], "partition": 0, "offset": n, "key": key, "value": value}
            for n, (value, _) in enumerate(EVENTS)
        ]
    )
    project.run("run")
    found = {r["_cdc_offset"]: (r["_cdc_op"], r["name"]) for r in project.rows("stg_s__people")}
    found |= {r["offset"]: r["reason"] for r in project.rows("dq_s__quarantine")}
    assert found == {n: becomes for n, (_, becomes) in enumerate(EVENTS)}


def test_the_page_tells_what_events_become():
    """docs/concepts/mongodb.md: each row of the table is among these events."""
    page = (ROOT / "docs" / "concepts" / "mongodb.md").read_text(encoding="utf-8")
    [table] = tables_of(sections(page)["Documents in other shapes"])
    shown = {"{}": "`wrong_envelope`"}
    for value, becomes in EVENTS:
        told = json.loads(value)
        if "iodebeziumop" not in told and isinstance(becomes, tuple) and "before" in told["data"]:
            data = {n: v and ("…" if isinstance(v, str) else {}) for n, v in told["data"].items()}
            shown[text(data | {"after": "…"} if becomes[0] == "u" else data)] = f"`{becomes[0]}`"
    found = {
        row["`data`"].strip("`").replace("{…}", "{}"): row["`_cdc_op`"].replace("refused", row[""])
        for row in table.rows
    }
    assert found.items() <= shown.items()


def built(tables: list[Made], schema: str, make_project) -> Project:
    """The models of the collections, after one run over all their records."""
    project: Project = make_project(
        schema,
        source_contract={"connector": "mongodb", "topic_prefix": "t"},
        tables={t.name: t.contract(f"{schema}_landing.schemas_{t.name}") for t in tables},
    )
    own = project.source_contract
    for table in tables:
        if table.shaped.schemas:
            project.source_contract = {"avro_schemas": f"{schema}_landing.schemas_{table.name}"}
            land_schemas(project, table.shaped.schemas)
        project.land(table.records)
    project.source_contract = own
    project.run("run")
    return project


def faults_of(project: Project, tables: list[Made], compared) -> dict[str, list[str]]:
    """Collection → the first differences between its models and the databases."""
    faults = {}
    for table in tables:
        current, history = (project.rows(f"{of}_s__{table.name}") for of in ("cur", "hist"))
        found, mine = [], Counter()
        events = sum(folded(connector).events for connector in table.connectors)
        staged = len(project.rows(f"stg_s__{table.name}"))
        if table.tells_operations and staged != events:
            found.append(f"of {events} changes {staged} are staged")
        for connector in table.connectors:
            of_log = [[r for r in rows if log_of(r, connector)] for rows in (current, history)]
            found += differences(connector, *of_log, mine)
        for name, number in mine.items():
            compared[f"{name}, in other shapes"] += number
        if found:
            faults[table.name] = found[:3]
    return faults

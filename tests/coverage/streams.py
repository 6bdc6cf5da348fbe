"""The streams that tests take, by what their parameters say: markers name one of these, as in

@pytest.mark.shows(of="name", streams=streams.of_capture)
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import fastavro

from tests.coverage.told import Stream, Table
from tests.oracle.records import Record, record_from
from tests.oracle.spec import Spec
from tests.truth.captures import captures
from tests.truth.user_streams import load_user_stream


def of_spec(name: str, spec: Spec, records: list, schemas: dict | None = None) -> Stream:
    """A declared stream; columns by the names events have."""
    tables = {
        topic: Table(
            tuple(spec.adjusted.get(column, column) for column in table.key),
            {spec.adjusted.get(c, c): kind.declared for c, kind in table.columns.items()},
        )
        for table in spec.tables.values()
        for topic in table.topics
    }
    return Stream(
        name,
        spec.connector,
        spec.contract,
        tables,
        records,
        spec.side_topics,
        schemas or {},
        spec.settings["unavailable_value_placeholder"],
    )


@cache
def of_capture(name: str) -> list[Stream]:
    capture = captures()[name]
    if not (capture.folder / "events.jsonl.gz").exists():
        return []
    schemas = {e["id"]: e["schema"] for e in capture.schemas} if capture.in_avro else {}
    return [of_spec(name, capture.spec, capture.records, schemas)]


@cache
def of_user_stream(path: Path) -> list[Stream]:
    stream = load_user_stream(path)
    return [of_spec(path.stem, stream.spec, stream.records)]


@cache
def of_fixture(name: str) -> list[Stream]:
    from tests.truth.fixtures import fixtures, folder

    if not folder().exists():
        return []
    fixture = fixtures()[name]
    return [of_spec(name, fixture.spec, fixture.records)]


@cache
def of_datastream(name: str) -> list[Stream]:
    """The events in files of Google Datastream, as fastavro reads them."""
    from tests.truth.datastream import fixtures, folder

    if not folder().exists():
        return []
    [fixture] = [fixture for fixture in fixtures() if fixture.name == name]
    tables = {topic: Table(fixture.key, fixture.columns) for topic in fixture.topics}
    records = [
        Record(event["object"], 0, number, None, json.dumps(event, default=str))
        for path in fixture.paths
        for number, event in enumerate(_events_of(path))
    ]
    contract = {"format": "datastream_json"}
    stream = Stream(name, fixture.connector, contract, tables, records, shape="Datastream Avro")
    return [stream]


@cache
def of_datastream_events(name: str) -> list[Stream]:
    """The hand-made events of a table of tests/functional/test_datastream_events.py."""
    from tests.functional.test_datastream_events import COLUMNS, TABLES, accepted

    contract = {"columns": COLUMNS} | TABLES[name]
    return [_of_json_files(f"datastream_events {name}", contract, accepted(name))]


@cache
def of_made_up_datastream(case) -> list[Stream]:
    """The first made-up database of each system, as it lands."""
    from tests.laws.datastream import COLUMNS
    from tests.laws.test_datastream_laws import SYSTEMS, key_of, landings

    found = []
    for system in SYSTEMS:
        parts = landings(case, {system: case.databases(system)[:1]})
        contract = {
            "connector": f"datastream_{system}",
            "topic": system,
            "key": [key_of(system)],
            "columns": COLUMNS[system],
        }
        landed = [record for part in parts for record in part]
        found.append(_of_json_files(f"made-up datastream {case}", contract, landed))
    return found


def _of_json_files(name: str, contract: dict, landed: list[dict]) -> Stream:
    tables = {contract["topic"]: Table(tuple(contract["key"]), contract["columns"])}
    records = [
        Record(r["topic"], r["partition"], r["offset"], None, json.dumps(r["value"]))
        for r in landed
    ]
    form = {"format": "datastream_json"}
    return Stream(name, contract["connector"], form, tables, records, shape="Datastream JSON")


def _events_of(path: Path) -> list[dict]:
    with path.open("rb") as file:
        return list(fastavro.reader(file))


def of_concepts(log: str) -> list[Stream]:
    """The cases of docs/concepts whose records are of one kind of log."""
    from tests.docs.test_concepts import PAGES

    return [
        of_spec(f"concepts: {page}", case.spec, case.records)
        for page, cases in PAGES.items()
        for case in cases
        if (log == "postgresql") == case.is_postgresql
    ]


@cache
def of_made_up(case) -> list[Stream]:
    """A log of each kind of table of a made-up case; the others are made alike."""
    name = f"made up: {case.connector}"
    return [
        of_spec(name, case.spec([kind]), [record_from(r) for r in case.database(kind, 0).stream])
        for kind in case.kinds
    ]

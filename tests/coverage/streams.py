"""The streams that tests take, by what their parameters say: markers name one of these, as in

@pytest.mark.shows(of="name", streams=streams.of_capture)
"""

import json
from dataclasses import replace
from functools import cache
from pathlib import Path

from tests.coverage.counts import Stream, Table
from tests.oracle.datastream import read_file
from tests.oracle.records import Record, record_from
from tests.oracle.spec import Spec
from tests.truth.captures import captures
from tests.truth.user_streams import load_user_stream


def of_spec(name: str, spec: Spec, records: list, schemas: dict | None = None) -> Stream:
    """A declared stream; columns under their names in events."""
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
        for number, event in enumerate(read_file(path))
    ]
    contract = {"format": "datastream_json"}
    stream = Stream(name, fixture.connector, contract, tables, records, shape="Datastream Avro")
    return [stream]


def _datastream(name: str, contract: dict, records: list[dict]) -> Stream:
    """Landed events of one table, in JSON."""
    table = Table(tuple(contract["key"]), contract["columns"])
    return Stream(
        f"datastream: {name}",
        contract["connector"],
        {"format": "datastream_json"},
        {contract["topic"]: table},
        [record_from(record) for record in records],
    )


@cache
def of_datastream_events(table: str) -> list[Stream]:
    """Those made by hand that are not refused."""
    from tests.functional.test_datastream_events import COLUMNS, STAGED, TABLES

    return [_datastream(table, {"columns": COLUMNS} | TABLES[table], STAGED[table])]


@cache
def of_rare_datastream(name: str) -> list[Stream]:
    from tests.functional.test_datastream_rare import AVRO, EVENTS, TABLES

    found = [_datastream(name, TABLES[name], EVENTS[name])]
    if name in AVRO:
        of_avro = _datastream(f"{name}, in Avro", TABLES[name], AVRO[name])
        found.append(replace(of_avro, shape="Datastream Avro"))
    return found


@cache
def of_datastream_page(title: str) -> list[Stream]:
    from tests.docs.test_datastream_page import CASES, contracts, line, table_of

    events = CASES[title][0]
    name = table_of(events)
    contract = contracts()[name]
    records = [
        {"topic": contract["topic"], "offset": number, "value": line(name, row, number)}
        for number, row in enumerate(events)
    ]
    return [_datastream(title, contract, records)]


@cache
def of_made_up_datastream(case) -> list[Stream]:
    """The first database of each system, as its events land, and the first in Avro."""
    from tests.laws.datastream_avro import SCHEMAS
    from tests.laws.test_datastream_laws import contract_of, landings

    found = []
    for system in case.systems:
        made_up = replace(case, logs=2 if system in SCHEMAS else 1).databases(system)
        for database in made_up:
            records = [r for part in landings(case, {system: [database]}) for r in part]
            name = f"made up {system}" + (", in Avro" if database.in_avro else "")
            stream = _datastream(name, contract_of(system), records)
            found.append(replace(stream, shape="Datastream Avro" if database.in_avro else ""))
    return found


def _documents(name: str, contract: dict, records: list[dict]) -> Stream:
    table = Table(tuple(contract["key"]), contract["columns"])
    landed = [record_from(record) for record in records]
    return Stream(name, "mongodb", {}, {contract["topic"]: table}, landed)


@cache
def of_mongodb_page(title: str) -> list[Stream]:
    """The records of a case, unless it shows refusals."""
    from tests.docs.test_mongodb_page import CONTRACT, PARTS, RECORDS

    if "reason" in PARTS[title][1].rows[0]:
        return []
    return [_documents(f"mongodb: {title}", CONTRACT, RECORDS[title])]


@cache
def of_made_up_documents(case) -> list[Stream]:
    """The first log of a generated case, and the first that starts with an incremental snapshot."""
    from tests.laws.many_documents import COLUMNS, TOPIC

    contract = {"topic": TOPIC, "key": ["_id"], "columns": COLUMNS}
    records = [record for log in (0, 4) for record in case.connector(log).stream]
    return [_documents(f"made up: mongodb, {case.mode}", contract, records)]


@cache
def of_flat_documents() -> list[Stream]:
    """The first log of each setting of ExtractNewDocumentState."""
    from tests.laws.document_state import flattened
    from tests.laws.test_document_state_laws import SETTINGS, connector, contract

    found = []
    for name, (_, options, _) in SETTINGS.items():
        records = [flattened(record, options) for record in connector(name, 0).stream]
        stream = _documents(
            f"made up: documents, {name}", contract(name), [record for record in records if record]
        )
        found.append(replace(stream, contract=contract(name) | {"format": "unwrapped"}))
    return found


def of_concepts(log: str) -> list[Stream]:
    """The cases of docs/concepts with records of one kind of log. The usual contracts are in
    both."""
    if log == "usual contracts":
        return []
    from tests.docs.test_concepts import PAGES

    return [
        of_spec(f"concepts: {page}", case.spec, case.records)
        for page, cases in PAGES.items()
        for case in cases
        if (log == "postgresql") == case.is_postgresql
    ]


@cache
def of_made_up(case) -> list[Stream]:
    """A log of each kind of table of a generated case; the others are made alike."""
    name = f"made up: {case.connector}"
    return [
        of_spec(name, case.spec([kind]), [record_from(r) for r in case.database(kind, 0).stream])
        for kind in case.kinds
    ]

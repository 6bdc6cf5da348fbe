"""The models compared with documents that ExtractNewDocumentState took from generated change
events, with each of its options, by real `dbt run`s: `cur_` is what the database holds, as the
transformation writes it; one more run writes nothing."""

import json
from random import Random

import pytest

from tests.coverage import streams
from tests.functional.conftest import drop
from tests.functional.project import Project
from tests.laws.delivery import deliveries
from tests.laws.document_state import Options, flattened
from tests.laws.mongo import IDS, Mongo
from tests.laws.mongo_connector import Connector, key_of
from tests.oracle.bson import Timestamp
from tests.oracle.flat_documents import fold, without_nulls
from tests.oracle.records import record_from

LOGS, RUNS = 3, 2
PLACES = ("source.ts_ms", "source.ord", "source.snapshot")
PLACES += ("transaction.id", "transaction.total_order")
CHANGED = tuple(
    f"updateDescription.{name}" for name in ("removedFields", "truncatedArrays", "updatedFields")
)
FULL = "change_streams_update_full"
# name -> capture mode, options, and what a contract declares for the resulting deletes
SETTINGS = {
    "rewritten": (
        FULL,
        Options(delete_handling="rewrite", add_fields=("op", *PLACES), says="connector"),
        "rewrite",
    ),
    "rewritten_with_tombstones": (
        FULL + "_with_pre_image",
        Options(
            delete_handling="rewrite", drop_tombstones=False, array_encoding="document",
            add_fields=("op", *PLACES), says="connector",
        ),
        "rewrite-with-tombstone",
    ),
    "flat": (
        FULL,
        Options(
            delete_handling="rewrite", array_encoding="document", flatten_struct=True,
            add_headers=("op",), says="connector",
        ),
        "rewrite",
    ),
    "nothing_left": (
        FULL,
        Options(delete_handling="none", array_encoding="document", flatten_struct=True,
                flatten_struct_delimiter="-", says="connector"),
        "delete-to-tombstone",
    ),
    "tombstones": (
        FULL,
        Options(
            delete_handling="drop", drop_tombstones=False, says="connector",
            add_headers=("op", "source.snapshot", "transaction.id"),
        ),
        "tombstone",
    ),
    # updates carry only what changed
    "partial": (
        "change_streams",
        Options(delete_handling="rewrite", add_fields=("op", *PLACES, *CHANGED), says="connector"),
        "rewrite",
    ),
    "partial_numbered": (
        "change_streams",
        Options(
            delete_handling="rewrite", array_encoding="document",
            add_fields=("op", *PLACES, *CHANGED), says="connector",
        ),
        "rewrite",
    ),
    # or the document before, together with the paths that were set
    "before": (
        "change_streams_with_pre_image",
        Options(delete_handling="rewrite", add_fields=("op", *PLACES, *CHANGED), says="connector"),
        "rewrite",
    ),
}  # fmt: skip
WHOLE = [name for name, (mode, *_) in SETTINGS.items() if FULL in mode]
COLUMNS = {"_id": "any", "name": "string", "big": "long", "at": "date", "where.city": "any"}


def contract(name: str) -> dict:
    mode, options, deletes = SETTINGS[name]
    found = {
        "topic": f"t.made_up.{name}",
        "key": ["_id"],
        "columns": COLUMNS,
        "capture_mode": mode,
        "array_encoding": options.array_encoding,
        "delete_tombstone_handling_mode": deletes,
    }
    if options.flatten_struct:
        found["flatten_struct_delimiter"] = options.flatten_struct_delimiter
    if options.add_fields:
        found["add_fields"] = list(options.add_fields)
    if options.add_headers:
        found["add_headers"] = list(options.add_headers)
    return found


def connector(name: str, log: int) -> Connector:
    """Without _ids that are timestamps, of which a key keeps only the seconds. As connectors write
    it: by the guide, an update whose document is gone has no `_id`."""
    mode, options, _ = SETTINGS[name]
    random = Random(f"{name} {log}")
    ids = tuple(make for make in IDS if not isinstance(make(0, 0), Timestamp))
    uniform = options.array_encoding == "array"
    # a member whose name contains dots looks like the path of an update
    dotted = name in WHOLE and not options.flatten_struct
    database = Mongo(random, log=log, dotted=dotted, uniform=uniform, ids=ids)
    topic = f"t.made_up.{name}"
    found = Connector(database, random, mode, topic=topic, metadata=True, blocking=True)
    found.work(25)
    return found


def held(name: str, connectors: list[Connector]) -> dict[str, dict]:
    """Text of the key -> the document, as the transformation writes it."""
    _, options, _ = SETTINGS[name]
    plain = Options(
        options.array_encoding, options.flatten_struct, options.flatten_struct_delimiter
    )
    found = {}
    for connector in connectors:
        for document in connector.database.documents.values():
            value = {"op": "r", "before": None, "updateDescription": None}
            value |= {"after": connector._image(document)}
            record = {"value": json.dumps(value), "headers": {}}
            record |= {"key": json.dumps(key_of(document["_id"]))}
            record = flattened(record, plain)
            key = identity(read(record["key"])["id"])
            found[key] = normal(without_nulls(read(record["value"])))
    return found


def normal(value) -> str:
    """As a text, for any order of members and any spelling of doubles."""
    return json.dumps(value, sort_keys=True)


def identity(value) -> str:
    """With another order of members it is another document."""
    return json.dumps(value)


def read(text: str):
    return json.loads(text, parse_float=lambda digits: f"{float(digits)!r} as a double")


@pytest.mark.shows(streams=streams.of_flat_documents)
def test_documents_of_every_option(spark, tmp_path, compared):
    connectors = {name: [connector(name, log) for log in range(LOGS)] for name in SETTINGS}
    project = Project(
        tmp_path / "project",
        spark,
        "src",
        {"connector": "mongodb", "format": "unwrapped", "topic_prefix": "t"},
        {name: contract(name) for name in SETTINGS},
        schema="flat_documents",
        landing="flat_documents_landing.events",
    )
    try:
        parts: list[list[dict]] = [[] for _ in range(RUNS)]
        for name, logs in connectors.items():
            for log, one in enumerate(logs):
                records = [flattened(record, SETTINGS[name][1]) for record in one.stream]
                records = [record for record in records if record]
                landed = deliveries(records, Random(f"{name} {log}"), RUNS, in_order=False)
                for part, more in zip(parts, landed, strict=True):
                    part += more
        for part in parts:
            project.land(part)
            project.run("run")
        refused = [(r["table_name"], r["detail"]) for r in project.rows("dq_src__quarantine")]
        assert refused == []
        faults = []
        for name, logs in connectors.items():
            expected = held(name, logs)
            found = {}
            for row in project.rows(f"cur_src__{name}"):
                document = read(row["_cdc_document"])
                key = identity(read(row["_cdc_key"]))
                found[key] = normal(without_nulls(document))
            compared["rows of cur_ with flattened documents"] += len(found)
            faults += [f"{name}: missing {key}" for key in expected.keys() - found.keys()]
            faults += [f"{name}: not there {key}" for key in found.keys() - expected.keys()]
            faults += [
                f"{name}: held {expected[key]}, told {found[key]}"
                for key in expected.keys() & found.keys()
                if expected[key] != found[key]
            ]
        assert not faults, f"{len(faults)} differ\n" + "\n".join(faults[:6])
        written = project.files()
        project.run("run")
        assert project.files() == written
    finally:
        drop(spark, project)


@pytest.mark.parametrize("name", WHOLE)
def test_expected_documents_are_what_is_sent(name):
    """The last record of each key that is not a delete, in a stream without redelivery."""
    one = connector(name, 1)
    records = [flattened(record, SETTINGS[name][1]) for record in one.stream]
    told = fold([record_from(record) for record in records if record])
    texts = {key: json.dumps(row) for key, row in told.items()}
    told = {identity(read(k)["id"]): normal(without_nulls(read(row))) for k, row in texts.items()}
    assert told == held(name, [one])

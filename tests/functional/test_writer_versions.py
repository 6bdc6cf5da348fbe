"""A change is the same change whichever Debezium version wrote it.

A capture is landed twice: as it was written, and after a restart by other versions, each record in
another version's form. The differences are from the documentation of 1.7 to 3.7. It must add no
second change, and the rows still equal the database's.
"""

import json
from dataclasses import replace

import pytest

from tests.functional.capture_project import landing_records, project_of
from tests.functional.conftest import drop
from tests.functional.test_truth import faults_of
from tests.oracle.records import Record
from tests.truth.captures import captures

AGAIN = 1_000_000  # offsets of the second delivery


def before_microseconds(envelope: dict) -> dict:
    """Up to 2.3: no ts_us and ts_ns, neither in the envelope nor in source."""
    source = without(envelope["source"], "ts_us", "ts_ns")
    return without(envelope, "ts_us", "ts_ns") | {"source": source}


def snapshot_as_boolean(envelope: dict) -> dict:
    """1.x: snapshot is true or false, without values for the first and last row."""
    source = envelope["source"]
    is_part = source.get("snapshot") in ("true", "first", "first_in_data_collection", "last")
    is_part = is_part or source.get("snapshot") == "last_in_data_collection"
    if source.get("snapshot") in ("incremental", "blocking"):
        return before_microseconds(envelope)
    return before_microseconds(envelope | {"source": source | {"snapshot": is_part}})


def numbers_in_quotes(envelope: dict) -> dict:
    """As the documents of the newest connectors print them."""
    return quoted(envelope) | {"source": quoted(envelope["source"])}


def fields_to_come(envelope: dict) -> dict:
    """A version with fields that are unknown here."""
    source = envelope["source"] | {"version": "3.7.0.Final", "epoch": 7, "node": {"zone": "b"}}
    return {"schema_version": 2} | envelope | {"source": source, "trace": ["a", None]}


def in_another_order(envelope: dict) -> dict:
    """Flattening and other transformations do not fix the order of fields."""
    source = dict(reversed(envelope["source"].items()))
    return dict(reversed((envelope | {"source": source}).items()))


WRITERS = (
    before_microseconds,
    snapshot_as_boolean,
    numbers_in_quotes,
    fields_to_come,
    in_another_order,
)


def without(fields: dict, *names: str) -> dict:
    return {name: value for name, value in fields.items() if name not in names}


def quoted(fields: dict) -> dict:
    is_number = {n: isinstance(v, int) and not isinstance(v, bool) for n, v in fields.items()}
    return {name: str(v) if is_number[name] else v for name, v in fields.items()}


def by_another_version(record: Record, number: int) -> Record:
    """The record redelivered, written by one of WRITERS."""
    # up to 3.2 a record does not carry its connector's run
    kept = {n: v for n, v in record.headers.items() if not n.startswith("__debezium.context")}
    again = replace(record, offset=record.offset + AGAIN, headers=kept)
    if record.value is None or '"source":' not in record.value:
        return again
    document = json.loads(record.value)
    write = WRITERS[number % len(WRITERS)]
    if "payload" in document:
        document["payload"] = write(document["payload"])
    else:
        document = write(document)
    # as the connector writes it: no spaces, text as it is
    return replace(again, value=json.dumps(document, separators=(",", ":"), ensure_ascii=False))


CASES = [
    pytest.param("pg-debezium23", False, id="pg-debezium23"),
    *(
        pytest.param(name, is_newest_first, id=name, marks=pytest.mark.slow)
        for name, is_newest_first in {
            "mysql9-partialjson": True,
            "pg-inventory-with-schema": True,
            "pg-incremental-snapshot": False,
            "mysql9-full": False,
        }.items()
    ),
]


@pytest.mark.parametrize(("name", "is_newest_first"), CASES)
def test_a_change_is_known_again_whichever_version_wrote_it(
    name, is_newest_first, spark, tmp_path, compared
):
    capture = captures()[name]
    again = [by_another_version(record, n) for n, record in enumerate(capture.records)]
    changed = [new.value != old.value for new, old in zip(again, capture.records, strict=True)]
    assert sum(changed) > len(again) / 4
    compared["records written anew as other versions write them"] += sum(changed)
    deliveries = [capture.records, again] if is_newest_first else [again, capture.records]
    project = project_of(
        capture, tmp_path / "project", spark, schema="writers_" + name.replace("-", "_")
    )
    try:
        project.land(landing_records(deliveries[0]))
        project.run("run")
        once = changes(project)
        project.land(landing_records(deliveries[1]))
        project.run("run")
        assert changes(project) == once
        assert faults_of(project, capture, compared) == []
        assert project.rows("dq_src__quarantine") == []
    finally:
        drop(spark, project)


def changes(project) -> dict[str, int]:
    """Changes in each change log."""
    return {table: len(project.rows(f"stg_src__{table}")) for table in project.tables}

"""The law that binds the two statements of a change log: what the routine one accepts or ignores,
the exact one reads the same, to the last value."""

import json

import pytest

from tests.functional.capture_project import landing_records, table_contract
from tests.functional.project import as_debezium_writes
from tests.laws.many import Case
from tests.laws.writers import WRITERS
from tests.routine import contract_of, held
from tests.truth import hard_records
from tests.truth.captures import captures
from tests.truth.user_streams import load_user_stream, user_stream_paths


def compare(spark, spec, records: list[dict], compared, of: str, schemas=None) -> float:
    """In: records as Project.land takes them, and the schemas of those in Avro; out: the share that
    was routine."""
    faults, routine, landed = [], 0, 0
    for table in spec.tables.values():
        contract = contract_of(table_contract(spec, table) | spec.contract, table.name)
        found = held(spark, contract, records, schemas)
        if found is None:
            continue
        faults += found.faults
        routine += found.routine
        landed += found.records
    compared[f"records of {of} that were routine"] += routine
    compared[f"records of {of}"] += landed
    assert not faults, f"{len(faults)} rows differ\n" + "\n".join(faults[:5])
    return routine / landed if landed else 0.0


@pytest.mark.parametrize("name", sorted(captures()))
def test_of_captures(spark, name, compared):
    capture = captures()[name]
    schemas = capture.schemas if capture.in_avro else None
    records = landing_records(capture.records)
    compare(spark, capture.former_spec, records, compared, f"capture {name}", schemas)


@pytest.mark.parametrize("connector", sorted(WRITERS))
def test_of_made_up_databases(spark, connector, compared):
    case = Case(connector, 1, logs=8)
    records = [
        record
        for name in case.kinds
        for database in case.databases(name)
        for record in database.stream
    ]
    share = compare(spark, case.spec(case.kinds), records, compared, f"made-up {connector}")
    # otherwise the law would hold for nothing
    assert share > 0.4


@pytest.mark.parametrize("path", user_stream_paths(), ids=lambda path: path.stem)
def test_of_users_streams(spark, path, compared):
    stream = load_user_stream(path)
    records = landing_records(stream.records)
    compare(spark, stream.spec, records, compared, "users' streams")
    compare(spark, stream.spec, [compact(r) for r in records], compared, "users' streams, compact")


@pytest.mark.parametrize("name", hard_records.CONTRACTS)
def test_of_hard_records(spark, name, compared):
    """Each is a small step away from a plain one; more than a fifth of them are still accepted."""
    declared = hard_records.CONTRACTS[name]
    contract = contract_of(
        declared | {"topic": hard_records.TOPIC, "columns": hard_records.COLUMNS}
    )
    found = held(spark, contract, hard_records.records(name))
    compared["hard records"] += found.records
    compared["hard records that were routine"] += found.routine
    assert not found.faults, f"{len(found.faults)} rows differ\n" + "\n".join(found.faults[:5])
    assert found.share > 0.2


def test_of_a_block_that_says_otherwise(spark):
    """Another scale, another unit: only the exact statement reads, and refuses, them."""
    name = "behind a schema block"
    declared = {"topic": hard_records.TOPIC, "columns": hard_records.COLUMNS}
    contract = contract_of(hard_records.CONTRACTS[name] | declared)
    plain = hard_records.records(name)[0]
    assert held(spark, contract, [plain]).share == 1
    for was, other in ((b'"scale":"2"', b'"scale":"3"'), (b"MicroTimestamp", b"Timestamp")):
        changed = plain | {"value": plain["value"].replace(was, other)}
        assert held(spark, contract, [changed]) is None


def test_of_a_key_whose_block_says_otherwise(spark):
    """For a value without a block, the key's block gives the unit: only the exact statement reads
    it."""
    declared = {"topic": hard_records.TOPIC, "columns": hard_records.COLUMNS}
    contract = contract_of(hard_records.CONTRACTS["full"] | declared | {"key": ["changed"]})
    plain = hard_records.records("full")[0]
    value = {"changed": 1767225600123456}
    field = {"type": "int64", "name": "io.debezium.time.Timestamp", "field": "changed"}
    block = {"type": "struct", "fields": [field]}
    for key, share in ((value, 1), ({"schema": block, "payload": value}, 0)):
        found = held(spark, contract, [plain | {"key": json.dumps(key)}])
        assert (found.share, found.faults) == (share, [])


def compact(record: dict) -> dict:
    """The record as Debezium's converter would write it."""
    try:
        value = json.loads(record["value"])
    except (TypeError, ValueError):
        return record
    return record | {"value": as_debezium_writes(value)}

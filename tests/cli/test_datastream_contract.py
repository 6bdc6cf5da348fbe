"""Contracts of tables that Google Datastream reads: the message for each fault."""

import pytest
from tests.cli.faults import contract_faults

RIGHT = {
    "connector": "datastream_mysql",
    "topic": "depot_pallet",
    "key": ["id"],
    "columns": {"id": "int", "bay": "varchar(9)"},
}
# additional keys → words of the fault
WRONG = {
    "a format of Debezium's": ({"format": "debezium_json"}, "has datastream_json alone"),
    "a connector of Debezium's": (
        {"connector": "mysql", "format": "datastream_json"},
        "datastream_json is of the connectors datastream_mysql, datastream_oracle",
    ),
    "schemas of a registry": ({"avro_schemas": "landing.schemas"}, "hold their schemas themselves"),
    "several objects": (
        {"topic": ["shard1_pallet", "shard2_pallet"]},
        "key_within: rows of several objects (shard1_pallet, shard2_pallet) may share a key",
    ),
    "sort_keys of Debezium's": (
        {"connector": "mysql", "place_from": "sort_keys"},
        "place_from: is of format datastream_json",
    ),
    "headers of files": ({"headers": ["traceparent"]}, "come in files and have none"),
    "another place": ({"place_from": "clock"}, "Allowed: coordinates, sort_keys"),
    "a type that is not carried": (
        {"columns": {"id": "int", "at": "point"}},
        "point",
    ),
    "row ids of another system": ({"key": "rowid"}, "rowid is of connector datastream_oracle"),
    "a key that is no list": ({"key": "id"}, 'key: expected a list, got "id"'),
    "a type of another system": ({"columns": {"id": "number(9)"}}, "number(9)"),
}


def faults(**said) -> list[str]:
    table = {"name": "pallets", "config": {"meta": {"cdc": RIGHT | said}}}
    return contract_faults({"name": "depot", "tables": [table]})


@pytest.mark.parametrize(
    "said",
    [
        {},
        {"format": "datastream_json"},
        {"place_from": "sort_keys"},
        {"topic": ["a", "b"], "key_within": "physical_table", "truncate_empties": "partition"},
        {"topic": ["a", "b"], "key_within": "table"},
        {"connector": "datastream_sqlserver", "columns": {"id": "int", "bay": "nvarchar(9)"}},
        {"connector": "datastream_postgresql", "columns": {"id": "bigint", "bay": "text"}},
        {"key": [], "source_fields": ["log_file"]},
        {"connector": "datastream_oracle", "key": "rowid", "columns": {"ID": "number(9)"}},
    ],
    ids=str,
)
def test_right_ones_have_no_fault(said):
    assert faults(**said) == []


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_one_says_what_to_do(name):
    said, words = WRONG[name]
    [fault] = faults(**said)
    assert words in fault and fault.startswith("sources.yml: depot.pallets: ")

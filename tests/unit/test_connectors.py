"""What every connector provides: the keys that `connector()` describes, and a position without a
colon, which separates the parts of a change's identity."""

import re

import pytest

from afterimage.macros import MACROS, Macros

FOUND = Macros()
CONNECTORS = FOUND.connectors()
WORDS = (MACROS / "connectors" / "connector.sql").read_text(encoding="utf-8").split("{% macro")[0]
DESCRIBED = re.findall(r"(?m)^    ([a-z_]+)  +", WORDS.split("Out: dict")[1])
OPTIONAL = set(re.findall(r"(?ms)^    ([a-z_]+)  +(?:(?!^    [a-z]).)*?may be left out", WORDS))


def connector(name: str) -> dict:
    contract = {"connector": name, "replica_identity": "full", "settings": {}, "columns": []}
    return FOUND.connector(contract | {"format": "debezium_json"})


@pytest.mark.parametrize("name", CONNECTORS)
def test_it_tells_what_is_described_and_no_more(name):
    told = connector(name).keys()
    assert told - set(DESCRIBED) == set()
    assert set(DESCRIBED) - OPTIONAL - told == set()


@pytest.mark.parametrize("name", CONNECTORS)
def test_the_physical_table_begins_with_its_server(name):
    told = connector(name)
    assert told["server_names"] and told["table_names"]
    names = ", ".join(told["table_names"])
    assert told["table_in_source"] == f"concat_ws('.', {names})"
    assert told["source_table"] == f"concat_ws('.', {', '.join(told['server_names'])}, {names})"


@pytest.mark.parametrize("name", CONNECTORS)
def test_a_place_has_no_colon(name):
    form = connector(name)["position_form"]
    assert ":" not in form
    assert not re.search(r"[.](?![\]])", form.replace("[.]", "")), "a dot takes a colon too"


@pytest.mark.parametrize("name", CONNECTORS)
def test_a_place_needs_fields_that_are_read(name):
    told = connector(name)
    assert told["position_fields"]
    assert set(told["position_fields"]) <= set(told["source_fields"])


@pytest.mark.parametrize("name", CONNECTORS)
def test_other_names_of_types_are_of_types(name):
    told = connector(name)
    names = {type_ for family in told["types"].values() for type_ in family}
    aliases = {type_.removesuffix(" unsigned") for type_ in told["type_aliases"].values()}
    assert aliases - names == set()
    assert set(told["type_arguments"]) <= names
    assert set(told.get("lobs", [])) <= names

"""Source blocks of the writers without a server, compared field by field with the documented
events."""

import json
import re

import pytest

from tests.laws.many import Case
from tests.truth.captures import shared_folder
from tests.truth.fixtures import DOCS_DB2, DOCS_ORACLE, DOCS_SQLSERVER

LINES = {"sqlserver": DOCS_SQLSERVER, "oracle": DOCS_ORACLE, "db2": DOCS_DB2}
LSN = re.compile("[0-9a-f]{8}:[0-9a-f]{8}:[0-9a-f]{4}")
# Db2 writes sixteen digits where the documentation prints SQL Server's four
FORMS = {("db2", "commit_lsn"): LSN.pattern[:-3] + "{16}"}
FORMS |= {("db2", "change_lsn"): FORMS["db2", "commit_lsn"]}
# clocks, and fields that later versions add, are irrelevant
BEYOND = {"ts_us", "ts_ns", "sequence", "row_id", "commit_ts_ms", "start_scn", "start_ts_ms"}
BEYOND |= {"user_name"}

pytestmark = pytest.mark.shared


def documented(connector: str) -> list[dict]:
    """The source blocks of its examples."""
    path = shared_folder("fixtures") / "debezium" / "docs_events.jsonl"
    lines = path.read_text(encoding="utf-8").split("\n")
    events = [json.loads(lines[number - 1])["event"] for number in LINES[connector]]
    return [event["payload"]["source"] for event in events]


def written(connector: str) -> list[dict]:
    """Those of the changes of a generated database."""
    values = (
        json.loads(record["value"])
        for record in Case(connector, 1).database("keyed", 0).stream
        if record["value"]
    )
    return [value["source"] for value in values if value["op"] != "r"]


@pytest.mark.parametrize("connector", LINES)
def test_fields_are_those_of_the_documents(connector):
    said = set().union(*documented(connector))
    always = set.intersection(*map(set, documented(connector))) - BEYOND
    for source in written(connector):
        assert source.keys() - said == set()
        assert always - source.keys() == set()


@pytest.mark.parametrize("connector", LINES)
def test_values_have_the_form_of_the_documents(connector):
    for name in set().union(*documented(connector)) - BEYOND:
        said = [source[name] for source in documented(connector) if source.get(name) is not None]
        found = [source[name] for source in written(connector) if source.get(name) is not None]
        if name == "snapshot":  # formerly true or false, now a word
            assert {str(value).lower() for value in found} == {"false"}
            continue
        kinds = {type(value) for value in said} | ({int} if name == "event_serial_no" else set())
        assert {type(value) for value in found} <= kinds, name
        for value in found:
            assert re.fullmatch(FORMS.get((connector, name), form_of(said[0])), str(value)), name


def form_of(value) -> str:
    """`00000027:00000ac0:0007`, digits or any text."""
    if LSN.fullmatch(str(value)):
        return LSN.pattern
    return "[0-9]+" if str(value).isdigit() else ".+"

"""A value that was sent once stays with its row through every later key change."""

from random import Random

import pytest

from tests.functional.small_stream import TABLES, record

MOVES = 40
LEFT_OUT = "__debezium_unavailable_value"


@pytest.fixture
def project(make_project):
    return make_project(
        "moved",
        source="src",
        tables={"keyed": TABLES["keyed"]},
    )


def moved(number: int) -> list[dict]:
    """The pair of the `number`-th key change, from that number to the next one."""
    lsn = 1000 + number
    deleted = record("keyed", 10 * number, lsn, "d", before=(number, None))
    created = record("keyed", 10 * number + 1, lsn, "c", after=(number + 1, LEFT_OUT))
    deleted["headers"]["__debezium.newkey"] = f'{{"id":{number + 1}}}'
    created["headers"]["__debezium.oldkey"] = f'{{"id":{number}}}'
    return [deleted, created]


def test_a_value_goes_through_forty_changes_of_the_key(project):
    born = record("keyed", 1, 900, "c", after=(1, "sent once"))
    records = [born, *(half for number in range(1, MOVES + 1) for half in moved(number))]
    Random(3).shuffle(records)
    for part in (records[:30], records[30:31], records[31:]):
        project.land(part)
        project.run("run")
    rows = project.rows("cur_src__keyed")
    assert [(row["id"], row["note"], row["_cdc_unknown"]) for row in rows] == [
        (MOVES + 1, "sent once", None)
    ]
    history = project.rows("hist_src__keyed")
    assert len(history) == MOVES + 1
    assert {row["note"] for row in history} == {"sent once"}

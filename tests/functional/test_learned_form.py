"""What a change log learns about its connector's form, so that few records are read twice."""

import json

import pytest

from tests.functional.statements import heard
from tests.functional.test_statements import event

EXACT = "verdicts on the marked ones"
ROUTINE = "decode new records"


@pytest.fixture
def project(make_project):
    return make_project(
        "learned",
        source="src",
        tables={
            "orders": {
                "topic": "t.public.orders",
                "key": ["id"],
                "columns": {"id": "int", "label": "varchar(40)"},
            }
        },
    )


def turned(offset: int) -> dict:
    """A change whose row has its fields in the other order."""
    made = event(offset)
    made["value"]["after"] = dict(reversed(made["value"]["after"].items()))
    return made


def spaced(offset: int) -> dict:
    """A change in a form that no connector writes: nothing proves it plain."""
    made = event(offset)
    return made | {"value": json.dumps(made["value"])}


def statements(project, records: list[dict]) -> tuple[bool, bool]:
    """A run over new records. Out: whether some were marked, and read only by the exact
    statement."""
    project.land(records)
    with heard() as said:
        project.run("run", "--select", "stg_src__orders")
    routine = [sql for sql in said if ROUTINE in sql]
    return any(EXACT in sql for sql in said), any("_cdc_verdict" in sql for sql in routine)


def test_another_order_of_the_fields_is_learned_once(project):
    assert statements(project, [event(n) for n in range(40)]) == (False, False)
    assert statements(project, [turned(n) for n in range(40, 80)]) == (True, False)
    assert statements(project, [turned(n) for n in range(80, 120)]) == (False, False)
    # a few of another form do not replace the known form
    assert statements(project, [turned(n) for n in range(120, 160)] + [event(160)]) == (True, False)
    assert statements(project, [turned(n) for n in range(161, 200)]) == (False, False)
    assert sorted(row["_cdc_offset"] for row in project.rows("stg_src__orders")) == [*range(200)]


def test_where_nothing_is_plain_the_exact_statement_alone_reads(project):
    """Fifty records are too few for this conclusion."""
    assert statements(project, [event(n) for n in range(10)]) == (False, False)
    assert statements(project, [spaced(n) for n in range(10, 60)]) == (True, False)
    assert statements(project, [spaced(n) for n in range(60, 180)]) == (True, False)
    assert statements(project, [spaced(n) for n in range(180, 200)]) == (False, True)
    assert sorted(row["_cdc_offset"] for row in project.rows("stg_src__orders")) == [*range(200)]

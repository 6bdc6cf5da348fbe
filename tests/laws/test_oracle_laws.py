"""The oracle against made-up databases: it must tell what they hold before it may judge models.

Hypothesis draws the databases and, where a law fails, shrinks them to the fewest choices.
"""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.laws.database import TABLES, Database
from tests.laws.delivery import deliveries
from tests.oracle.fold import as_of, fold
from tests.oracle.records import record_from
from tests.oracle.spec import build_spec
from tests.truth.compare import as_model_rows, compare_table


def kinds(connector: str) -> list[str]:
    """PostgreSQL alone has deferred keys."""
    return [name for name, kind in TABLES.items() if connector == "postgresql" or not kind.deferred]


@st.composite
def databases(draw) -> Database:
    connector = draw(st.sampled_from(["postgresql", "mysql"]))
    kind = TABLES[draw(st.sampled_from(kinds(connector)))]
    # without an order in the transaction, a redelivery of equal rows is ambiguous by nature
    metadata = True if not kind.key else draw(st.booleans())
    random = draw(st.randoms(use_true_random=False))
    database = Database(
        random, kind, connector, topic="t",
        metadata=metadata, key_headers=draw(st.booleans()), compressed=draw(st.booleans()),
    )  # fmt: skip
    late_snapshot = draw(st.booleans()) if kind.key else False
    database.work(draw(st.integers(1, 25)), late_snapshot)
    return database


def spec_of(database: Database):
    return build_spec(
        {
            "connector": database.connector,
            "settings": {"decimal_handling_mode": "string"},
            "tables": {"t": database.declared},
        }
    )


def place(text: str) -> int | tuple:
    """A mark's place as the oracle compares it."""
    parts = tuple(int(part) for part in text.split("."))
    return parts if len(parts) > 1 else parts[0]


MADE_UP = settings(max_examples=80, deadline=None, suppress_health_check=list(HealthCheck))


@MADE_UP
@given(databases())
def test_truth(database):
    spec = spec_of(database)
    folded = fold([record_from(record) for record in database.stream], spec)
    table = spec.tables["t"]
    assert compare_table(table, database.rows(), as_model_rows(folded.current["t"])) == []
    for position, rows in database.marks:
        shown = as_model_rows(as_of(folded.versions["t"], place(position)))
        assert compare_table(table, rows, shown) == [], position


@MADE_UP
@given(databases(), st.randoms(use_true_random=False))
def test_any_arrival_gives_the_same(database, random):
    spec = spec_of(database)
    in_order = fold([record_from(record) for record in database.stream], spec)
    landed = [record for part in deliveries(database.stream, random, 3, False) for record in part]
    assert fold([record_from(record) for record in landed], spec) == in_order

"""The oracle on generated databases: it must reproduce them before models are compared with it.

Hypothesis draws the databases and, if a law fails, shrinks them to the fewest choices.
"""

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.laws.database import TABLES, Database
from tests.laws.delivery import deliveries
from tests.laws.many import contract, kinds
from tests.laws.writers import WRITERS
from tests.oracle.fold import as_of, fold
from tests.oracle.records import record_from
from tests.oracle.spec import build_spec, place_in_log
from tests.truth.compare import as_model_rows, compare_table


@st.composite
def databases(draw) -> Database:
    connector = draw(st.sampled_from([name for name in WRITERS if name != "mariadb"]))
    kind = TABLES[draw(st.sampled_from(kinds(connector)))]
    # without an order in the transaction, a redelivery of equal rows is inherently ambiguous
    metadata = True if not kind.key else draw(st.booleans())
    random = draw(st.randoms(use_true_random=False))
    database = Database(
        random, kind, connector, topic="t",
        metadata=metadata, key_headers=draw(st.booleans()), compressed=draw(st.booleans()),
        message_keys=draw(st.booleans()),
    )  # fmt: skip
    late_snapshot = draw(st.booleans()) if kind.key else False
    database.work(draw(st.integers(1, 25)), late_snapshot)
    return database


def spec_of(database: Database):
    return build_spec(contract(database.connector, {"t": database.declared}))


MADE_UP = settings(max_examples=80, deadline=None, suppress_health_check=list(HealthCheck))


@MADE_UP
@given(databases())
def test_truth(database):
    spec = spec_of(database)
    folded = fold([record_from(record) for record in database.stream], spec)
    table = spec.tables["t"]
    assert compare_table(table, database.rows(), as_model_rows(folded.current["t"])) == []
    for position, rows in database.marks:
        shown = as_model_rows(as_of(folded.versions["t"], place_in_log(position)))
        assert compare_table(table, rows, shown) == [], position


@MADE_UP
@given(databases(), st.randoms(use_true_random=False))
def test_any_arrival_gives_the_same(database, random):
    spec = spec_of(database)
    in_order = fold([record_from(record) for record in database.stream], spec)
    landed = [record for part in deliveries(database.stream, random, 3, False) for record in part]
    assert fold([record_from(record) for record in landed], spec) == in_order

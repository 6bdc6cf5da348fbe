"""What somebody sees who reads while a run writes: each table as it was or as it will be.

On Parquet the current state is replaced bucket by bucket, so of it each row is an old or a new one.
"""

from __future__ import annotations

import pytest

from tests.functional.conftest import drop
from tests.functional.small_stream import PARTS, TABLES, build
from tests.functional.statements import passing_through
from tests.session import file_format_of

pytestmark = pytest.mark.formats
# the number of a batch is the run's, not the row's
HIDDEN = {"_cdc_batch", "_cdc_bucket"}


@pytest.fixture
def project(spark, tmp_path):
    built = build(spark, tmp_path, "concurrent_reader")
    built.land(PARTS[0])
    built.run("run")
    built.land(PARTS[1])
    yield built
    drop(spark, built)


def test_each_table_is_old_or_new(project, spark):
    relations = [f"{layer}_s__{table}" for table in TABLES for layer in ("stg", "hist", "cur")]
    seen: dict[str, list[frozenset]] = {relation: [] for relation in relations}

    def read():
        for relation in relations:
            found = rows(project, relation)
            if not seen[relation] or seen[relation][-1] != found:
                seen[relation].append(found)

    def act(sql, carry_out):
        carry_out(sql)
        if "__batch" in sql or "insert" in sql or "merge" in sql or "alter" in sql or "drop" in sql:
            read()

    read()
    with passing_through(act):
        project.run("run")
    read()

    for relation, states in seen.items():
        assert len(states) > 1, f"{relation} never changed"
        old, new = states[0], states[-1]
        if file_format_of(spark) == "parquet" and relation.startswith("cur"):
            assert all(state <= old | new for state in states), relation
        else:
            assert states == [old, new], f"{relation} was something between old and new"


def rows(project, relation: str) -> frozenset:
    """The rows with how often each is there."""
    found: dict[tuple, int] = {}
    for row in project.rows(relation):
        shown = tuple(str(value) for name, value in row.items() if name not in HIDDEN)
        found[shown] = found.get(shown, 0) + 1
    return frozenset(found.items())

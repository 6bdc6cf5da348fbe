"""What somebody sees who reads while a run writes: each table as it was or as it will be."""

from __future__ import annotations

import pytest

from tests.functional.conftest import drop
from tests.functional.project import DbtFailed
from tests.functional.small_stream import PARTS, TABLES, build
from tests.functional.statements import around_first, passing_through

# the number of a batch is the run's, not the row's
HIDDEN = {"_cdc_batch"}


@pytest.fixture
def project(spark, tmp_path):
    built = build(spark, tmp_path, "concurrent_reader")
    built.land(PARTS[0])
    built.run("run")
    built.land(PARTS[1])
    yield built
    drop(spark, built)


@pytest.mark.formats
def test_each_table_is_old_or_new(project, spark):
    relations = [f"{layer}_s__{table}" for table in TABLES for layer in ("stg", "hist", "cur")]
    seen: dict[str, list[frozenset]] = {relation: [] for relation in relations}

    def read(about):
        """What these tables look like now."""
        for relation in about:
            found = rows(project, relation)
            if not seen[relation] or seen[relation][-1] != found:
                seen[relation].append(found)

    def act(sql, carry_out):
        carry_out(sql)
        if "__batch" in sql or "insert" in sql or "merge" in sql or "alter" in sql or "drop" in sql:
            read([relation for relation in relations if relation in sql])

    read(relations)
    with passing_through(act):
        project.run("run")
    read(relations)

    for relation, states in seen.items():
        assert len(states) > 1, f"{relation} never changed"
        old, new = states[0], states[-1]
        assert states == [old, new], f"{relation} was something between old and new"


def test_what_a_run_left_that_was_cut_off_is_not_seen(project):
    """All of an append to a history shows at once, when the run has come to its end."""
    before = rows(project, "hist_s__keyed")
    append = f"insert into {project.schema}.hist_s__keyed__log"
    with around_first(append, after=lambda: 1 / 0), pytest.raises(DbtFailed, match="division"):
        project.run("run")
    assert len(project.rows("hist_s__keyed__log")) > len(before)
    assert rows(project, "hist_s__keyed") == before

    project.run("run")
    assert rows(project, "hist_s__keyed") != before


def test_a_history_that_is_folded_anew_shows_nothing_of_an_append_that_was_cut_off(project):
    """Its appends are counted anew: the view of the former ones would take this one for whole."""
    project.run("run")
    whole = rows(project, "hist_s__keyed")
    project.run("run", "--full-refresh", "--select", "stg_s__keyed")
    append = f"insert into {project.schema}.hist_s__keyed__log"
    with around_first(append, after=lambda: 1 / 0), pytest.raises(DbtFailed, match="division"):
        project.run("run")
    views = project.spark.sql(f"show views in {project.schema} like 'hist_s__keyed'").collect()
    assert views == []

    project.run("run")
    assert rows(project, "hist_s__keyed") == whole


def rows(project, relation: str) -> frozenset:
    """The rows with how often each is there."""
    found: dict[tuple, int] = {}
    for row in project.rows(relation):
        shown = tuple(str(value) for name, value in row.items() if name not in HIDDEN)
        found[shown] = found.get(shown, 0) + 1
    return frozenset(found.items())

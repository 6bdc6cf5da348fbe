"""What a reader sees during a run: each table as it was or as it will be."""

import pytest

from tests.functional.conftest import drop
from tests.functional.project import DbtFailed
from tests.functional.small_stream import PARTS, TABLES, build, keyed
from tests.functional.statements import around_first, passing_through
from tests.session import file_format_of

# the batch number belongs to the run, not to the row
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
        """The current content of these tables."""
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
    """All of an append to a history becomes visible at once, when the run has ended."""
    before = rows(project, "hist_s__keyed")
    append = f"insert into {project.schema}.hist_s__keyed__log"
    with around_first(append, after=lambda: 1 / 0), pytest.raises(DbtFailed, match="division"):
        project.run("run")
    assert len(project.rows("hist_s__keyed__log")) > len(before)
    assert rows(project, "hist_s__keyed") == before

    project.run("run")
    assert rows(project, "hist_s__keyed") != before


@pytest.mark.formats
def test_a_rebuild_leaves_readers_what_they_had_until_it_is_done(project, spark):
    """Applies to histories and current states: a change log is read again from landing and
    grows."""
    relations = [f"{layer}_s__{table}" for table in TABLES for layer in ("hist", "cur")]
    project.run("run")
    project.land(PARTS[2])
    seen = {relation: [rows(project, relation)] for relation in relations}

    def act(sql, carry_out):
        carry_out(sql)
        for relation, states in seen.items():
            if relation in sql and (found := rows(project, relation)) != states[-1]:
                states.append(found)

    with passing_through(act):
        project.run("run", "--full-refresh")

    new = {relation: rows(project, relation) for relation in relations}
    assert all(states == [states[0], new[name]] for name, states in seen.items()), seen
    assert logs(project) == {
        *("hist_s__keyed__log_2", "hist_s__bag__log_2"),
        *(["cur_s__keyed__log_2", "cur_s__bag__log_2"] if is_parquet(spark) else []),
    }

    # and the next runs continue from there
    project.run("run")
    assert {relation: rows(project, relation) for relation in relations} == new
    project.land([keyed(6, 400, "c", (3, "c"))])
    project.run("run")
    before = {row["id"] for row in project.rows("stg_s__keyed")} - {2, 3}
    assert {row["id"] for row in project.rows("cur_s__keyed")} == {*before, 3}
    assert rows(project, "cur_s__bag") == new["cur_s__bag"]


@pytest.mark.formats
def test_a_rebuild_to_no_rows_takes_those_that_stand(project, spark):
    """Regardless of the session's setting for what an overwrite replaces."""
    project.run("run")
    project.land([keyed(6, 400, "d", before=(1, None))])
    spark.sql("set spark.sql.sources.partitionOverwriteMode = dynamic")
    try:
        project.run("run", "--full-refresh")
    finally:
        spark.sql("reset spark.sql.sources.partitionOverwriteMode")
    assert rows(project, "cur_s__keyed") == frozenset()


@pytest.mark.formats
@pytest.mark.parametrize(
    ("cut", "shows"),
    [
        ("insert into {}.hist_s__keyed__log_2", "former"),
        ("create or replace view {}.hist_s__keyed ", "anew"),
    ],
)
def test_a_rebuild_that_was_cut_off_goes_on_with_what_is_read(project, cut, shows):
    project.run("run")
    former = rows(project, "hist_s__keyed")
    project.land(PARTS[2])
    project.run("run", "--full-refresh", "--select", "stg_s__keyed")
    cut_off = around_first(cut.format(project.schema), after=lambda: 1 / 0)
    with cut_off, pytest.raises(DbtFailed, match="division"):
        project.run("run")
    assert {"hist_s__keyed__log", "hist_s__keyed__log_2"} <= logs(project)
    left = rows(project, "hist_s__keyed")
    assert (left == former) == (shows == "former")

    project.land([keyed(6, 400, "u", (1, "C"))])
    project.run("run")
    assert rows(project, "hist_s__keyed") != left
    assert len([log for log in logs(project) if log.startswith("hist_s__keyed")]) == 1
    found = rows(project, "hist_s__keyed"), rows(project, "cur_s__keyed")
    project.run("run", "--full-refresh")
    assert (rows(project, "hist_s__keyed"), rows(project, "cur_s__keyed")) == found


@pytest.mark.formats
def test_a_current_state_that_is_made_otherwise_now_is_made_anew(project, spark):
    """A table that keeps its columns is overwritten in one commit; else it is a new table."""
    project.run("run")
    project.model_config["+tblproperties"] = {"team": "shop"}
    project.write()
    before = rows(project, "cur_s__keyed")
    project.run("run", "--full-refresh")
    assert rows(project, "cur_s__keyed") == before
    table = "cur_s__keyed" + ("__log_2" if is_parquet(spark) else "")
    shown = project.spark.sql(f"show tblproperties {project.schema}.{table}").collect()
    assert ("team", "shop") in [tuple(row) for row in shown]


def logs(project) -> set[str]:
    """The tables below the histories and current states."""
    tables = project.spark.sql(f"show tables in {project.schema} like '*__log*'").collect()
    return {row["tableName"] for row in tables}


def is_parquet(spark) -> bool:
    return file_format_of(spark) == "parquet"


def rows(project, relation: str) -> frozenset:
    """The rows, each with its number of occurrences."""
    found: dict[tuple, int] = {}
    for row in project.rows(relation):
        shown = tuple(str(value) for name, value in row.items() if name not in HIDDEN)
        found[shown] = found.get(shown, 0) + 1
    return frozenset(found.items())

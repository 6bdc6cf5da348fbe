"""A landing table whose format keeps versions is not read while it is unchanged; no write is
overlooked because of this, whoever writes and whenever."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.functional.small_stream import keyed
from tests.functional.statements import around_first, heard
from tests.session import file_format_of

HELD = "create table if not exists version.stg_src__keyed__batch"
PARSE = "insert into version.stg_src__keyed__batch"


@pytest.fixture
def project(make_project, spark):
    made = make_project(
        "version",
        source="src",
        tables={
            "keyed": {
                "topic": "t.p.keyed",
                "key": ["id"],
                "columns": {"id": "int", "note": "text"},
            }
        },
        landing_format=file_format_of(spark),
    )
    made.land([created(offset) for offset in (0, 1, 7)])
    return made


def created(offset: int) -> dict:
    return keyed(offset, 1000 + offset, "c", (offset, "a"))


def run(project) -> list[str]:
    """Runs the change log. Out: the statements that read landing."""
    with heard() as said:
        project.run("run", "--select", "stg_src__keyed")
    asked = (
        rf"(show tblproperties|describe history) {project.landing}"
        rf"|from {project.landing}\.(refs|history)"
    )
    return [sql for sql in said if project.landing in sql and not re.search(asked, sql)]


def reads_added(project) -> bool:
    """Whether a run of the change log reads only what landing gained."""
    reading = run(project)
    added = rf"{project.landing} with \(\s*'start-snapshot-id'"
    return bool(reading) and all(re.search(added, sql) for sql in reading)


def offsets(project) -> list[int]:
    return sorted(row["_cdc_offset"] for row in project.rows("stg_src__keyed"))


@pytest.mark.formats
def test_it_is_not_read_where_nobody_has_written(project, spark):
    run(project)
    tells = file_format_of(spark) != "parquet"
    assert bool(run(project)) is not tells
    project.land([created(8)])
    assert run(project)
    assert bool(run(project)) is not tells
    assert offsets(project) == [0, 1, 7, 8]


@pytest.mark.delta
@pytest.mark.iceberg
def test_records_of_others_are_looked_at_once_and_are_none_of_ours(project):
    run(project)
    project.land([created(20) | {"topic": "t.p.other"}])
    assert run(project)
    assert not run(project)
    project.land([created(5)])
    assert run(project)
    assert offsets(project) == [0, 1, 5, 7]


@pytest.mark.formats
def test_what_lands_during_a_run_is_found_by_the_next(project):
    """After the check for pending records; just before the records are read, and just after."""
    expected = {0, 1, 7}

    def lands(low: int, high: int) -> Callable[[], None]:
        """Below what is read, and above it."""
        return lambda: project.land([created(low), created(high)])

    with around_first(PARSE, before=lands(2, 12), after=lands(3, 13)):
        project.run("run", "--select", "stg_src__keyed")
    assert set(offsets(project)) >= expected
    for place, when, low, high in [
        (HELD, "before", 4, 22),
        (PARSE, "before", 5, 32),
        (PARSE, "after", 6, 42),
    ]:
        project.land([created(high - 1)])
        expected = {row["offset"] for row in project.spark.table(project.landing).collect()}
        with around_first(place, **{when: lands(low, high)}):
            project.run("run", "--select", "stg_src__keyed")
        assert set(offsets(project)) >= expected
    run(project)
    assert offsets(project) == [*range(8), 12, 13, 21, 22, 31, 32, 41, 42]


@pytest.mark.formats
def test_a_version_asked_anew_is_no_word_of_an_older_look(make_project, spark):
    """A model with a pre-hook gets landing's version again, which is newer than the one that the
    others checked: here it includes a record that the hook lands, below what its table has
    processed."""
    columns = {"id": "int", "note": "text"}
    project = make_project(
        "asked_anew",
        source="src",
        tables={t: {"topic": f"t.p.{t}", "key": ["id"], "columns": columns} for t in "abc"},
        layers={t: ["stg"] for t in "abc"},
        landing_format=file_format_of(spark),
    )
    project.land([created(n) | {"topic": f"t.p.{t}"} for t in "abc" for n in (0, 5)])
    project.run("run")
    late = f"insert into {project.landing} select 't.p.c', * except (topic) from asked_anew.late"
    project.land([created(3) | {"topic": "t.p.late"}])
    landed = f"select * from {project.landing} where topic = 't.p.late'"
    spark.sql(f"create table asked_anew.late using parquet as {landed}")
    project.land([created(6) | {"topic": "t.p.c"}])
    project.model_config["stg_src__b"] = {"+pre-hook": late}
    project.write()
    project.run("run")
    project.model_config.pop("stg_src__b")
    project.write()
    project.run("run")
    found = sorted(row["_cdc_offset"] for row in project.rows("stg_src__c"))
    assert found == [0, 3, 5, 6]


@pytest.mark.iceberg
def test_what_was_added_is_read_by_itself(project):
    run(project)
    project.land([created(8)])
    project.land([created(9)])
    # lands in the middle, for the next run, and does not make it read everything
    with around_first(PARSE, before=lambda: project.land([created(12)])):
        assert reads_added(project)
    assert offsets(project) == [0, 1, 7, 8, 9]
    assert reads_added(project)
    assert offsets(project) == [0, 1, 7, 8, 9, 12]


# What happens to a landing table, and whether the added records are still known.
HAPPENS = [
    (
        "call ice.system.rewrite_data_files("
        "table => '{landing}', options => map('rewrite-all', 'true'))",
        True,
    ),
    ("delete from {landing} where offset = 1", False),
    ("insert overwrite {landing} select * from {landing} where offset <> 0", False),
    (
        "call ice.system.expire_snapshots("
        "table => '{landing}', older_than => current_timestamp(), retain_last => 1)",
        False,
    ),
]


@pytest.mark.iceberg
def test_what_happens_before_the_next_run(project, spark):
    expected = [0, 1, 7]
    run(project)
    for statement, adds in HAPPENS:
        project.land([created(expected[-1] + 3)])
        spark.sql(statement.format(landing=project.landing)).collect()
        project.land([created(expected[-1] + 6)])
        expected += [expected[-1] + 3, expected[-1] + 6]
        assert reads_added(project) is adds, statement
        assert offsets(project) == expected, statement
    project.land([created(40)])
    assert reads_added(project)
    # the part that is read now is then rolled back
    newest = f"select snapshot_id from {project.landing}.refs"
    kept = spark.sql(newest).first()[0]
    project.land([created(50)])
    run(project)
    spark.sql(f"call ice.system.set_current_snapshot('{project.landing}', {kept})")
    project.land([created(5)])
    project.land([created(60)])
    assert not reads_added(project)
    assert offsets(project) == sorted([*expected, 5, 40, 50, 60])


@pytest.mark.iceberg
def test_a_writer_whose_clock_is_behind(project, spark):
    """Readers get another snapshot than the one with the newest timestamp."""
    run(project)
    project.land([created(8)])
    log = f"select file from {project.landing}.metadata_log_entries order by timestamp desc"
    known = Path(spark.sql(log).first()[0].removeprefix("file:"))
    told = json.loads(known.read_text())
    told["snapshot-log"][-1]["timestamp-ms"] += 50_000
    changed = known.with_name("clocks.metadata.json")
    changed.write_text(json.dumps(told))
    spark.sql(f"drop table {project.landing}")
    spark.sql(f"call ice.system.register_table('{project.landing}', '{changed}')")
    run(project)
    project.land([created(9)])
    run(project)
    assert offsets(project) == [0, 1, 7, 8, 9]


@pytest.mark.formats
def test_a_table_made_anew_with_as_many_versions(project, spark):
    run(project)
    spark.sql(f"drop table {project.landing}")
    project.make_landing()
    project.land([created(offset) for offset in (7, 30, 31)])
    run(project)
    assert offsets(project) == [0, 1, 7, 30, 31]


# on one format, like those below: they test state stored with the version
@pytest.mark.iceberg
def test_a_record_that_is_tried_again(project):
    """A refused record is read again under another contract, from the same version."""
    project.land([created(9) | {"value": '{"op":'}])
    run(project)
    project.tables["keyed"]["columns"]["more"] = "text"
    project.write()
    assert run(project)


@pytest.mark.iceberg
def test_topics_that_a_contract_gains_when_their_records_have_landed(project):
    project.land([created(20) | {"topic": "t.p.other"}])
    run(project)
    project.tables["keyed"]["topic"] = ["t.p.keyed", "t.p.other"]
    project.write()
    run(project)
    assert offsets(project) == [0, 1, 7, 20]


@pytest.mark.iceberg
def test_a_run_without_rows_has_read_nothing(project):
    project.run("run", "--select", "stg_src__keyed", "--empty")
    assert offsets(project) == []
    run(project)
    project.land([created(8)])
    project.run("run", "--select", "stg_src__keyed", "--empty")
    run(project)
    assert offsets(project) == [0, 1, 7, 8]


@pytest.mark.iceberg
def test_a_snapshot_of_iceberg_that_comes_again(project, spark):
    """Rolled back while a run reads, and forward again after the run."""
    run(project)
    snapshots = []
    for offset in (8, 9):
        project.land([created(offset)])
        newest = f"select snapshot_id from {project.landing}.snapshots order by committed_at desc"
        snapshots.append(spark.sql(newest).first()["snapshot_id"])

    def current(snapshot: int) -> None:
        spark.sql(f"call ice.system.set_current_snapshot('{project.landing}', {snapshot})")

    with around_first(HELD, before=lambda: current(snapshots[0])):
        project.run("run", "--select", "stg_src__keyed")
    current(snapshots[1])
    run(project)
    assert offsets(project) == [0, 1, 7, 8, 9]


def test_a_property_named_as_icebergs_is_no_version(project, spark):
    if file_format_of(spark) == "iceberg":
        pytest.skip("Iceberg lets nobody set its own properties")
    kept = "'current-snapshot-id' = '4370394263957417894'"
    spark.sql(f"alter table {project.landing} set tblproperties ({kept})")
    run(project)
    project.land([created(8)])
    run(project)
    assert offsets(project) == [0, 1, 7, 8]

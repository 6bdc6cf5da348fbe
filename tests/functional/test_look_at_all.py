"""One check for all change logs of a landing table: it misses nothing, and saves each its own
check."""

import random

import pytest

from tests.functional.statements import heard
from tests.functional.test_statements import NOTHING_NEW, event, told
from tests.session import file_format_of

NAMES = ("orders", "items", "users")
# Statements per additional table if nothing is new: dbt lists no properties of Iceberg's views, nor
# of Delta tables, of which each has three.
OF_A_TABLE = {"parquet": 0, "delta": 3, "iceberg": 1}


def of(name: str, offset: int, op: str = "c") -> dict:
    """A change of a table, in the topic of that table."""
    return event(offset, op) | {"topic": f"t.public.{name}"}


@pytest.fixture
def project(make_project):
    made = make_project(
        "look_at_all",
        source="src",
        tables={
            name: {
                "topic": f"t.public.{name}",
                "key": ["id"],
                "columns": {"id": "int", "label": "varchar(40)"},
            }
            for name in NAMES
        },
    )
    made.land([of(name, offset) for name in NAMES for offset in (0, 1, 2, 5, 6)])
    made.run("run")
    return made


def staged(project) -> dict[str, list[int]]:
    """The offsets in each change log."""
    rows = {name: project.rows(f"stg_src__{name}") for name in NAMES}
    return {name: sorted(row["_cdc_offset"] for row in found) for name, found in rows.items()}


@pytest.mark.formats
def test_tables_without_news_cost_no_statement_of_their_own(project):
    models = ("--select", *(f"{layer}_src__{name}" for name in NAMES for layer in ("stg", "hist")))
    with heard() as one:
        project.run("run", "--select", "stg_src__orders", "hist_src__orders")
    with heard() as all_of_them:
        project.run("run", *models)
    assert len(one) <= NOTHING_NEW[file_format_of(project.spark)], told(one)
    more = (len(NAMES) - 1) * OF_A_TABLE[file_format_of(project.spark)]
    assert len(all_of_them) <= len(one) + more, told(all_of_them)


def test_news_of_one_are_found(project):
    project.land([of("items", 7, "u")])
    project.run("run")
    assert staged(project) == {name: [0, 1, 2, 5, 6] for name in NAMES} | {
        "items": [0, 1, 2, 5, 6, 7]
    }


def test_what_landed_late_is_found(project):
    project.land([of("users", 3, "u"), of("orders", 4, "u") | {"partition": 1}])
    project.run("run")
    assert staged(project)["users"] == [0, 1, 2, 3, 5, 6]
    assert staged(project)["orders"] == [0, 1, 2, 4, 5, 6]


def test_what_landing_lost_is_no_news(project):
    """Nothing is withdrawn, and records that land afterwards are found."""
    landing = project.landing
    project.spark.sql(f"create table {landing}_kept as select * from {landing} where offset > 1")
    project.spark.sql(f"truncate table {landing}")
    project.spark.sql(f"insert into {landing} select * from {landing}_kept")
    project.run("run")
    assert staged(project) == {name: [0, 1, 2, 5, 6] for name in NAMES}
    project.land([of("orders", 9, "u")])
    project.run("run")
    assert staged(project)["orders"] == [0, 1, 2, 5, 6, 9]


def test_what_a_change_log_lost_is_read_again(project):
    project.spark.sql(f"truncate table {project.schema}.stg_src__orders")
    project.run("run")
    assert staged(project) == {name: [0, 1, 2, 5, 6] for name in NAMES}


@pytest.mark.formats
@pytest.mark.parametrize("seed", [1, 2])
def test_each_change_log_holds_what_landed_whatever_the_look(project, seed):
    """Law: after a run a change log has every offset that landing had at any run of its model, in
    any order of arrival and of the models, whatever landing has lost by then."""
    chance = random.Random(seed)
    landed = {name: [0, 1, 2, 5, 6] for name in NAMES}
    seen = {name: set(offsets) for name, offsets in landed.items()}
    landing = project.landing
    for _ in range(8):
        for name in chance.sample(NAMES, chance.randint(0, len(NAMES))):
            # above what is processed, below it, or in a separate partition
            new = [n for n in chance.sample(range(60), 4) if n not in landed[name]]
            project.land([of(name, n) | {"partition": n % 2 if n > 6 else 0} for n in new])
            landed[name] += new
        if chance.random() < 0.3:
            gone = chance.choice(NAMES)
            upto = chance.randint(1, 30)
            project.spark.sql(
                f"create or replace temporary view kept as select * from {landing} "
                f"where not (topic = 't.public.{gone}' and offset < {upto})"
            )
            kept = project.spark.table("kept").localCheckpoint()
            kept.createOrReplaceTempView("kept")
            project.spark.sql(f"insert overwrite {landing} select * from kept")
            landed[gone] = [n for n in landed[gone] if n >= upto]
        run = chance.sample(NAMES, chance.randint(1, len(NAMES)))
        project.run("run", "--select", *(f"stg_src__{name}" for name in run))
        for name in run:
            seen[name] |= set(landed[name])
            assert staged(project)[name] == sorted(seen[name])

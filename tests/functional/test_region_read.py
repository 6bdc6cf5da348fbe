"""A run does not read landing records again that were processed and have not changed; no record is
missed because of this."""

import contextlib

import pytest

from tests.functional.small_stream import keyed
from tests.functional.statements import heard


@pytest.fixture
def project(make_project):
    made = make_project(
        "region",
        source="src",
        tables={
            "keyed": {
                "topic": ["t.p.keyed", "t.p.other"],
                "key": ["id"],
                "columns": {"id": "int", "note": "text"},
            }
        },
    )
    made.land([created(offset) for offset in (0, 1, 2, 7)])
    run(made)
    return made


def created(offset: int, partition: int = 0, topic: str = "t.p.keyed") -> dict:
    number = offset + 100 * partition + (1000 if topic == "t.p.other" else 0)
    record = keyed(offset, 1000 + number, "c", (number, "a"))
    return record | {"partition": partition, "topic": topic}


def run(project) -> str:
    """Runs the change log. Out: the statements that ran, in order."""
    with heard() as said:
        project.run("run", "--select", "stg_src__keyed")
    return "\n".join(said)


def offsets(project) -> list[tuple]:
    rows = project.rows("stg_src__keyed")
    return sorted((row["_cdc_topic"], row["_cdc_partition"], row["_cdc_offset"]) for row in rows)


@pytest.mark.formats
def test_what_lies_above_is_new_without_asking_the_change_log(project):
    project.land([created(8), created(9)])
    said = run(project)
    assert "join processed" not in said and "from processed" not in said
    assert len(offsets(project)) == 6
    assert "join processed" not in run(project)


LATE = {
    "one late": [created(5)],
    "late and new ones": [created(5), created(12), created(8)],
    "of a new partition": [created(3, partition=4)],
    "of a partition between two known ones": [created(3, partition=4), created(1, partition=2)],
    "of another topic": [created(1, topic="t.p.other")],
}


@pytest.mark.parametrize("records", LATE.values(), ids=LATE)
def test_nothing_is_passed_over(project, records):
    before = offsets(project)
    for record in records:
        project.land([record])
        run(project)
    here = [(r["topic"], r["partition"], r["offset"]) for r in records]
    assert offsets(project) == sorted(before + here)


@pytest.mark.parametrize("part", ["partition", "offset"])
def test_a_record_without_a_place_is_looked_at(project, part):
    project.land([created(30) | {part: None}])
    run(project)
    assert len(project.rows("stg_src__keyed", "_cdc_key = '30'")) == 1
    project.land([created(31)])
    run(project)
    assert len(project.rows("stg_src__keyed", "_cdc_key = '31'")) == 1


def test_one_gone_and_one_late_leave_as_many_as_there_were(project):
    with rewritten(project, "offset <> 1"):
        project.land([created(4)])
    run(project)
    assert [offset for _, _, offset in offsets(project)] == [0, 1, 2, 4, 7]


def test_after_a_purge_the_region_begins_anew(project):
    with rewritten(project, "offset > 2"):
        project.land([created(8)])
    assert "join processed" in run(project)
    project.land([created(9)])
    assert "join processed" not in run(project)
    assert [offset for _, _, offset in offsets(project)] == [0, 1, 2, 7, 8, 9]


def test_another_contract_looks_at_all(project):
    project.land([keyed(20, 5000, "c", (20, "x" * 9)) | {"value": '{"op":'}])
    run(project)
    project.tables["keyed"]["columns"]["more"] = "text"
    project.write()
    # refused records may be readable now
    assert "join processed" in run(project)


@contextlib.contextmanager
def rewritten(project, kept: str):
    """Landing without some of its records, as retention leaves it."""
    table = project.landing
    project.spark.sql(f"create table {table}_kept as select * from {table} where {kept}")
    project.spark.sql(f"truncate table {table}")
    project.spark.sql(f"insert into {table} select * from {table}_kept")
    yield

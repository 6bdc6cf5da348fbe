"""A record that is refused again when it is retried stays in quarantine."""

import pytest

from tests.functional.project import as_debezium_writes

# names that steps of the package's own statements also have
NAMES = ("verdict", "batch", "exceptional", "few", "looks", "event", "copy", "coordinate")


def event(offset: int, amount: str = "1.00", **more) -> dict:
    row = {"id": offset, "amount": amount} | dict.fromkeys(NAMES, 1)
    source = {"connector": "postgresql", "ts_ms": 1, "snapshot": "false", "lsn": 100 + offset}
    value = {"before": None, "after": row, "source": source, "op": "c", "ts_ms": 1}
    return {"topic": "t.p.keyed", "partition": 0, "offset": offset, "value": value} | more


@pytest.fixture
def project(make_project):
    columns = {"id": "int", "amount": "numeric(4,2)"} | dict.fromkeys(NAMES, "int")
    settings = {"decimal_handling_mode": "string"}
    return make_project(
        "refused_again",
        source_contract={"connector": "postgresql", "topic_prefix": "t", "settings": settings},
        tables={"keyed": {"topic": "t.p.keyed", "key": ["id"], "columns": columns}},
        layers={"keyed": ["stg"]},
    )


def refused(project) -> set[int]:
    return {row["offset"] for row in project.rows("dq_s__quarantine")}


def test_it_stays_refused(project):
    project.land([event(0), event(1, "abc"), event(2, "xyz"), event(3)])
    project.run("run")
    assert refused(project) == {1, 2}
    # as when `afterimage retry` retries all of them; one next to them is accepted
    ledger = f"{project.schema}.stg_s__keyed__ledger"
    stamp = "'afterimage.retry' = 'another'"
    project.spark.sql(f"alter table {ledger} set tblproperties ({stamp})")
    project.land([event(4), event(0) | {"offset": 9}])
    project.run("run")
    said = {row["outcome"] for row in project.rows("stg_s__keyed__ledger")}
    assert said == {"refused", "duplicate"}
    assert refused(project) == {1, 2}
    assert len(project.rows("stg_s__keyed")) == 3


def cut(offset: int) -> dict:
    """The same record, cut as in a file that was not written to its end."""
    return event(offset) | {"value": as_debezium_writes(event(offset)["value"])[:100]}


def test_cut_off_and_whole_at_one_place(project):
    """In one run, in either order, and in two; cut off once more before it arrives in full."""
    expected = [
        ([event(0), cut(1), cut(2), event(2), event(3), cut(3)], {1}, {0, 2, 3}),
        ([event(1), event(4), cut(5)], {5}, {0, 1, 2, 3, 4}),
        ([cut(5), event(6)], {5}, {0, 1, 2, 3, 4, 6}),
        ([event(5)], set(), {0, 1, 2, 3, 4, 5, 6}),
        ([], set(), {0, 1, 2, 3, 4, 5, 6}),
    ]
    for records, still_refused, staged in expected:
        if records:
            project.land(records)
        project.run("run")
        assert refused(project) == still_refused
        assert {row["id"] for row in project.rows("stg_s__keyed")} == staged
        counts = project.counts()
        assert counts["keyed", "landed", None] == len(still_refused | staged)
        assert counts["keyed", "staged", None] == len(staged)
        assert not [kind for kind in counts if kind[1] in ("pending", "alarm")], counts
    assert "nothing new" in project.said[0]
    assert project.counts()["keyed", "landed_again", None] == 5

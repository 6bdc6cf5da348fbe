"""Columns whose changes make no version, and deleted rows that stay: over several runs, late, from
the change log, and when the contract changes."""

import pytest

from tests.functional.project import DbtFailed
from tests.functional.test_contract_changes import event

CONTRACT = {
    "topic": "t.members",
    "key": ["id"],
    "columns": {"id": "int", "name": "text", "seen": "int"},
    "untracked": ["seen"],
    "deletes": "flag",
}
NAMES = {1: "Ann", 2: "Bob"}


def record(offset: int, lsn: int, op: str, number: int, name: str = "", seen: int | None = 0):
    row = {"id": number, "name": name or NAMES[number], "seen": seen}
    value = event(lsn, None if op == "d" else row, op, row if op == "d" else None)
    return {"topic": "t.members", "partition": 0, "offset": offset, "value": value}


@pytest.fixture
def project(make_project):
    return make_project(
        "untracked",
        source_contract={"connector": "postgresql"},
        tables={"members": dict(CONTRACT)},
        extra_models={
            "cur_of_changes": "{{ afterimage.current_state(ref('stg_s__members')) }}",
        },
    )


def versions(project) -> list[tuple]:
    """(name, seen, from, to, why it ended) in order."""
    columns = ("name", "seen", "_cdc_position", "_cdc_end_position", "_cdc_end_reason")
    rows = sorted(project.rows("hist_s__members"), key=lambda row: (row["id"], row["_cdc_order"]))
    return [
        tuple(int(row[c]) if "position" in c and row[c] else row[c] for c in columns)
        for row in rows
    ]


def current(project) -> list[tuple]:
    """(name, seen, whether deleted, why), the same from history and from the change log."""
    found = []
    for model in ("cur_s__members", "cur_of_changes"):
        columns = ("name", "seen", "_cdc_is_deleted", "_cdc_end_reason")
        rows = sorted(project.rows(model), key=lambda row: row["id"])
        found.append([tuple(row.get(c) for c in columns) for row in rows])
    assert found[0] == found[1]
    return found[0]


def test_values_that_are_not_tracked_and_rows_that_are_gone(project):
    project.land([record(0, 100, "c", 1, seen=1), record(1, 110, "c", 2, seen=1)])
    project.run("run")
    assert current(project) == [("Ann", 1, False, None), ("Bob", 1, False, None)]
    # the open version is updated; the other row is gone
    project.land([record(2, 200, "u", 1, seen=2), record(3, 210, "d", 2, seen=1)])
    project.run("run")
    assert versions(project) == [
        ("Ann", 2, 100, None, None),
        ("Bob", 1, 110, 210, "delete"),
    ]
    assert current(project) == [("Ann", 2, False, None), ("Bob", 1, True, "delete")]
    # a tracked change, an older untracked one, which is late, and another life
    project.land(
        [
            record(4, 300, "u", 1, "Anne", seen=4),
            record(5, 250, "u", 1, seen=3),
            record(6, 310, "c", 2, "Bert", seen=None),
        ]
    )
    project.run("run")
    assert versions(project) == [
        ("Ann", 3, 100, 300, "update"),
        ("Anne", 4, 300, None, None),
        ("Bob", 1, 110, 210, "delete"),
        ("Bert", None, 310, None, None),
    ]
    assert current(project) == [("Anne", 4, False, None), ("Bert", None, False, None)]
    # a late tracked change splits a version that was only updated
    project.land([record(7, 150, "u", 1, "Anna", seen=9)])
    project.run("run")
    assert versions(project)[:3] == [
        ("Ann", 1, 100, 150, "update"),
        ("Anna", 9, 150, 200, "update"),
        ("Ann", 3, 200, 300, "update"),
    ]
    # the contract changes: history is rebuilt, no staged record is lost
    project.tables["members"] = CONTRACT | {"untracked": [], "deletes": "drop"}
    project.write()
    project.run("run")
    assert [version[:3] for version in versions(project)] == [
        ("Ann", 1, 100),
        ("Anna", 9, 150),
        ("Ann", 2, 200),
        ("Ann", 3, 250),
        ("Anne", 4, 300),
        ("Bob", 1, 110),
        ("Bert", None, 310),
    ]
    assert current(project) == [("Anne", 4, None, None), ("Bert", None, None, None)]


def test_what_cannot_be_untracked_or_kept_is_refused(project):
    project.tables["members"] = CONTRACT | {"untracked": ["id", "sen"]}
    project.tables["bag"] = CONTRACT | {"topic": "t.bag", "key": []}
    project.write()
    with pytest.raises(DbtFailed) as failed:
        project.run("run")
    told = str(failed.value)
    assert "untracked: id is part of the key" in told
    assert "untracked: column sen is not among the columns" in told
    assert "untracked: needs a key" in told
    assert "deletes: flag needs a key" in told

"""A refused change that is the latest state of its row: the models show the earlier row, and the
quarantine names it."""

import hashlib

import pytest
import yaml

from tests.functional.project import DbtFailed
from tests.functional.test_contract_changes import event

CONTRACT = {
    "topic": "t.items",
    "key": ["id"],
    "columns": {"id": "int", "amount": "numeric(4,2)", "note": "text"},
}
SOURCE = {"connector": "postgresql", "settings": {"decimal_handling_mode": "string"}}
TOO_LARGE = "12345.00"
# key, lsn, op, amount; a change that is too large is refused
CHANGES = [
    (1, 100, "c", "1.00"),
    (1, 200, "u", TOO_LARGE),  # the latest state: behind
    (2, 110, "c", "1.00"),
    (2, 210, "u", TOO_LARGE),
    (2, 310, "u", "2.00"),  # a later change was accepted
    (3, 120, "c", TOO_LARGE),  # no row at all: behind
    (4, 130, "c", "1.00"),
    (4, 230, "u", TOO_LARGE),
    (4, 330, "d", "1.00"),
    (5, 140, "c", "1.00"),
    (5, 240, "u", TOO_LARGE),
    (5, 340, "u", "2.00"),  # note is not sent, so it comes from before the refused change: behind
    (6, 150, "c", "1.00"),
    (6, 250, "u", TOO_LARGE),
    (6, 250, "u", "2.00"),  # the same change, redelivered in its correct form
]
NOT_SENT = "__debezium_unavailable_value"


def landed(topic: str) -> list[dict]:
    records = []
    for offset, (number, lsn, op, amount) in enumerate(CHANGES):
        row = {"id": number, "amount": amount, "note": NOT_SENT if lsn == 340 else "x"}
        value = event(lsn, None if op == "d" else row, op, row if op == "d" else None)
        records.append({"topic": topic, "partition": 0, "offset": offset, "value": value})
    return records


def test_rows_that_a_refused_change_leaves_behind_are_flagged(make_project):
    project = make_project(
        "behind",
        source_contract=SOURCE,
        tables={
            "items": dict(CONTRACT),
            "secret": CONTRACT | {"topic": "t.secret", "sensitive": ["id"]},
        },
    )
    tests = [{"name": "dq_s__quarantine", "data_tests": ["afterimage.cdc_no_row_behind"]}]
    path = project.folder / "models" / "behind.yml"
    path.write_text(yaml.safe_dump({"models": tests}), encoding="utf-8")
    project.land(landed("t.items") + landed("t.secret"))
    project.run("run")
    rows = project.rows("dq_s__quarantine")
    told = {
        row["row_key"]: (int(row["position"]), row["row_is_behind"])
        for row in rows
        if row["table_name"] == "items"
    }
    assert told == {
        "1": (200, True),
        "2": (210, False),
        "3": (120, True),
        "4": (230, False),
        "5": (240, True),
        "6": (250, False),
    }
    hidden = {
        row["row_key"]: (int(row["position"]), row["row_is_behind"])
        for row in rows
        if row["table_name"] == "secret"
    }
    assert hidden == {
        "sha256:" + hashlib.sha256(key.encode()).hexdigest(): found for key, found in told.items()
    }
    with pytest.raises(DbtFailed, match="cdc_no_row_behind"):
        project.run("test")

    for name in project.tables:
        project.tables[name]["columns"] = CONTRACT["columns"] | {"amount": "numeric(9,2)"}
    project.write()
    project.run("run", "--full-refresh")
    project.run("test")
    current = {row["id"]: str(row["amount"]) for row in project.rows("cur_s__items")}
    assert current == {1: TOO_LARGE, 2: "2.00", 3: TOO_LARGE, 5: "2.00", 6: "2.00"}


def test_a_truncate_leaves_no_row_behind(make_project):
    project = make_project(
        "emptied",
        source_contract=SOURCE,
        tables={"items": dict(CONTRACT)},
    )
    truncate = {"topic": "t.items", "partition": 0, "offset": 99, "value": event(220, None, "t")}
    project.land([*landed("t.items")[:2], truncate])
    project.run("run")
    told = [(row["row_key"], row["row_is_behind"]) for row in project.rows("dq_s__quarantine")]
    assert told == [("1", False)]


def change(offset: int, place: int, op: str, number: int, amount: str, commit: int, kind="false"):
    """A change that carries the last commit read before its transaction."""
    value = event(place, {"id": number, "amount": amount, "note": "x"}, op)
    value["source"] |= {"snapshot": kind, "sequence": f'["{commit}", "{place}"]'}
    if kind != "false":
        value["source"]["lsn"] = None
    return {"topic": "t.items", "partition": 0, "offset": offset, "value": value}


def test_a_snapshot_that_does_not_show_a_change_leaves_its_row_behind(make_project):
    """Both were written at 200 and committed after 310; one row was read at 300, the other at 320.
    Of the third, which is also refused, nothing is shown any more: it was erased."""
    project = make_project(
        "unseen",
        source_contract=SOURCE,
        tables={"items": dict(CONTRACT)},
        operator_events=[
            {
                "event": "forget-3",
                "kind": "erase",
                "source_name": "s",
                "table_name": "items",
                "row_key": "3",
                "position": f"{250:020d}",
            }
        ],
    )
    project.land(
        [
            change(0, 200, "u", 1, TOO_LARGE, 310),
            change(1, 300, "r", 1, "1.00", 290, "incremental"),
            change(2, 200, "u", 2, TOO_LARGE, 310),
            change(3, 320, "r", 2, "1.00", 310, "incremental"),
            change(4, 200, "u", 3, TOO_LARGE, 190),
        ]
    )
    project.run("seed")
    project.run("run")
    rows = {row["offset"]: row for row in project.rows("dq_s__quarantine")}
    told = {offset: (row["row_key"], row["row_is_behind"]) for offset, row in rows.items()}
    assert told == {0: ("1", True), 2: ("2", False), 4: (None, False)}
    assert rows[0]["record_value"].startswith("{") and rows[0]["detail"]
    assert rows[4]["record_value"].startswith("sha256:") and rows[4]["detail"] is None

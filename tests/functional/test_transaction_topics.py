"""`transactions` over change logs made by hand: what connectors write into the topic of transactions,
names of tables, topics of several partitions or made anew, records that cannot be read; and the topics
of captures, against plain Python."""

from __future__ import annotations

import pytest

from tests.functional.transaction_project import (
    CONNECTORS,
    Case,
    Change,
    boundary,
    project_of_cases,
    states,
)

POSTGRESQL = {"connector": "postgresql"}
MARIADB = {"connector": "mariadb"}
ONE = {"t": "p.s.t"}


def changed(transaction: str, order: int = 1, table: str = "t", **more) -> Change:
    more = {"source_table": "p.s.t", "topic": "p.s.t"} | more
    return Change(table, transaction=transaction, order=order, **more)


def ended(offset: int, id_: str, partition: int = 0, **more) -> dict:
    return boundary(offset, "END", id_, partition=partition, **more)


# name -> case, (transaction, collection) -> table, told, staged, state, is_settled
CASES = {
    # a collection named like its database: none of `a.shop`, and all of its own
    "named_alike": (
        Case(
            POSTGRESQL,
            {"shop": "p.shop.shop", "other": "p.a.shop"},
            [
                boundary(0, "BEGIN", "1:10"),
                ended(1, "1:11", counts={"shop.shop": 2, "a.shop": 1}),
                boundary(2, "BEGIN", "2:20"),
                ended(3, "2:21", counts={"shop.shop": 1}),
            ],
            [
                changed("1", 1, "shop", source_table="p.shop.shop", topic="p.shop.shop"),
                changed("1", 2, "other", source_table="p.a.shop", topic="p.a.shop"),
                changed("1", 3, "shop", source_table="p.shop.shop", topic="p.shop.shop"),
                changed("2", 1, "shop", source_table="p.shop.shop", topic="p.shop.shop"),
            ],
        ),
        {
            ("1", "shop.shop"): ("shop", 2, 2, "complete", True),
            ("1", "a.shop"): ("other", 1, 1, "complete", True),
            ("2", "shop.shop"): ("shop", 1, 1, "complete", True),
        },
    ),
    # MongoDB: the replica set in front, points in a name, and no clock in the boundaries
    "mongodb": (
        Case(
            {"connector": "mongodb"},
            {"crm": "p.crm.crm", "logs": "p.crm.log.2026"},
            [
                boundary(0, "BEGIN", "1462833718356672513", at=None),
                ended(1, "1462833718356672513", at=None, counts={"rs0.crm.crm": 1}),
                boundary(2, "BEGIN", "2", at=None),
                ended(3, "2", at=None, counts={"rs0.crm.crm": 2, "rs0.crm.log.2026": 1}),
                boundary(4, "BEGIN", "3", at=None),
            ],
            [
                changed("1462833718356672513", 1, "crm", source_table="p.crm.crm", at=900),
                changed("2", 1, "crm", source_table="p.crm.crm", at=900),
                changed("2", 2, "logs", source_table="p.crm.log.2026", at=900),
                changed("3", 1, "crm", source_table="p.crm.crm", at=900),
            ],
        ),
        {
            ("1462833718356672513", "rs0.crm.crm"): ("crm", 1, 1, "complete", True),
            ("2", "rs0.crm.crm"): ("crm", 2, 1, "missing", False),
            ("2", "rs0.crm.log.2026"): ("logs", 1, 1, "complete", False),
            ("3", None): ("crm", None, 1, "open", False),
        },
    ),
    # rows without envelopes tell their table alone, or not even that
    "rows_alone": (
        Case(
            POSTGRESQL,
            {"orders": "p.shop.orders", "lines": "p.shop.lines", "crm": "p.crm.orders"},
            [
                ended(0, "1:10", counts={"shop.orders": 1, "shop.lines": 1, "crm.orders": 1}),
                ended(1, "2:20", counts={"shop.lines": 1}),
            ],
            [
                changed("1", 1, "orders", source_table="orders", topic="p.shop.orders"),
                changed("1", 2, "lines", source_table="p.shop.lines", topic="p.shop.lines"),
                changed("1", 3, "crm", source_table="orders", topic="p.crm.orders"),
            ],
        ),
        {
            ("1", "shop.orders"): ("orders", 1, 1, "complete", True),
            ("1", "shop.lines"): ("lines", 1, 1, "complete", True),
            ("1", "crm.orders"): ("crm", 1, 1, "complete", True),
            ("2", "shop.lines"): ("lines", 1, 0, "missing", False),
        },
    ),
    # physical tables of one routed topic; a name of one part says too little
    "routed": (
        Case(
            MARIADB,
            {"orders": "all_orders", "notes": "all_notes"},
            [
                ended(0, "0-1-1", counts={"s.orders_1": 1, "s.orders_2": 1}),
                ended(1, "0-1-2", counts={"s.orders_1": 2, "s.orders_3": 1}),
                ended(2, "0-1-3", counts={"s.note": 1, "u.note": 1}),
            ],
            [
                changed("0-1-1", 1, "orders", source_table="p.s.orders_1", topic="all_orders"),
                changed("0-1-1", 2, "orders", source_table="p.s.orders_2", topic="all_orders"),
                changed("0-1-2", 1, "orders", source_table="p.s.orders_1", topic="all_orders"),
                changed("0-1-2", 2, "orders", source_table="p.s.orders_1", topic="all_orders"),
                changed("0-1-3", 1, "notes", source_table="note", topic="all_notes"),
            ],
        ),
        {
            ("0-1-1", "s.orders_1"): ("orders", 1, 1, "complete", True),
            ("0-1-1", "s.orders_2"): ("orders", 1, 1, "complete", True),
            ("0-1-2", "s.orders_1"): ("orders", 2, 2, "complete", True),
            ("0-1-2", "s.orders_3"): (None, 1, 0, "not declared", True),
            ("0-1-3", "s.note"): (None, 1, 0, "not declared", True),
            ("0-1-3", "u.note"): (None, 1, 0, "not declared", True),
            ("0-1-3", None): ("notes", None, 1, "extra", True),
        },
    ),
    # several partitions, places by GTID. 5 and 8 have no END; only 5 is behind an END of its partition
    # that all partitions have reached. Partition 1 is the one that is behind
    "partitions": (
        Case(
            MARIADB,
            ONE,
            [
                boundary(0, "BEGIN", "0-1-5"),
                boundary(0, "BEGIN", "0-1-6", partition=1),
                ended(1, "0-1-6", partition=1, counts={"s.t": 1}),
                boundary(1, "BEGIN", "0-1-7"),
                ended(2, "0-1-7", counts={"s.t": 1}),
                boundary(2, "BEGIN", "0-1-9", partition=1),
                ended(3, "0-1-9", partition=1, counts={"s.t": 1}),
                boundary(3, "BEGIN", "0-1-8"),
                boundary(4, "BEGIN", "0-1-10"),
                ended(5, "0-1-10", counts={"s.t": 1}),
            ],
            [changed(f"0-1-{n}") for n in (5, 6, 7, 8, 9, 10)],
        ),
        {
            ("0-1-5", None): ("t", None, 1, "ended without END", True),
            ("0-1-6", "s.t"): ("t", 1, 1, "complete", True),
            ("0-1-7", "s.t"): ("t", 1, 1, "complete", True),
            ("0-1-9", "s.t"): ("t", 1, 1, "complete", True),
            ("0-1-8", None): ("t", None, 1, "open", False),
            ("0-1-10", "s.t"): ("t", 1, 1, "complete", False),
        },
    ),
    # a partition that has no END so far may be behind all others
    "partition_without_end": (
        Case(
            {"connector": "mysql"},
            ONE,
            [
                boundary(0, "BEGIN", "file=bin.000002,pos=100", partition=1),
                boundary(0, "BEGIN", "file=bin.000002,pos=300"),
                ended(1, "file=bin.000002,pos=300", counts={"s.t": 1}),
            ],
            [changed("file=bin.000002,pos=300"), changed("file=bin.000002,pos=100")],
        ),
        {
            ("file=bin.000002,pos=300", "s.t"): ("t", 1, 1, "complete", False),
            ("file=bin.000002,pos=100", None): ("t", None, 1, "open", False),
        },
    ),
    # the connector was killed within 2 and begins anew with 1: the END of 1 shows nothing of 2
    "delivered_again": (
        Case(
            MARIADB,
            ONE,
            [
                boundary(0, "BEGIN", "0-1-1"),
                ended(1, "0-1-1", counts={"s.t": 1}),
                boundary(2, "BEGIN", "0-1-2"),
                boundary(3, "BEGIN", "0-1-1"),
                ended(4, "0-1-1", counts={"s.t": 1}),
            ],
            [changed("0-1-1"), changed("0-1-2")],
        ),
        {
            ("0-1-1", "s.t"): ("t", 1, 1, "complete", True),
            ("0-1-2", None): ("t", None, 1, "open", False),
        },
    ),
    # the topic was made anew: offsets 0 to 3 come again, later, and are other records
    "made_anew": (
        Case(
            POSTGRESQL,
            ONE,
            [
                *[boundary(n, s, f"1:{n}", counts=c) for n, s, c in [(0, "BEGIN", None)]],
                ended(1, "1:10", counts={"s.t": 1}),
                boundary(2, "BEGIN", "2:20"),
                ended(3, "2:21", counts={"s.t": 1}),
                boundary(0, "BEGIN", "3:30", timestamp=9000),
                ended(1, "3:31", timestamp=9001, counts={"s.t": 1}),
                boundary(2, "BEGIN", "4:40", timestamp=9002),
                ended(3, "4:41", timestamp=9003, counts={"s.t": 2}),
                boundary(4, "BEGIN", "5:50", timestamp=9004),
                ended(5, "5:51", timestamp=9005, counts={"s.t": 1}),
            ],
            [changed(n) for n in "12345"],
        ),
        {
            **{(n, "s.t"): ("t", 1, 1, "complete", True) for n in "123"},
            ("4", "s.t"): ("t", 2, 1, "missing", False),
            ("5", "s.t"): ("t", 1, 1, "complete", False),
        },
    ),
    # records that cannot be read, ENDs of nothing, changes that no END tells of
    "faults": (
        Case(
            POSTGRESQL,
            ONE,
            [
                boundary(0, "BEGIN", "1:1"),
                boundary(1, "", "") | {"value": None},
                boundary(2, "", "") | {"value": "{"},
                boundary(3, "COMMIT", "1:2"),
                boundary(4, "END", None),
                ended(5, "1:3", counts={}),
                ended(6, "2:3", counts={"s.t": 1}),
                ended(7, "3:3", counts={}),
            ],
            [changed("2"), changed("2", 2), changed("3")],
        ),
        {
            ("1", None): (None, None, 0, "complete", True),
            ("2", "s.t"): ("t", 1, 2, "more", True),
            ("3", None): ("t", None, 1, "extra", True),
            (None, None): ((None, None, 0, "fault", False),) * 4,
        },
    ),
}


CASES = {
    name: (case, expected)
    for name, (case, expected) in CASES.items()
    if case.contract["connector"] in CONNECTORS
}


@pytest.fixture(scope="module")
def project(spark, tmp_path_factory):
    from tests.functional.conftest import drop
    from tests.functional.project import Project

    def make(schema: str, **fields) -> Project:
        folder = tmp_path_factory.mktemp(schema)
        landing = f"{schema}_landing.events"
        return Project(folder=folder, spark=spark, schema=schema, landing=landing, **fields)

    made = project_of_cases({n: c for n, (c, _) in CASES.items()}, make, "transaction_cases")
    made.run("run", "--select", "transactions_*")
    yield made
    drop(spark, made)


@pytest.mark.parametrize("name", CASES)
def test_what_the_topic_tells(name, project):
    assert states(project, f"transactions_{name}") == CASES[name][1]


def test_why_a_record_cannot_be_read(project):
    rows = project.rows("transactions_faults", "state = 'fault'")
    assert sorted(row["fault"] for row in rows) == [
        "broken JSON, partition 0, offset 2",
        "no boundary, partition 0, offset 3",
        "no boundary, partition 0, offset 4",
        "no value, partition 0, offset 1",
    ]

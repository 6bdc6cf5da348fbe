"""`transactions` over change logs made by hand: what connectors write to the topic of transactions,
names of tables, topics with several partitions or recreated, unreadable records; and the topics of
captures, compared with plain Python."""

import json

import pytest

from tests.functional.capture_project import landing_records, table_name
from tests.functional.conftest import drop
from tests.functional.project import Project
from tests.functional.transaction_project import (
    CONNECTORS,
    Case,
    Change,
    boundary,
    project_of_cases,
    states_of,
)
from tests.truth.captures import captures

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
    # a collection with the name of its database: none of `a.shop`, and all of its own
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
    # MongoDB: the replica set as prefix, dots in a name, and no clock in the boundaries
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
    # rows without envelopes carry only their table, or not even that
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
    # physical tables of one routed topic; a name of one part is not enough
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
    # several partitions, positions by GTID. 5 and 8 have no END; only after 5 is there an END of
    # its partition that all partitions have reached. Partition 1 is the one that is behind
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
    # a partition without an END so far may be behind all others
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
    # the connector was killed within 2 and restarts with 1: the END of 1 proves nothing about 2
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
    # the topic was recreated: offsets 0 to 3 repeat, later, and are other records
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
    # unreadable records, ENDs without a transaction, changes that no END lists
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
    rows = project.rows(f"transactions_{name}")
    assert states_of(rows) == CASES[name][1]
    assert all(row["ended_at"] for row in rows if row["state"] in ("complete", "missing", "more"))
    if name == "faults":
        assert sorted(row["fault"] for row in rows if row["fault"]) == [
            "broken JSON, partition 0, offset 2",
            "no boundary, partition 0, offset 3",
            "no boundary, partition 0, offset 4",
            "no value, partition 0, offset 1",
        ]


# --- captures ----------------------------------------------------------------------------------

# those with special topics: missing ENDs (MariaDB), ENDs repeated after a kill, one without a
# transaction, tables of one topic. name -> number of transactions
TOPICS = {
    "mariadb-inventory": 2364,
    "mysql9-killed": 78,
    "mysql9-partialjson": 3,
    "pg-restart-duplicates": 475,
    "pg-routed": 244,
}


def payload(record) -> dict:
    value = json.loads(record.value)
    return value["payload"] if "schema" in value and "payload" in value else value


def table_of(source: dict) -> str:
    schema = source["schema" if source["connector"] == "postgresql" else "db"]
    return f"{schema}.{source['table']}"


def told_by_topic(records: list, spec) -> tuple[dict, dict]:
    """In plain Python: {(transaction, collection): (told, staged, state, is_settled)} of records in
    the order of their delivery, and {(transaction, table): numbers of its changes}."""
    there: dict[tuple, set] = {}
    began, ended, counts = {}, {}, {}
    newest: dict[int, int] = {}
    for number, record in enumerate(records):
        value = payload(record) if record.value else {}
        id_ = value.get("id", "")
        if record.topic.endswith(".transaction"):
            id_ = id_.partition(":")[0] if spec.connector == "postgresql" else id_
            if value["status"] == "BEGIN":
                began[id_] = (record.partition, number)
            else:
                told = {c["data_collection"]: c["event_count"] for c in value["data_collections"]}
                assert counts.setdefault(id_, told) == told
                ended.setdefault(id_, (record.partition, number))
                newest[record.partition] = number
        elif value.get("transaction") and spec.by_topic(record.topic) and value["op"] != "m":
            source = value["source"]
            of_postgresql = spec.connector == "postgresql"
            id_ = str(source["txId"]) if of_postgresql else value["transaction"]["id"]
            order = int(value["transaction"]["total_order"])
            there.setdefault((id_, table_of(source)), set()).add(order)
    tables = {table for _, table in there}
    last = min(newest.values())
    missing = min(
        (
            ended[id_][1]
            for id_, told in counts.items()
            for c, n in told.items()
            if c in tables and len(there.get((id_, c), ())) < n
        ),
        default=len(records),
    )
    found = {}
    for id_ in began.keys() | ended.keys():
        place = ended.get(id_) or began[id_]
        has_later = any(p == place[0] and n > place[1] for p, n in ended.values())
        is_settled = place[1] <= last and place[1] < missing and (id_ in ended or has_later)
        told = counts.get(id_) or {None: None}
        for collection, count in told.items():
            staged = len(there.get((id_, collection), ()))
            state = "complete"
            if id_ not in ended:
                staged = sum(len(orders) for (tx, _), orders in there.items() if tx == id_)
                state = "ended without END" if has_later else "open"
            elif collection is not None and collection not in tables:
                state = "not declared"
            elif collection is not None and staged < count:
                state = "missing"
            found[id_, collection] = (count, staged, state, is_settled)
    return found, there


def case_of_capture(capture) -> Case:
    spec, records = capture.former_spec, capture.records
    prefix = next(iter(spec.tables.values())).topics[0].split(".")[0]
    topic = next(r.topic for r in records if r.topic.endswith(".transaction"))
    contract = {"connector": spec.connector, "topic_prefix": prefix}
    tables = {table_name(t.name): list(t.topics) for t in spec.tables.values()}
    _, there = told_by_topic(records, spec)
    topics = {}
    for record in records:
        table = spec.by_topic(record.topic)
        if table and record.value and payload(record).get("source"):
            topics[table_of(payload(record)["source"])] = (table_name(table.name), record.topic)
    changes = [
        changed(tx, order, name, source_table=f"{prefix}.{table}", topic=of_changes)
        for (tx, table), orders in there.items()
        for name, of_changes in [topics[table]]
        for order in orders
    ]
    landed = landing_records([record for record in records if record.topic == topic])
    return Case(contract, tables, landed, changes)


@pytest.mark.parametrize("name", TOPICS)
def test_the_topic_of_a_capture(name, spark, tmp_path, compared):
    """Compared with plain Python, over change logs with the records' content."""
    capture = captures()[name]

    def make(schema: str, **fields) -> Project:
        landing = f"{schema}_landing.events"
        return Project(tmp_path, spark, schema=schema, landing=landing, **fields)

    schema = "topic_of_" + name.replace("-", "_")
    project = project_of_cases({"capture": case_of_capture(capture)}, make, schema)
    try:
        project.run("run", "--select", "transactions_capture")
        rows = project.rows("transactions_capture")
        expected, _ = told_by_topic(capture.records, capture.former_spec)
        found = {(row["transaction_id"], row["data_collection"]): row for row in rows}
        assert len(found) == len(rows)
        got = {
            place: (row["reported"], row["staged"], row["state"], row["is_settled"])
            for place, row in found.items()
        }
        assert {tx for tx, _ in got} == {tx for tx, _ in expected}
        assert len({tx for tx, _ in got}) == TOPICS[name]
        assert [(p, got.get(p), e) for p, e in expected.items() if got.get(p) != e] == []
        assert got.keys() == expected.keys()
        compared["transactions and tables of a capture's topic"] += len(got)
    finally:
        drop(spark, project)

"""Every kind of finding that accounting knows (seeds/afterimage_remedies.csv), with the records it
names: in accounting, in the failing test and in `afterimage report`. One stream shows them all; a
kind that it does not show fails here. Each comes with a similar case that is no finding."""

import contextlib
import json
import re

import pytest
from markupsafe import escape
from rich.console import Console

from afterimage.counted import counted
from afterimage.invoke import working_in
from afterimage.outcomes import remedies
from afterimage.report import gather, page, show
from afterimage.report.gathered import FINDINGS
from tests.functional.project import DbtFailed

KINDS = {kind: row for kind, row in remedies().items() if kind[0] in FINDINGS}
BASE = 1_700_000_000_000
DAY = 86_400_000
AUDIT = "alarm_kinds_dbt_test__audit"

FOUND = {
    ("o", "alarm", "two_records_at_one_place"): (1, ["0:0"]),
    ("o", "alarm", "complete_snapshot_read_nothing"): (1, ["0000000001.000000000999.0000000000"]),
    ("o", "alarm", "several_source_tables"): (1, ["t.p.other"]),
    ("o", "alarm", "position_went_back"): (1, ["0:13 7"]),
    ("o", "alarm", "clock_went_back"): (1, ["0:14 8"]),
    ("o", "alarm", "made_in_the_future"): (1, ["0:17 9"]),
    ("o", "alarm", "key_change_unpaired"): (1, ["0:12 5 -> 6"]),
    ("o", "contradiction", "skipped_operations"): (2, ["d 0:12 5"]),
    ("ident", "contradiction", "replica_identity"): (1, ["0:1 1"]),
    ("full", "contradiction", "replica_identity"): (1, ["0:1 1"]),
    ("short", "contradiction", "binlog_row_image"): (1, ["0:1 1"]),
    ("short_deletes", "contradiction", "binlog_row_image"): (1, ["0:1 1"]),
    ("keyless", "contradiction", "replica_identity"): (1, ["0:1"]),
    ("flat", "contradiction", "delete_tombstone_handling_mode"): (1, ["0:2"]),
    ("dropped", "contradiction", "delete_tombstone_handling_mode"): (1, ["0:1 1"]),
    ("moved", "alarm", "key_change_unpaired"): (1, ["0:0 5 -> 6"]),
    ("bag", "alarm", "row_never_seen"): (2, ["0:2", "0:3"]),
    ("tenants", "alarm", "row_created_twice"): (3, ["0:4 2", "0:6 3", "0:7 4"]),
    ("o", "ambiguous", "order_by_landing"): (3, ["0:2 1"]),
    ("moves", "ambiguous", "order_by_landing"): (2, ["0:0 2"]),
    ("tenants", "ambiguous", "order_by_landing"): (2, ["0:0 1"]),
    ("o", "ambiguous", "equal_changes"): (2, ["0:2 1"]),
    ("o", "ambiguous", "transaction_order_restarted"): (1, ["0:6 3"]),
    ("copied", "ambiguous", "transaction_order_restarted"): (1, ["0:2"]),
    # the first record of a restored PostgreSQL; a table that continues under another name is one
    ("pg", "alarm", "position_went_back"): (1, ["0:2 1"]),
    # source.ts_ms of MongoDB as the wall clock
    ("docs", "alarm", "position_went_back"): (2, ["0:1 1", "0:4 3"]),
    ("servers", "alarm", "several_source_tables"): (1, ["s1.p.servers"]),
    ("named", "alarm", "several_source_tables"): (1, ["s1.p.named"]),
}


def landed(topic: str, offset: int, value, headers=None, timestamp: int = 0) -> dict:
    place = {"topic": topic, "partition": 0, "offset": offset, "timestamp": timestamp}
    return place | {"value": value, "headers": headers or {}}


def row(id_: int | None, v: int | None = 0):
    return None if id_ is None else {"id": id_, "v": v}


def mysql(offset: int, op: str, position: int, before=None, after=None, **more) -> dict:
    source = {"name": "t", "db": "p", "table": more.get("table", "o"), "snapshot": "false"}
    source |= {"file": "bin.000001", "pos": position, "row": 0}
    source["ts_ms"] = more.get("made", BASE + offset)
    value = {"op": op, "before": before, "after": after, "source": source}
    if "order" in more:
        value["transaction"] = {"id": "x", "total_order": more["order"]}
    headers = {"__debezium.context.runId": more.get("run", "A")}
    for name in ("oldkey", "newkey"):
        if name in more:
            headers[f"__debezium.{name}"] = json.dumps({"id": more[name]})
    return landed("t.p.o", offset, value, headers)


def postgresql(
    topic: str, offset: int, lsn: int, committed: int | None, id_=1, order=None, **source
) -> dict:
    sequence = json.dumps([committed and str(committed), str(lsn)])
    told = {"name": "t", "schema": "p", "table": topic.split(".")[-1], "snapshot": "false"}
    told |= {"lsn": lsn, "txId": lsn, "sequence": sequence, "ts_ms": BASE + offset} | source
    value = {"op": "c", "after": row(id_), "source": told}
    if order is not None:
        value["transaction"] = {"id": "x", "total_order": order}
    return landed(topic, offset, value)


def updated(table: str, system: dict, before: dict | None, after: dict | None) -> list[dict]:
    """A row that is created, and an update of it, or a delete."""
    records = []
    images_of = {"c": (None, row(1, 1)), "u" if after else "d": (before, after)}
    for offset, (op, images) in enumerate(images_of.items()):
        source = {"name": "t", "snapshot": "false", "table": table, "ts_ms": BASE + offset}
        source |= {name: place + offset for name, place in system.items()}
        source |= {"file": "bin.000001", "row": 0} if "pos" in system else {"txId": offset}
        value = {"op": op, "before": images[0], "after": images[1], "source": source}
        records.append(landed(f"t.p.{table}", offset, value))
    return records


def mongodb(offset: int, op: str, made: int, order: int, id_=1, snapshot="false") -> dict:
    source = {"name": "t", "db": "p", "collection": "docs", "snapshot": snapshot}
    source |= {"ts_ms": BASE + made, "wallTime": BASE + made, "ord": order}
    return landed("t.p.docs", offset, {"op": op, "after": f'{{"_id":{id_}}}', "source": source})


def told_by(table: str, changes: list[tuple]) -> list[dict]:
    """Changes of a table: op, row before, row after, and its transaction unless it is alone; a
    snapshot comes before all of them."""
    records = []
    for offset, (op, before, after, *transaction) in enumerate(changes):
        source = {"name": "t", "schema": "p", "table": table, "ts_ms": BASE + offset}
        source |= {"snapshot": "true" if op == "r" else "false"}
        source |= {"lsn": 50 if op == "r" else 100 + offset, "txId": [offset, *transaction][-1]}
        value = {"op": op, "before": before, "after": after, "source": source}
        records.append(landed(f"t.p.{table}", offset, value))
    return records


MOVED = {
    name: {f"__debezium.{name}": f'{{"id": {key}}}'}
    for name, key in {"newkey": 6, "oldkey": 5}.items()
}
OPEN = told_by("open", [("r", None, row(1, 7)), ("d", row(1, 7), None), ("c", None, row(1, 8))])
OPEN[1]["value"]["source"]["lsn"] = 40
STREAM = [
    mysql(0, "c", 100, None, row(1)),
    mysql(1, "c", 110, None, row(2), table="other"),
    # one row changed back and forth in a compressed transaction
    mysql(2, "u", 200, row(1, 0), row(1, 1)),
    mysql(3, "u", 200, row(1, 1), row(1, 0)),
    mysql(4, "u", 200, row(1, 0), row(1, 1)),
    # in one, keyed by another column: one row leaves the key that another row gets
    *(
        mysql(offset, "u", 200, before, after, table="moves") | {"topic": "t.p.moves"}
        for offset, (before, after) in enumerate([(row(1), row(2)), (row(3, 1), row(1, 1))])
    ),
    # the connector restarts within a transaction
    mysql(5, "u", 300, row(3, 0), row(3, 1), order=7),
    mysql(6, "u", 300, row(3, 1), row(3, 2), order=1, run="B"),
    # and here redelivers what it sent, with the same numbers
    mysql(7, "u", 400, row(4, 0), row(4, 1), order=1),
    mysql(8, "u", 400, row(4, 1), row(4, 2), order=2),
    mysql(9, "u", 400, row(4, 0), row(4, 1), order=1, run="B"),
    mysql(10, "u", 400, row(4, 1), row(4, 2), order=2, run="B"),
    mysql(11, "u", 400, row(4, 2), row(4, 3), order=3, run="B"),
    mysql(12, "d", 500, row(5), newkey=6),
    mysql(13, "c", 450, None, row(7)),
    mysql(14, "c", 600, None, row(8), made=BASE - 2 * DAY),
    mysql(15, "d", 650, row(20), newkey=21),
    mysql(16, "c", 650, None, row(21), oldkey=20),
    mysql(17, "c", 700, None, row(9), made=4_102_444_800_000),
    # a transaction that was open while another one committed
    postgresql("t.p.a", 0, 5000, None),
    postgresql("t.p.a", 1, 5100, 5000, id_=2),
    postgresql("t.p.a", 2, 3000, None),
    postgresql("t.p.a2", 0, 6000, 5100, id_=3),
    # redelivered by a connector that restarted within the transaction: with a key it is recognised
    *(
        postgresql(f"t.p.{table}", offset, 5000, None, order=order, id_=id_)
        for table in ("copied", "known")
        for offset, (order, id_) in enumerate([(6, 1), (7, 2), (1, 2)])
    ),
    mongodb(0, "c", 900, 7),
    mongodb(1, "u", 850, 8),
    # for another document: clocks of concurrent changes cross
    mongodb(2, "c", 880, 9, id_=2),
    # an incremental snapshot reads at a position, the next change is before it
    mongodb(3, "r", 920, 10, id_=3, snapshot="incremental"),
    mongodb(4, "u", 910, 11, id_=3),
    # one that is itself out of order is no change
    mongodb(5, "r", 870, 12, id_=2, snapshot="incremental"),
    # a column that the snapshot has and the stream omits
    *told_by(
        "bag",
        [
            ("r", None, row(1, 1)),
            ("r", None, row(2, None)),
            ("d", {"id": 1}, None),
            ("u", {"id": 3}, {"id": 4}),
            ("d", {"id": 2}, None),
        ],
    ),
    # rows of several tenants under one key: read by one snapshot, and created
    *told_by(
        "tenants",
        [
            ("r", None, row(1, 7)),
            ("r", None, row(1, 8)),
            ("r", None, row(4, 7)),
            ("c", None, row(2, 7)),
            ("c", None, row(2, 8)),
            ("u", None, row(3, 7)),
            ("c", None, row(3, 8)),
            ("c", None, row(4, 8)),
        ],
    ),
    # a row that another row replaces: in one transaction, after a delete, a truncate and an update
    # that moves it on
    *told_by(
        "placed",
        [
            ("c", None, row(1, 7)),
            ("c", None, row(1, 8), 900),
            ("d", row(1, 7), None, 900),
            ("c", None, row(2, 7)),
            ("d", row(2, 7), None),
            ("c", None, row(2, 8)),
            ("t", None, None),
            ("c", None, row(2, 9)),
            ("u", row(2, 9), row(3, 9)),
            ("c", None, row(2, 7)),
        ],
    ),
    # deleted by a transaction that a snapshot saw open, and created again
    *OPEN,
    # REPLICA IDENTITY FULL that the contract does not declare, and one that it wrongly declares
    *updated("ident", {"lsn": 100}, row(1, 1), row(1, 2)),
    *updated("full", {"lsn": 100}, None, row(1, 2)),
    *updated("keyless", {"lsn": 100}, None, row(1, 2)),
    # binlog_row_image=MINIMAL
    *updated("short", {"pos": 100}, row(1, None), {"id": 1, "v": None}),
    *updated("short_deletes", {"pos": 100}, row(1, None), None),
    # a delete as a row, and one as a tombstone
    landed("t.p.flat", 0, row(1)),
    landed("t.p.flat", 1, row(3) | {"__deleted": "true"}),
    landed("t.p.flat", 2, None) | {"key": {"id": 1}},
    # one that the contract declares as not written
    landed("t.p.dropped", 0, row(1)),
    landed("t.p.dropped", 1, None) | {"key": {"id": 1}},
    # a row without a position moves twice, and arrives once
    landed("t.p.moved", 0, row(5) | {"__deleted": "true"}, MOVED["newkey"]),
    landed("t.p.moved", 1, row(6), MOVED["oldkey"]),
    landed("t.p.moved", 2, row(5)),
    landed("t.p.moved", 3, row(5, 1) | {"__deleted": "true"}, MOVED["newkey"]),
    # without a key: what is delivered again comes into another partition
    *(
        mysql(offset, "c", position, None, row(1), run=run, order=order)
        | {"topic": "t.p.scattered", "partition": partition}
        for partition, offset, run, position, order in [
            (1, 0, "A", 100, 1),
            (0, 0, "A", 110, 1),
            (1, 1, "A", 500, 1),
            (0, 1, "A", 500, 2),
            (0, 2, "B", 100, 1),
            (1, 2, "B", 110, 1),
            (0, 3, "B", 500, 1),
            (1, 3, "B", 500, 2),
        ]
    ),
    postgresql("s1.p.servers", 0, 50, None, name="s1"),
    postgresql("s2.p.servers", 0, 2000, None, name="s2"),
    postgresql("s1.p.named", 0, 50, None, name="s1"),
    postgresql("s2.p.named", 0, 2000, None, name="s2"),
]
# after the run: what landing holds at a position that was read, and what no run has read yet
LATER = [
    mysql(0, "c", 100, None, row(1)) | {"timestamp": BASE},
    mysql(1, "c", 110, None, row(2), table="other"),
    mysql(18, "c", 800, None, row(10)),
    landed("t.p.unknown", 0, {}),
]
COLUMNS = {"id": "int", "v": "int"}
TABLES = {
    "o": {"topic": "t.p.o", "columns": COLUMNS, "settings": {"skipped_operations": ["d"]}},
    "pg": {"topic": ["t.p.a", "t.p.a2"], "connector": "postgresql", "columns": COLUMNS},
    "docs": {
        "topic": "t.p.docs",
        "connector": "mongodb",
        "key": ["_id"],
        "columns": {"_id": "int"},
    },
    "ident": {"topic": "t.p.ident", "connector": "postgresql", "columns": COLUMNS},
    "full": {
        "topic": "t.p.full",
        "connector": "postgresql",
        "replica_identity": "full",
        "columns": COLUMNS,
    },
    "short": {"topic": "t.p.short", "columns": COLUMNS},
    "short_deletes": {"topic": "t.p.short_deletes", "columns": COLUMNS},
    "keyless": {
        "topic": "t.p.keyless",
        "connector": "postgresql",
        "key": [],
        "replica_identity": "full",
        "columns": COLUMNS,
    },
    "moved": {
        "topic": "t.p.moved",
        "format": "unwrapped",
        "delete_tombstone_handling_mode": "rewrite",
        "columns": COLUMNS,
    },
    "moves": {"topic": "t.p.moves", "columns": COLUMNS},
    "named": {
        "topic": ["s1.p.named", "s2.p.named"],
        "connector": "postgresql",
        "source_tables": ["p.named"],
        "columns": COLUMNS,
    },
    "flat": {
        "topic": "t.p.flat",
        "format": "unwrapped",
        "delete_tombstone_handling_mode": "rewrite",
        "columns": COLUMNS,
    },
    "dropped": {
        "topic": "t.p.dropped",
        "format": "unwrapped",
        "delete_tombstone_handling_mode": "drop",
        "columns": COLUMNS,
    },
    "copied": {
        "topic": "t.p.copied",
        "connector": "postgresql",
        "key": [],
        "replica_identity": "full",
        "columns": COLUMNS,
    },
    "bag": {
        "topic": "t.p.bag",
        "connector": "postgresql",
        "key": [],
        "replica_identity": "full",
        "columns": COLUMNS,
    },
    "tenants": {"topic": "t.p.tenants", "connector": "postgresql", "columns": COLUMNS},
    "open": {
        "topic": "t.p.open",
        "connector": "postgresql",
        "replica_identity": "full",
        "columns": COLUMNS,
    },
    "placed": {
        "topic": "t.p.placed",
        "connector": "postgresql",
        "replica_identity": "full",
        "columns": COLUMNS,
    },
    "known": {"topic": "t.p.known", "connector": "postgresql", "columns": COLUMNS},
    "scattered": {"topic": "t.p.scattered", "key": [], "columns": COLUMNS},
    "servers": {
        "topic": ["s1.p.servers", "s2.p.servers"],
        "connector": "postgresql",
        "columns": COLUMNS,
    },
}


@pytest.fixture(scope="module")
def project(spark, tmp_path_factory):
    from tests.functional.conftest import drop
    from tests.functional.project import Project

    project = Project(
        tmp_path_factory.mktemp("alarm_kinds"),
        spark,
        "s",
        {"connector": "mysql", "topic_prefix": "t"},
        {name: {"key": ["id"]} | contract for name, contract in TABLES.items()},
        schema="alarm_kinds",
        landing="alarm_kinds_landing.events",
        layers={table: ["stg"] for table in TABLES},
        operator_events=[
            {
                "event": "1",
                "kind": "snapshot_complete",
                "source_name": "s",
                "table_name": "o",
                "position": "0000000001.000000000999.0000000000",
                "source_ts": "2023-11-14 22:13:20",
            }
        ],
    )
    laws = {"models": [{"name": "dq_s__accounting", "data_tests": ["afterimage.cdc_conservation"]}]}
    (project.folder / "models" / "laws.yml").write_text(json.dumps(laws), encoding="utf-8")
    # the operator's entry has a MySQL position
    for table in set(TABLES) - {"o"}:
        model = project.folder / "models" / f"stg_s__{table}.sql"
        model.write_text(f"{{{{ afterimage.change_log(source('s', '{table}')) }}}}\n")
    project.land(STREAM)
    project.run("seed")
    project.run("run", "--exclude", "dq_s__quarantine")
    project.land(LATER)
    yield project
    drop(spark, project)
    spark.sql(f"drop database if exists {AUDIT} cascade")


def found(rows: list[dict]) -> dict[tuple, tuple]:
    return {
        (row["table_name"], row["outcome"], row["kind"]): (row["records"], list(row["examples"]))
        for row in rows
        if row["outcome"] in FINDINGS
    }


def test_the_stream_shows_every_kind():
    assert {(outcome, kind) for _, outcome, kind in FOUND} == KINDS.keys()


def test_each_is_in_accounting_and_names_its_records(project):
    rows = project.rows("dq_s__accounting")
    assert found(rows) == FOUND
    others = {
        (row["table_name"], row["outcome"]): row["records"]
        for row in rows
        if row["outcome"] in ("landed_again", "pending")
        or (
            row["table_name"] in ("known", "scattered")
            and row["outcome"] not in ("landed", "staged")
        )
    }
    known = {("known", "duplicate"): 1, ("scattered", "duplicate"): 4}
    assert others == {("o", "landed_again"): 1, ("o", "pending"): 1} | known


def test_each_makes_the_test_fail(project):
    with contextlib.suppress(DbtFailed):
        project.run("test", "--store-failures")
    stored = project.spark.sql(f"show tables in {AUDIT}").where("not isTemporary").collect()
    [name] = [row["tableName"] for row in stored]
    rows = project.rows(f"{AUDIT}.{name}")
    assert found(rows) == FOUND
    others = {(row["outcome"], row["kind"]) for row in rows if row["outcome"] not in FINDINGS}
    assert others == {("pending", None), ("unrouted", "unknown_topic")}
    assert all(row["failure_reason"] for row in rows)


def test_each_is_in_the_report(project):
    """In the terminal and in the HTML file."""
    console = Console(record=True, width=2000, highlight=False)
    with working_in(project.folder):
        found = gather(None, 10)
    show(found, console)
    html = page(found)
    plain = re.sub("</?code>", "`", html)
    assert all(escape(text) in plain for row in KINDS.values() for text in row.values())
    lines = console.export_text().splitlines()
    for (table, outcome, kind), (records, examples) in FOUND.items():
        told = f"{outcome.upper()}: {table}: {counted(records, 'time')} {kind}: "
        [line] = [line for line in lines if line.startswith(told)]
        assert all(text in line for text in (*KINDS[outcome, kind].values(), *examples))

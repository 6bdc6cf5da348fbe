"""Tables of a connector or a tool are not business data: refused as contracts, ignored on shared
topics, and not proposed by the scaffold."""

import pytest

from afterimage.scaffold import helpers
from afterimage.scaffold.sample import Sampled
from afterimage.scaffold.topic import Topic
from tests.functional.project import DbtFailed, _bytes

COLUMNS = {"key": ["id"], "columns": {"id": "int"}}


def change(offset: int, table: str, **row) -> dict:
    source = {"file": "b.000001", "pos": 100 + offset, "row": 0, "snapshot": "false", "name": "p"}
    source |= {"db": "s", "table": table, "ts_ms": 1000}
    value = {"before": None, "after": row or {"id": offset}, "source": source, "op": "c"}
    return {"topic": "p.all", "partition": 0, "offset": offset, "value": value}


def test_on_a_topic_with_others(make_project):
    project = make_project(
        "helpers_routed",
        source="src",
        source_contract={
            "connector": "mysql",
            "topic_prefix": "p",
            "helper_tables": {"s.sig": "signal", "s.beats": "heartbeat"},
        },
        tables={"orders": {"topic": "p.all", "source_tables": ["s.orders", "s._my_old"]} | COLUMNS},
        layers={"orders": ["stg"]},
    )
    project.land(
        [
            change(0, "orders"),
            change(1, "sig", a="1", b="log", c="{}"),
            change(2, "beats", n=1),
            change(3, "_orders_gho"),
            change(4, "_orders_ghc"),
            change(5, "_orders_del"),
            change(6, "_orders_new"),
            change(7, "_my_old"),  # one that the contract names
            change(8, "LOG_MINING_FLUSH"),
            change(9, "dbo_orders_CT"),
            change(10, "carts"),
        ]
    )
    project.run("run")
    assert {key: n for key, n in project.counts().items() if key[0] == "orders"} == {
        ("orders", "landed", None): 11,
        ("orders", "staged", None): 2,
        ("orders", "ignored", "signal_table"): 1,
        ("orders", "ignored", "heartbeat_table"): 1,
        ("orders", "ignored", "online_ddl_table"): 4,
        ("orders", "ignored", "log_mining_table"): 1,
        ("orders", "ignored", "capture_table"): 1,
        ("orders", "refused", "other_table"): 1,
    }


def test_a_contract_over_one(make_project):
    tables = {"flush": {"topic": "p.s.LOG_MINING_FLUSH"} | COLUMNS}
    tables |= {"sig": {"topic": "p.s.sig"} | COLUMNS, "ghost": {"topic": "p.s._a_gho"} | COLUMNS}
    project = make_project(
        "helpers_declared",
        source="src",
        source_contract={
            "connector": "mysql",
            "topic_prefix": "p",
            "helper_tables": {"s.sig": "signal", "s.x": "nonsense"},
        },
        tables=tables,
        layers={key: ["stg"] for key in tables},
    )
    with pytest.raises(DbtFailed) as failed:
        project.run("run")
    told = str(failed.value)
    assert "s.LOG_MINING_FLUSH is a log mining table" in told
    assert "s.sig is a signal table" in told and "afterimage.signals shows them" in told
    assert 'helper_tables.s.x: "nonsense" is not allowed' in told
    # a name may also be a business table's: reported, not refused
    project.tables = {"ghost": tables["ghost"]}
    project.source_contract["helper_tables"] = {}
    for stale in (project.folder / "models").glob("*.sql"):
        stale.unlink()
    project.write()
    project.run("run")


@pytest.mark.parametrize(
    ("table", "kind"),
    [
        ("LOG_MINING_FLUSH", "log_mining_flush"),
        ("LOG_MINING_FLUSH_NODE1", "log_mining_flush"),
        ("_orders_gho", "online_ddl"),
        ("_orders_old", "online_ddl"),
        ("dbo_orders_CT", "capture"),
        ("orders_old", None),
        ("_orders", None),
        ("contact", None),
    ],
)
def test_the_scaffold_knows_them(table, kind):
    topic = Topic(f"p.s.{table}")
    topic.take(Sampled(topic.name, None, _bytes(change(0, table)["value"])))
    assert helpers.helper_of(topic) == kind


def test_the_scaffold_knows_a_signal_table_by_its_rows():
    topic = Topic("p.s.anything")
    row = {"x": "1", "y": "execute-snapshot", "z": "{}"}
    topic.take(Sampled(topic.name, None, _bytes(change(0, "anything", **row)["value"])))
    assert helpers.helper_of(topic) == "signal"

"""A router may send the changes of several tables into one topic. Rows of one key would overwrite
each other and the truncate of one table would empty the other: said aloud, or refused where the
contract names its tables."""

from __future__ import annotations


def change(offset: int, table: str, op: str = "c", **row) -> dict:
    source = {"lsn": 100 + offset, "txId": 1, "snapshot": "false", "name": "t"}
    source |= {"schema": "shop", "table": table}
    value = {"before": None, "after": row or None, "source": source, "op": op}
    return {"topic": "t.all", "partition": 0, "offset": offset, "value": value}


RECORDS = [
    change(0, "orders", id=1, note="an order"),
    change(1, "orders", id=2, note="another"),
    change(2, "customers", id=1, note="no order"),
    change(3, "customers", op="t"),
]


def made(make_project, name: str, **contract):
    table = {"topic": "t.all", "key": ["id"], "columns": {"id": "int", "note": "text"}} | contract
    return make_project(
        name,
        source="s",
        source_contract={"connector": "postgresql", "topic_prefix": "t"},
        tables={"orders": table},
    )


def test_it_is_an_alarm(make_project):
    project = made(make_project, "several_unsaid")
    project.land(RECORDS)
    project.run("run")
    assert project.counts()["orders", "alarm", "several_source_tables"] == 2


def test_others_are_refused_where_the_contract_names_its_tables(make_project):
    project = made(make_project, "several_said", source_tables=["shop.orders"])
    project.land(RECORDS)
    project.run("run")
    assert [row["note"] for row in project.rows("cur_s__orders")] == ["an order", "another"]
    refused = project.rows("dq_s__quarantine")
    assert {(row["offset"], row["reason"], row["detail"]) for row in refused} == {
        (2, "other_table", "table: shop.customers"),
        (3, "other_table", "table: shop.customers"),
    }
    assert not [count for count in project.counts() if count[1] == "alarm"]

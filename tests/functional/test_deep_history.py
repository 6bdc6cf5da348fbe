"""A history of many steps is planned, however few rounds the session gives the analyzer."""

from __future__ import annotations

import pytest


@pytest.fixture
def few_rounds(spark):
    name = "spark.sql.analyzer.maxIterations"
    spark.conf.set(name, 55)  # a change log needs nearly fifty
    yield
    spark.conf.unset(name)


def change(scn: int, op: str, row: dict | None, before: dict | None = None, headers=None) -> dict:
    source = {"scn": str(scn), "txId": f"1.1.{scn}", "snapshot": "false"}
    value = {"op": op, "before": before, "after": row, "source": source}
    place = {"topic": "o.t", "partition": 0, "offset": scn}
    return place | {"value": value, "headers": headers or {}}


def test_it_is_planned(make_project, few_rounds):
    """LOBs, rows that may meet, a key change, a truncate and an untracked column: all of it."""
    project = make_project(
        "deep",
        source="s",
        source_contract={"connector": "oracle", "settings": {"lob_enabled": True}},
        tables={
            "t": {
                "topic": "o.t",
                "key": ["ID"],
                "columns": {"ID": "number(9)", "SEEN": "number(9)", "BODY": "clob"},
                "untracked": ["SEEN"],
            }
        },
    )
    left, row = "__debezium_unavailable_value", {"ID": 1, "SEEN": 1, "BODY": "long"}
    project.land(
        [
            change(1, "c", row),
            change(2, "u", row | {"BODY": left, "SEEN": 2}, row | {"BODY": left}),
            change(3, "d", None, row | {"BODY": left}, {"__debezium.newkey": '{"ID": 2}'}),
            change(3, "c", row | {"ID": 2, "BODY": left}, None, {"__debezium.oldkey": '{"ID": 1}'})
            | {"offset": 4},
            change(5, "t", None),
            change(6, "c", row),
        ]
    )
    project.run("run")
    assert [(r["ID"], r["BODY"]) for r in project.rows("cur_s__t")] == [(1, "long")]

"""A history of many steps can be planned under any session limit on analyzer iterations, by four
threads as by one; afterwards the session has its old setting."""

import pytest

ROUNDS = "spark.sql.analyzer.maxIterations"
TABLES = ("t", "u", "v", "w")


@pytest.fixture
def few_rounds(spark):
    spark.conf.set(ROUNDS, 55)  # a change log needs nearly fifty
    yield
    spark.conf.unset(ROUNDS)


def change(
    table: str, scn: int, op: str, row: dict | None, before: dict | None = None, headers=None
) -> dict:
    source = {"scn": str(scn), "txId": f"1.1.{scn}", "snapshot": "false"}
    value = {"op": op, "before": before, "after": row, "source": source}
    place = {"topic": f"o.{table}", "partition": 0, "offset": scn}
    return place | {"value": value, "headers": headers or {}}


LEFT, ROW = "__debezium_unavailable_value", {"ID": 1, "SEEN": 1, "BODY": "long"}
# LOBs, possible key collisions, a key change, a truncate and an untracked column: all of it
CHANGES = [
    (1, "c", ROW),
    (2, "u", ROW | {"BODY": LEFT, "SEEN": 2}, ROW | {"BODY": LEFT}),
    (3, "d", None, ROW | {"BODY": LEFT}, {"__debezium.newkey": '{"ID": 2}'}),
    (3, "c", ROW | {"ID": 2, "BODY": LEFT}, None, {"__debezium.oldkey": '{"ID": 1}'}),
    (5, "t", None),
    (6, "c", ROW),
]


def test_it_is_planned(make_project, few_rounds):
    project = make_project(
        "deep",
        source_contract={"connector": "oracle", "settings": {"lob_enabled": True}},
        tables={
            name: {
                "topic": f"o.{name}",
                "key": ["ID"],
                "columns": {"ID": "number(9)", "SEEN": "number(9)", "BODY": "clob"},
                "untracked": ["SEEN"],
            }
            for name in TABLES
        },
    )
    for name in TABLES:
        changes = enumerate(change(name, *told) for told in CHANGES)
        project.land([record | {"offset": offset} for offset, record in changes])
    project.run("run", "--threads", "4")
    for name in TABLES:
        assert [(r["ID"], r["BODY"]) for r in project.rows(f"cur_s__{name}")] == [(1, "long")]
    assert project.spark.conf.get(ROUNDS) == "55"

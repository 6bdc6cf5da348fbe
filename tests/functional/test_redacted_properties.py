"""Spark redacts values that look like secrets when it shows a table's properties. The models store
names of columns and topics there, and still read them back."""

from tests.functional.statements import heard

TABLE = {
    "topic": "t.access_key_tokens",
    "key": ["id"],
    "columns": {"id": "int", "avatar_url": "text", "password": "text", "token_at": "int"},
    "masked": {"password": "hash"},
    "untracked": ["token_at"],
}


def record(offset: int, op: str, **row) -> dict:
    source = {"lsn": 100 + offset, "txId": offset, "snapshot": "false"}
    value = {"op": op, "after": {"id": 1, "password": "x", **row}, "source": source}
    return {"topic": TABLE["topic"], "partition": 0, "offset": offset, "value": value}


def test_later_runs_remember(make_project):
    project = make_project(
        "redacted_properties",
        tables={"secrets": TABLE},
    )
    project.land([record(0, "c", avatar_url="a", token_at=1)])
    project.run("run")
    project.land([record(1, "u", avatar_url="b", token_at=2)])
    with heard() as said:
        project.run("run")
    # no contract counts as changed, nothing is rebuilt
    assert not [sql for sql in said if sql.startswith("drop table if exists") and "__log" in sql]
    assert not [sql for sql in said if "join processed" in sql]
    rows = project.rows("cur_s__secrets")
    assert [(row["avatar_url"], row["token_at"]) for row in rows] == [("b", 2)]
    assert len(project.rows("hist_s__secrets")) == 2
    shown = project.spark.sql(f"show tblproperties {project.schema}.hist_s__secrets__log").collect()
    assert not [row for row in shown if "redacted" in row["value"]]

"""A landing table that does not exist, or has other columns than a Kafka record: reported before
anything is written; once it is fixed the run continues."""

import pytest

from tests.functional.project import DbtFailed

EVENT = {
    "topic": "t.p.items",
    "partition": 0,
    "offset": 0,
    "value": {
        "op": "c",
        "before": None,
        "after": {"id": 1},
        "source": {"lsn": 1, "ts_ms": 1, "txId": 1, "snapshot": "false"},
    },
}


@pytest.fixture
def project(make_project):
    return make_project(
        "landing_not_there",
        source_contract={"connector": "postgresql"},
        tables={"items": {"topic": "t.p.items", "key": ["id"], "columns": {"id": "int"}}},
    )


def refused(project) -> str:
    with pytest.raises(DbtFailed) as failed:
        project.run("run")
    assert not [
        table.name
        for table in project.spark.catalog.listTables(project.schema)
        if table.tableType != "VIEW"
    ]
    return " ".join(str(failed.value).split())


def test_it_is_said_what_landing_lacks(project):
    spark, landing = project.spark, project.landing
    project.land([EVENT])
    spark.sql(f"alter table {landing} rename to {landing}_kept")
    said = refused(project)
    assert f"the landing table {landing} is not there" in said
    assert "TABLE_OR_VIEW_NOT_FOUND" not in said

    names = "topic, partition, `offset` as place, timestamp, key, value"
    spark.sql(f"create view {landing} as select {names} from {landing}_kept")
    assert f"{landing} has no column offset, headers." in refused(project)

    # the remedy that the message names
    spark.sql(f"create or replace view {landing} as select * from {landing}_kept")
    project.run("run")
    assert [row["id"] for row in project.rows("cur_s__items")] == [1]

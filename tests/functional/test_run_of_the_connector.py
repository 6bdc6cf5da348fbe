"""A connector that records its run, and one that does not, redeliver each other's changes: of all
deliveries one enters."""

import pytest


def change(offset: int, run: str | None) -> dict:
    source = {"file": "bin.000001", "pos": 500, "row": 0, "gtid": "g:7", "snapshot": "false"}
    value = {"op": "c", "before": None, "after": {"id": 1, "v": 1}, "source": source}
    headers = {"__debezium.context.runId": run} if run else {}
    place = {"topic": "t.keyed", "partition": 0, "offset": offset}
    return place | {"value": value, "headers": headers}


@pytest.mark.parametrize("runs", [["A", None], [None, "A"], ["A", None, "B"]])
def test_one_delivery_enters(make_project, runs):
    project = make_project(
        "runs",
        source_contract={"connector": "mysql"},
        tables={"keyed": {"topic": "t.keyed", "key": ["id"], "columns": {"id": "int", "v": "int"}}},
        layers={"keyed": ["stg"]},
    )
    project.land([change(n, run) for n, run in enumerate(runs)])
    project.run("run")
    assert len(project.rows("stg_s__keyed")) == 1

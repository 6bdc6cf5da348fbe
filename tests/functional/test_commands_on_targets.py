"""Commands query landing where Spark runs: locally, or over dbt's own connection."""

import json

import pytest
from click.testing import CliRunner

from afterimage.cli import main

pytestmark = [pytest.mark.spark, pytest.mark.formats]


def record(topic: str, offset: int, **row) -> dict:
    source = {"connector": "postgresql", "name": "t", "db": "d", "schema": "p", "lsn": offset}
    source |= {"table": topic.rpartition(".")[2], "ts_ms": 1, "txId": 1, "snapshot": "false"}
    value = {"op": "c", "before": None, "after": row, "source": source}
    place = {"topic": topic, "partition": 0, "offset": offset, "key": {"id": row["id"]}}
    return place | {"value": json.dumps(value), "headers": {"__debezium.context.runId": "A"}}


def test_they_answer(make_project):
    project = make_project(
        "commands",
        tables={"items": {"topic": "t.p.items", "key": ["id"], "columns": {"id": "int"}}},
    )
    project.land(
        [
            record("t.p.items", 0, id=1, note="it's"),
            record("t.p.o'ther", 1, id=2, name="x"),
        ]
    )
    project.run("parse")

    def said(*command: str) -> str:
        done = CliRunner().invoke(main, [*command, "--project-dir", str(project.folder)])
        assert done.exit_code == 0, done.output
        return done.output

    assert "note: text" in said("drift")
    said("scaffold", "--landing", project.landing, "--topic", "t.p.o'ther")
    project.run("seed")
    project.run("run")
    found = json.loads(said("report", "--format", "json"))["accountings"]
    counted = [row for each in found for row in each["rows"] if row["outcome"] == "landed"]
    assert ("t.p.items", 1) in [(row["topic"], row["records"]) for row in counted]
    assert "items" in said("report", "--key", "s.items=1")
    said("validate")
    said("retry")
    written = "".join(path.read_text() for path in project.folder.rglob("models/**/*.yml"))
    assert "t.p.o'ther" in written and "name: text" in written

"""The case of docs/how-to/erase.md, by real commands; its options are those that exist."""

import json
import re
import shlex

import pytest
from click.testing import CliRunner

from afterimage.cli import main
from tests.docs.markdown import ROOT, tables
from tests.functional.conftest import drop
from tests.functional.project import Project

pytestmark = pytest.mark.xdist_group("erase_page")
PAGE = (ROOT / "docs" / "how-to" / "erase.md").read_text(encoding="utf-8")
LANDED, BEFORE, AFTER, EMPTIED, HISTORY = [
    table.rows for table in tables(PAGE) if {"offset", "id"} & set(table.rows[0])
]
COMMANDS = [
    shlex.split(line.partition("  #")[0])
    for line in re.search(r"```sh\n(.*?)```", PAGE, re.DOTALL)[1].splitlines()
]
SCHEMA = "erase_page"


def records():
    for row in LANDED:
        name = row["after"].partition(", ")[2]
        image = {"id": int(row["key"]), "name": name or None}
        lsn = int(row["lsn"])
        gone = row["op"] == "d"
        value = {
            "op": row["op"],
            "source": {"lsn": lsn, "txId": lsn, "ts_ms": 1772323200000 + lsn},
            "before": image if gone else None,
            "after": None if gone else image,
        }
        yield {
            "topic": "pg1.shop.customers",
            "partition": 0,
            "offset": int(row["offset"]),
            "timestamp": 1772323200000,
            "key": {"id": int(row["key"])},
            "value": value,
        }


def shown(project, layer: str, columns) -> list[dict[str, str]]:
    def text(name, value):
        value = "" if value is None else str(value)
        if name == "_cdc_position":
            value = value.lstrip("0")
        return re.sub(r"^erased:[0-9a-f]{8}:[0-9a-f]{64}$", "erased:…", value)

    rows = project.rows(f"{layer}_shop__customers")
    rows.sort(key=lambda row: row["_cdc_order"])
    return [{name: text(name, row[name]) for name in columns} for row in rows]


def test_the_commands_give_the_tables(spark, tmp_path):
    columns = {"id": "int", "name": "text"}
    project = Project(
        tmp_path / "project",
        spark,
        "shop",
        {"connector": "postgresql", "topic_prefix": "pg1"},
        {"customers": {"topic": "pg1.shop.customers", "key": ["id"], "columns": columns}},
        schema=SCHEMA,
        landing=f"{SCHEMA}_landing.events",
        operator_events=[],
    )
    try:
        project.land(list(records()))
        project.run("seed")
        project.run("run")
        assert shown(project, "stg", BEFORE[0]) == BEFORE
        for program, *arguments in COMMANDS:
            if program == "dbt":
                project.run("seed")
                project.run("run")
                continue
            given = [text.replace("landing.events", project.landing) for text in arguments]
            done = CliRunner().invoke(main, [*given, "--project-dir", str(project.folder)])
            assert done.exit_code == 0, done.output
        assert shown(project, "stg", AFTER[0]) == AFTER
        assert shown(project, "hist", HISTORY[0]) == HISTORY
        landed = sorted(project.rows(project.landing), key=lambda row: row["offset"])
        assert [
            {
                "offset": str(row["offset"]),
                "key": bytes(row["key"] or b"").decode(),
                "value": json.loads(bytes(row["value"]))["after"]["name"] if row["value"] else "",
            }
            for row in landed
        ] == EMPTIED
    finally:
        drop(spark, project)


def test_the_options_are_there():
    options = {option for each in main.commands["erase"].params for option in each.opts}
    said = set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", PAGE))
    assert said <= options
    assert options - said <= {"--project-dir", "--target", "-t", "table"}

"""The cases of docs/how-to/reconcile.md, by a real `dbt run`; its commands are those that exist."""

import re

import pytest
import yaml

from afterimage.cli import main
from tests.docs.markdown import ROOT, tables
from tests.functional.conftest import drop
from tests.functional.project import Project

pytestmark = pytest.mark.xdist_group("reconcile_page")
PAGE = (ROOT / "docs" / "how-to" / "reconcile.md").read_text(encoding="utf-8")
[CASES] = [table.rows for table in tables(PAGE) if "the source was read" in table.rows[0]]
DAY = 1767225600000  # 2026-01-01, in milliseconds


def moment(text: str) -> int:
    hours, minutes, seconds = map(int, text.split(":"))
    return DAY + ((hours * 60 + minutes) * 60 + seconds) * 1000


def changes(case: dict, topic: str):
    """The versions of row 17, and another row whose create is the newest change."""
    made, begins = [], "09:00:00"
    for value, ends in re.findall(r"17, (\w+)(?: until ([\d:]+))?", case["history"]):
        made.append((moment(begins), {"id": 17, "note": value}))
        begins = ends
    made.append((moment(case["the newest change in the change logs"]), {"id": 99, "note": "other"}))
    for offset, (at, row) in enumerate(made):
        op = "u" if offset and row["id"] == 17 else "c"
        source = {"connector": "postgresql", "lsn": at - DAY, "txId": offset, "ts_ms": at}
        value = {"op": op, "source": source, "before": None, "after": row}
        yield {
            "topic": topic,
            "partition": 0,
            "offset": offset,
            "timestamp": at,
            "key": {"id": row["id"]},
            "value": value,
        }


def reconciled(case: dict, name: str) -> str:
    start, end = case["the source was read"].split(" to ")
    newest = case["the newest change in the change logs"]
    rows = [(17, case["its row"].removeprefix("17, "))] if case["its row"] != "none" else []
    rows += [(99, "other")] if moment(newest) < moment(start) else []
    values = ", ".join(map(str, rows or [(0, "")]))
    source = f"(select * from values {values} as v(id, note) where id > 0)"
    span = [f"timestamp '2026-01-01 {at} UTC'" for at in (start, end)]
    return (
        "{{ config(materialized='table') }} {{ afterimage.reconcile(ref('hist_s__" + name + "'), "
        f'"{source}", taken_from="{span[0]}", taken_until="{span[1]}")' + " }}"
    )


def test_the_cases_give_their_statuses(spark, tmp_path):
    names = {f"case{number}": case for number, case in enumerate(CASES)}
    contract = {"key": ["id"], "columns": {"id": "int", "note": "text"}}
    project = Project(
        tmp_path / "project",
        spark,
        "s",
        {"connector": "postgresql", "topic_prefix": "t"},
        {name: {"topic": name, **contract} for name in names},
        schema="reconcile_page",
        landing="reconcile_page_landing.events",
        layers={name: ["stg", "hist"] for name in names},
        extra_models={f"rec_{name}": reconciled(case, name) for name, case in names.items()},
    )
    try:
        project.land([record for name, case in names.items() for record in changes(case, name)])
        project.run("run")
        found = {
            name: [row["status"] for row in project.rows(f"rec_{name}") if row["row_key"] == "17"]
            for name in names
        }
    finally:
        drop(spark, project)
    assert found == {name: [case["status"]] for name, case in names.items()}


def test_the_yaml_can_be_read():
    [block] = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
    [model] = yaml.safe_load(block)["models"]
    assert list(model["data_tests"][0]) == ["afterimage.cdc_reconciles"]


def test_the_options_are_there():
    options = {option for each in main.commands["reconcile"].params for option in each.opts}
    said = set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", PAGE))
    assert said <= options
    assert {"--database", "--file", "--rows", "--close", "--write"} <= said

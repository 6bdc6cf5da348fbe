"""docs/reference/messages.md: the test of each row contains its words; messages tested nowhere else
are here."""

import re
import shutil
import subprocess

import pytest

from tests.docs.markdown import ROOT, tables
from tests.functional.conftest import drop
from tests.functional.project import Project

PAGE = ROOT / "docs/reference/messages.md"
[ROWS] = (table.rows for table in tables(PAGE.read_text(encoding="utf-8")))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["mistake"])
def test_the_test_of_a_row_holds_its_words(row):
    test = PAGE.parent / re.search(r"\((.+)\)", row["shown by"])[1]
    said = test.read_text(encoding="utf-8").replace("\\", "")
    words = re.findall("`([^`]+)`", row["the message has"])
    assert words and [each for each in words if each not in said] == []


@pytest.fixture
def folder(tmp_path):
    """A project of two models with the same name in the warehouse."""
    for name in ("dbt_project.yml", "profiles"):
        path = ROOT / name
        (shutil.copytree if path.is_dir() else shutil.copy)(path, tmp_path / name)
    (tmp_path / "models").mkdir()
    for name in ("one", "other"):
        (tmp_path / "models" / f"{name}.sql").write_text("{{ config(alias='both') }} select 1 as n")
    return tmp_path


def said_by_dbt(folder, *command: str) -> str:
    dbt = ["dbt", *command, "--profiles-dir", "profiles"]
    return subprocess.run(dbt, cwd=folder, capture_output=True, text=True, check=False).stdout


def test_two_models_with_one_alias(folder):
    said = said_by_dbt(folder, "parse")
    assert "dbt found two resources with the database representation" in said


def test_a_target_that_is_not_there(folder):
    said = said_by_dbt(folder, "parse", "--target", "nowhere")
    assert "does not have a target named 'nowhere'" in said


def test_a_contract_of_another_connector(spark, tmp_path):
    source = {"lsn": 7, "txId": 1, "ts_ms": 1, "schema": "p", "table": "items", "snapshot": "false"}
    value = {"op": "c", "before": None, "after": {"id": 1}, "source": source}
    project = Project(
        tmp_path / "project",
        spark,
        "s",
        {"connector": "mysql"},
        {"items": {"topic": "t.p.items", "key": ["id"], "columns": {"id": "int"}}},
        schema="messages",
        landing="messages_landing.events",
    )
    try:
        place = {"topic": "t.p.items", "partition": 0, "offset": 0}
        project.land([place | {"key": {"id": 1}, "value": value}])
        project.run("run")
        [refused] = project.rows("dq_s__quarantine")
        assert refused["reason"] == "missing_position"
        project.source_contract["connector"] = "postgresql"
        project.write()
        project.run("run")
        assert [row["id"] for row in project.rows("cur_s__items")] == [1]
        assert project.rows("dq_s__quarantine") == []
    finally:
        drop(spark, project)

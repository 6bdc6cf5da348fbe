"""The example under dbt-databricks, against a warehouse that runs nothing. `make matrix` runs it,
which installs dbt-databricks. It shows that the materializations are found, that compiling sends no
query, and what a run would send; no warehouse has run that.
"""

import contextlib
import re
import shutil
from pathlib import Path

import pytest
import sqlglot
import yaml
from dbt.cli.main import dbtRunner

from tests.databricks.warehouse import REFUSED, Warehouse

REPOSITORY = Path(__file__).resolve().parents[2]
TARGET = {
    "type": "databricks",
    "catalog": "main",
    "schema": "analytics",
    "host": "example.cloud.databricks.com",
    "http_path": "/sql/1.0/warehouses/0",
    "token": "none",
    "threads": 1,
}


@pytest.fixture
def dbt(tmp_path, monkeypatch):
    """Runs a dbt command on the example; returns our statements among those sent."""
    profile = {"afterimage": {"target": "databricks", "outputs": {"databricks": TARGET}}}
    (tmp_path / "profiles.yml").write_text(yaml.safe_dump(profile))
    monkeypatch.setenv("AFTERIMAGE_FILE_FORMAT", "delta")
    # nothing provides the types that an enforced contract compares
    for name in ("macros", "seeds", "tests", "dbt_project.yml"):
        (tmp_path / name).symlink_to(REPOSITORY / name)
    shutil.copytree(REPOSITORY / "models", tmp_path / "models")
    for path in (tmp_path / "models").rglob("*.yml"):
        path.write_text(path.read_text().replace("enforced: true", "enforced: false"))

    def run(*command: str) -> list[str]:
        warehouse = Warehouse()
        monkeypatch.setattr("databricks.sql.connect", warehouse.connect)
        with contextlib.chdir(tmp_path):
            result = dbtRunner().invoke([*command, "--profiles-dir", str(tmp_path)])
        assert result.success, result.exception or [
            f"{r.node.name}: {r.message}" for r in result.result if r.message
        ]
        return [sql for sql in warehouse.sent if "information_schema" not in sql]

    return run


def test_compiling_asks_nothing(dbt):
    assert dbt("compile") == []


def test_a_run_sends_what_a_warehouse_takes(dbt):
    nodes = ("--resource-type", "model", "--resource-type", "seed")
    sent = dbt("build", *nodes, "--exclude", "config.materialized:table", "afterimage_remedies")
    for sql in sent:
        assert not REFUSED.search(sql), sql
        # relations have their catalog
        assert not re.search(r"(?<!`main`\.)`analytics`\.", sql), sql
        sqlglot.parse(sql, dialect="databricks")
    for layer in ("stg", "hist", "cur"):
        written = rf"(insert into|merge into) `main`\.`analytics`\.`{layer}_shop__orders"
        assert [sql for sql in sent if re.search(written, sql)], layer

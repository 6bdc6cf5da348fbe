"""Unsupported configurations of a model are refused before anything is written."""

import pytest

from tests.functional.project import DbtFailed
from tests.functional.small_stream import FIRST, TABLES


@pytest.fixture
def refused(make_project, spark):
    """Asserts that such a model is refused with this message, and that nothing of it is written."""

    def run(model: str, config: dict, told: str) -> None:
        project = make_project(
            "config",
            source="src",
            source_contract={"connector": "postgresql"},
            tables={"keyed": TABLES["keyed"]},
            model_config={model: config},
        )
        project.land(FIRST)
        with pytest.raises(DbtFailed, match=f"{model}: {told}"):
            project.run("run", "--select", f"+{model}")
        tables = spark.sql(f"show tables in {project.schema}").where("not isTemporary").collect()
        assert not [table for table in tables if table.tableName.startswith(model)]

    return run


@pytest.mark.parametrize("layer", ["stg", "hist", "cur"])
def test_grants(refused, layer):
    """Spark cannot parse SHOW GRANTS: dbt would fail after everything was written."""
    grants = {"+grants": {"select": ["reporting"]}}
    refused(f"{layer}_src__keyed", grants, "grants cannot work .* Remove `grants`")


@pytest.mark.parametrize("share", [-1, "a fifth", True])
def test_a_share_that_is_none(refused, share):
    refused(
        "cur_src__keyed",
        {"+replaced_share": share},
        f"replaced_share is {share}, and must be a num",
    )

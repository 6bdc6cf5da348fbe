"""What a model may not be configured with is refused before anything is written."""

from __future__ import annotations

import pytest

from tests.functional.project import DbtFailed
from tests.functional.small_stream import FIRST, TABLES


@pytest.mark.parametrize("layer", ["stg", "hist", "cur"])
def test_grants(make_project, spark, layer):
    """Spark parses no SHOW GRANTS: dbt would fail when all has been written."""
    project = make_project(
        "grants",
        source="src",
        source_contract={"connector": "postgresql"},
        tables={"keyed": TABLES["keyed"]},
    )
    project.land(FIRST)
    model = f"{layer}_src__keyed"
    project.model_config = {model: {"+grants": {"select": ["reporting"]}}}
    project.write()
    with pytest.raises(DbtFailed, match=rf"{model}: grants cannot work .* Remove `grants`"):
        project.run("run", "--select", f"+{model}")
    tables = spark.sql(f"show tables in {project.schema}").collect()
    assert not [table for table in tables if table.tableName.startswith(model)]


@pytest.mark.parametrize("share", [-1, "a fifth", True])
def test_a_share_that_is_none(make_project, spark, share):
    project = make_project(
        "share",
        source="src",
        source_contract={"connector": "postgresql"},
        tables={"keyed": TABLES["keyed"]},
        model_config={"cur_src__keyed": {"+replaced_share": share}},
    )
    project.land(FIRST)
    with pytest.raises(DbtFailed, match=rf"cur_src__keyed: replaced_share is {share}. It is a num"):
        project.run("run")
    tables = spark.sql(f"show tables in {project.schema} like 'cur*'").collect()
    assert tables == []

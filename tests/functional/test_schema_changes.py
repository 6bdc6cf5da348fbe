"""`schema_changes` and what is made of it: structures, their differences, what the contract lacks."""

from __future__ import annotations

import pytest

from tests.functional.capture_project import landing_records, project_of
from tests.functional.conftest import drop
from tests.truth.captures import captures


def models(tables: list[str], landing: str) -> dict[str, str]:
    logs = "[" + ", ".join(f"ref('stg_src__{table}')" for table in tables) + "]"
    changes = f"{{{{ afterimage.schema_changes({logs}, [source('src', '{landing}')]) }}}}\n"
    return {
        "changes": changes,
        "structures": "{{ afterimage.table_structures(ref('changes')) }}\n",
        "differences": "{{ afterimage.structure_changes(ref('changes')) }}\n",
    }


def built(capture, tables, spark, tmp_path, name):
    project = project_of(capture, tmp_path / "project", spark, name)
    project.layers = dict.fromkeys(project.tables, ["stg"])
    project.extra_models = models(tables, tables[0])
    for stale in (tmp_path / "project" / "models").glob("*.sql"):
        stale.unlink()
    project.write()
    project.land(landing_records(capture.records))
    project.run("run")
    return project


def test_of_mysql(spark, tmp_path):
    capture = captures()["mysql9-full"]
    if not capture.folder.exists():
        pytest.skip(f"the capture is not there: {capture.folder}")
    tables = ["customers", "orders"]
    project = built(capture, tables, spark, tmp_path, "schema_changes_mysql")
    try:
        for r in project.rows("structures"):
            print(*(v for k, v in r.items() if k not in ("structure", "source_name", "topic")))
        for r in project.rows("differences"):
            print(*(v for k, v in r.items() if k not in ("structure", "source_name", "topic")))
        assert 0
    finally:
        drop(spark, project)

"""Files that a killed insert into a Parquet table left do not become rows with the next insert (see
set_attempt_id). test_killed_process kills real ones; this puts such files where they leave them."""

import shutil

import pytest

from tests.functional.conftest import drop
from tests.functional.small_stream import PARTS, build
from tests.session import file_format_of, warehouse_of

TASK = "_temporary/0/task_202611300000000000000000000000000_0000_m_000000"


@pytest.fixture
def project(spark, tmp_path):
    if file_format_of(spark) != "parquet":
        pytest.skip("Delta and Iceberg name the files of a write in its commit")
    made = build(spark, tmp_path / "project", "left_by_killed")
    yield made
    drop(spark, made)


def test_they_are_gone_after_the_next_insert(spark, project):
    logs = ("--select", "stg_s__keyed", "stg_s__bag")
    project.land(PARTS[0])
    project.run("run", *logs)
    project.land(PARTS[1])
    left = []
    for table in ("stg_s__keyed", "stg_s__keyed__ledger"):
        folder = warehouse_of(spark, project.schema) / table
        task = folder / TASK
        task.mkdir(parents=True)
        for number, file in enumerate(sorted(folder.glob("*.parquet"))):
            shutil.copy(file, task / f"part-9{number:04}-{file.name}")
        left.append(task)
    project.run("run", *logs)
    assert not [task for task in left if task.exists()]
    keyed = project.rows("stg_s__keyed")
    assert len({row["_cdc_event_id"] for row in keyed}) == len(keyed) == 4
    # the broken record of the first delivery, and the redelivered one of the second
    assert len(project.rows("stg_s__keyed__ledger")) == 2

"""A full disk: the run fails with a message that names the model, and once there is space the next
run continues as if nothing had happened. A small file system is filled before a statement of each
layer."""

import contextlib
import subprocess
from pathlib import Path

import pytest

from tests.functional.project import DbtFailed, Project
from tests.functional.small_stream import FIRST, SECOND, TABLES
from tests.functional.statements import around_first
from tests.session import drop_schema, file_format_of, warehouse_of

SCHEMA = "full_disk"


@pytest.fixture
def disk(spark):
    """The folder of the schema, 64 MB large."""
    folder = warehouse_of(spark, SCHEMA)
    folder.mkdir(parents=True, exist_ok=True)
    size = ["-t", "tmpfs", "-o", "size=64m", "tmpfs", str(folder)]
    try:
        subprocess.run(["mount", *size], check=True, capture_output=True, text=True)
    except (OSError, subprocess.CalledProcessError) as error:
        told = getattr(error, "stderr", None) or error
        pytest.skip(f"no file system can be mounted here: {told}")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)
    drop_schema(spark, SCHEMA)


def fill(disk: Path) -> None:
    with (disk / "filler").open("wb", buffering=0) as file, contextlib.suppress(OSError):
        while True:
            file.write(bytes(4096))


def places(file_format: str) -> list[str]:
    """The statement that writes each layer."""
    return [
        f"insert into {SCHEMA}.stg_s__keyed ",
        f"insert into {SCHEMA}.hist_s__keyed__log",
        f"overwrite table {SCHEMA}.cur_s__keyed__log"
        if file_format == "parquet"
        else f"into {SCHEMA}.cur_s__keyed ",
    ]


@pytest.fixture
def project(spark, tmp_path, disk):
    contract = {"connector": "postgresql", "topic_prefix": "t"}
    tables = {"keyed": dict(TABLES["keyed"])}
    landing = f"{SCHEMA}_landing.events"
    yield Project(
        tmp_path / "project", spark, "s", contract, tables, schema=SCHEMA, landing=landing
    )
    drop_schema(spark, f"{SCHEMA}_landing")


def rows(project: Project, layer: str) -> list[tuple]:
    found = project.rows(f"{layer}_s__keyed")
    return sorted(((row["id"], row["note"]) for row in found), key=str)


@pytest.mark.formats
def test_the_next_run_goes_on_where_there_is_room(spark, disk, project):
    models = ["run", "--select", "+cur_s__keyed"]
    project.land(FIRST)
    project.run(*models)
    assert any(disk.rglob("*.parquet")), "the tables are not on the small disk"
    project.land(SECOND)
    for place in places(file_format_of(spark)):
        with around_first(place, before=lambda: fill(disk)), pytest.raises(DbtFailed) as failed:
            project.run(*models)
        told = str(failed.value)
        assert "No space left on device" in told, told
        assert place.split(".")[1].strip().removesuffix("__log") in told
        (disk / "filler").unlink()
    project.run(*models)
    # 1 was updated, 2 deleted, one of its records redelivered
    assert rows(project, "stg") == [(1, "B"), (1, "a"), (2, "b"), (2, None)]
    assert rows(project, "hist") == [(1, "B"), (1, "a"), (2, "b")]
    assert rows(project, "cur") == [(1, "B")]

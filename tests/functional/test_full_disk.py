"""A disk that is full: the run says so and names the model, and once there is room the next one
goes on as if nothing had been. A small file system is filled before a statement of each layer."""

from __future__ import annotations

import contextlib
import subprocess
from pathlib import Path

import pytest

from tests.functional.conftest import drop
from tests.functional.project import DbtFailed
from tests.functional.small_stream import PARTS, build, contents
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
    into = "overwrite table" if file_format == "parquet" else "into"
    return [
        f"insert into {SCHEMA}.stg_s__keyed ",
        f"insert into {SCHEMA}.hist_s__keyed__log",
        f"{into} {SCHEMA}.cur_s__keyed ",
    ]


@pytest.mark.formats
def test_the_next_run_goes_on_where_there_is_room(spark, tmp_path, disk):
    unharmed = build(spark, tmp_path, "enough_room")
    project = build(spark, tmp_path, SCHEMA)
    for part in PARTS[:2]:
        for each in (unharmed, project):
            each.land(part)
        unharmed.run("run")
        if part is PARTS[0]:
            project.run("run")
    assert any(disk.rglob("*.parquet")), "the tables are not on the small disk"

    for place in places(file_format_of(spark)):
        with around_first(place, before=lambda: fill(disk)), pytest.raises(DbtFailed) as failed:
            project.run("run")
        told = str(failed.value)
        assert "No space left on device" in told, told
        assert place.split(".")[1].strip().removesuffix("__log") in told
        (disk / "filler").unlink()
    project.run("run")
    assert contents(project) == contents(unharmed)

    drop(spark, unharmed)
    drop_schema(spark, project.landing.split(".")[0])

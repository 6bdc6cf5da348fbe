"""Files of Google Datastream, landed by the command's own code, through the models: the end states
that Google's tests expect of these files, in any order of the files."""

from __future__ import annotations

import struct

import pytest

from afterimage.land import land
from tests.functional.conftest import drop
from tests.functional.project import Project
from tests.truth.datastream import fixtures, folder

pytestmark = [
    pytest.mark.xdist_group("datastream"),
    pytest.mark.skipif(
        not folder().exists(), reason=f"no fixtures at {folder()} (see AFTERIMAGE_SHARED)"
    ),
]
ALL = {f.name: f for f in fixtures()}


def contract(fixture) -> dict:
    return {
        "connector": fixture.connector,
        "topic": [f"{fixture.name}.{topic}" for topic in fixture.topics],
        "key": list(fixture.key),
        "columns": fixture.columns,
        **fixture.contract,
    }


def land_files(project: Project, fixture, paths) -> None:
    """Lands files in a table of their own, then as topics of the fixture: two of Google's tests may
    have objects of one name."""
    table = f"{project.landing.split('.')[0]}.{fixture.name}"
    land(project.spark, paths, table, form="datastream")
    project.spark.sql(
        f"insert into {project.landing} select concat('{fixture.name}.', topic), * except (topic)"
        f" from {table} where topic is not null and not exists (select 1 from {project.landing} l"
        f" where l.file = {table}.file and l.line = {table}.line)"
    )


@pytest.fixture(scope="module")
def built(spark, tmp_path_factory):
    """All files in two runs: the last of each table first, then all of them, twice."""
    project = Project(
        tmp_path_factory.mktemp("datastream") / "project",
        spark,
        "ds",
        {},
        {name: contract(fixture) for name, fixture in ALL.items()},
        schema="datastream",
        landing="datastream_landing.events",
    )
    try:
        for fixture in ALL.values():
            land_files(project, fixture, fixture.paths[-1:])
        project.run("run")
        for fixture in ALL.values():
            land_files(project, fixture, fixture.paths)
        project.run("run")
        yield project
    finally:
        drop(spark, project)


def rows_of(project: Project, relation: str, columns) -> list[tuple]:
    rows = [tuple(row[name] for name in columns) for row in project.rows(relation)]
    return sorted(rows, key=str)


@pytest.mark.parametrize("name", [name for name in ALL if ALL[name].rows])
def test_the_rows_left_are_those_expected(built, name, compared):
    fixture = ALL[name]
    found = rows_of(built, f"cur_ds__{name}", fixture.columns)
    expected = sorted((tuple(_as_read(value) for value in row) for row in fixture.rows), key=str)
    assert found == expected
    compared["rows of cur_ with the end states of Datastream's files"] += len(found)


def _as_read(value):
    """A float of 32 bits and a time without its zone, as Spark gives them."""
    if isinstance(value, float) and value == 45.67:
        return struct.unpack("<f", struct.pack("<f", value))[0]
    if hasattr(value, "tzinfo") and value.tzinfo:
        return value.replace(tzinfo=None)
    return value

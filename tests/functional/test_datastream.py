"""Files of Google Datastream, landed by the command's own code, through the models: the end states
that Google's tests expect of these files, in any order of the files."""

import struct
from functools import partial

import pytest

from afterimage.land.files import land
from tests.coverage import streams
from tests.functional.conftest import drop
from tests.functional.project import Project
from tests.oracle import datastream as oracle
from tests.truth.datastream import FIRST_LOCATION, fixtures

pytestmark = [
    pytest.mark.xdist_group("datastream"),
    pytest.mark.shared,
]
ALL = {f.name: f for f in fixtures()}
# Their change stream lands one run before the backfill of the same rows.
BACKFILL_COMES_LAST = ("events_users", "ddl_transformation")
WITH_HISTORY = (*BACKFILL_COMES_LAST, "ddl_columns", "oracle_locations")
# Plain rows, in forms that the others also have.
PLAIN = ("events_authors", "events_books", "events_articles", "session_books", "ddl_users")
PLAIN += ("mixed_genre",)
NAMES = [name for name in ALL if name not in PLAIN]


def contract(fixture) -> dict:
    return {
        "connector": fixture.connector,
        "topic": [f"{fixture.name}.{topic}" for topic in fixture.topics],
        "key": list(fixture.key),
        "columns": fixture.columns,
        **fixture.contract,
    }


def land_files(project: Project, paths: dict) -> None:
    """Lands {file: fixture}, as topics of the fixture: two of Google's tests may have objects of
    one name. A file and line identify what has landed before."""
    files = project.landing.replace(".events", ".files")
    landed = land(project.spark, list(paths), files, form="datastream")
    assert not landed.broken
    of_file = ", ".join(f"('{path.name}', '{name}')" for path, name in paths.items())
    project.spark.sql(
        f"insert into {project.landing} select concat(fixture, '.', topic), files.* except (topic)"
        f" from {files} files join values {of_file} as of_file (name, fixture) on file = name"
        f" left anti join {project.landing} there on files.file = there.file"
        " and files.line = there.line"
    )


def project_of(spark, folder, names, schema: str) -> Project:
    return Project(
        folder / "project",
        spark,
        "ds",
        {},
        {name: contract(ALL[name]) for name in names},
        schema=schema,
        landing=f"{schema}_landing.events",
        layers={name: ["stg"] for name in names if name not in WITH_HISTORY},
        extra_models={
            f"cur_ds__{name}": f"{{{{ afterimage.current_state(ref('stg_ds__{name}')) }}}}\n"
            for name in names
            if name not in WITH_HISTORY
        },
    )


@pytest.fixture(scope="module")
def built(spark, tmp_path_factory):
    """Two runs: the change streams of two tables, then all files, including these again."""
    project = project_of(spark, tmp_path_factory.mktemp("datastream"), NAMES, "datastream")
    try:
        land_files(project, {ALL[name].paths[-1]: name for name in BACKFILL_COMES_LAST})
        project.run("run", "--select", *(f"+cur_ds__{name}" for name in BACKFILL_COMES_LAST))
        land_files(project, {path: name for name in NAMES for path in ALL[name].paths})
        project.run("run")
        yield project
    finally:
        drop(spark, project)


def rows_of(project: Project, relation: str, columns) -> list[tuple]:
    rows = [tuple(row[name] for name in columns) for row in project.rows(relation)]
    return sorted(rows, key=str)


@pytest.mark.shows(of="name", streams=streams.of_datastream)
@pytest.mark.parametrize("name", [name for name in NAMES if ALL[name].rows])
def test_the_rows_left_are_those_expected(built, name, compared):
    compare(built, name, compared)


@pytest.mark.slow
def test_plain_rows_are_those_expected(spark, tmp_path, compared):
    project = project_of(spark, tmp_path, PLAIN, "datastream_plain")
    try:
        land_files(project, {path: name for name in PLAIN for path in ALL[name].paths})
        project.run("run")
        for name in PLAIN:
            compare(project, name, compared)
    finally:
        drop(spark, project)


def compare(project: Project, name: str, compared) -> None:
    fixture = ALL[name]
    found = rows_of(project, f"cur_ds__{name}", fixture.columns)
    expected = sorted((tuple(_as_read(value) for value in row) for row in fixture.rows), key=str)
    assert found == expected
    compared["rows of cur_ with the end states of Datastream's files"] += len(found)


@pytest.mark.shows(streams=partial(streams.of_datastream, "oracle_locations"))
def test_a_dump_of_oracle_without_key_and_place_is_all_there(built, compared):
    """EXPECTED.md shows the first of its 23 rows; the others are read from the file by fastavro."""
    fixture = ALL["oracle_locations"]
    found = rows_of(built, "cur_ds__oracle_locations", fixture.columns)
    events = oracle.read_file(fixture.paths[0])
    assert len(found) == len(events) == 23
    assert tuple(_as_read(value) for value in FIRST_LOCATION) in found
    names = ("LOCATION_ID", "CITY", "STATE_PROVINCE")
    rows = built.rows("cur_ds__oracle_locations")
    assert {tuple(row[name] for name in names) for row in rows} == {
        tuple(_plain(event["payload"][name]) for name in names) for event in events
    }
    compared["rows of cur_ with the end states of Datastream's files"] += len(found)


@pytest.mark.parametrize("name", [name for name in WITH_HISTORY if "oracle" not in name])
def test_versions_are_those_of_an_independent_fold(built, name, compared):
    """By begin and end in the log; a backfilled row has no position in it."""
    fixture = ALL[name]
    events = [event for path in fixture.paths for event in oracle.read_file(path)]
    key = fixture.key[0]
    folded = oracle.fold(events, fixture.key, fixture.system)
    expected = sorted((v.key[0], _at(v.begun), v.ended and _at(v.ended)) for v in folded.versions)
    found = built.rows(f"hist_ds__{name}")
    ends = "_cdc_position", "_cdc_end_position"
    assert sorted((row[key], *(_parts(row[end]) for end in ends)) for row in found) == expected
    compared["versions of hist_ with a fold of Datastream's files"] += len(found)


def test_nothing_was_refused_and_nothing_came_twice(built, compared):
    events = sum(len(list(oracle.read_file(p))) for name in NAMES for p in ALL[name].paths)
    kinds = {}
    for (_, outcome, kind), records in built.counts().items():
        kinds[outcome, kind] = kinds.get((outcome, kind), 0) + records
    assert kinds == {("landed", None): events, ("staged", None): events}
    compared["events of Datastream's files"] += events


def _plain(value):
    """Oracle's varchar of 2020 is a record of value and length."""
    return value["value"] if isinstance(value, dict) else value


def _at(place: tuple) -> tuple:
    return place or (0, 0)


def _parts(position: str | None) -> tuple | None:
    return position and tuple(int(part) for part in position.rpartition("e0001.")[2].split("."))


def _as_read(value):
    """32-bit floats and times without zone, as Spark returns them."""
    if isinstance(value, float) and value == 45.67:
        return struct.unpack("<f", struct.pack("<f", value))[0]
    if hasattr(value, "tzinfo") and value.tzinfo:
        return value.replace(tzinfo=None)
    return value

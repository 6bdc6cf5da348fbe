"""The files of a wide table have statistics for the columns that bound a run, so that it skips
files of earlier runs.

By default Delta keeps statistics of the first 32 columns, Iceberg of the first 100.
"""

import json

import pytest

from tests.functional.small_stream import keyed
from tests.session import file_format_of

# Delta keeps no bounds for booleans and binaries, and refuses a request for them
COLUMNS = {"id": "int", "flag": "boolean", "bytes": "bytea"} | {
    f"c{number}": "text" for number in range(110)
}


@pytest.fixture
def make(make_project):
    def made(schema: str, columns: dict, **config):
        return make_project(
            schema,
            source="src",
            tables={"keyed": {"topic": "t.p.keyed", "key": ["id"], "columns": dict(columns)}},
            layers={"keyed": ["stg", "hist"]},
            **config,
        )

    return made


def created(project, offset: int) -> dict:
    record = keyed(offset, 1000 + offset, "c", (offset, ""))
    values = {"int": offset, "boolean": True, "bytea": "AA==", "text": "x"}
    columns = project.tables["keyed"]["columns"]
    record["value"]["after"] = {name: values[type_] for name, type_ in columns.items()}
    return record


def deliver(project, offset: int) -> None:
    project.land([created(project, offset)])
    project.run("run")


def told_by_files(spark, table: str, column: str) -> list[tuple]:
    """Lowest and highest value of a column, from the statistics of each file."""
    if file_format_of(spark) == "iceberg":
        metrics = f"readable_metrics.{column}"
        found = spark.sql(
            f"select {metrics}.lower_bound, {metrics}.upper_bound from {table}.files"
        ).collect()
        return sorted(((row[0], row[1]) for row in found), key=str)
    folder = spark.sql(f"describe detail {table}").first()["location"]
    added = spark.read.text(f"{folder}/_delta_log/*.json").where("value like '{\"add\"%'")
    stats = [json.loads(json.loads(row["value"])["add"]["stats"]) for row in added.collect()]
    bounds = [(one["minValues"].get(column), one["maxValues"].get(column)) for one in stats]
    return sorted(bounds, key=str)


@pytest.mark.delta
@pytest.mark.iceberg
def test_files_tell_of_which_run_they_are(make, spark):
    project = make("statistics", COLUMNS)
    for run in (1, 2):
        deliver(project, run)
    log = f"{project.schema}.stg_src__keyed"
    history = f"{project.schema}.hist_src__keyed__log"
    assert told_by_files(spark, log, "_cdc_batch") == [(1, 1), (2, 2)]
    assert told_by_files(spark, history, "_cdc_append") == [(1, 1), (2, 2)]
    positions = [f"{lsn:020d}" for lsn in (1001, 1002)]
    assert told_by_files(spark, log, "_cdc_position") == [(place, place) for place in positions]


@pytest.mark.delta
def test_and_of_a_column_that_is_gained(make, spark):
    project = make("statistics_gained", {"id": "int"})
    deliver(project, 1)
    project.tables["keyed"]["columns"]["gained"] = "text"
    project.write()
    deliver(project, 2)
    assert ("x", "x") in told_by_files(spark, f"{project.schema}.stg_src__keyed", "gained")


@pytest.mark.delta
def test_how_many_columns_may_be_told_instead(make, spark):
    config = {"+tblproperties": {"delta.dataSkippingNumIndexedCols": 1}}
    project = make("statistics_number", {"id": "int"}, model_config=config)
    deliver(project, 1)
    log = f"{project.schema}.stg_src__keyed"
    assert told_by_files(spark, log, "id") == [(1, 1)]
    assert told_by_files(spark, log, "_cdc_batch") == [(None, None)]

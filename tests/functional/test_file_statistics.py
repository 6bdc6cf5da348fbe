"""The files of a wide table tell of the columns a run is bounded by, so that those of earlier runs
are passed over.

Delta keeps words of the first 32 columns, Iceberg of the first 100, unless told otherwise.
"""

from __future__ import annotations

import json

import pytest

from tests.functional.small_stream import keyed
from tests.session import file_format_of

WIDE = [f"c{number}" for number in range(110)]
BOUNDED = {
    "stg_src__keyed": "_cdc_batch",
    "hist_src__keyed__log": "_cdc_append",
}


@pytest.fixture
def project(make_project):
    return make_project(
        "statistics",
        source="src",
        source_contract={"connector": "postgresql", "topic_prefix": "t"},
        tables={
            "keyed": {
                "topic": "t.p.keyed",
                "key": ["id"],
                "columns": {"id": "int"} | dict.fromkeys(WIDE, "text"),
            }
        },
    )


def created(offset: int) -> dict:
    record = keyed(offset, 1000 + offset, "c", (offset, ""))
    record["value"]["after"] = {"id": offset} | dict.fromkeys(WIDE, "x")
    return record


def told_by_files(spark, table: str, column: str) -> list[tuple[int, int]]:
    """Lowest and highest value of a column, as each file of a table tells them."""
    if file_format_of(spark) == "iceberg":
        metrics = f"readable_metrics.{column}"
        found = spark.sql(
            f"select {metrics}.lower_bound, {metrics}.upper_bound from {table}.files"
        ).collect()
        return sorted((row[0], row[1]) for row in found)
    if file_format_of(spark) == "delta":
        folder = spark.sql(f"describe detail {table}").first()["location"]
        added = spark.read.text(f"{folder}/_delta_log/*.json").where("value like '{\"add\"%'")
        stats = [json.loads(json.loads(row["value"])["add"]["stats"]) for row in added.collect()]
        return sorted((one["minValues"].get(column), one["maxValues"].get(column)) for one in stats)
    # the files of Parquet tell of every column
    files = spark.table(table).selectExpr("_metadata.file_path as file", column)
    found = files.groupBy("file").agg({column: "max"}).collect()
    return sorted((row[1], row[1]) for row in found)


@pytest.mark.formats
def test_files_tell_of_which_run_they_are(project, spark):
    for run in (1, 2):
        project.land([created(run)])
        project.run("run")
    for table, column in BOUNDED.items():
        told = told_by_files(spark, f"{project.schema}.{table}", column)
        assert told == [(1, 1), (2, 2)], table

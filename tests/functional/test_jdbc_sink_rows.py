"""Rows of Debezium's JDBC sink (insert.mode insert, primary.key.mode kafka) are read as records
through the view and the contract of docs/how-to/record-shapes.md."""

import re
from datetime import date, datetime
from decimal import Decimal
from math import inf

import pytest
import yaml

from tests.functional.project import REPOSITORY

PAGE = REPOSITORY / "docs" / "how-to" / "record-shapes.md"
COLUMNS = {
    "pallet_id": "int",
    "bay": "text",
    "weight_kg": "numeric(12,2)",
    "moved_at": "timestamptz",
    "loaded_at": "timestamp",
    "made_on": "date",
    "is_full": "boolean",
    "tilt": "double precision",
    "seal": "bytea",
}


SINK = """
    __connect_topic string, __connect_partition int, __connect_offset bigint, pallet_id int,
    bay string, weight_kg decimal(12,2), moved_at timestamp, loaded_at timestamp_ntz,
    made_on date, is_full boolean, tilt double, seal binary
"""
ROWS = """
    ('wh1.yard.pallet', 0, 40, 7, 'A1', 12.50, timestamp'2024-02-29 12:00:00.123456Z',
        timestamp_ntz'2024-02-29 11:00:00.5', date'2024-02-29', true,
        0.1d, X'00ff'),
    ('wh1.yard.pallet', 0, 41, 7, 'B "4"', 0.01, timestamp'2024-02-29 13:00:00Z', null,
        date'2024-03-01', false, double('-Infinity'), X''),
    ('wh1.yard.pallet', 1, 3, 8, null, null, null, null, null, null, null, null)
"""


def shown(kind: str) -> str:
    """The page's block of that kind, applied to the sink's rows."""
    section = PAGE.read_text(encoding="utf-8").split("## Rows that Debezium's JDBC sink wrote")[1]
    return re.search(rf"```{kind}\n(.*?)```", section, re.DOTALL)[1]


@pytest.mark.shows(
    "postgresql",
    "row of the JDBC sink",
    "row written",
    types=[
        *("integer", "text", "numeric", "timestamptz", "timestamp", "date", "boolean"),
        *("float", "binary"),
    ],
)
def test_rows_of_the_jdbc_sink_are_read_as_the_page_says(make_project, spark):
    contract = yaml.safe_load(shown("yaml"))["config"]["meta"]["cdc"]
    project = make_project(
        "jdbc_sink",
        source_contract=contract,
        tables={"pallets": {"topic": "wh1.yard.pallet", "key": ["pallet_id"], "columns": COLUMNS}},
    )
    sink = f"{project.schema}_landing.pallets"
    spark.sql(f"create table {sink} ({SINK})")
    spark.sql(f"insert into {sink} values {ROWS}")
    view = shown("sql").replace("landing.pallets_of_the_sink", project.landing)
    spark.sql(f"drop table {project.landing}")
    spark.sql(view.replace("warehouse.pallets", sink))
    project.run("run")
    assert project.rows("dq_s__quarantine") == []
    history = [
        (*(row[name] for name in COLUMNS), row["is_current"])
        for row in project.rows("hist_s__pallets")
    ]
    assert sorted(history, key=lambda row: (row[0], row[2] is not None and -row[2])) == [
        (
            7,
            "A1",
            Decimal("12.50"),
            at("12:00:00.123456"),
            at("11:00:00.5"),
            date(2024, 2, 29),
            True,
            0.1,
            b"\x00\xff",
            False,
        ),
        (
            7,
            'B "4"',
            Decimal("0.01"),
            at("13:00:00"),
            None,
            date(2024, 3, 1),
            False,
            -inf,
            b"",
            True,
        ),
        (8, *[None] * 8, True),
    ]
    project.run("run")
    assert len(project.rows("stg_s__pallets")) == 3


def at(clock: str) -> datetime:
    return datetime.fromisoformat(f"2024-02-29 {clock}")

"""The landing table: its columns, and how one is checked and created."""

import contextlib
import random
import re

from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from afterimage.errors import UserError

# Columns of the landing table, with types as Spark spells them.
COLUMNS = {
    "topic": "string",
    "partition": "int",
    "offset": "bigint",
    "timestamp": "timestamp",
    "key": "binary",
    "value": "binary",
    "headers": "array<struct<key:string,value:binary>>",
    "file": "string",
    "line": "bigint",
}
# The identity of a delivery: a record's place in the topic.
COORDINATE = ["topic", "partition", "offset"]
# By which Hadoop's committer names the folder of finished tasks. With the same for all, an insert
# into a Parquet table also publishes what the tasks of a killed one wrote.
ATTEMPT = "mapreduce.job.application.attempt.id"


def check_table(spark: SparkSession, table: str) -> None:
    """Errors: UserError for a name that is not `schema.table`, a table with other columns."""
    if not re.fullmatch(r"\w+\.\w+", table, re.ASCII):
        raise UserError(
            f"{table!r} is not schema.table: two names of letters, digits and _, as landing.events"
        )
    if not spark.catalog.tableExists(table):
        return
    there = {column.name: column.dataType.simpleString() for column in spark.table(table).schema}
    faults = [
        f"  {name}: needs {wanted}, is {there.get(name, 'missing')}"
        for name, wanted in COLUMNS.items()
        if there.get(name) != wanted
    ]
    faults += [f"  {name}: {there[name]}, not expected" for name in there.keys() - COLUMNS]
    if faults:
        raise UserError(
            f"{table} is not a landing table, its columns differ:\n"
            + "\n".join(faults)
            + "\nGive --into another name; a missing table is created."
        )


def create_table(spark: SparkSession, table: str, file_format: str) -> None:
    """Create the table, and its schema, if they do not exist; the session may then insert."""
    insert_apart(spark)
    columns = ", ".join(f"`{name}` {kind}" for name, kind in COLUMNS.items())
    spark.sql(f"create schema if not exists {table.split('.')[0]}")
    spark.sql(f"create table if not exists {table} ({columns}) using {file_format}")


def insert_apart(spark: SparkSession) -> None:
    """Keep what this session inserts into tables apart from what killed inserts left of theirs."""
    # a cluster may refuse settings; those that do have no tables of plain Parquet
    with contextlib.suppress(PySparkException):
        spark.conf.set(ATTEMPT, random.randrange(1, 2**31))

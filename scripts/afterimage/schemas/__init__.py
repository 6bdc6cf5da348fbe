"""The schemas that Avro records were written with, from a registry or files, in a table.

The table has a row for each subject and version: id, subject, version, schema. Contracts name it
under `avro_schemas`, and the models read each record with the schema whose id is in its frame.
"""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from pyspark.sql import SparkSession

from afterimage.errors import UserError
from afterimage.land.table import insert_apart
from afterimage.schemas.entry import Entry, Passed, remarks
from afterimage.schemas.files import entries_of_files
from afterimage.schemas.registry import entries_of_registry

__all__ = [
    "Entry",
    "Passed",
    "entries_of",
    "entries_of_files",
    "entries_of_registry",
    "keep",
    "remarks",
]

COLUMNS = {"id": "bigint", "subject": "string", "version": "string", "schema": "string"}


def entries_of(place: str) -> Iterator[Entry]:
    """The entries of a registry (a URL) or of files (a path).

    Errors: UserError as for registries and files, and for a path that does not exist.
    """
    if "://" in place:
        yield from entries_of_registry(place)
    elif Path(place).exists():
        yield from entries_of_files([Path(place).absolute()])
    else:
        raise UserError(f"no such file or folder: {place}")


def keep(spark: SparkSession, entries: Iterable[Entry], table: str, file_format: str) -> int:
    """Add the entries that a table does not have yet; a missing table is created.

    In: entries; `schema.table`; the table format when the table is created.
    Out: how many were added.
    Errors: UserError when an id stands for two schemas, among the entries or in the table.
    """
    columns = ", ".join(f"`{name}` {kind}" for name, kind in COLUMNS.items())
    rows = [(e.id, e.subject, e.version, e.schema) for e in entries]
    new = spark.createDataFrame(rows, columns)
    spark.sql(f"create schema if not exists {table.split('.')[0]}")
    spark.sql(f"create table if not exists {table} ({columns}) using {file_format}")
    there = spark.table(table)
    found = {
        (row["id"], _meaning(row["schema"]))
        for row in there.select("id", "schema").union(new.select("id", "schema")).collect()
    }
    twice = sorted({number for number, _ in found if sum(number == n for n, _ in found) > 1})
    if twice:
        raise UserError(
            f"{table}: id {twice[0]} would stand for two schemas ({len(twice)} ids in all). Ids of "
            "two registries, or content ids and global ids, do not go into one table: give --into "
            "another name."
        )
    added = new.subtract(there.select(*COLUMNS)).select(*there.columns).collect()
    if added:
        insert_apart(spark)
        spark.createDataFrame(added, there.schema).coalesce(1).write.insertInto(table)
    return len(added)


def _meaning(schema: str) -> str:
    return json.dumps(json.loads(schema), sort_keys=True)

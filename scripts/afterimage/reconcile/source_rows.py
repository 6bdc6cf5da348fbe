"""The rows of a source as a temporary view of the embedded session, all columns text."""

import gzip
import json
import os
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from afterimage.database import connected
from afterimage.errors import UserError
from afterimage.invoke import contracts
from afterimage.reconcile.narrowed import DIALECTS, Narrowed, bucket_of, narrowed
from afterimage.session import shown_as_busy, spark_session

VIEW = "afterimage_source_rows"
# By dialect: statements before the read, so that values are printed in one way and no row is
# hidden, and the clock. In each of these databases a statement sees what is committed as it begins.
PREPARE = {
    "postgresql": ("set time zone 'UTC'", "set datestyle to 'ISO'", "set row_security to off"),
    "mysql": ("set time_zone = '+00:00'",),
    "mariadb": ("set time_zone = '+00:00'",),
    "sqlite": (),
}
CLOCK = {"postgresql": "select clock_timestamp()"}
STANDBY = "select pg_is_in_recovery()"


@dataclass(frozen=True)
class Taken:
    """Between which instants the source was read, in UTC without a zone, or None if unknown."""

    start: datetime | None
    end: datetime | None

    def widened(self, margin: timedelta) -> "Taken":
        """Earlier and later by a margin."""
        if self.start is None or self.end is None:
            return self
        return Taken(self.start - margin, self.end + margin)


def columns_of(manifest: Any, table: str, exclude: Sequence[str]) -> tuple[list[str], str]:
    """The columns of a contract by their names in the source, and the source's table by its topic.

    Errors: UserError for a table without a contract.
    """
    for node, contract in contracts(manifest):
        if f"{node.source_name}.{node.name}" != table:
            continue
        topic = contract.get("topic") or ""
        topic = topic if isinstance(topic, str) else topic[0]
        name = topic.removeprefix(f"{contract.get('topic_prefix') or topic.partition('.')[0]}.")
        left_out = {*exclude, *(contract.get("masked") or {})}
        return [str(each) for each in contract.get("columns") or {} if each not in left_out], name
    raise UserError(f"no contract of {table} in this project")


def rows_of_database(
    target: str | None,
    url: str,
    table: str,
    columns: Sequence[str],
    file: Path,
    hashes: dict[str, Any] | None = None,
) -> tuple[Taken, Narrowed | None]:
    """Read a table of a database, in one statement, as the text that the database prints.

    In: the table as the database names it, with its schema; its columns; the file to write its rows
    to, which only the user may read; what reconcile_hashes printed, if only rows of buckets whose
    hashes differ are to be read.
    Out: the time before and after, by the database's clock; which buckets were read, if not all.
    Errors: UserError for a database that does not answer, is a standby or of a kind that is not
    read, or has no such table or column.
    """
    spark = spark_session(target)
    model = spark.sql(hashes["select"]).collect() if hashes else []
    found, only = None, []
    with shown_as_busy(f"reading {table}"), connected(url) as connection:
        import sqlalchemy

        dialect = connection.dialect.name
        if dialect not in PREPARE:
            raise UserError(
                f"--database reads {', '.join(PREPARE)}, not {dialect}: give the rows by --file"
            )
        if hashes and dialect not in DIALECTS:
            raise UserError(f"--narrow reads {', '.join(DIALECTS)}, not {dialect}: leave it out")
        for statement in PREPARE[dialect]:
            connection.execute(sqlalchemy.text(statement))
        if dialect == "postgresql" and connection.execute(sqlalchemy.text(STANDBY)).scalar():
            raise UserError("--database is a standby, whose rows are of an unknown time")
        there = _table(sqlalchemy, connection, table)
        selected = [_printed(sqlalchemy, there, each, dialect) for each in columns]
        connection.commit()  # PostgreSQL's settings last, its snapshot does not
        begun = time.monotonic()
        start = _clock(sqlalchemy, connection, dialect)
        connection.commit()
        end = None
        if hashes:
            connection.execution_options(isolation_level="REPEATABLE READ")
            # the transaction goes on seeing what its first statement sees
            connection.execute(sqlalchemy.select(1).select_from(there).limit(1))
            end = start + timedelta(seconds=time.monotonic() - begun)
            found = narrowed(connection, there, hashes, model)
            if found:
                only = [bucket_of(connection, there, hashes["columns"]).in_(found.buckets)]
        result = connection.execution_options(stream_results=True, max_row_buffer=10_000).execute(
            sqlalchemy.select(*selected).where(*only)
        )
        with gzip.open(open(file, "wb", opener=_private), "wt", encoding="utf-8") as lines:
            for row in result:
                end = end or start + timedelta(seconds=time.monotonic() - begun)
                lines.write(json.dumps(dict(zip(columns, row, strict=True))) + "\n")
    end = end or start + timedelta(seconds=time.monotonic() - begun)
    spark.read.schema(_texts(columns)).json(str(file)).createOrReplaceTempView(VIEW)
    return Taken(start, end), found


def rows_of_file(target: str | None, file: Path) -> None:
    """A CSV with a header, JSON lines or Parquet, by the file's ending.

    Errors: UserError for another ending.
    """
    name = file.name.removesuffix(".gz")
    spark = spark_session(target)
    if name.endswith(".csv"):
        options = {"header": True, "multiLine": True, "escape": '"', "emptyValue": ""}
        frame = spark.read.options(**options).csv(str(file))
    elif name.endswith((".jsonl", ".json")):
        frame = spark.read.option("primitivesAsString", True).json(str(file))
    elif name.endswith(".parquet"):
        frame = spark.read.parquet(str(file))
    else:
        raise UserError(f"{file}: the rows of the source are read from .csv, .jsonl or .parquet")
    frame.createOrReplaceTempView(VIEW)


def _texts(columns: Sequence[str]) -> str:
    return ", ".join(f"`{each.replace('`', '``')}` string" for each in columns)


def _table(sqlalchemy: Any, connection: Any, table: str) -> Any:
    schema, _, name = table.rpartition(".")
    try:
        return sqlalchemy.Table(
            name,
            sqlalchemy.MetaData(),
            schema=schema or None,
            autoload_with=connection,
            resolve_fks=False,
        )
    except sqlalchemy.exc.NoSuchTableError:
        raise UserError(f"the database has no table {table}: name it by --database-table") from None


def _clock(sqlalchemy: Any, connection: Any, dialect: str) -> datetime:
    """The database's time, in UTC without a zone."""
    now = connection.execute(
        sqlalchemy.text(CLOCK.get(dialect, "select current_timestamp"))
    ).scalar()
    now = now if isinstance(now, datetime) else datetime.fromisoformat(str(now))
    return now.astimezone(UTC).replace(tzinfo=None) if now.tzinfo else now


def _printed(sqlalchemy: Any, table: Any, column: str, dialect: str) -> Any:
    """A column as text, bytes in hexadecimal."""
    if column not in table.columns:
        raise UserError(f"{table.fullname} has no column {column}; leave it out by --exclude")
    value = table.columns[column]
    if dialect != "postgresql" and isinstance(value.type, sqlalchemy.types._Binary):
        return sqlalchemy.func.hex(value)
    if dialect in ("mysql", "mariadb") and isinstance(value.type, sqlalchemy.Float):
        value = sqlalchemy.cast(value, sqlalchemy.Double)  # a float is printed with six digits
    return sqlalchemy.cast(value, sqlalchemy.Text)


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)

"""Samples of records: from files, or from the landing table."""

import gzip
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from afterimage.errors import UserError
from afterimage.readers import reader
from afterimage.readers.record import Broken

NEWEST = 1000  # records of each topic that are read from a landing table


class Sampled(NamedTuple):
    """What of a record is looked at."""

    topic: str
    key: bytes | None
    value: bytes | None
    headers: tuple[tuple[str, bytes | None], ...] = ()


def records_of_files(
    files: Sequence[Path], form: str = "jsonl", topic: str | None = None
) -> Iterator[Sampled]:
    """The records in files, plain or gzipped; the topic where the form has none in it."""
    read = reader(form, topic)
    for file in files:
        with file.open("rb") as raw:
            packed = raw.read(2) == b"\x1f\x8b"
            raw.seek(0)
            stream = gzip.GzipFile(fileobj=raw) if packed else raw
            try:
                for record in read(stream):
                    if not isinstance(record, Broken):
                        headers = tuple(record.headers or ())
                        yield Sampled(record.topic, record.key, record.value, headers)
            except (EOFError, OSError) as error:
                raise UserError(f"{file}: {error}") from error


def records_of_table(spark: Any, table: str, topics: Sequence[str] = ()) -> Iterator[Sampled]:
    """The newest records of each topic of a landing table."""
    if not re.fullmatch(r"\w+\.\w+", table, re.ASCII):
        raise UserError(f"{table!r} is not schema.table: two names of letters, digits and _")
    if not spark.catalog.tableExists(table):
        raise UserError(f"there is no table {table}; give files, or another --landing")
    has_headers = "headers" in spark.table(table).columns
    headers = (
        "transform(headers, h -> named_struct('key', h.key, 'value', cast(h.value as binary)))"
        if has_headers
        else "null"
    )
    query = f"""
        select topic, cast(key as binary) as key, cast(value as binary) as value,
            {headers} as headers
        from (
            select *, row_number() over (
                partition by topic order by timestamp desc, partition, offset desc) as recency
            from {table} where topic is not null
        ) where recency <= {NEWEST} order by topic, recency desc"""
    for row in spark.sql(query).toLocalIterator():
        if not topics or row["topic"] in topics:
            pairs = [(header["key"], _bytes(header["value"])) for header in row["headers"] or ()]
            yield Sampled(row["topic"], _bytes(row["key"]), _bytes(row["value"]), tuple(pairs))


def _bytes(value: Any) -> bytes | None:
    return None if value is None else bytes(value)

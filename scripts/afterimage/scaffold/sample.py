"""Samples of records: from files, or from the landing table."""

import json
import re
from base64 import b64decode
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from afterimage.errors import UserError
from afterimage.readers import reader, unpacked
from afterimage.readers.record import Broken

if TYPE_CHECKING:  # loads pyspark
    from afterimage.warehouse import Ask

NEWEST = 1000  # records of each topic that are read from a landing table


class Sampled(NamedTuple):
    """The parts of a record that are used."""

    topic: str
    key: bytes | None
    value: bytes | None
    headers: tuple[tuple[str, bytes | None], ...] = ()
    framing: str = ""  # of an Avro record, see scaffold/avro.py


def records_of_files(
    files: Sequence[Path], form: str = "jsonl", topic: str | None = None
) -> Iterator[Sampled]:
    """The records in files, plain or gzipped; `topic` for a format without topics."""
    read = reader(form, topic)
    for file in files:
        with file.open("rb") as raw:
            try:
                for record in read(unpacked(raw)):
                    if not isinstance(record, Broken):
                        headers = tuple(record.headers or ())
                        yield Sampled(record.topic, record.key, record.value, headers)
            except (EOFError, OSError) as error:
                raise UserError(f"{file}: {error}") from error


def records_of_table(ask: "Ask", table: str, topics: Sequence[str] = ()) -> Iterator[Sampled]:
    """The newest records of all or some topics of a landing table.

    In: ask, see afterimage.warehouse.
    """
    if not re.fullmatch(r"\w+\.\w+", table, re.ASCII):
        raise UserError(f"{table!r} is not schema.table: two names of letters, digits and _")
    try:
        columns = [row[0] for row in ask(f"describe {table}")]
    except Exception as error:  # the type depends on the connection
        if "TABLE_OR_VIEW_NOT_FOUND" not in str(error):
            raise
        raise UserError(f"there is no table {table}; give files, or another --landing") from error
    # as texts: connections differ in how they return bytes and structs
    headers_as_json = (
        "to_json(transform(headers, h -> array(h.key, base64(cast(h.value as binary)))))"
        if "headers" in columns
        else "null"
    )
    has_topic = f"topic in ({', '.join(map(_literal, topics))})" if topics else "topic is not null"
    query = f"""
        select topic, base64(cast(key as binary)), base64(cast(value as binary)), {headers_as_json}
        from (
            select *, row_number() over (
                partition by topic order by timestamp desc, partition, offset desc) as recency
            from {table} where {has_topic}
        ) where recency <= {NEWEST} order by topic, recency desc"""
    for topic, key, value, pairs in ask(query):
        headers = tuple((name, _bytes(text)) for name, text in json.loads(pairs or "[]"))
        yield Sampled(topic, _bytes(key), _bytes(value), headers)


def topics_of_table(ask: "Ask", table: str) -> list[str]:
    """The names of all topics of a landing table."""
    return [row[0] for row in ask(f"select distinct topic from {table} where topic is not null")]


def _literal(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


def _bytes(text: str | None) -> bytes | None:
    return None if text is None else b64decode(text)

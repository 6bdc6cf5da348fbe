"""Parquet files with the columns of Spark's Kafka source, as a job that copies topics writes them.

topic, partition, offset and value are required; timestamp is a time or milliseconds since 1970;
key, value and header values are binary or text; headers are a list of {key, value}. A record is
identified by its topic, partition and offset; its line is the number of the row in the file.
"""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq

from afterimage.errors import UserError
from afterimage.readers.record import Broken, Record

REQUIRED = ("topic", "partition", "offset", "value")
TAKEN = (*REQUIRED, "timestamp", "key", "headers")
ROWS = 1000  # at a time


def read(stream: BinaryIO) -> Iterator[Record | Broken]:
    """Records of one file. Errors: UserError for a damaged file, one without these columns."""
    try:
        file = pq.ParquetFile(stream, coerce_int96_timestamp_unit="us")
        names = file.schema_arrow.names
        if missing := [name for name in REQUIRED if name not in names]:
            raise UserError(f"no column {', '.join(missing)}: its columns are {', '.join(names)}")
        other = tuple(name for name in names if name not in TAKEN)
        columns = [name for name in TAKEN if name in names]
        number = 0
        for batch in file.iter_batches(batch_size=ROWS, columns=columns):
            for row in batch.to_pylist():
                number += 1
                yield _record(number, row, other)
    except pa.ArrowException as error:
        raise UserError(f"it cannot be read as Parquet ({error})") from error


def _record(number: int, row: dict[str, Any], other: tuple[str, ...]) -> Record | Broken:
    if any(row[name] is None for name in ("topic", "partition", "offset")):
        return Broken(number, repr(row).encode(), "topic, partition or offset is NULL")
    headers = row.get("headers")
    return Record(
        line=number,
        topic=row["topic"],
        partition=row["partition"],
        offset=row["offset"],
        timestamp=_millis(row.get("timestamp")),
        key=_bytes(row.get("key")),
        value=_bytes(row["value"]),
        headers=headers and [(header["key"], _bytes(header["value"])) for header in headers],
        other=other,
    )


def _bytes(value: bytes | str | None) -> bytes | None:
    return value.encode() if isinstance(value, str) else value


def _millis(value: datetime | int | None) -> int | None:
    if value is None or isinstance(value, int):
        return value
    # Spark writes its times in UTC, by default in a type that does not say so
    return round((value if value.tzinfo else value.replace(tzinfo=UTC)).timestamp() * 1000)

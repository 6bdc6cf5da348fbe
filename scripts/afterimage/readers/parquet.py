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
from pyarrow import types

from afterimage.errors import UserError
from afterimage.readers.record import Broken, Record

REQUIRED = ("topic", "partition", "offset", "value")


def _is_text(kind: pa.DataType) -> bool:
    checks = (types.is_string, types.is_large_string, types.is_binary, types.is_large_binary)
    return any(check(kind) for check in checks)


def _is_headers(kind: pa.DataType) -> bool:
    if not types.is_list(kind) or not types.is_struct(kind.value_type):
        return False
    fields = {each.name: each.type for each in kind.value_type}
    return fields.keys() == {"key", "value"} and all(map(_is_text, fields.values()))


# Column → whether it may have a type.
TAKEN = {
    "topic": types.is_string,
    "partition": lambda kind: kind == pa.int32(),
    "offset": types.is_int64,
    "value": _is_text,
    "timestamp": lambda kind: types.is_timestamp(kind) or types.is_int64(kind),
    "key": _is_text,
    "headers": _is_headers,
}
ROWS = 1000  # at a time


def read(stream: BinaryIO) -> Iterator[Record | Broken]:
    """Records of one file. Errors: UserError for a damaged file, one without these columns."""
    try:
        file = pq.ParquetFile(stream, coerce_int96_timestamp_unit="us")
        names = file.schema_arrow.names
        if missing := [name for name in REQUIRED if name not in names]:
            raise UserError(f"no column {', '.join(missing)}: its columns are {', '.join(names)}")
        for column in file.schema_arrow:
            if column.name in TAKEN and not TAKEN[column.name](column.type):
                raise UserError(
                    f"column {column.name} is {column.type}, which no record of Kafka has"
                )
        other = tuple(name for name in names if name not in TAKEN)
        columns = [name for name in TAKEN if name in names]
        number = 0
        for batch in file.iter_batches(batch_size=ROWS, columns=columns):
            for row in batch.to_pylist():
                number += 1
                yield _record(number, row, other)
    except (pa.ArrowException, OverflowError) as error:  # OverflowError: a time after year 9999
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

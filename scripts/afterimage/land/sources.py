"""The files to land: named ones, and of a folder, here or in a bucket, those that changed.

A folder is listed completely each time, so a file may come late; one is read again when its size or
time of change is another, so it may be overwritten, or still be written. What of it has landed
already is not added twice. The table `<landing>__files` remembers which were read.
"""

import contextlib
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import BinaryIO
from uuid import uuid4

from pyspark.sql import SparkSession
from pyspark.sql import functions as F  # noqa: N812

from afterimage.errors import UserError
from afterimage.session import explain

_REMEMBERED = "path string, bytes bigint, modified bigint, read_as string, landing string"
# Of the landing table, which a table made again under its name does not have.
_PROPERTY = "afterimage.files"
_CHUNK = 1024 * 1024
_LARGEST = 512 * 1024 * 1024  # of an address: Spark and this process hold such a file in memory


@dataclass(frozen=True)
class Source:
    """A file. `modified` in microseconds since 1970; `open` gives its bytes, as they are stored."""

    path: str
    bytes: int
    modified: int
    is_in_folder: bool
    open: Callable[[], BinaryIO]

    @property
    def state(self) -> tuple[str, int, int]:
        """By which a file that was read is recognised."""
        return self.path, self.bytes, self.modified

    def equals(self, other: "Source") -> bool:
        """Whether both hold the same bytes."""
        if self.bytes != other.bytes:
            return False
        with self.open() as one, other.open() as two:
            chunks = (iter(partial(file.read, _CHUNK), b"") for file in (one, two))
            return all(a == b for a, b in zip(*chunks, strict=True))


def sources_of(spark: SparkSession, given: Sequence[Path | str]) -> list[Source]:
    """The files, and all files below a folder in the order of their paths. Left out are those that
    writers hide while they work: names that begin with a dot or an underscore, as in Spark.

    In: paths, or addresses that Spark can read (`s3a://…`), by its source `binaryFile`.
    Errors: UserError for one that is missing.
    """
    found: list[Source] = []
    for each in given:
        if is_address(each):
            found += _stored(spark, str(each))
        elif Path(each).is_dir():
            below = sorted(path for path in Path(each).rglob("*") if path.is_file())
            for path in below:
                # a writer may rename or remove one meanwhile
                with contextlib.suppress(FileNotFoundError):
                    found += [] if _is_hidden(path, Path(each)) else [_local(path, True)]
        elif Path(each).is_file():
            found.append(_local(Path(each), False))
        else:
            raise UserError(f"no such file: {each}")
    return found


def is_address(given: Path | str) -> bool:
    """Whether Spark reads it, not this process."""
    return isinstance(given, str) and "://" in given


def unread(
    spark: SparkSession, sources: Iterable[Source], table: str, read_as: str
) -> list[Source]:
    """All but the files of folders that landed in the table before and have not changed since.

    In: `read_as`, what else decides what is read: a file that was read with another format is new.
    """
    known, landing = f"{table}__files", _identity(spark, table)
    states: set[tuple] = set()
    if landing and spark.catalog.tableExists(known):
        here = (F.col("landing") == landing) & (F.col("read_as") == read_as)
        states = set(spark.table(known).where(here).select("path", "bytes", "modified").collect())
    return [each for each in sources if not (each.is_in_folder and each.state in states)]


def remember(
    spark: SparkSession, read: Iterable[Source], table: str, read_as: str, file_format: str
) -> None:
    """Keep which files of folders were read; called after their records have landed."""
    states = [each.state for each in read if each.is_in_folder]
    if not states:
        return
    known, landing = f"{table}__files", _identity(spark, table)
    if not landing:
        landing = uuid4().hex
        spark.sql(f"alter table {table} set tblproperties ('{_PROPERTY}' = '{landing}')")
    spark.sql(f"create table if not exists {known} ({_REMEMBERED}) using {file_format}")
    rows = [(*state, read_as, landing) for state in states]
    spark.createDataFrame(rows, _REMEMBERED).coalesce(1).write.insertInto(known)


def _identity(spark: SparkSession, table: str) -> str | None:
    if not spark.catalog.tableExists(table):
        return None
    properties = {row.key: row.value for row in spark.sql(f"show tblproperties {table}").collect()}
    return properties.get(_PROPERTY)


def _local(path: Path, is_in_folder: bool) -> Source:
    status = path.stat()  # before it is read: a file that grows meanwhile is read again
    modified = status.st_mtime_ns // 1000
    return Source(path.as_posix(), status.st_size, modified, is_in_folder, partial(path.open, "rb"))


def _is_hidden(path: Path, folder: Path) -> bool:
    return any(part.startswith((".", "_")) for part in path.relative_to(folder).parts)


def _stored(spark: SparkSession, address: str) -> list[Source]:
    files = spark.read.format("binaryFile").option("recursiveFileLookup", True)
    try:
        listed = files.load(address).selectExpr("path", "length", "unix_micros(modificationTime)")
        rows = sorted(listed.collect())
    except Exception as error:
        raise UserError(f"{address}: {explain(error)}") from error

    def content(path: str, length: int) -> BinaryIO:
        if length > _LARGEST:
            raise UserError(f"longer than {_LARGEST >> 20} MB: land it from a path, or split it")
        # a name may have what Spark takes for a pattern
        named = re.sub(r"([][{}*?\\])", r"\\\1", path)
        try:
            return BytesIO(files.load(named).select("content").first()[0])
        except Exception as error:
            raise UserError(explain(error)) from error

    is_file = len(rows) == 1 and _name(rows[0][0]) == _name(address)
    return [Source(*row, not is_file, partial(content, *row[:2])) for row in rows]


def _name(address: str) -> str:
    return address.rstrip("/").rpartition("/")[2]

"""Land files of delivered records in a table, each record once.

The files are read line by line and written in chunks to a scratch Parquet file; then one INSERT
in Spark adds the records that the landing table does not have yet. A file that cannot be read to
its end therefore lands nothing, and no row passes through the driver's memory twice. A cluster
receives the rows by Spark Connect, which holds them in memory here.
"""

import gzip
import tempfile
import time
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import DataFrame, Observation, SparkSession
from pyspark.sql import functions as F  # noqa: N812
from pyspark.sql.utils import is_remote
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

from afterimage.counted import counted
from afterimage.errors import UserError
from afterimage.land.sources import Source, remember, sources_of, unread
from afterimage.land.table import COORDINATE, check_table, create_table
from afterimage.readers import KNOWN_BY_FILE, NAMED_BY_PATH, ONE_DUMP, reader, unpacked
from afterimage.readers.record import Broken, Record

# The identity of a broken line, which has no place in a topic: its place in the file and its bytes.
PLACE = ["file", "line", "value"]
LINE = ["file", "line"]  # of a record without a place in a topic
CONTENT = ["key", "value"]

_SCRATCH = pa.schema(
    [
        ("sequence", pa.int64()),
        ("topic", pa.string()),
        ("partition", pa.int32()),
        ("offset", pa.int64()),
        ("timestamp", pa.timestamp("ms", tz="UTC")),
        ("key", pa.binary()),
        ("value", pa.binary()),
        ("headers", pa.list_(pa.struct([("key", pa.string()), ("value", pa.binary())]))),
        ("file", pa.string()),
        ("line", pa.int64()),
    ]
)
# A chunk is a row group. Both bounds limit memory, here and in Spark, which holds up to one row
# group at once.
CHUNK_ROWS = 50_000
CHUNK_BYTES = 32 * 1024 * 1024
FIRST_PLACES = 5
STILL_WRITTEN = 3600  # seconds since its last change in which a file may still become complete


@dataclass
class Landed:
    """Counts of a landing. `read` counts the lines; the others split it."""

    read: int = 0
    landed: int = 0  # rows added, broken lines among them
    broken: int = 0  # lines that are not records, landed now or before
    counted: int = 0  # records whose place is made from the line number
    places: list[str] = field(default_factory=list)  # the first broken lines and why
    unchanged: int = 0  # files of folders that were read before
    # files of folders that could not be read to their end, and why: read again next time
    incomplete: dict[str, str] = field(default_factory=dict)
    is_stuck: bool = False  # one of them has not changed for an hour
    other: Counter = field(default_factory=Counter)  # fields without a column: how often

    def leave(self, source: Source, why: str) -> None:
        """A file of a folder is read again next time; one that is old will not become complete."""
        self.incomplete[source.path] = why
        self.is_stuck |= source.modified / 1e6 < time.time() - STILL_WRITTEN

    @property
    def present(self) -> int:
        """Lines whose row existed already, or that the files contain twice."""
        return self.read - self.landed

    def __str__(self) -> str:
        return f"landed {self.landed}, already there {self.present}, broken {self.broken}"

    def remarks(self) -> list[str]:
        """Further remarks, one line each; they contain no values from the files."""
        said = [f"broken: {place}" for place in self.places]
        if self.broken > len(self.places):
            said.append(f"broken: … and {self.broken - len(self.places)} more")
        if self.broken:
            said.append("broken lines are in the table too: topic is null, value is the whole line")
        if self.counted:
            said.append(
                f"without partition and offset: {counted(self.counted, 'record')}; they have "
                "their line numbers: land no others of the topic here, they may get the same ones"
            )
        said += [f"read again next time: {path}: {why}" for path, why in self.incomplete.items()]
        if self.unchanged:
            said.append(
                f"not read: {counted(self.unchanged, 'file')}, unchanged since the last time"
            )
        said += [
            f"not landed: field {name} of {counted(n, 'record')}"
            for name, n in self.other.most_common()
        ]
        return said


def land(
    spark: SparkSession,
    files: Sequence[Path | str],
    table: str,
    *,
    form: str = "jsonl",
    topic: str | None = None,
    file_format: str = "parquet",
    show_progress: bool = False,
) -> Landed:
    """Add the records of files to a landing table, except those it has already.

    In: files, plain or gzipped, or folders of them (see `sources.py`); `schema.table`, created in
    `file_format` when missing; the name of a reader in `READERS`; the topic, for a format whose
    lines do not name it; whether to draw a progress bar.
    Out: the counts.
    Errors: UserError for a name that is not `schema.table`, a file that is missing, unreadable or
    truncated (in a folder, it is read again next time), different files of one name where the name
    identifies their lines, a table with other columns, or records with counted places next to
    others of their topic. Nothing has landed then.
    """
    found = sources_of(spark, files)
    if form in ONE_DUMP and any(source.is_in_folder for source in found):
        raise UserError(f"--format {form} takes one complete dump, not a folder of files")
    name = NAMED_BY_PATH.get(form, lambda path: Path(path).name)
    if form in KNOWN_BY_FILE:
        _check_names(found, name)
    check_table(spark, table)
    read_as = f"{form} of {topic}" if topic else form
    sources = unread(spark, found, table, read_as)
    done = Landed(unchanged=len(found) - len(sources))
    with tempfile.TemporaryDirectory(prefix="afterimage-land-") as folder:
        scratch = Path(folder, "records.parquet")
        records = _read(sources, reader(form, topic), name, show_progress, done)
        _write_scratch(scratch, records, done)
        create_table(spark, table, file_format)
        if done.read:
            records, landing = _records(spark, scratch), spark.table(table)
            if done.counted:
                _check_counted(records, landing, table)
            done.landed = _insert(records, landing, table)
    complete = [source for source in sources if source.path not in done.incomplete]
    remember(spark, complete, table, read_as, file_format)
    return done


def _check_names(sources: list[Source], name) -> None:
    """A record without a place in its topic is identified by file name and line: of two files with
    one name, the second one's lines would be taken for those of the first.

    Errors: UserError when two different files have one name.
    """
    known: dict[str, Source] = {}
    for source in sources:
        called = name(source.path)
        first = known.setdefault(called, source)
        try:
            same = first is source or first.equals(source)
        except OSError as error:
            raise UserError(f"{error.filename}: {error.strerror or error}") from error
        if not same:
            raise UserError(
                f"{first.path} and {source.path} differ, and both are known as {called}, so their "
                "lines could not be distinguished: rename one of them, or keep the bucket's "
                "folders of Datastream files, <object>/yyyy/mm/dd/hh/mm/"
            )


def _read(
    sources: list[Source], read, name, show_progress: bool, done: Landed
) -> Iterator[tuple[str, Record | Broken]]:
    """Each record with its file name; the bar counts bytes of the files as they are on disk."""
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        DownloadColumn(),
        TimeRemainingColumn(),
        transient=True,
        disable=not show_progress,
    )
    with bar:
        total = sum(source.bytes for source in sources)
        task = bar.add_task("reading", total=total)
        for source in sources:
            try:
                with source.open() as raw, bar.wrap_file(raw, task_id=task) as counted:
                    yield from _records_of(source, raw, counted, read, name(source.path), done)
            except (UserError, OSError) as error:
                why = getattr(error, "message", None) or error.strerror or str(error)
                if not source.is_in_folder:
                    raise UserError(f"{source.path}: {why}") from error
                done.leave(source, why)
            # wrap_file sets the total to the size of one file.
            bar.update(task, total=total)


def _records_of(source: Source, raw: BinaryIO, counted: BinaryIO, read, name: str, done: Landed):
    """The records of one file. In a folder, it may still be written: its last line may be a part
    of one, and lands when the file has it completely."""
    last = None
    try:
        for record in read(unpacked(raw, counted)):
            if last:
                yield name, last
            last = record
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise UserError(f"the gzip file is damaged or cut short ({error})") from error
    if isinstance(last, Broken) and source.is_in_folder and not _ends_with_a_line(raw):
        done.leave(source, f"line {last.line}, the last one, is incomplete")
    elif last:
        yield name, last


def _ends_with_a_line(raw: BinaryIO) -> bool:
    """Whether the last line of a file has an end, or the file has no lines as it is stored."""
    raw.seek(0)
    if raw.read(4).startswith((b"\x1f\x8b", b"PAR1", b"Obj\x01")):
        return True
    raw.seek(-1, 2)
    return raw.read(1) == b"\n"


def _write_scratch(
    scratch: Path, records: Iterable[tuple[str, Record | Broken]], done: Landed
) -> None:
    """Write records to a Parquet file and count them in `done`."""
    chunk: list[tuple] = []
    size = 0
    # Values rarely repeat: a dictionary of them would only cost memory.
    with pq.ParquetWriter(
        scratch, _SCRATCH, compression="zstd", use_dictionary=["topic", "file"]
    ) as writer:
        for name, record in records:
            done.read += 1
            if isinstance(record, Broken):
                done.broken += 1
                if len(done.places) < FIRST_PLACES:
                    done.places.append(f"{name}:{record.line} {record.reason}")
                row = (None, None, None, None, None, record.raw, None, name, record.line)
                size += len(record.raw)
            else:
                done.other.update(record.other)
                done.counted += record.is_counted
                row = (
                    record.topic,
                    record.partition,
                    record.offset,
                    record.timestamp,
                    record.key,
                    record.value,
                    record.headers,
                    name,
                    record.line,
                )
                size += len(record.value or b"") + len(record.key or b"")
            chunk.append((done.read, *row))
            if len(chunk) >= CHUNK_ROWS or size >= CHUNK_BYTES:
                writer.write_table(_table(chunk))
                chunk, size = [], 0
        if chunk:
            writer.write_table(_table(chunk))


def _records(spark: SparkSession, scratch: Path) -> DataFrame:
    """The scratch file's records; a cluster cannot read our files, so it is sent the rows."""
    if is_remote():
        return spark.createDataFrame(pq.read_table(scratch))
    return spark.read.parquet(str(scratch))


def _table(rows: list[tuple]) -> pa.Table:
    columns = zip(*rows, strict=True)
    arrays = [pa.array(column, kind.type) for column, kind in zip(columns, _SCRATCH, strict=True)]
    return pa.Table.from_arrays(arrays, schema=_SCRATCH)


def _check_counted(records: DataFrame, landing: DataFrame, table: str) -> None:
    """Counted places are unique only within one complete dump. Another file's records would get
    the same places and be taken for the same deliveries.

    Errors: UserError when two lines share a place, or the table has other records of the topic.
    """
    ours = records.where(F.col("topic").isNotNull())
    same = [F.col(f"t.{name}").eqNullSafe(F.col(f"r.{name}")) for name in (*COORDINATE, *CONTENT)]
    there = landing.join(ours.select("topic").distinct(), "topic", "left_semi")
    others = there.alias("t").join(ours.alias("r"), same, "left_anti")
    shared = ours.groupBy(COORDINATE).agg(F.count(F.lit(1)).alias("n")).where("n > 1")
    if shared.limit(1).count() or others.limit(1).count():
        raise UserError(
            f"the lines have no partition and offset, and more than one file, or {table}, has "
            "records of their topic, from which they cannot be distinguished: dump them again with "
            "print.partition=true and print.offset=true"
        )


def _check_known(placeless: DataFrame, landing: DataFrame, table: str) -> None:
    """A line that landed before is the same line only if its content is the same.

    Errors: UserError when the table has another record of the same file and line.
    """
    same = [F.col(f"t.{name}") == F.col(f"r.{name}") for name in LINE]
    differs = [~F.col(f"t.{name}").eqNullSafe(F.col(f"r.{name}")) for name in ("topic", *CONTENT)]
    # `afterimage erase` leaves no value
    there = landing.where(F.col("value").isNotNull())
    both = there.alias("t").join(placeless.alias("r"), same)
    found = both.where(differs[0] | differs[1] | differs[2]).select("r.file", "r.line").first()
    if found:
        raise UserError(
            f"{table} has another record of {found.file}:{found.line}, from a different file of "
            "the same name that landed before: rename this one, or keep the bucket's folders of "
            "Datastream files, <object>/yyyy/mm/dd/hh/mm/"
        )


def _insert(records: DataFrame, landing: DataFrame, table: str) -> int:
    """Insert the records the table does not have, in one statement. Out: the number added."""
    is_record = F.col("topic").isNotNull()
    has_place = is_record & F.col("offset").isNotNull()
    # Separate joins, not one over all identities: the table's values are then read only where
    # topic is null, and not for every row.
    new = _new(records.where(has_place), landing.where(is_record), COORDINATE).unionByName(
        _new(records.where(~is_record), landing.where(~is_record), PLACE)
    )
    placeless = records.where(is_record & ~has_place)
    if placeless.limit(1).count():
        _check_known(placeless, landing.where(is_record), table)
        new = new.unionByName(_numbered(_new(placeless, landing.where(is_record), LINE), landing))
    added = Observation("added")
    new.select(landing.columns).observe(added, F.count(F.lit(1)).alias("rows")).write.insertInto(
        table
    )
    return added.get["rows"]


def _numbered(records: DataFrame, landing: DataFrame) -> DataFrame:
    """Records without a place get the offsets after all existing ones, in the order of the files:
    new records are then always after those already read, and no run looks for them elsewhere."""
    highest = landing.where(F.col("topic").isNotNull()).agg(F.max("offset")).first()[0]
    behind = F.lit(-1 if highest is None else highest) + F.col("sequence")
    return records.withColumns({"partition": F.lit(0).cast("int"), "offset": behind})


def _new(records: DataFrame, landing: DataFrame, identity: list[str]) -> DataFrame:
    """The first record of each identity, except those in landing."""
    repeated = (
        records.groupBy(identity)
        .agg(F.min("sequence").alias("first"), F.count(F.lit(1)).alias("times"))
        .where("times > 1")
        .select(*(F.col(name).alias(f"r_{name}") for name in identity), "first")
    )
    is_repeat = F.col("sequence") > F.col("first")
    for name in identity:
        is_repeat = is_repeat & (F.col(name) == F.col(f"r_{name}"))
    once = records.join(repeated, is_repeat, "left_anti")
    return once.join(landing.select(identity), identity, "left_anti")

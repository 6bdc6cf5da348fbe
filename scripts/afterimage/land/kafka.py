"""Land the records of Kafka topics in a table, by Structured Streaming: each record once.

Spark reads each topic from its beginning and keeps the offsets it has read in a checkpoint folder,
where the next run continues. A batch that a killed run may have written already is compared with
the table, by topic, partition, offset and timestamp: a topic that was recreated counts its offsets
from 0 again, and these are other records.
"""

import json
import re
import socket
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import reduce
from pathlib import Path

from pyspark.errors import AnalysisException, StreamingQueryException
from pyspark.sql import DataFrame, Observation, SparkSession
from pyspark.sql import functions as F  # noqa: N812
from pyspark.sql.streaming import StreamingQuery

from afterimage.errors import UserError
from afterimage.land.table import COLUMNS, COORDINATE, check_table, create_table

BATCH_OFFSETS = 1_000_000  # of all topics: what a killed run repeats at most
FOLLOW_EVERY = "10 seconds"
# Spark would retry for a minute
REACHED_WITHIN = 10  # seconds
# A record of an aborted transaction is no record (Kafka Connect with exactly-once source support).
CONSUMER = {"isolation.level": "read_committed"}


@dataclass
class Topic:
    """What a run has read of one topic."""

    name: str
    partitions: int
    offsets: int  # read; a transaction's markers and compacted records are offsets without a record
    lag: int  # offsets that Kafka has and the run has not read

    def __str__(self) -> str:
        return (
            f"{self.name}: partitions {self.partitions}, offsets read {self.offsets:,}, "
            f"lag {self.lag:,}"
        )


@dataclass
class LandedFromKafka:
    """Counts of a run."""

    landed: int = 0  # rows added
    present: int = 0  # records whose row existed already
    batches: int = 0
    topics: list[Topic] = field(default_factory=list)

    def __str__(self) -> str:
        return f"landed {self.landed:,}, already there {self.present:,}"


def land_topics(
    spark: SparkSession,
    brokers: str,
    topics: str,
    table: str,
    *,
    checkpoint: str,
    consumer: Mapping[str, str] | None = None,
    file_format: str = "parquet",
    follow: bool = False,
    on_batch: Callable[[LandedFromKafka], None] = lambda landed: None,
) -> LandedFromKafka:
    """Add the records of topics to a landing table, from where the checkpoint's last run ended.

    In: a session with Spark's Kafka source; `host:port`, several separated by commas; a regular
    expression that a topic's full name matches, so that new topics are found; `schema.table`,
    created in `file_format` when missing; a folder that all runs of this table keep, readable by
    the driver and the executors; settings of the Kafka client (`security.protocol` and so on);
    whether to go on reading until stopped, instead of ending at what is there now; called after
    each batch, with the counts so far.
    Out: the counts.
    Errors: UserError for brokers that do not answer, no topic of that name, a table with other
    columns, a checkpoint whose table is gone, records that Kafka deleted before they were read.
    What was read until then has landed.
    """
    _check_reachable(brokers)
    check_table(spark, table)
    continues = _exists(spark, checkpoint)
    is_there = spark.catalog.tableExists(table)
    if continues and not is_there:
        raise UserError(
            f"{table} is not there, but {checkpoint} says what it has read from Kafka: remove that "
            "folder to land everything again, or name the table that it belongs to"
        )
    create_table(spark, table, file_format)
    done = LandedFromKafka()

    def append(batch: DataFrame, _: int) -> None:
        # the session of the stream is a copy
        landing = batch.sparkSession.table(table)
        # Only the first batch can be one that a killed run wrote; with a new checkpoint, any.
        if done.batches == 0 or (is_there and not continues):
            batch = batch.persist()
            records = _not_landed(batch, landing)
            done.present += batch.count() - records.count()
        else:
            records = batch
        added = Observation()
        # as many files as tasks run at once, not one for each partition of Kafka
        few = records.coalesce(spark.sparkContext.defaultParallelism)
        few.observe(added, F.count(F.lit(1)).alias("rows")).write.insertInto(table)
        batch.unpersist()
        done.landed += added.get["rows"]
        done.batches += 1

    options = {"bootstrap.servers": brokers} | CONSUMER | dict(consumer or {})
    query = (
        spark.readStream.format("kafka")
        .options(**{f"kafka.{name}": value for name, value in options.items()})
        .options(
            # Spark looks for the pattern anywhere in a name
            subscribePattern=f"^(?:{topics})$",
            startingOffsets="earliest",
            includeHeaders=True,
            failOnDataLoss=True,
            maxOffsetsPerTrigger=BATCH_OFFSETS,
        )
        .load()
        .select(*(_column(name, kind) for name, kind in COLUMNS.items()))
        .writeStream.foreachBatch(append)
        .option("checkpointLocation", checkpoint)
        .trigger(**({"processingTime": FOLLOW_EVERY} if follow else {"availableNow": True}))
        .start()
    )
    try:
        _watch(query, done, on_batch)
    except KeyboardInterrupt:
        if not follow:
            raise
    except StreamingQueryException as error:
        raise UserError(_explained(error, checkpoint)) from error
    finally:
        query.stop()
        # the stream's session wrote the files; this one knows those that were there before
        spark.catalog.refreshTable(table)
    if not done.topics and not continues:
        raise UserError(f"{brokers} has no topic that {topics} matches (a regular expression)")
    return done


def client_settings(file: Path) -> dict[str, str]:
    """The settings of a properties file, as `kafka-console-consumer --consumer.config` reads it.

    Errors: UserError for a file that cannot be read, a line that is not `name=value`.
    """
    try:
        text = re.sub(r"\\\n[ \t]*", "", file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{file}: {error}") from error
    settings = {}
    for line in map(str.strip, text.splitlines()):
        if line and line[0] not in "#!":
            name, separator, value = line.partition("=")
            if not separator:
                raise UserError(f"{file}: {name!r} is not name=value")
            settings[name.strip()] = value.strip()
    return settings


def _check_reachable(brokers: str) -> None:
    """Errors: UserError when no broker accepts a connection."""
    faults = []
    for broker in brokers.split(","):
        found = re.fullmatch(r"\s*\[?([^\s\]]+?)\]?:(\d+)\s*", broker)
        if not found:
            raise UserError(f"--brokers {broker}: an address is host:port")
        try:
            socket.create_connection((found[1], int(found[2])), REACHED_WITHIN).close()
            return
        except OSError as error:
            faults.append(f"{broker.strip()} ({error.strerror or error})")
    raise UserError(f"no broker was reached: {', '.join(faults)}")


def _exists(spark: SparkSession, checkpoint: str) -> bool:
    """Whether a stream has run with this checkpoint, on whatever file system it is."""
    try:
        return not spark.read.text(f"{checkpoint.rstrip('/')}/metadata").isEmpty()
    except AnalysisException as error:
        if error.getCondition() == "PATH_NOT_FOUND":
            return False
        raise


def _column(name: str, kind: str):
    """A column of the landing table, from Kafka's own; it has no file and line."""
    return F.lit(None).cast(kind).alias(name) if name in ("file", "line") else F.col(name)


def _not_landed(batch: DataFrame, landing: DataFrame) -> DataFrame:
    """The records of the batch that the table does not have.

    Only landing's rows from each partition's first offset on are read: as files are appended in the
    order of offsets, the statistics of all older files exclude them.
    """
    firsts = batch.groupBy("topic", "partition").agg(F.min("offset").alias("first")).collect()
    places = [
        (F.col("topic") == row.topic)
        & (F.col("partition") == row.partition)
        & (F.col("offset") >= row.first)
        for row in firsts
    ]
    identity = [*COORDINATE, "timestamp"]
    there = landing.where(reduce(lambda a, b: a | b, places, F.lit(False))).select(identity)
    return batch.join(there, identity, "left_anti").select(batch.columns)


def _watch(
    query: StreamingQuery, done: LandedFromKafka, on_batch: Callable[[LandedFromKafka], None]
) -> None:
    """Wait for the query's end, and note each progress."""
    seen, first = -1, {}
    has_ended = False
    while not has_ended:
        has_ended = bool(query.awaitTermination(1))
        for progress in query.recentProgress:
            if progress["batchId"] <= seen or progress["numInputRows"] == 0:
                continue
            seen = progress["batchId"]
            [source] = json.loads(progress.json)["sources"]
            started, ended, latest = (
                _offsets(source[name]) for name in ("startOffset", "endOffset", "latestOffset")
            )
            first = started | first
            done.topics = _topics(first, ended, latest)
            on_batch(done)


def _offsets(of_topics: dict[str, dict[str, int]] | None) -> dict[tuple[str, str], int]:
    """{"topic": {"0": 7}} as {("topic", "0"): 7}; before the first batch there are none."""
    return {
        (topic, partition): offset
        for topic, partitions in (of_topics or {}).items()
        for partition, offset in partitions.items()
    }


def _topics(first: dict, ended: dict, latest: dict) -> list[Topic]:
    """In: by topic and partition, the offset at the run's start, at its end, and Kafka's end."""
    topics: dict[str, Topic] = {}
    for (name, partition), offset in sorted(ended.items()):
        place = (name, partition)
        topic = topics.setdefault(name, Topic(name, 0, 0, 0))
        topic.partitions += 1
        topic.offsets += offset - first.get(place, 0)
        topic.lag += max(latest.get(place, offset) - offset, 0)
    return list(topics.values())


def _explained(error: StreamingQueryException, checkpoint: str) -> str:
    text = str(error)
    if "KAFKA_DATA_LOSS" in text or "data may have been lost" in text.lower():
        return (
            "Kafka no longer has records that were not read yet, or a topic was deleted or "
            "recreated:\n"
            f"  {_line(text)}\n"
            "Nothing after them has landed. To land what Kafka has now, give a new folder as "
            f"--checkpoint instead of {checkpoint}; records landed before are not landed twice. "
            "If a topic was recreated, declare an epoch (docs/concepts/operator-events.md); what "
            "is lost for good comes back with a new snapshot by the connector."
        )
    return text.split("\nJVM stacktrace")[0].split("\n=== Streaming Query ===")[0].strip()


def _line(text: str) -> str:
    """The line that says what is lost."""
    lines = [line.strip() for line in text.splitlines()]
    return next((line for line in lines if "partition" in line.lower()), lines[0])[:500]

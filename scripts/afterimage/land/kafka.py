"""Land the records of Kafka topics in a table, by Structured Streaming: each record once.

Spark reads each topic from its beginning and keeps the offsets it has read in a checkpoint folder,
where the next run continues. A batch that a killed run may have written already is compared with
the table, by topic, partition, offset and timestamp: a topic that was recreated counts its offsets
from 0 again, and these are other records.
"""

import contextlib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import reduce

from pyspark.errors import StreamingQueryException
from pyspark.sql import DataFrame, Observation, SparkSession
from pyspark.sql import functions as F  # noqa: N812
from pyspark.sql.utils import is_remote

from afterimage.errors import UserError
from afterimage.land.brokers import Brokers, Ends, Place
from afterimage.land.checkpoint import Checkpoint, bind, checkpoint_in
from afterimage.land.table import COLUMNS, COORDINATE, check_table, create_table
from afterimage.outcomes import DOCS_INSTALLED

BATCH_OFFSETS = 1_000_000  # of all topics: what a killed run repeats at most
FOLLOW_EVERY = "10 seconds"
# A record of an aborted transaction is no record (Kafka Connect with exactly-once source support).
CONSUMER = {"isolation.level": "read_committed"}
# The sentence of Spark that says what is lost, in a text that quotes a program too.
LOST = re.compile(
    r"(?:Could not read records|Partitions? .*(?:deleted|changed|gone)|Added partition|"
    r"Cannot find initial|Cannot fetch offset|Some data may have been lost)[^\n]*"
)


@dataclass
class Topic:
    """What a run has read of one topic."""

    name: str
    partitions: int = 0
    offsets: int = 0  # read; markers of transactions and compacted records are offsets too
    lag: int = 0  # offsets that Kafka has and no run has read

    def __str__(self) -> str:
        return (
            f"{self.name}: partitions {self.partitions}, offsets read {self.offsets:,}, "
            f"lag {self.lag:,}"
        )


@dataclass
class LandedFromKafka:
    """Counts of a run; `topics` at its end."""

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

    In: a session with Spark's Kafka source, not one of Spark Connect; `host:port`, several
    separated by commas; a regular expression that a topic's full name matches, so that new topics
    are found; `schema.table`, created in `file_format` when missing; a folder that all runs of this
    table and pattern keep, readable by the driver and the executors; settings of the Kafka client
    (`security.protocol` and so on); whether to go on reading until stopped, instead of ending at
    what is there now; called after each batch, with the counts so far.
    Out: the counts.
    Errors: UserError for brokers that do not answer, no topic of that name, topics that the
    checkpoint has read and that are no longer there, a table with other columns, a checkpoint of
    another table, records that Kafka deleted before they were read. What was read until then has
    landed.
    """
    if is_remote():
        raise UserError("landing from Kafka needs a session of its own, not Spark Connect")
    cluster = Brokers(spark, brokers, CONSUMER | dict(consumer or {}))
    before = cluster.topics(topics)
    check_table(spark, table)
    known = checkpoint_in(spark, checkpoint)
    _check_topics(known, before, topics)
    create_table(spark, table, file_format)
    bind(spark, known, table)
    done = LandedFromKafka()
    # the stream's session is a copy without the current catalog
    target = f"{spark.catalog.currentCatalog()}.{table}"
    # With a new checkpoint any batch may be there; else only one that a killed run has written.
    compares_all = known.is_new and not spark.table(table).isEmpty()
    may_be_there = compares_all or not known.is_committed

    def append(batch: DataFrame, _: int) -> None:
        nonlocal may_be_there
        landing = batch.sparkSession.table(target)
        records = batch.select(landing.columns)
        if may_be_there:
            batch.persist()
            records = _not_landed(records, landing).persist()
            done.present += batch.count() - records.count()
            may_be_there = compares_all
        if not records.is_cached or not records.isEmpty():
            added = Observation()
            # as many files as tasks run at once, not one for each partition of Kafka
            few = records.coalesce(spark.sparkContext.defaultParallelism)
            few.observe(added, F.count(F.lit(1)).alias("rows")).write.insertInto(target)
            done.landed += added.get["rows"]
        records.unpersist()
        batch.unpersist()
        done.batches += 1

    options = CONSUMER | dict(consumer or {}) | {"bootstrap.servers": brokers}
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
        reported = 0
        while not query.awaitTermination(1):
            if done.batches > reported:
                reported = done.batches
                on_batch(done)
        if done.batches > reported:
            on_batch(done)
    except KeyboardInterrupt:
        if not follow:
            raise
    except StreamingQueryException as error:
        raise UserError(_explained(error, checkpoint)) from error
    finally:
        # a JVM that is gone must not hide why
        with contextlib.suppress(Exception):
            query.stop()
            # the stream's session wrote the files; this one knows those that were there before
            spark.catalog.refreshTable(table)
    done.topics = _topics(known, checkpoint_in(spark, checkpoint), before, cluster.topics(topics))
    return done


def _check_topics(known: Checkpoint, now: dict[Place, Ends], pattern: str) -> None:
    """Spark would note its new offsets first and fail then, in this run and all later ones.

    Errors: UserError for topics that the checkpoint has read and that are not there, and for new
    ones whose first records Kafka has deleted.
    """
    if known.is_new:
        return
    other = "Give another folder as --checkpoint: records landed before are not landed twice."
    if gone := sorted({topic for topic, _ in known.read.keys() - now.keys()}):
        raise UserError(
            f"{known.folder} has read {', '.join(gone)}, which Kafka no longer has, or {pattern} "
            f"does not match. {other}"
        )
    late = {topic for (topic, _), ends in now.items() if ends.first > 0}
    if new := sorted(late - {topic for topic, _ in known.read}):
        raise UserError(
            f"{', '.join(new)}: new to {known.folder}, and Kafka no longer has the first records. "
            f"{other}"
        )


def _column(name: str, kind: str):
    """A column of the landing table, from Kafka's own; it has no file and line."""
    return F.lit(None).cast(kind).alias(name) if name in ("file", "line") else F.col(name)


def _not_landed(batch: DataFrame, landing: DataFrame) -> DataFrame:
    """The records of the batch that the table does not have.

    Of landing, only rows from each partition's first offset on can match: files whose statistics
    exclude them are not read.
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


def _topics(
    started: Checkpoint, ended: Checkpoint, before: dict[Place, Ends], now: dict[Place, Ends]
) -> list[Topic]:
    topics: dict[str, Topic] = {}
    for place, ends in sorted(now.items()):
        topic = topics.setdefault(place[0], Topic(place[0]))
        begin = started.read.get(place, before.get(place, ends).first)
        end = ended.read.get(place, begin)
        topic.partitions += 1
        topic.offsets += end - begin
        topic.lag += max(ends.next - end, 0)
    return list(topics.values())


def _explained(error: StreamingQueryException, checkpoint: str) -> str:
    text = str(error)
    if "KAFKA_DATA_LOSS" in text or "data may have been lost" in text.lower():
        found = LOST.search(text)
        return (
            "Kafka no longer has records that were not read yet, or a topic was deleted or "
            f"recreated:\n  {found[0][:500] if found else 'Spark does not say which'}\n"
            "Nothing after them has landed. To land what Kafka has now, give a new folder as "
            f"--checkpoint instead of {checkpoint}, from now on; records landed before are not "
            "landed twice. If a topic was recreated, declare an epoch "
            f"({DOCS_INSTALLED}/concepts/operator-events.md); what is lost for good comes back "
            "with a new snapshot by the connector."
        )
    lines = text.split("\nJVM stacktrace")[0].split("\n=== Streaming Query ===")[0].splitlines()
    telling = [
        line for line in lines if re.match(r"\s*(?:Caused by: )?[\w.]+(?:Error|Exception)", line)
    ]
    return "\n".join([lines[0], *telling[-1:]])

"""The checkpoint of a stream from Kafka: what it has read, and the table it belongs to.

Spark writes a file per batch into `offsets` before it reads the batch, and one into `commits` after
it was written. Its own reader of these is private, so they are read as text here, on whatever file
system they are.
"""

import json
from dataclasses import dataclass
from uuid import uuid4

from pyspark.errors import AnalysisException
from pyspark.sql import SparkSession

from afterimage.errors import UserError
from afterimage.land.brokers import Place

PROPERTY = "afterimage.checkpoint."  # of the table, one for each checkpoint that fills it


@dataclass(frozen=True)
class Checkpoint:
    """read: the next offset of each partition, after the last batch; is_committed: whether that
    batch is known to be written."""

    folder: str
    read: dict[Place, int]
    is_committed: bool = True

    @property
    def is_new(self) -> bool:
        return not self.read


def checkpoint_in(spark: SparkSession, folder: str) -> Checkpoint:
    """The checkpoint in a folder, which need not exist."""
    folder = folder.rstrip("/")
    offsets = _files(spark, f"{folder}/offsets")
    if not offsets:
        return Checkpoint(folder, {})
    last = max(offsets)
    # a line of the version, one of the query's settings, one for each source
    of_topics = json.loads(offsets[last].strip().splitlines()[2])
    read = {
        (topic, int(partition)): offset
        for topic, partitions in of_topics.items()
        for partition, offset in partitions.items()
    }
    return Checkpoint(folder, read, last in _files(spark, f"{folder}/commits"))


def bind(spark: SparkSession, checkpoint: Checkpoint, table: str) -> None:
    """Record on the table that a checkpoint fills it; or check that.

    Errors: UserError for a checkpoint of a table that was dropped since: what it has read would
    never land again.
    """
    kept = f"{checkpoint.folder}/afterimage"
    if checkpoint.is_new:
        name = uuid4().hex
        spark.sql(f"alter table {table} set tblproperties ('{PROPERTY}{name}' = 'kafka')")
        written = spark.range(1).selectExpr(f"'{name}' as value").coalesce(1)
        written.write.mode("overwrite").text(kept)
        return
    name = spark.read.text(kept).first().value
    properties = {row.key for row in spark.sql(f"show tblproperties {table}").collect()}
    if f"{PROPERTY}{name}" not in properties:
        raise UserError(
            f"{table} is not the table that {checkpoint.folder} belongs to, or was dropped since: "
            "remove that folder to land everything again, or name the table that it belongs to"
        )


def _files(spark: SparkSession, folder: str) -> dict[int, str]:
    """Batch number → the text of its file."""
    try:
        rows = (
            spark.read.text(folder, wholetext=True)
            .selectExpr("value", "_metadata.file_name as name")
            .collect()
        )
    except AnalysisException as error:
        if error.getCondition() == "PATH_NOT_FOUND":
            return {}
        raise
    return {int(row.name): row.value for row in rows if row.name.isdigit()}

"""A contestant: its input, and the place of its rows."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from bench.floor import IMAGE
from bench.generate import COLUMNS, DELIVERY, PLACEHOLDER

NAMES = list(COLUMNS)
# `notes` is the column whose value an update may not send.
UNSENT = "notes"


@dataclass
class Contestant(ABC):
    """In: the session, the landing table, the format, its own schema and folder."""

    spark: object
    landing: str
    file_format: str
    schema: str
    folder: Path

    name: ClassVar[str]
    formats: ClassVar[tuple[str, ...]] = ("delta", "iceberg")
    # tables (or views) with the result; None if it keeps none
    current: ClassVar[str | None] = None
    history: ClassVar[str | None] = None

    @abstractmethod
    def prepare(self) -> None:
        """Done once and not measured: empty tables, a project's files."""

    @abstractmethod
    def run(self, batch: int) -> None:
        """Processes one delivery; 0 is the base. This is measured."""

    def relation(self, name: str) -> str:
        return f"{self.schema}.{name}"

    def rows(self, name: str, columns: list[str]):
        """The rows of a result as a DataFrame of these columns."""
        return self.spark.table(self.relation(name)).selectExpr(*columns)

    def create(self, name: str, columns: str) -> None:
        """An empty table of the format, with merge-on-read where it is an option."""
        properties = {
            "iceberg": "tblproperties ('write.merge.mode' = 'merge-on-read')",
            "delta": "tblproperties ('delta.enableDeletionVectors' = 'true')",
        }.get(self.file_format, "")
        self.spark.sql(
            f"create table {self.relation(name)} ({columns}) using {self.file_format} {properties}"
        )


def delivery(batch: int, offset: str = "offset") -> str:
    """Condition: the records of one delivery, as selected by a watermark on offsets.

    In: the column's name in the engine's syntax.
    """
    return f"{offset} >= {batch * DELIVERY} and {offset} < {(batch + 1) * DELIVERY}"


def parsed(landing: str, where: str = "true") -> str:
    """Select: the changes of the records that a condition names, each parsed once.

    Out: lsn, source_ts, op, the row's columns; a delete has only the key.
    """
    others = ",\n        ".join(
        f"timestamp_micros(record.after.{name}) as {name}"
        if name == "updated_at"
        else f"record.after.{name}"
        for name in NAMES[1:]
    )
    envelope = (
        f"op string, source struct<ts_us: bigint, lsn: bigint>, before struct<order_id: bigint>, "
        f"after struct<{IMAGE}>"
    )
    return f"""
    select
        record.source.lsn as lsn,
        timestamp_micros(record.source.ts_us) as source_ts,
        record.op as op,
        coalesce(record.after.order_id, record.before.order_id) as order_id,
        {others}
    from {landing}
    lateral view explode(array(from_json(cast(value as string), '{envelope}'))) as record
    where value is not null and {where}
"""


def is_unsent(alias: str = "") -> str:
    return f"{alias}{UNSENT} = '{PLACEHOLDER}'"


IMAGE_TYPES = (
    "order_id bigint, customer_id int, status string, amount decimal(12,2), quantity int, "
    "placed_at timestamp, updated_at timestamp, is_gift boolean, notes string"
)

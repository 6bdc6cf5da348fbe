"""The results of readers."""

from typing import NamedTuple


class Record(NamedTuple):
    """One delivered record as Kafka holds it, and its line. A record from no topic has no partition
    and offset: its file and line identify it, and it is numbered when it lands."""

    line: int
    topic: str
    partition: int | None
    offset: int | None
    timestamp: int | None  # milliseconds since 1970, UTC
    key: bytes | None
    value: bytes | None
    headers: list[tuple[str, bytes | None]] | None
    other: tuple[str, ...] = ()  # names of fields the landing table has no column for
    is_counted: bool = False  # partition and offset are not Kafka's, but made from the line number


class Broken(NamedTuple):
    """A line that is not a record: its bytes and why."""

    line: int
    raw: bytes
    reason: str

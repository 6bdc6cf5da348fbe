"""What readers give out."""

from typing import NamedTuple


class Record(NamedTuple):
    """One delivered record as Kafka holds it, and the line it was on. One that comes from no topic
    has no partition and offset: it is known by its file and line, and numbered when it lands."""

    line: int
    topic: str
    partition: int | None
    offset: int | None
    timestamp: int | None  # milliseconds since 1970, UTC
    key: bytes | None
    value: bytes | None
    headers: list[tuple[str, bytes | None]] | None
    other: tuple[str, ...] = ()  # names of fields the landing table has no column for
    is_counted: bool = False  # partition and offset are not Kafka's, but made of the line's number


class Broken(NamedTuple):
    """A line that is no record: its bytes and why."""

    line: int
    raw: bytes
    reason: str

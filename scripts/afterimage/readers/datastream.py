"""Files that Google Datastream writes to a bucket: JSON lines or Avro containers, one event each.

A record's topic is its `object`, its value the event as JSON: the line as it is, or the Avro record
as Datastream's JSON would have it (`unified.py`). Its time is the `read_timestamp`. Files have no
partitions and offsets: `land.py` identifies an event by its file and line (in an Avro file, the
number of the record) and gives it the next free offset.
"""

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import BinaryIO

from afterimage.readers import container, unified
from afterimage.readers.jsonl import records_of_lines
from afterimage.readers.record import Broken, Record

# <object>/yyyy/mm/dd/hh/mm/<file>, after any prefix
BUCKET_PATH = re.compile(r"[^/]+/\d{4}/\d\d/\d\d/\d\d/\d\d/[^/]+\Z")


def read(stream: BinaryIO) -> Iterator[Record | Broken]:
    """Records of one file, of either format."""
    head = stream.read(len(container.MAGIC))
    stream.seek(0)
    if head == container.MAGIC:
        for number, text in enumerate(container.texts(stream, unified.form), 1):
            yield _record(number, text, text.encode())
    else:
        yield from records_of_lines(
            stream, lambda number, line: _record(number, line.decode(), line)
        )


def place(path: str) -> str:
    """The name that identifies a file: its path from the object's folder on, so that a copy of the
    bucket has the same names; without those folders only the file name."""
    found = BUCKET_PATH.search(path)
    return found[0] if found else path.rpartition("/")[2]


def _record(number: int, text: str, raw: bytes) -> Record | Broken:
    event = json.loads(text)
    topic = event.get("object") if isinstance(event, dict) else None
    if not isinstance(topic, str) or not topic:
        return Broken(number, raw, "not a Datastream event: it names no object")
    return Record(
        line=number,
        topic=topic,
        partition=None,
        offset=None,
        timestamp=_millis(event.get("read_timestamp")),
        key=None,
        value=raw,
        headers=None,
    )


def _millis(value) -> int | None:
    """Milliseconds since 1970, from a number of them or ISO text in UTC; None for anything else."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value if abs(value) < 1 << 52 else None
    try:
        moment = datetime.fromisoformat(value)
    except (TypeError, ValueError):
        return None
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return round(moment.timestamp() * 1000)

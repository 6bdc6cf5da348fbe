"""Files that Google Datastream writes to a bucket: JSON lines or Avro containers, one event each.

A record's topic is its `object`, its value the event as JSON: the line as it is, or what
Datastream's JSON would have said of the Avro record (`unified.py`). Its time is the
`read_timestamp`. Files have no partitions and offsets: `land.py` knows an event by its file and its
line (of an Avro file, the number of the record) and gives it the next offset there is.
"""

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import BinaryIO

from afterimage.readers import container, unified
from afterimage.readers.jsonl import lines
from afterimage.readers.record import Broken, Record

# <object>/yyyy/mm/dd/hh/mm/<file>, whatever stands before it
BUCKET_PATH = re.compile(r"[^/]+/\d{4}/\d\d/\d\d/\d\d/\d\d/[^/]+\Z")


def read(stream: BinaryIO) -> Iterator[Record | Broken]:
    """Records of one file, of either form."""
    head = stream.read(len(container.MAGIC))
    stream.seek(0)
    if head == container.MAGIC:
        for number, text in enumerate(container.texts(stream, unified.form), 1):
            yield _record(number, text, text.encode())
        return
    for number, line in lines(stream):
        try:
            yield _record(number, line.decode(), line)
        except RecursionError:
            yield Broken(number, line, "JSON nested too deep")
        except UnicodeError:
            yield Broken(number, line, "not UTF-8")
        except json.JSONDecodeError as error:
            yield Broken(number, line, f"not JSON: {error.msg} at column {error.colno}")
        except ValueError as error:
            yield Broken(number, line, str(error))


def place(path: str) -> str:
    """The name a file is known by: from the object's folder on, so that a copy of the bucket
    elsewhere is the same file; without those folders the name alone."""
    found = BUCKET_PATH.search(path)
    return found[0] if found else path.rpartition("/")[2]


def _record(number: int, text: str, raw: bytes) -> Record | Broken:
    event = json.loads(text)
    topic = event.get("object") if isinstance(event, dict) else None
    if not isinstance(topic, str) or not topic:
        return Broken(number, raw, "no event of Datastream: it names no object")
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


def _millis(told) -> int | None:
    """Milliseconds since 1970, of a number of them or of ISO text in UTC; None of anything else."""
    if isinstance(told, int) and not isinstance(told, bool):
        return told if abs(told) < 1 << 52 else None
    try:
        moment = datetime.fromisoformat(told)
    except (TypeError, ValueError):
        return None
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return round(moment.timestamp() * 1000)

"""Avro container files of one topic's values, as Kafka Connect's file sinks write them.

A value becomes the text that Kafka Connect's JSON converter would write, so the contracts of JSON
apply: a decimal in base64, a date as its number of days. Such a file has no keys, headers and
offsets: its file and its number there identify a record (see `land.py`), the before image a
delete.
"""

from collections.abc import Iterator
from typing import BinaryIO

from afterimage.readers import container
from afterimage.readers.record import Record


def read(stream: BinaryIO, topic: str) -> Iterator[Record]:
    """Records of one file. Errors: UserError for a damaged or truncated file."""
    for number, text in enumerate(container.texts(stream), 1):
        yield Record(
            line=number,
            topic=topic,
            partition=None,
            offset=None,
            timestamp=None,
            key=None,
            value=text.encode(),
            headers=None,
        )

"""Avro container files of one topic's values, as Kafka Connect's sinks of files write them.

A value becomes the text that Kafka Connect's JSON converter would have written of it, so contracts
are those of JSON: a decimal in base64, a date as its number of days. Such a file has no keys,
headers and offsets: a record is known by its file and its number there (see `land.py`), a delete
by its before image.
"""

from collections.abc import Iterator
from typing import BinaryIO

from afterimage.readers import container
from afterimage.readers.record import Record


def read(stream: BinaryIO, topic: str) -> Iterator[Record]:
    """Records of one file. Errors: UserError for a file that is damaged or cut short."""
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

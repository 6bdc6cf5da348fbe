"""JSON lines as in `jsonl.py`, with key, value and header values in base64: for binary records
such as Avro, which have no text form."""

import base64
from collections.abc import Iterator
from functools import partial
from typing import BinaryIO

from afterimage.readers.jsonl import records
from afterimage.readers.record import Broken, Record


def read(stream: BinaryIO) -> Iterator[Record | Broken]:
    """Records of a stream whose strings are base64."""
    return records(stream, partial(base64.b64decode, validate=True))

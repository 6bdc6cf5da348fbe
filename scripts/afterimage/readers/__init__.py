"""Readers turn a file into landing records; one file per form of input.

A reader is a function `(stream) -> iterator of Record or Broken`: `stream` is the file's bytes,
already unpacked, and nothing is dropped: what is no record comes out as Broken, whole. To add a
form, put a file with such a function beside `jsonl.py` and name it in `READERS`.
"""

from collections.abc import Callable, Iterator
from typing import BinaryIO

from afterimage.readers import jsonl, jsonl_base64
from afterimage.readers.record import Broken, Record

Reader = Callable[[BinaryIO], Iterator[Record | Broken]]

READERS: dict[str, Reader] = {
    "jsonl": jsonl.read,
    "jsonl-base64": jsonl_base64.read,
}


def reader(form: str, topic: str | None = None) -> Reader:
    """The reader of a form."""
    return READERS[form]

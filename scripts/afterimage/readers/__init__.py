"""Readers turn a file into landing records; one module per input format.

A reader is a function `(stream) -> iterator of Record or Broken`: `stream` is the file's unpacked
bytes, and nothing is dropped: a line that is not a record is returned complete, as Broken. To add
a format, put a module with such a function next to `jsonl.py` and name it in `READERS`; one whose
records do not name their topic takes the topic too, and is named in `WITHOUT_TOPIC`.
"""

import gzip
from collections.abc import Callable, Iterator
from functools import partial
from typing import BinaryIO

from afterimage.errors import UserError
from afterimage.readers import avro, console, datastream, jsonl, jsonl_base64, parquet
from afterimage.readers.record import Broken, Record

Reader = Callable[[BinaryIO], Iterator[Record | Broken]]

READERS: dict[str, Callable[..., Iterator[Record | Broken]]] = {
    "avro": avro.read,
    "console": console.read,
    "datastream": datastream.read,
    "jsonl": jsonl.read,
    "jsonl-base64": jsonl_base64.read,
    "parquet": parquet.read,
}


WITHOUT_TOPIC = ("avro", "console")
# Formats whose records have no place in a topic: file name and line identify a record.
KNOWN_BY_FILE = ("avro", "datastream")
# Formats whose lines are counted over a whole dump: no folder of files.
ONE_DUMP = ("console",)
# Formats whose files are named by more than their name, and how.
NAMED_BY_PATH: dict[str, Callable[[str], str]] = {"datastream": datastream.place}


def reader(form: str, topic: str | None = None) -> Reader:
    """The reader of a format.

    Errors: UserError when the format needs the topic's name and none is given.
    """
    if form not in WITHOUT_TOPIC:
        return READERS[form]
    if not topic:
        raise UserError(f"give one --topic: the lines of --format {form} do not name it")
    return partial(READERS[form], topic=topic)


def unpacked(file: BinaryIO, wrapped: BinaryIO | None = None) -> BinaryIO:
    """The bytes of a file, gunzipped when they begin like gzip, regardless of the file's name.

    In: `wrapped`, through which the file is read after its beginning: it counts the bytes.
    """
    packed = file.read(2) == b"\x1f\x8b"
    file.seek(0)
    stream = wrapped or file
    return gzip.GzipFile(fileobj=stream) if packed else stream

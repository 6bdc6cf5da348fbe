"""Readers turn a file into landing records; one file per form of input.

A reader is a function `(stream) -> iterator of Record or Broken`: `stream` is the file's bytes,
already unpacked, and nothing is dropped: what is no record comes out as Broken, whole. To add a
form, put a file with such a function beside `jsonl.py` and name it in `READERS`; one whose records
do not say their topic takes that too, and is named in `WITHOUT_TOPIC`.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import BinaryIO

from afterimage.errors import UserError
from afterimage.readers import avro, console, datastream, jsonl, jsonl_base64
from afterimage.readers.record import Broken, Record

Reader = Callable[[BinaryIO], Iterator[Record | Broken]]

READERS: dict[str, Callable[..., Iterator[Record | Broken]]] = {
    "avro": avro.read,
    "console": console.read,
    "datastream": datastream.read,
    "jsonl": jsonl.read,
    "jsonl-base64": jsonl_base64.read,
}


WITHOUT_TOPIC = ("avro", "console")
# Forms whose records have no place in a topic: a record is known by its file's name and its line.
KNOWN_BY_FILE = ("avro", "datastream")
# Forms whose files lie in folders of a bucket, and how a file there is named; else by its own name.
NAMED_BY_PATH: dict[str, Callable[[str], str]] = {"datastream": datastream.place}


def reader(form: str, topic: str | None = None) -> Reader:
    """The reader of a form.

    Errors: UserError when the form needs the topic's name and has none.
    """
    if form not in WITHOUT_TOPIC:
        return READERS[form]
    if not topic:
        raise UserError(f"give one --topic: the lines of --format {form} do not name it")
    return partial(READERS[form], topic=topic)

"""Readers turn a file into landing records; one file per form of input.

A reader is a function `(stream) -> iterator of Record or Broken`: `stream` is the file's bytes,
already unpacked, and nothing is dropped: what is no record comes out as Broken, whole. To add a
form, put a file with such a function beside `jsonl.py` and name it in `READERS`.
"""

from afterimage.readers import jsonl, jsonl_base64

READERS = {
    "jsonl": jsonl.read,
    "jsonl-base64": jsonl_base64.read,
}

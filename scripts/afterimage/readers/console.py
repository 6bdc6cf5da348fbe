r"""Lines of `kafka-console-consumer`, one record a line, as its DefaultMessageFormatter writes it:

    CreateTime:1795241889967\tPartition:0\tOffset:12\th1:v1,h2:v2\tkey\tvalue

`print.timestamp`, `print.partition`, `print.offset`, `print.headers` and `print.key` select which
parts are present; blanks between key and value are read too. Keys and values land as their text,
`null` as NULL: the text `null` and a missing value look alike. A value has to be JSON, else the
line is broken: nothing else distinguishes a record from a log line.

The lines do not name the topic. Without both partition and offset, the line number is the offset
(in partition 0 if none is printed), as the tool keeps the order within a partition. Such places
are counted, and `land.py` does not let them mix with other records of their topic.
"""

import json
import re
from collections.abc import Iterator
from typing import BinaryIO

from afterimage.readers.jsonl import records_of_lines
from afterimage.readers.record import Broken, Record

LEAD = re.compile(
    r"(?:(?:NO_TIMESTAMP|(?:CreateTime|LogAppendTime):(?P<timestamp>-?[0-9]{1,15}))\t)?"
    r"(?:Partition:(?P<partition>[0-9]{1,9})\t)?"
    r"(?:Offset:(?P<offset>[0-9]{1,18})\t)?"
    r"(?:Delivery:(?:[0-9]+|NONE)\t)?"
)
NO_HEADERS = "NO_HEADERS"
HEADER = re.compile(r"([^:,\t]+):")
NEXT_HEADER = re.compile(r",(?=[^:,\t]+:)")
# int() refuses thousands of digits, and no number is used.
DECODER = json.JSONDecoder(parse_int=str, parse_float=str)


def read(stream: BinaryIO, topic: str) -> Iterator[Record | Broken]:
    """Records of a stream, all of one topic."""
    return records_of_lines(
        stream, lambda number, line: _record(number, line.removesuffix(b"\r").decode(), topic)
    )


def _record(number: int, line: str, topic: str) -> Record:
    lead = LEAD.match(line)
    headers, key, value = _parts(line[lead.end() :])
    is_placed = lead["partition"] is not None and lead["offset"] is not None
    timestamp = int(lead["timestamp"] or -1)
    return Record(
        line=number,
        topic=topic,
        partition=int(lead["partition"] or 0),
        offset=int(lead["offset"]) if is_placed else number,
        timestamp=timestamp if timestamp >= 0 else None,
        key=_text(key),
        value=_text(value),
        headers=headers,
        is_counted=not is_placed,
    )


def _parts(text: str) -> tuple[list | None, str | None, str]:
    """Headers, key and value; None for those not printed."""
    *before, value = text.split("\t")
    if not before:
        # Either a key and a value separated by blanks, or only a value.
        end = _end_of_json(text, 0)
        rest = text[end:].strip()
        if rest:
            _end_of_json(rest, 0, whole=True)
            return None, text[:end], rest
        return None, None, text
    _end_of_json(value, 0, whole=True)
    if len(before) == 1 and _is_headers(before[0]):
        return _headers(before[0]), None, value
    if len(before) == 1:
        return None, before[0], value
    *headers, key = before
    return _headers("\t".join(headers)), key, value


def _end_of_json(text: str, start: int, whole: bool = False) -> int:
    try:
        _, end = DECODER.raw_decode(text, start)
    except json.JSONDecodeError as error:
        raise ValueError(f"the value is not JSON: {error.msg} at column {error.colno}") from error
    if whole and text[end:].strip():
        raise ValueError("more than one value after the last tab")
    return end


def _is_headers(text: str) -> bool:
    """Whether a part before the value is headers and not a key: a key is JSON or has no colon;
    headers of Debezium and its transformations begin with two underscores."""
    if text == NO_HEADERS or text.startswith("__"):
        return True
    try:
        DECODER.decode(text)
    except ValueError:
        if HEADER.match(text):
            raise ValueError(
                "the text before the value may be headers or a key: print both, "
                "with print.headers=true and print.key=true"
            ) from None
    return False


def _headers(text: str) -> list[tuple[str, bytes | None]]:
    if text == NO_HEADERS:
        return []
    found, at = [], 0
    while True:
        name = HEADER.match(text, at)
        if not name:
            raise ValueError("the text before key and value is not headers")
        at = name.end()
        if text[at : at + 1] in ("{", "[", '"'):
            end = _end_of_json(text, at)
        else:
            following = NEXT_HEADER.search(text, at)
            end = following.start() if following else len(text)
        found.append((name[1], _text(text[at:end])))
        if end == len(text):
            return found
        if text[end] != ",":
            raise ValueError(f"header {name[1]} does not end where its JSON does")
        at = end + 1


def _text(text: str | None) -> bytes | None:
    return None if text in (None, "null") else text.encode()

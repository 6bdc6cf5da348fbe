r"""JSON lines, one record a line, with the fields named in FIELDS.

topic, partition, offset and value are required (a tombstone has `"value": null`); timestamp is in
milliseconds. key, value and header values are strings, null, or JSON of any other kind, which
lands as the text in the file: parsing and writing it again would change its numbers.
headers are `{"name": value}` or `[{"key": "name", "value": value}]`. Empty lines are skipped.
"""

import json
from collections.abc import Callable, Iterator
from json.decoder import WHITESPACE
from typing import Any, BinaryIO

from afterimage.errors import UserError
from afterimage.readers.record import Broken, Record

FIELDS = ("topic", "partition", "offset", "timestamp", "key", "value", "headers")
LONGEST_LINE = 256 * 1024 * 1024  # bytes; far above any Kafka record, far below memory


def read(stream: BinaryIO) -> Iterator[Record | Broken]:
    """Records of a stream whose strings are text."""
    return records(stream, str.encode)


def records(stream: BinaryIO, to_bytes: Callable[[str], bytes]) -> Iterator[Record | Broken]:
    """Records of a stream; `to_bytes` converts a key's or value's string to bytes, and raises
    ValueError for a string it cannot convert."""
    return records_of_lines(
        stream,
        lambda number, line: _record(number, line.decode(), to_bytes),
        "not UTF-8, or half of a surrogate pair",
    )


def records_of_lines(
    stream: BinaryIO, record: Callable[[int, bytes], Record | Broken], no_text: str = "not UTF-8"
) -> Iterator[Record | Broken]:
    """What `record` makes of each line and its number. A line for which it raises a ValueError is
    broken; `no_text`: why, where that is a UnicodeError."""
    for number, line in lines(stream):
        try:
            yield record(number, line)
        except RecursionError:
            yield Broken(number, line, "JSON nested too deep")
        except UnicodeError:
            yield Broken(number, line, no_text)
        except json.JSONDecodeError as error:
            yield Broken(number, line, f"not JSON: {error.msg} at column {error.colno}")
        except ValueError as error:
            yield Broken(number, line, str(error))


def lines(stream: BinaryIO) -> Iterator[tuple[int, bytes]]:
    r"""Numbered lines without their line ends, split on \n only: text may contain U+2028 and
    others that `str.splitlines` splits at.

    Errors: UserError for a line too long to be a record (most likely not a file of lines).
    """
    number = 0
    while line := stream.readline(LONGEST_LINE):
        number += 1
        if len(line) == LONGEST_LINE:
            raise UserError(
                f"line {number} is longer than {LONGEST_LINE >> 20} MB: is it JSON lines?"
            )
        line = line.removesuffix(b"\n")
        if number == 1:
            line = line.removeprefix(b"\xef\xbb\xbf")  # the byte order mark of some editors
        if line.strip():
            yield number, line


class _Members(list):
    """A JSON object as its (name, value) pairs, so that duplicate names are detected."""


def _whole(digits: str) -> int | str:
    # Longer ones fit no column, and int() refuses thousands of digits.
    return int(digits) if len(digits) < 20 else digits


def _no_number(name: str):
    raise ValueError(f"not JSON: {name}")


_DECODER = json.JSONDecoder(object_pairs_hook=_Members, parse_int=_whole, parse_constant=_no_number)


def _record(number: int, text: str, to_bytes: Callable[[str], bytes]) -> Record:
    members = _DECODER.decode(text)
    if not isinstance(members, _Members):
        raise ValueError("not a JSON object")
    fields = dict(members)
    if len(fields) != len(members):
        raise ValueError("a name appears twice")

    topic = fields.get("topic")
    if not isinstance(topic, str) or not topic:
        raise ValueError("topic is missing or not a text")
    if "value" not in fields:
        raise ValueError("value is missing (a tombstone says null)")
    topic.encode()  # raises for half a surrogate pair here, not while writing
    key, value, headers = fields.get("key"), fields["value"], fields.get("headers")
    plain = all(part is None or isinstance(part, str) for part in (key, value))
    texts = {} if plain else dict(_parts(text))
    return Record(
        line=number,
        topic=topic,
        partition=_integer(fields, "partition", 31),
        offset=_integer(fields, "offset", 63),
        timestamp=None if fields.get("timestamp") is None else _integer(fields, "timestamp", 53),
        key=_payload(key, texts.get("key", ""), to_bytes),
        value=_payload(value, texts.get("value", ""), to_bytes),
        headers=None if headers is None else _headers(headers, text, to_bytes),
        other=() if fields.keys() <= _KNOWN else tuple(fields.keys() - _KNOWN),
    )


_KNOWN = frozenset(FIELDS)


def _integer(fields: dict[str, Any], name: str, bits: int) -> int:
    number = fields.get(name)
    # bool is a subclass of int in Python, but not a number in JSON.
    if type(number) is not int or not -(2**bits) <= number < 2**bits:
        raise ValueError(f"{name} is missing or not an integer of {bits + 1} bits")
    return number


def _headers(
    headers: Any, text: str, to_bytes: Callable[[str], bytes]
) -> list[tuple[str, bytes | None]]:
    if isinstance(headers, _Members):
        pairs = headers  # a list of pairs: a name may come twice, as in Kafka
    elif isinstance(headers, list) and all(_is_pair(header) for header in headers):
        pairs = [(dict(header)["key"], dict(header).get("value")) for header in headers]
    else:
        raise ValueError("headers are neither an object nor a list of key and value")
    for name, _ in pairs:
        name.encode()
    if all(value is None or isinstance(value, str) for _, value in pairs):
        return [(name, _payload(value, "", to_bytes)) for name, value in pairs]
    texts = [part for _, part in _parts(dict(_parts(text))["headers"])]
    if pairs is not headers:
        texts = [dict(_parts(part)).get("value") for part in texts]
    return [
        (name, _payload(value, part, to_bytes))
        for (name, value), part in zip(pairs, texts, strict=True)
    ]


def _is_pair(header: Any) -> bool:
    return (
        isinstance(header, _Members)
        and isinstance(dict(header).get("key"), str)
        and {name for name, _ in header} <= {"key", "value"}
    )


def _payload(value: Any, text: str, to_bytes: Callable[[str], bytes]) -> bytes | None:
    """Null, a string's bytes, or for other JSON its `text` in the file."""
    if value is None:
        return None
    return to_bytes(value) if isinstance(value, str) else text.encode()


def _parts(text: str) -> Iterator[tuple[str | None, str]]:
    """The members of a JSON object, or the elements of an array (named None), each value as its
    exact text. `text` has been parsed before, so its grammar is not checked again."""

    def skip(at: int) -> int:
        return WHITESPACE.match(text, at).end()

    at = skip(0)
    named = text[at] == "{"
    at = skip(at + 1)
    while text[at] not in "]}":
        name = None
        if named:
            name, at = _DECODER.raw_decode(text, at)
            at = skip(skip(at) + 1)  # past the colon
        _, end = _DECODER.raw_decode(text, at)
        yield name, text[at:end]
        at = skip(end)
        if text[at] == ",":
            at = skip(at + 1)

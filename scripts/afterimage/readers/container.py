"""Avro container files as JSON texts: fastavro reads them, the caller chooses the form of JSON.

Logical types are removed from the schema first, so a value is as in the file: a decimal is its
bytes, a timestamp its number, however large. The caller's `special` converts them; without it
they are as Kafka Connect's JSON converter writes them.
"""

import base64
import io
import json
import lzma
import struct
import zlib
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO

import fastavro

from afterimage.errors import UserError

MAGIC = b"Obj\x01"
CODECS = ("null", "deflate", "bzip2", "xz")

Form = Callable[[Any], Any]  # a value of fastavro's -> what json.dumps writes
Special = Callable[[dict], Form | None]  # a schema -> the form of its values, None as usual

_HEADER = fastavro.parse_schema(
    {
        "type": "record",
        "name": "header",
        "fields": [
            {"name": "magic", "type": {"type": "fixed", "name": "magic", "size": 4}},
            {"name": "meta", "type": {"type": "map", "values": "bytes"}},
            {"name": "sync", "type": {"type": "fixed", "name": "sync", "size": 16}},
        ],
    }
)
DAMAGED = (
    EOFError,
    IndexError,
    KeyError,
    MemoryError,
    OSError,  # of bzip2
    ValueError,
    lzma.LZMAError,
    struct.error,
    zlib.error,
)


def texts(stream: BinaryIO, special: Special = lambda schema: None) -> Iterator[str]:
    """The records of a container file, each as a JSON text.

    In: the file; the forms of types that differ from the usual one.
    Errors: UserError when it is not such a file, truncated or damaged; the records before the
    fault have been returned by then.
    """
    number = 0
    try:
        header = fastavro.schemaless_reader(stream, _HEADER, None)
        if header["magic"] != MAGIC:
            raise UserError("not an Avro container file: it does not begin with Obj and 1")
        codec = header["meta"].get("avro.codec", b"null").decode()
        if codec not in CODECS:
            raise UserError(f"Avro with codec {codec} is not supported: use {', '.join(CODECS)}")
        schema = json.loads(header["meta"]["avro.schema"])
        form = _form(schema, {}, special)
        file = _Joined(_with_schema(header, _plain(schema)), stream)
        options = {"return_record_name": True, "return_record_name_override": True}
        for block in fastavro.block_reader(file, None, **options):
            for value in block:
                number += 1
                yield json.dumps(form(value), ensure_ascii=False, separators=(",", ":"))
            if block.bytes_.read(1):
                raise ValueError("a block holds more than its records")
    except DAMAGED as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise
        raise UserError(
            f"the Avro file is damaged or cut short after record {number} ({error}); copy it again"
        ) from error


def reader_of(schema: Any) -> Callable[[bytes], Any]:
    """A function that reads a value without a container, written with a schema.

    Out: bytes -> what json.dumps writes, as by Kafka Connect's JSON converter. It raises one of
    DAMAGED when the bytes do not match the schema.
    """
    form, plain = _form(schema, {}, lambda part: None), fastavro.parse_schema(_plain(schema), {})
    options = {"return_record_name": True, "return_record_name_override": True}

    def read(body: bytes) -> Any:
        stream = io.BytesIO(body)
        value = form(fastavro.schemaless_reader(stream, plain, None, **options))
        if stream.read(1):
            raise ValueError("more than the value")
        return value

    return read


class _Joined(io.RawIOBase):
    """A header of ours followed by the rest of a stream."""

    def __init__(self, header: bytes, rest: BinaryIO):
        self._header, self._rest, self._read = io.BytesIO(header), rest, 0

    def read(self, size: int = -1) -> bytes:
        data = self._header.read(size)
        if len(data) < size:
            data += self._rest.read(size - len(data))
        self._read += len(data)
        return data

    def tell(self) -> int:
        return self._read


def _with_schema(header: dict, schema: Any) -> bytes:
    meta = header["meta"] | {"avro.schema": json.dumps(schema).encode()}
    written = io.BytesIO()
    fastavro.schemaless_writer(written, _HEADER, header | {"meta": meta})
    return written.getvalue()


def _plain(schema: Any) -> Any:
    """A schema without its logical types."""
    if isinstance(schema, list):
        return [_plain(branch) for branch in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {name: part for name, part in schema.items() if name not in ("logicalType", "default")}
    for name in {"type", "items", "values"} & kept.keys():
        kept[name] = _plain(kept[name])
    if "fields" in kept:
        kept["fields"] = [_plain(field) for field in kept["fields"]]
    return kept


# --- forms of the values of a schema -----------------------------------------------------------


def _form(schema: Any, named: dict[str, Form], special: Special, namespace: str = "") -> Form:
    if isinstance(schema, list):
        return _union([(branch, _form(branch, named, special, namespace)) for branch in schema])
    if isinstance(schema, str):
        if schema in _PRIMITIVE:
            return _PRIMITIVE[schema]
        full = schema if "." in schema or not namespace else f"{namespace}.{schema}"
        return lambda value: named[full if full in named else schema](value)
    kind = schema["type"]
    if not isinstance(kind, str):
        return _form(kind, named, special, namespace)
    found = special(schema)
    if kind in ("record", "enum", "fixed"):
        full = schema["name"]
        if "." not in full and (schema.get("namespace") or namespace):
            full = f"{schema.get('namespace') or namespace}.{full}"
        named[full] = lambda value: found(value)
        namespace = full.rpartition(".")[0]
    if found is None:
        found = _composed(schema, kind, named, special, namespace)
    return found


def _composed(schema: dict, kind: str, named, special, namespace: str) -> Form:
    if kind == "record":
        forms = {f["name"]: _form(f["type"], named, special, namespace) for f in schema["fields"]}
        return lambda row: {name: form(row[name]) for name, form in forms.items()}
    if kind == "array":
        item = _form(schema["items"], named, special, namespace)
        return lambda values: [item(value) for value in values]
    if kind == "map":
        each = _form(schema["values"], named, special, namespace)
        return lambda values: {name: each(value) for name, value in values.items()}
    return _PRIMITIVE.get(kind, _form_of_bytes if kind == "fixed" else _as_it_is)


def _union(branches: list[tuple[Any, Form]]) -> Form:
    """The form of a value's branch, by the value's type in Python; for several records fastavro
    gives the name.

    Errors: UserError when two branches have values of one type and cannot be distinguished.
    """
    forms: dict[Any, Form] = {}
    records = [b for b in branches if isinstance(b[0], dict) and b[0]["type"] == "record"]
    for branch, form in branches:
        kind = branch["type"] if isinstance(branch, dict) else branch
        python = _PYTHON.get(kind, dict)
        if kind == "record" and len(records) > 1:
            python = branch["name"]
        if python in forms:
            raise UserError(f"an Avro union has two types that look alike: {kind} and another")
        forms[python] = form

    def read(value):
        if isinstance(value, tuple):
            name, value = value
            return (forms.get(name) or forms[name.rpartition(".")[2]])(value)
        return forms[type(value)](value)

    return read


def _as_it_is(value):
    return value


def _form_of_bytes(value: bytes) -> str:
    return base64.b64encode(value).decode()


def _finite(number: float) -> float | str:
    """JSON cannot express NaN and infinities."""
    if number != number:
        return "NaN"
    return number if abs(number) != float("inf") else "Infinity" if number > 0 else "-Infinity"


def _single(number: float) -> float | str:
    """The shortest digits that give this float: 45.67, not 45.66999816894531."""
    if number != number or abs(number) == float("inf"):
        return _finite(number)
    for digits in range(6, 10):
        short = float(f"{number:.{digits}g}")
        if struct.pack("<f", short) == struct.pack("<f", number):
            return short
    return number


_PRIMITIVE: dict[str, Form] = {
    "null": _as_it_is,
    "boolean": _as_it_is,
    "int": _as_it_is,
    "long": _as_it_is,
    "float": _single,
    "double": _finite,
    "bytes": _form_of_bytes,
    "string": _as_it_is,
}
_PYTHON = {
    "null": type(None),
    "boolean": bool,
    "int": int,
    "long": int,
    "float": float,
    "double": float,
    "bytes": bytes,
    "fixed": bytes,
    "string": str,
    "enum": str,
    "array": list,
    "map": dict,
}

"""Landing records: read from a capture, or written by hand."""

import base64
import gzip
import json
from dataclasses import dataclass, field, replace
from pathlib import Path


@dataclass(frozen=True)
class Record:
    """One delivered record, untouched: `key` and `value` are JSON texts or None (a tombstone), or
    bytes of a capture in Avro."""

    topic: str
    partition: int
    offset: int
    key: str | None
    value: str | None
    headers: dict[str, str | None] = field(default_factory=dict, hash=False)
    timestamp: int | None = None

    @property
    def coordinate(self) -> tuple[str, int, int]:
        """The identity of a record, however often it is landed."""
        return self.topic, self.partition, self.offset


def read_json_lines(path: str | Path) -> list[dict]:
    """The objects of a `.jsonl` or `.jsonl.gz` file. Lines end at "\\n" only: values may hold
    U+2028, which `str.splitlines` would cut."""
    raw = Path(path).read_bytes()
    if str(path).endswith(".gz"):
        raw = gzip.decompress(raw)
    return [json.loads(line) for line in raw.split(b"\n") if line]


def read_records(path: str | Path) -> list[Record]:
    """The records of a capture's `events.jsonl.gz`, in the connector's order."""
    return [record_from(fields) for fields in read_json_lines(path)]


def read_binary_records(path: str | Path) -> list[Record]:
    """The same for a capture in Avro, whose keys, values and headers are in base64."""

    def raw(text: str | None) -> bytes | None:
        return text if text is None else base64.b64decode(text, validate=True)

    return [
        replace(
            record,
            key=raw(record.key),
            value=raw(record.value),
            headers={name: raw(value) for name, value in record.headers.items()},
        )
        for record in read_records(path)
    ]


def record_from(fields: dict) -> Record:
    """A record from a dict; `key`, `value` and headers may be JSON texts or plain objects."""
    headers = fields.get("headers") or {}
    if isinstance(headers, list):  # landing form: [{"key": ..., "value": ...}]
        headers = {header["key"]: header["value"] for header in headers}
    return Record(
        topic=fields["topic"],
        partition=fields.get("partition", 0),
        offset=fields["offset"],
        key=_as_text(fields.get("key")),
        value=_as_text(fields.get("value")),
        headers={name: _as_text(value) for name, value in headers.items()},
        timestamp=fields.get("timestamp"),
    )


def _as_text(value) -> str | None:
    if value is None or isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False)

"""Landing records: read from a capture, or written by hand."""

import gzip
import json
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class Record:
    """One delivered record, untouched: `key` and `value` are JSON texts or None (a tombstone)."""

    topic: str
    partition: int
    offset: int
    key: str | None
    value: str | None
    headers: dict[str, str | None] = field(default_factory=dict, hash=False)
    timestamp: int | None = None

    @property
    def coordinate(self) -> tuple[str, int, int]:
        """What makes it this record and no other, however often it is landed."""
        return self.topic, self.partition, self.offset


def read_json_lines(path: str | Path) -> list[dict]:
    """The objects of a `.jsonl` or `.jsonl.gz` file. Lines end at "\\n" only: values may hold
    U+2028, which `str.splitlines` would cut."""
    raw = Path(path).read_bytes()
    if str(path).endswith(".gz"):
        raw = gzip.decompress(raw)
    return [json.loads(line) for line in raw.split(b"\n") if line]


def read_records(path: str | Path) -> list[Record]:
    """The records of a capture's `events.jsonl.gz`, in the order the connector gave them."""
    return [record_from(fields) for fields in read_json_lines(path)]


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

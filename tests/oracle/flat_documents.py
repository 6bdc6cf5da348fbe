"""The content of a collection by records flattened by ExtractNewDocumentState, in plain Python.

    rows = fold(records)     # text of the key -> members of the document, as the record has them

Records are ordered by position if they carry it (add.fields=source.ts_ms, source.ord), else by
offset. A member of null may be absent: the guide and connectors differ.
"""

import json
from collections.abc import Iterable

from tests.oracle.records import Record


def fold(records: Iterable[Record], prefix: str = "__") -> dict[str, dict]:
    landed = {record.coordinate: record for record in records}
    by_key: dict[str, list[tuple]] = {}
    for record in landed.values():
        row = None if record.value is None else json.loads(record.value)
        by_key.setdefault(record.key, []).append((record, row))
    found = {}
    for key, said in by_key.items():
        with_places = all(row is not None and f"{prefix}source_ord" in row for _, row in said)
        _, newest = max(said, key=lambda one: _order(*one, prefix if with_places else None))
        if newest is not None and not newest.get("__deleted"):
            found[key] = {n: v for n, v in newest.items() if not n.startswith(prefix)}
            found[key].pop("__deleted", None)
    return found


def _order(record: Record, row: dict | None, prefix: str | None) -> tuple:
    if prefix is None:
        return record.coordinate
    place = (row[f"{prefix}source_ts_ms"], row[f"{prefix}source_ord"])
    return place, row[f"{prefix}source_snapshot"] == "false", record.coordinate


def without_nulls(row: dict) -> dict:
    return {name: value for name, value in row.items() if value is not None}

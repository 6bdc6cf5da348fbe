"""The versions of a row, and the changes from each to the next."""

from typing import Any

KEPT = ("valid_from", "valid_to", "op", "snapshot", "position", "end_reason", "previous_key")
NEWEST = 100  # versions shown per row
NOT_SENT = "(not sent)"  # instead of a value that the source did not send


def timeline(row: dict[str, Any]) -> dict[str, Any]:
    """A timeline of row_timelines.sql; each version has its changes instead of its values.

    The first version has all its non-NULL values as changes.
    """
    all_versions = row["versions"]
    there = all_versions[0]["versions_there"]
    before = None if there <= NEWEST else _values(all_versions[-NEWEST - 1])
    versions = []
    for version in all_versions[-NEWEST:]:
        values = _values(version)
        was = before or {}
        changed = [
            {"column": column, "before": was.get(column), "after": value}
            for column, value in values.items()
            if value != was.get(column)
        ]
        kept = {name: version[name] for name in KEPT}
        versions.append({**kept, "is_first": before is None, "changed": changed})
        before = values
    return {**row, "versions": versions, "versions_there": there}


def _values(version: dict[str, Any]) -> dict[str, Any]:
    """Values by column; NOT_SENT marks unsent ones; what no Spark type holds is its text."""
    values = dict(version["row_values"])
    values |= {name: text for name, text in (version["special"] or {}).items() if text is not None}
    return values | {name: NOT_SENT for name in version["unknown"] or () if name in values}

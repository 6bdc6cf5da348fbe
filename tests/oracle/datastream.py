"""Events of Google Datastream, folded in plain Python, to compare with the models.

An event is a dict of Datastream's fields whose payload holds Python values; a fold knows nothing of
Spark.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

import fastavro

BACKFILL = ("mysql-backfill", "oracle-backfill", "oracle_dump", "postgresql-backfill", "backfill")
BACKFILL += ("sqlserver-backfill",)


def read_file(path: Path) -> list[dict]:
    """The events of an Avro file. Logical types that Datastream defines stay numbers."""
    with path.open("rb") as stream:
        return list(fastavro.reader(stream))


def is_backfill(event: dict) -> bool:
    return event["read_method"].startswith(BACKFILL)


def mysql_place(event: dict) -> tuple:
    """Number of the log file, position in it."""
    metadata = event["source_metadata"]
    file, position = metadata.get("log_file"), metadata.get("log_position")
    if not file:
        file, position = event["sort_keys"][-2:]
    return int(file.rpartition(".")[2]), int(position)


def oracle_place(event: dict) -> tuple:
    """scn, the three numbers of rs_id, ssn."""
    metadata = event["source_metadata"]
    scn, rs_id, ssn = (metadata.get(name) for name in ("scn", "rs_id", "ssn"))
    if scn is None:
        scn, rs_id, ssn = event["sort_keys"][-3:]
    parts = (int(part, 16) for part in rs_id.strip().removeprefix("0x").split("."))
    return int(scn), *parts, int(ssn)


def lsn_place(event: dict) -> tuple:
    """The number of an LSN of PostgreSQL (16/CB002DB0) or of SQL Server (three parts)."""
    lsn = event["source_metadata"].get("lsn") or event["sort_keys"][-1]
    if ":" in lsn:
        return (int(lsn.replace(":", ""), 16),)
    high, _, low = lsn.partition("/")
    return ((int(high, 16) << 32) + int(low, 16),)


PLACES: dict[str, Callable[[dict], tuple]] = {
    "mysql": mysql_place,
    "oracle": oracle_place,
    "postgresql": lsn_place,
    "sqlserver": lsn_place,
}


@dataclass
class Version:
    """A row from the event that made it to the one that ended it. A backfilled row begins at ()."""

    key: tuple
    row: dict
    begun: tuple
    ended: tuple | None = None


@dataclass
class Folded:
    """`events`: their number without redeliveries."""

    events: int
    versions: list[Version] = field(default_factory=list)

    @property
    def rows(self) -> list[dict]:
        return [version.row for version in self.versions if version.ended is None]

    def rows_at(self, place: tuple) -> list[dict]:
        """The rows after everything before a position."""
        return [
            v.row
            for v in self.versions
            if v.begun < place and (v.ended is None or v.ended >= place)
        ]


def fold(events: Iterable[dict], key: tuple[str, ...], system: str) -> Folded:
    """The events of one table, in any order and with repeats.

    A uuid identifies an event. For each key, backfilled rows come first, in the order they were
    read; then the log. A row whose first change in the log is its insert was read after that, and
    is ignored.
    """
    once = {event["uuid"]: event for event in events}
    place = PLACES[system]
    by_key: dict[tuple, list] = defaultdict(list)
    for event in once.values():
        by_key[tuple(event["payload"][name] for name in key)].append(event)
    found = Folded(len(once))
    for row_key, changes in by_key.items():
        read = sorted(
            (e for e in changes if is_backfill(e)), key=lambda e: (e["read_timestamp"], e["uuid"])
        )
        streamed = sorted(
            (e for e in changes if not is_backfill(e)),
            key=lambda e: (place(e), _second(e), e["uuid"]),
        )
        streamed = _without_halves(streamed, place, key)
        if streamed and streamed[0]["source_metadata"]["change_type"] == "INSERT":
            read = []
        found.versions += _lives(
            row_key, [(e, ()) for e in read] + [(e, place(e)) for e in streamed]
        )
    return found


def _without_halves(
    streamed: list[dict], place: Callable[[dict], tuple], key: tuple[str, ...]
) -> list[dict]:
    """The changes of a key without before images that end nothing: the after image has the same
    key, or another row has moved in before in the same transaction."""
    kept = []
    for number, event in enumerate(streamed):
        after = [e for e in streamed[number + 1 :] if place(e) == place(event)]
        if event["source_metadata"]["change_type"] == "UPDATE-DELETE":
            if any(
                e["source_metadata"]["change_type"].startswith("UPDATE") and _second(e)
                for e in after
            ):
                continue
            before = streamed[number - 1] if number else None
            if before and _is_whole(event, key) and _has_moved_in(before, event):
                continue
        kept.append(event)
    return kept


def _is_whole(event: dict, key: tuple[str, ...]) -> bool:
    """PostgreSQL sends only the key of the row before, unless its replica identity is full; that
    image shows no key collision."""
    return any(value is not None for name, value in event["payload"].items() if name not in key)


def _has_moved_in(before: dict, event: dict) -> bool:
    kind, tx_id = (before["source_metadata"].get(name) for name in ("change_type", "tx_id"))
    return (
        kind in ("UPDATE", "UPDATE-INSERT")
        and bool(tx_id)
        and tx_id == event["source_metadata"].get("tx_id")
        and before["payload"] != event["payload"]
    )


def _second(event: dict) -> bool:
    """The before image of an update comes first at its position."""
    return event["source_metadata"]["change_type"] != "UPDATE-DELETE"


def _lives(key: tuple, changes: list[tuple[dict, tuple]]) -> list[Version]:
    versions, standing = [], None
    for event, place in changes:
        gone = event["source_metadata"].get("is_deleted") is True
        if standing and not gone and standing.row == event["payload"] and not _born(event):
            continue
        if standing:
            standing.ended, standing = place, None
        if not gone:
            standing = Version(key, event["payload"], place)
            versions.append(standing)
    return versions


def _born(event: dict) -> bool:
    return not is_backfill(event) and event["source_metadata"]["change_type"] == "INSERT"

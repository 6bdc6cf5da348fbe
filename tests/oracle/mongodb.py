"""Change events of MongoDB, folded in plain Python to documents and their history.

    folded = fold(records, "t.made_up.things")
    folded.documents                    # identity of _id -> document
    folded.at({"rs0": (ts_ms, ord)})    # the same once all before these places is applied

A document is complete (`c`, `r`, a replacement), made of the one before and an update's
description, or looked up later than its update (`approximate`). If an update has a before image, or
the document before is known exactly, the update's description gives the document after it; a
looked-up document counts only if nothing exact is known. With `lookups` it counts whenever there is
one, as for consumers that trust images. Both agree on the final documents.
"""

import copy
import json
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from tests.oracle import bson
from tests.oracle.records import Record


@dataclass(frozen=True)
class Event:
    """One change of a document. `id` is the key's; images are documents or None."""

    id: object
    op: str
    rs: str
    place: tuple[int, int]
    snapshot: bool
    transaction: tuple | None
    total_order: int | None
    before: dict | None
    after: dict | None
    description: dict | None
    coordinate: tuple
    reading: str | None
    read_by: str | None = None  # source.snapshot: which kind of snapshot read the document

    @property
    def is_replacement(self) -> bool:
        return self.op == "u" and self.description is None and self.after is not None

    @property
    def is_looked_up(self) -> bool:
        return self.op == "u" and self.description is not None and self.after is not None


@dataclass
class Version:
    """A document from the position of its event to that of the next; `document` is None if only its
    existence is known. `parts` is what is then known: what updates described."""

    id: object
    rs: str
    document: dict | None
    begun: tuple
    ended: tuple | None = None
    end_reason: str | None = None
    approximate: bool = False  # for at least part of its time
    exact_now: bool = True  # whether its newest event made it exactly
    parts: list[dict] = field(default_factory=list)


@dataclass
class Folded:
    events: int
    versions: list[Version] = field(default_factory=list)

    @property
    def documents(self) -> dict[tuple, dict | None]:
        return {bson.identity(v.id): v.document for v in self.versions if v.ended is None}

    def standing(self, places: dict[str, tuple[int, int]]) -> list[Version]:
        """The versions after everything before these positions and nothing from them on."""
        return [
            version
            for version in self.versions
            if version.begun < places[version.rs]
            and (version.ended is None or version.ended >= places[version.rs])
        ]


def read_event(record: Record) -> Event | None:
    """The event of a record; None if it has none."""
    if record.value is None:
        return None
    value = json.loads(record.value)
    if value and isinstance(value.get("payload"), dict):
        value = value["payload"]
    if not value or value.get("op") not in ("c", "u", "d", "r"):
        return None
    id_, before, after = (
        id_of(record.key),
        *map(_document, (value.get("before"), value.get("after"))),
    )
    for document in (before, after):
        if document and "_id" in document and bson.identity(document["_id"]) != bson.identity(id_):
            raise ValueError(f"the key says {id_}, the document {document['_id']}")
    description = _description(value.get("updateDescription"))
    if value.get("patch"):
        after, description = _patch(value["patch"])
    source, transaction = value["source"], value.get("transaction") or {}
    order = transaction.get("total_order")
    return Event(
        id=id_,
        op=value["op"],
        rs=source["rs"],
        place=(source["ts_ms"], source["ord"]),
        # a documented delete also has it
        snapshot=value["op"] == "r",
        transaction=source.get("lsid") and (source["lsid"], source["txnNumber"]),
        total_order=None if order is None else int(order),
        before=before,
        after=after,
        description=description,
        coordinate=record.coordinate,
        reading=record.headers.get("__debezium.context.runId"),
        read_by=source.get("snapshot") if value["op"] == "r" else None,
    )


def id_of(key: str):
    """The _id of a record's key, with or without a schema block."""
    told = json.loads(key)
    return bson.read(told.get("payload", told)["id"])


def _document(text: str | None) -> dict | None:
    return None if text is None else bson.read_document(text)


def _description(told: dict | None) -> dict | None:
    if told is None:
        return None
    updated = told.get("updatedFields")
    return {
        "updated": {} if updated is None else bson.read_document(updated),
        "removed": told.get("removedFields") or [],
        "truncated": [(cut["field"], cut["size"]) for cut in told.get("truncatedArrays") or []],
    }


def _patch(text: str) -> tuple[dict | None, dict | None]:
    """(document after, description) of an update as in connectors of 1.x: the document, or what was
    set and unset."""
    told = bson.read_document(text)
    if not any(name.startswith("$") for name in told):
        return told, None
    removed = list(told.get("$unset") or {})
    return None, {"updated": told.get("$set") or {}, "removed": removed, "truncated": []}


# --- applying an update to a document -----------------------------------------------------------


def applied(document: dict, description: dict) -> dict:
    """The document after an update: arrays cut, members removed, members set. If a path does not
    exist, because the document is newer than the update, what is missing is created."""
    found = copy.deepcopy(document)
    for path, size in description["truncated"]:
        array = _at(found, path)
        if isinstance(array, list):
            del array[size:]
    for path in description["removed"]:
        parent, name = _parent(found, path)
        if isinstance(parent, dict):
            parent.pop(name, None)
        elif isinstance(parent, list) and name.isdigit() and int(name) < len(parent):
            parent[int(name)] = None
    for path, value in description["updated"].items():
        _set(found, path.split("."), copy.deepcopy(value))
    return found


def _at(document: dict, path: str):
    parent, name = _parent(document, path)
    if isinstance(parent, dict):
        return parent.get(name)
    if isinstance(parent, list) and name.isdigit() and int(name) < len(parent):
        return parent[int(name)]
    return None


def _parent(document: dict, path: str) -> tuple:
    *way, name = path.split(".")
    inner = document
    for step in way:
        if isinstance(inner, dict):
            inner = inner.get(step)
        elif isinstance(inner, list) and step.isdigit() and int(step) < len(inner):
            inner = inner[int(step)]
        else:
            return None, name
    return inner, name


def _set(inner, way: list[str], value) -> None:
    name, rest = way[0], way[1:]
    if isinstance(inner, list) and name.isdigit():
        at = int(name)
        inner.extend([None] * (at + 1 - len(inner)))
        if not rest:
            inner[at] = value
            return
        if not isinstance(inner[at], (dict, list)):
            inner[at] = {}
        _set(inner[at], rest, value)
    elif isinstance(inner, dict):
        if not rest:
            inner[name] = value
            return
        if not isinstance(inner.get(name), (dict, list)):
            inner[name] = {}
        _set(inner[name], rest, value)


# --- the fold -------------------------------------------------------------------------------------


def fold(records: Iterable[Record], topic: str | None = None, lookups: bool = False) -> Folded:
    """Records of one collection, in any order and with repeats."""
    events = unique(
        event
        for record in records
        if topic in (None, record.topic) and (event := read_event(record))
    )
    by_id = defaultdict(list)
    for event in events:
        by_id[bson.identity(event.id)].append(event)
    found = Folded(len(events))
    for changes in by_id.values():
        found.versions += _versions(sorted(changes, key=_order), lookups)
    return found


def _order(event: Event) -> tuple:
    """A document is in one replica set. A snapshot read at a position comes before its change
    there."""
    return event.place, not event.snapshot, event.total_order or 0, event.coordinate


def unique(events: Iterable[Event]) -> list[Event]:
    """Each change once, as delivered first. A looked-up document is not part of the change's
    identity: another delivery finds another. A number within one read distinguishes equal changes
    of one transaction, if a header identifies reads."""
    landed = {event.coordinate: event for event in events}
    kept, seen, ordinals = [], set(), defaultdict(int)
    for event in sorted(landed.values(), key=lambda event: event.coordinate):
        same = (bson.identity(event.id), event.op, event.rs, event.place, event.transaction)
        after = None if event.is_looked_up else event.after
        same += (event.total_order, repr(event.description), repr(after))
        if event.op != "r" and event.total_order is None and event.reading is not None:
            ordinals[same, event.reading] += 1
            same += (ordinals[same, event.reading],)
        if same not in seen:
            seen.add(same)
            kept.append(event)
    return kept


def went_back(records: Iterable[Record]) -> list[Event]:
    """The changes whose position is before that of a change, or a read, of their document that was
    delivered first: the server's clock was set back. A blocking snapshot reads ahead of the stream,
    so it proves nothing; an incremental one reads between the changes."""
    events = unique(event for record in records if (event := read_event(record)))
    found, reached = [], {}
    for event in sorted(events, key=lambda event: event.coordinate):
        if event.read_by == "blocking":
            continue
        document = bson.identity(event.id)
        if event.read_by != "incremental" and event.place < reached.get(document, event.place):
            found.append(event)
        reached[document] = max(event.place, reached.get(document, event.place))
    return found


def _versions(events: list[Event], lookups: bool) -> list[Version]:
    found: list[Version] = []
    standing: Version | None = None
    for event in events:
        if event.op == "d":
            if standing:
                standing.ended, standing.end_reason, standing = event.place, "delete", None
            continue
        document, approximate = _after(event, standing, lookups)
        parts = [event.description] if document is None else []
        if standing and document is None:
            parts = standing.parts + parts
        same = standing and standing.document is not None and document is not None
        if same and bson.loose(standing.document) == bson.loose(document):
            standing.approximate |= approximate
            standing.exact_now = not approximate
            continue
        if standing:
            standing.ended, standing.end_reason = event.place, "update"
        standing = Version(
            event.id, event.rs, document, event.place,
            approximate=approximate, exact_now=not approximate, parts=parts,
        )  # fmt: skip
        found.append(standing)
    return found


def _after(event: Event, standing: Version | None, lookups: bool) -> tuple[dict | None, bool]:
    """The document after an event, None if unknown; whether it is approximate."""
    if event.op in ("c", "r") or event.description is None:
        return event.after, False
    if lookups and event.is_looked_up:
        return event.after, True
    if event.before is not None:
        return applied(event.before, event.description), False
    known = standing and standing.document
    if known is not None and standing.exact_now:
        return applied(known, event.description), False
    if event.after is not None:
        return event.after, True
    return (None, False) if known is None else (applied(known, event.description), True)

"""Fold events, in any order and with repeats, into current rows and versions.

How it works, one table at a time:

1. `unique`: a record landed twice counts once, then a change delivered twice counts once.
2. `in_order`: by log position.
3. A keyed table keeps for each key the lives that exist. Outside a transaction there is at most
   one; inside, a shift or swap of keys puts the new row next to the old one until the old one's
   delete arrives. The key shows its newest existing life. A keyless table keeps a bag of rows.
"""

from collections import defaultdict
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from tests.oracle.postgres import ABSENT, UNKNOWN, Event, decode, only_what_is_set
from tests.oracle.records import Record
from tests.oracle.spec import Spec, Table


class Position(NamedTuple):
    """Position of an event in the log; sorts as a tuple."""

    lsn: int | tuple
    streamed: bool  # a snapshot row comes before a stream event of equal lsn
    total_order: int
    creates: bool  # the delete of a key-change pair comes before its create
    coordinate: tuple  # landing: the last tie-break


@dataclass
class Version:
    """One state of one row over [start, end); `end` is None while it is open."""

    table: str
    key: tuple | None
    values: dict
    op: str
    start: Position
    end: Position | None = None
    end_reason: str | None = None  # update, delete, key change, truncate


@dataclass
class Folded:
    """The result for a set of records. `unmatched` holds updates and deletes of keyless tables for
    which no copy was found."""

    current: dict[str, list[dict]]
    versions: dict[str, list[Version]]
    unmatched: list[Event] = field(default_factory=list)


def fold(records: list[Record], spec: Spec) -> Folded:
    """Everything: records in, current rows and versions of every declared table out."""
    events = [event for record in records if (event := decode(record, spec))]
    result = Folded({}, {})
    for table in spec.tables.values():
        mine = unique([event for event in events if event.table is table])
        place = before_what_they_do_not_show if table.key else behind_what_does_not_show_them
        mine = in_order(place(mine))
        folder = _Keyed(table) if table.key else _Bag(table)
        for event in mine:
            folder.apply(event)
        for version in folder.versions:
            version.values = {
                column: UNKNOWN if value is ABSENT else value
                for column, value in version.values.items()
            }
        result.versions[table.name] = folder.versions
        result.current[table.name] = [v.values for v in folder.versions if v.end is None]
        result.unmatched += folder.unmatched
    return result


def as_of(versions: list[Version], lsn: int) -> list[dict]:
    """The rows after everything below `lsn` in the log and nothing from it on.

    That is the write order. The database shows these rows if no transaction was open at `lsn`, as
    at the marks of a capture.
    """
    return [
        version.values
        for version in versions
        if version.start.lsn < lsn and (version.end is None or version.end.lsn >= lsn)
    ]


# --- duplicates and order ----------------------------------------------------------------------


def position(event: Event) -> Position:
    creates = event.op != "d" or not (event.of_a_row or event.stays)
    return Position(event.lsn, not event.snapshot, order_of(event) or 0, creates, event.coordinate)


def order_of(event: Event) -> int | None:
    """Its number in the transaction. If a position holds one change of a key, the number adds
    nothing, and differs when the connector restarted within the transaction."""
    return None if event.table.key and event.of_a_row else event.total_order


def in_order(events: list[Event]) -> list[Event]:
    return sorted(events, key=position)


def before_what_they_do_not_show(events: list[Event]) -> list[Event]:
    """A snapshot row read during an open transaction is the row before that transaction's change,
    though the change was written before it: it goes right before the first such change."""
    overtaken = defaultdict(list)
    for event in events:
        if not event.snapshot and event.committed_after and event.committed_after > event.lsn:
            for key in {event.key, event.key_before or event.key}:  # the row left the key before
                overtaken[key].append(event)
    moved = []
    for event in events:
        newer = [
            change.lsn
            for change in overtaken.get(event.key, [])
            if event.snapshot and change.lsn < event.lsn <= change.committed_after
        ]
        moved.append(replace(event, lsn=min(newer)) if newer else event)
    return moved


def behind_what_does_not_show_them(events: list[Event]) -> list[Event]:
    """A snapshot of a keyless table counts equal rows. A change written before it and committed
    after it is not in the count: it goes right after the last snapshot that read such a row."""
    read = defaultdict(set)
    for event in events:
        if event.op == "r":
            read[_row(event.after)].add(event.lsn)
    placed = []
    for event in events:
        halves = [event]
        if event.op == "u" and event.before and event.before != event.after:
            halves = [replace(event, after=None), replace(event, before=None)]
        moved = [_behind(half, read) for half in halves]
        placed += [event] if moved == halves else moved
    return placed


def _behind(event: Event, read: dict[tuple, set]) -> Event:
    places = read.get(_row(event.before or event.after), ()) if event.op in "cud" else ()
    unseen = [p for p in places if event.committed_after and event.lsn < p <= event.committed_after]
    return replace(event, lsn=max(unseen)) if unseen else event


def _row(image: dict | None) -> tuple:
    return tuple((image or {}).items())


def unique(events: list[Event]) -> list[Event]:
    """Each change once, as delivered first.

    The same landing coordinate is the same record. The same (key, op, lsn, order in the transaction
    where it counts, image) is the same change. Rows of keyless tables may truly be equal: without
    an order in the transaction their ordinal within one read distinguishes them.
    """
    landed = {event.coordinate: event for event in events}
    kept, seen, ordinals = [], set(), defaultdict(int)
    for event in sorted(landed.values(), key=lambda event: event.coordinate):
        identity = identity_of(event)
        if event.total_order is None and may_repeat(event):
            ordinals[identity, event.reading] += 1
            identity += (ordinals[identity, event.reading],)
        if identity not in seen:
            seen.add(identity)
            kept.append(event)
    return kept


def may_repeat(event: Event) -> bool:
    """Whether equal changes may share a position: rows of a table without a key, or one row changed
    back and forth in a compressed MySQL transaction or at one Oracle SCN, whose reads a header
    distinguishes."""
    return not event.table.key or (not event.of_a_row and event.reading is not None)


def identity_of(event: Event) -> tuple:
    """What makes two deliveries within a table the same change."""
    images = [image and tuple(image.items()) for image in (event.before, event.after)]
    of_partition = event.op == "t" and event.table.by_partition
    emptied = event.source_table if of_partition else None
    return event.key, event.op, event.lsn, order_of(event), emptied, *images


# --- images ------------------------------------------------------------------------------------


def carry(image: dict, known: dict | None) -> dict:
    """The image with every UNKNOWN filled from the last known values, where there are any."""
    if known is None:
        return image
    return {column: known[column] if value is UNKNOWN else value for column, value in image.items()}


def agree(image: dict, other: dict) -> bool:
    """Equal in every column that both know."""
    return all(
        {value, other[column]} & {UNKNOWN, ABSENT} or value == other[column]
        for column, value in image.items()
    )


# --- tables with a key -------------------------------------------------------------------------


@dataclass
class _Life:
    """A row from its creation to its end, under one key."""

    values: dict
    born: Event
    last_shown: Version | None = None


class _Keyed:
    def __init__(self, table: Table):
        self.table = table
        self.versions: list[Version] = []
        self.unmatched: list[Event] = []
        self.lives: dict[tuple, list[_Life]] = defaultdict(list)
        self.open: dict[tuple, tuple[_Life, Version]] = {}
        self.last_tx: dict[tuple, str | None] = {}
        self.stood_in: dict[tuple, tuple] = {}  # physical table of a key's newest change
        self.moved: dict[tuple, _Life] = {}  # (tx, lsn, old key) -> life the delete ended
        self.moved_at: dict[tuple, list[tuple]] = defaultdict(list)  # (tx, lsn) -> old keys
        self.is_key_alone: set[tuple] = set()  # (tx, lsn, old key, new key) of such a delete

    def apply(self, event: Event) -> None:
        if event.op == "t":
            self._truncate(event)
            return
        if event.op == "u" and event.key_before not in (None, event.key):
            self._move(event)
            return
        lives = self.lives[event.key]
        self.stood_in[event.key] = event.source_table
        if self.last_tx.get(event.key) != event.tx:  # only inside one transaction may two coexist
            del lives[:-1]
            self.last_tx[event.key] = event.tx
        if event.op == "d":
            self._delete(event, lives)
        elif event.op == "u":
            self._update(event, lives)
        elif event.op == "r" and lives:
            lives[-1].values = carry(event.after, lives[-1].values)
        else:
            half = (event.tx, event.lsn, event.old_key, event.key)
            after = only_what_is_set(event.after) if half in self.is_key_alone else event.after
            lives.append(_Life(carry(after, self._moved_from(event)), event))
        self._show(event, lives)

    def _update(self, event: Event, lives: list[_Life]) -> None:
        life = self._whose(event, lives)
        if life is None:
            lives.append(_Life(carry(event.after, self._seen_before(event)), event))
        else:
            life.values = carry(carry(event.after, self._seen_before(event)), life.values)

    def _move(self, event: Event) -> None:
        """An update that names another key before it ends the row there and begins it here."""
        after = carry(event.after, self._seen_before(event))
        self.apply(replace(event, op="d", key=event.key_before, new_key=event.key))
        self.apply(replace(event, op="c", after=after, old_key=event.key_before))

    def _seen_before(self, event: Event) -> dict | None:
        """A full before image has the values that the after image does not send."""
        return event.before if self.table.full else None

    def _delete(self, event: Event, lives: list[_Life]) -> None:
        if event.is_key_alone:
            self.is_key_alone.add((event.tx, event.lsn, event.key, event.new_key))
        life = self._whose(event, lives)
        if life is None:
            return
        lives.remove(life)
        if not (self.table.full or (event.before and agree(event.before, life.values))):
            lives.clear()  # with only its key: no row is left there
        if life.last_shown:
            life.last_shown.end_reason = "key change" if event.new_key else "delete"
        moved_at = (event.tx, event.lsn)
        self.moved[(*moved_at, event.key)] = life
        self.moved_at[moved_at].append(event.key)

    def _whose(self, event: Event, lives: list[_Life]) -> _Life | None:
        """The life to which an update or delete belongs: the oldest whose image equals a full
        `before`, else the newest. An incomplete image matches no life."""
        if event.before is not None:
            for life in lives:
                if agree(event.before, life.values):
                    return life
        return lives[-1] if lives else None

    def _moved_from(self, event: Event) -> dict | None:
        """The image that the delete of a key-change pair ended: by its header, else the only delete
        at the same position, if a position belongs to one row."""
        moved_at = self.moved_at.get((event.tx, event.lsn), [])
        old_keys = [key for key in moved_at if key != event.key]
        old_key = event.old_key or (old_keys[0] if len(old_keys) == 1 and event.of_a_row else None)
        if old_key is None or event.op != "c":
            return None
        life = self.moved.get((event.tx, event.lsn, old_key))
        if life is not None:
            if life.last_shown:
                life.last_shown.end_reason = "key change"
            return life.values
        lives = self.lives.get(old_key)
        return lives[-1].values if lives else None

    def _show(self, event: Event, lives: list[_Life]) -> None:
        """Updates the key's open version to the newest existing life."""
        key, shown = event.key, lives[-1] if lives else None
        life, version = self.open.get(key, (None, None))
        if life is shown and version is not None and self._tracked(version) == self._tracked(shown):
            version.values = shown.values
            return
        if life is shown and version is None:
            return
        here = position(event)
        if version is not None:
            version.end = here
            version.end_reason = version.end_reason or _why_ended(event, life is shown)
            del self.open[key]
        if shown is not None:
            version = Version(self.table.name, key, shown.values, event.op, here)
            shown.last_shown = version
            self.versions.append(version)
            self.open[key] = (shown, version)

    def _tracked(self, row: Version | _Life) -> dict:
        return {c: v for c, v in row.values.items() if c not in self.table.untracked}

    def _truncate(self, event: Event) -> None:
        for key in list(self.lives):
            if self.table.by_partition and self.stood_in.get(key) != event.source_table:
                continue
            _, version = self.open.pop(key, (None, None))
            if version:
                version.end, version.end_reason = position(event), "truncate"
            del self.lives[key]


def _why_ended(event: Event, same_life: bool) -> str:
    """If no delivered event ended the earlier life, a new one under its key shows that it had
    ended."""
    return "update" if same_life else "key change" if event.old_key else "delete"


# --- tables without a key ----------------------------------------------------------------------


class _Bag:
    def __init__(self, table: Table):
        self.table = table
        self.versions: list[Version] = []
        self.unmatched: list[Event] = []
        self.live: list[Version] = []
        self.observed: dict[tuple, int] = defaultdict(int)  # copies of a row in one snapshot

    def apply(self, event: Event) -> None:
        if event.op == "t":
            for version in self.live:
                version.end, version.end_reason = position(event), "truncate"
            self.live.clear()
        elif event.op == "r":
            self._observe(event)
        elif event.op == "c" or (event.op == "u" and event.before is None and self.table.full):
            self._add(event, event.after)
        else:
            self._take(event)

    def _observe(self, event: Event) -> None:
        """A snapshot shows the number of copies; known copies add nothing."""
        image = (event.lsn, tuple(event.after.items()))
        self.observed[image] += 1
        copies = sum(version.values == event.after for version in self.live)
        if copies < self.observed[image]:
            self._add(event, event.after)

    def _take(self, event: Event) -> None:
        """A full update or delete removes exactly one copy of the row in its `before`."""
        taken = None
        if self.table.full and event.before is not None:
            taken = next((v for v in self.live if agree(event.before, v.values)), None)
        if taken is None:
            self.unmatched.append(event)
        after = carry(event.after, event.before) if event.after is not None else None
        if taken is not None and after is not None:
            after = carry(after, taken.values)
            if after == taken.values:
                return
        if taken is not None:
            taken.end = position(event)
            taken.end_reason = "update" if event.op == "u" else "delete"
            self.live.remove(taken)
        if after is not None:
            self._add(event, after)

    def _add(self, event: Event, values: dict) -> None:
        version = Version(self.table.name, None, values, event.op, position(event))
        self.versions.append(version)
        self.live.append(version)

"""The change events that Debezium's MongoDB connector makes of a generated database (`mongo.py`).
From the connector's documentation; independent of the macros.

    connector = Connector(database, Random(7), mode="change_streams_update_full")
    connector.work(steps=40)
    connector.stream       # the records in the order they were sent
    connector.marks        # [({"rs0": place}, {identity of _id: document})]

The connector lags: it looks up the full document of an update when it makes the event, so later
changes may be in it, or it may be gone. A snapshot notes the end of the oplogs and then reads
documents one by one during writes. After a crash it sends records again.
"""

import copy
import hashlib
import json
from dataclasses import dataclass
from random import Random

from tests.laws.extended_json import GUIDE, GUIDE_IMAGE, IMAGE, UPDATE, write
from tests.laws.mongo import Change, Mongo, Place
from tests.oracle.bson import Binary, identity

MODES = (
    "change_streams",
    "change_streams_update_full",
    "change_streams_update_full_with_pre_image",
    "change_streams_with_pre_image",
)


@dataclass(frozen=True)
class Forms:
    """The form of Extended JSON, and the spaces, of images, update descriptions and keys."""

    image: str = "strict"
    update: str = "relaxed"
    key: str = "relaxed"
    image_spaces: tuple[str, str] = IMAGE
    update_spaces: tuple[str, str] = UPDATE
    key_spaces: tuple[str, str] = IMAGE


FORMS = {
    "connector": Forms(),
    "guide": Forms(key="strict", image_spaces=GUIDE_IMAGE, key_spaces=GUIDE),
    "canonical": Forms("canonical", "canonical", "canonical"),
    "relaxed": Forms("relaxed", "relaxed", "relaxed"),
}


def key_of(id_, forms: Forms = FORMS["connector"]) -> dict:
    return {"id": write(id_, forms.key, forms.key_spaces)}


class Connector:
    """See the module.

    `mode`: capture.mode. `pre_images`: the collection has changeStreamPreAndPostImages, else modes
    that ask for before images get none. `metadata`: provide.transaction.metadata. `initial`: starts
    with a snapshot, else reads incrementally later. `forms`: see FORMS. `crashes`: it is sometimes
    killed and reads again. `renames` (path -> new name) and `excludes` (paths) are field.renames
    and field.exclude.list: `shown` is what remains of a document. `run_header`: a header identifies
    the connector run, as newer versions write it. Equal changes of a transaction are told apart
    only by it or by metadata. `blocking`: it makes a blocking snapshot in the middle.
    """

    def __init__(
        self, database: Mongo, random: Random, mode: str = "change_streams_update_full",
        topic: str = "t.made_up.things", metadata: bool = False, tombstones: bool = True,
        pre_images: bool = True, forms: str = "connector", initial: bool = True,
        crashes: bool = True, renames: dict[str, str] | None = None, excludes: tuple[str, ...] = (),
        run_header: bool = True, blocking: bool = False,
    ):  # fmt: skip
        self.database, self.random, self.mode, self.topic = database, random, mode, topic
        self.metadata, self.tombstones, self.late = metadata, tombstones, not initial
        self.before = pre_images and mode.endswith("_with_pre_image")
        self.looks_up, self.crashes = "_update_full" in mode, crashes
        self.forms = FORMS[forms]
        self.renames, self.excludes = renames or {}, excludes
        self.run_header, self.blocking = run_header, blocking
        database.changes_back = run_header or metadata
        self.read = {rs.name: 0 for rs in database.sets}  # position in the oplog
        self.stream: list[dict] = []
        self.transactions: list[dict] = []  # records for the topic of transactions
        self.sent: list[tuple[str, Change]] = []  # since the last crash's offset, in order
        self.orders: dict[tuple, int] = {}
        self.offsets: dict[int, int] = {}
        self.marks: list[tuple[dict[str, Place], dict]] = []
        self.reading = "A"

    # --- the workload -----------------------------------------------------------------------------

    def work(self, steps: int) -> None:
        database, random = self.database, self.random
        for _ in range(6):
            database.work()
        if not self.late:
            self.snapshot()
        else:
            self._skip()
        begun = not self.late
        for step in range(steps):
            database.work()
            if random.random() < 0.5:
                self.stream_some(random.randint(1, 6))
            if self.crashes and random.random() < 0.06:
                self._crash()
            if (random.random() < 0.04 and begun) or (not begun and step == steps // 3):
                self.incremental_snapshot()
                begun = True
            if self.blocking and step == steps // 2:
                self.blocking_snapshot()
                begun = True
            if begun:
                self.mark()
        self.stream_some()
        self.mark()

    def mark(self) -> None:
        self.marks.append((self.database.places(), self.database.rows()))

    def _skip(self) -> None:
        """snapshot.mode=never: the state before is not sent."""
        for rs in self.database.sets:
            self.read[rs.name] = len(rs.oplog)

    # --- streaming --------------------------------------------------------------------------------

    def _waiting(self) -> list[tuple[str, Change]]:
        """Changes without an event yet: alternating between replica sets, each in the order of its
        oplog."""
        return [
            (rs.name, rs.oplog[self.read[rs.name]])
            for rs in self.database.sets
            if self.read[rs.name] < len(rs.oplog)
        ]

    def stream_some(self, count: int | None = None) -> set:
        """Makes events of so many changes, or of all. Returns the identities of their documents."""
        seen = set()
        while (waiting := self._waiting()) and (count is None or len(seen) < count):
            rs, change = self.random.choice(waiting)
            # a transaction is read as a unit
            together = [change]
            oplog = next(s.oplog for s in self.database.sets if s.name == rs)
            if change.transaction:
                together = [c for c in oplog[self.read[rs] :] if c.place == change.place]
            self.read[rs] += len(together)
            self._tell(together[0], "BEGIN", rs)
            for one in together:
                self._send(rs, one)
                seen.add(identity(one.id))
            self._tell(together[0], "END", rs, len(together))
        return seen

    def _tell(self, change: Change, status: str, rs: str, count: int | None = None) -> None:
        """A record for the topic of transactions, for one replica set's part of a transaction."""
        if not self.metadata or change.transaction is None:
            return
        _, db, collection = self.topic.split(".", 2)
        told = {"data_collection": f"{rs}.{db}.{collection}", "event_count": count}
        value = {
            "status": status,
            "id": transaction_id(change),
            "event_count": count,
            "data_collections": [told] if count else None,
            "ts_ms": change.wall + 240,
        }
        self.transactions.append(
            {
                "topic": self.topic.split(".")[0] + ".transaction",
                "partition": 0,
                "offset": len(self.transactions),
                "key": json.dumps({"id": value["id"]}),
                "value": json.dumps(value),
                "headers": {},
            }
        )

    def _crash(self) -> None:
        """Killed before it stored its offset: sends the same records again, in the same order, with
        newer lookups. It starts with a full change or transaction."""
        self.reading += "'"
        if not self.sent:
            return
        begin = self.random.randrange(max(0, len(self.sent) - 15), len(self.sent))
        places = [(rs, change.place) for rs, change in self.sent]
        begin = places.index(places[begin])
        for rs, change in self.sent[begin:]:
            self._land_change(rs, change)

    def _send(self, rs: str, change: Change) -> None:
        self.sent.append((rs, change))
        self._land_change(rs, change)

    def _land_change(self, rs: str, change: Change) -> None:
        value = self.envelope(rs, change, self._found(change))
        self._land(change.id, value)
        if change.kind == "delete" and self.tombstones:
            self._land(change.id, None)

    def _found(self, change: Change) -> dict | None:
        """The document that a lookup finds now."""
        return self.database.documents.get(identity(change.id))

    def envelope(self, rs: str, change: Change, found: dict | None) -> dict:
        """One change as an event; `found` is the result of looking up its document."""
        after = change.after if change.kind in ("insert", "replace") else None
        if change.kind == "update" and self.looks_up:
            after = found
        before = (
            change.before
            if self.before and change.kind in ("update", "replace", "delete")
            else None
        )
        return {
            "before": self._image(before),
            "after": self._image(after),
            "updateDescription": self._description(change),
            "source": self._source(rs, change.place, "false", change),
            "op": {"insert": "c", "update": "u", "replace": "u", "delete": "d"}[change.kind],
            "ts_ms": change.wall + 240,
            "transaction": self._transaction(rs, change),
        }

    def _image(self, document: dict | None) -> str | None:
        spaces = self.forms.image_spaces
        return document and write(self.shown(document), self.forms.image, spaces)

    def shown(self, document: dict) -> dict:
        """What remains of a document under the settings."""
        return self._selected(document, "")

    def _selected(self, value, prefix: str):
        if not isinstance(value, dict) or prefix == "_id.":
            return value
        found = {}
        for name, member in value.items():
            path = prefix + name
            if path not in self.excludes:
                found[self.renames.get(path, name)] = self._selected(member, path + ".")
        return found

    def _path(self, path: str) -> str | None:
        """A path of an update, its steps renamed; None if one of them is excluded."""
        steps = path.split(".")
        way = [".".join(steps[: at + 1]) for at in range(len(steps))]
        if any(step in self.excludes for step in way):
            return None
        return ".".join(
            self.renames.get(whole, step) for whole, step in zip(way, steps, strict=True)
        )

    def _description(self, change: Change) -> dict | None:
        """Empty lists become null; the set part is always an object."""
        told = change.description
        if change.kind != "update" or told is None:
            return None
        removed = [new for path in told.removed if (new := self._path(path))]
        cut = [(new, size) for path, size in told.truncated if (new := self._path(path))]
        updated = {
            new: self._selected(value, path + ".")
            for path, value in told.updated.items()
            if (new := self._path(path))
        }
        return {
            "removedFields": removed or None,
            "updatedFields": write(updated, self.forms.update, self.forms.update_spaces),
            "truncatedArrays": [{"field": path, "size": size} for path, size in cut] or None,
        }

    def _source(self, rs: str, place: Place, snapshot: str, change: Change | None = None) -> dict:
        prefix, db, collection = self.topic.split(".", 2)
        transaction = change.transaction if change else None
        return {
            "version": "2.3.7.Final",
            "connector": "mongodb",
            "name": prefix,
            "ts_ms": place.pair[0],
            "snapshot": snapshot,
            "db": db,
            "sequence": None,
            "rs": rs,
            "collection": collection,
            "ord": place.increment,
            "lsid": transaction and session_text(transaction.session),
            "txnNumber": transaction and transaction.number,
            "wallTime": change.wall
            if change and (self.before or place.clock is not None)
            else None,
        }

    def _transaction(self, rs: str, change: Change) -> dict | None:
        if not self.metadata or change.transaction is None:
            return None
        place = (rs, id(change))
        number = change.transaction.number
        if place not in self.orders:
            last = self.orders[rs, "tx", number] = self.orders.get((rs, "tx", number), 0) + 1
            self.orders[place] = last
        order = self.orders[place]
        return {
            "id": transaction_id(change),
            "total_order": order,
            "data_collection_order": order,
        }

    # --- snapshots --------------------------------------------------------------------------------

    def snapshot(self) -> None:
        """Notes the end of the oplogs, then reads during writes; these writes are streamed too,
        afterwards. Sometimes it is stopped midway and restarts: deletes in between would never be
        reported."""
        if self.crashes and self.random.random() < 0.2:
            self.database.deletes = False
            self._read_all(at_most=self.random.randint(0, 3))
            self.database.deletes = True
            self.reading += "'"
        self._read_all()
        if self.random.random() < 0.5:
            self.stream_some()

    def blocking_snapshot(self) -> None:
        """Reads like the first snapshot, while the stream stands still. Then the stream continues
        where it was, so that some of what was read is sent again, at positions before and after the
        read."""
        self._read_all(snapshot="blocking")

    def _read_all(self, at_most: int | None = None, snapshot: str = "true") -> None:
        database, read = self.database, 0
        begins = {rs.name: rs.tick(self.random) for rs in database.sets}
        if snapshot == "true":
            for rs in database.sets:
                self.read[rs.name] = len(rs.oplog)
        for rs in database.sets:
            for key in [k for k in database.documents if database.home[k] is rs]:
                if self.random.random() < 0.4:
                    database.work()
                if key in database.documents and (at_most is None or read < at_most):
                    self._land_read(rs.name, begins[rs.name], key, snapshot)
                    read += 1

    def incremental_snapshot(self) -> None:
        """One chunk: reads, streams what was written meanwhile, and sends only those documents that
        it read and did not stream."""
        database = self.database
        self.stream_some()
        read = database.rows()
        for _ in range(self.random.randint(0, 3)):
            database.work()
        seen = self.stream_some()
        places = {rs.name: self._place_of_window(rs) for rs in database.sets}
        for key in read:
            if key not in seen:
                rs = database.home[key].name
                self._land_read(rs, places[rs], key, "incremental")

    def _place_of_window(self, rs) -> Place:
        """That of the last streamed change, or of the mark that closed the window."""
        return rs.here if self.random.random() < 0.5 else rs.tick(self.random)

    def _land_read(self, rs: str, place: Place, key: tuple, snapshot: str) -> None:
        document = self.database.documents[key]
        value = {
            "before": None,
            "after": self._image(document),
            "updateDescription": None,
            "source": self._source(rs, place, snapshot),
            "op": "r",
            "ts_ms": place.seconds * 1000 + 400,
            "transaction": None,
        }
        self._land(self.database.ids[key], value)

    # --- records ----------------------------------------------------------------------------------

    def _land(self, id_, value: dict | None) -> None:
        """A key always has the same partition."""
        key = json.dumps(key_of(id_, self.forms), ensure_ascii=False)
        partition = sum(map(ord, key)) % 3
        first = self.database.log * 1_000_000
        offset = self.offsets[partition] = self.offsets.get(partition, first - 1) + 1
        self.stream.append(
            {
                "topic": self.topic,
                "partition": partition,
                "offset": offset,
                "key": key,
                "value": value and json.dumps(copy.deepcopy(value), ensure_ascii=False),
                "headers": {"__debezium.context.runId": self.reading} if self.run_header else {},
            }
        )


def transaction_id(change: Change) -> str:
    return f"{session_text(change.transaction.session)}:{change.transaction.number}"


def session_text(session: bytes) -> str:
    """`lsid` as the documentation prints it: strict, with a session and the digest of its user's
    name."""
    user = hashlib.sha256(b"").digest()
    return write({"id": Binary(session, 4), "uid": Binary(user, 0)}, "strict", IMAGE)

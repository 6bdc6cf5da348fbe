"""A generated small database and the connector that reads it: every law compares with what this
database holds.

    database = Database(random.Random(7), TABLES["keyed"], connector="postgresql", topic="t.keyed")
    database.work(transactions=40)
    database.stream    # the records in the order the connector gave them
    database.rows()    # what the table holds in the end
    database.marks     # what it held on the way: [(place in the log, rows)], of tracked columns

Several transactions are open at once, as far as row locks allow. Rows are created, updated,
deleted, moved to other keys, swapped, and created again under an old key. Tables are truncated and
read by snapshots while transactions are open. writers.py writes this as a system's log and
connector do.

Many databases may share one topic, each as a log with its own number: their keys, positions,
transactions and offsets do not overlap, so none can affect another. `log_of(row)` returns the log
of a row.
"""

import json
from collections import Counter
from dataclasses import dataclass, field
from random import Random

from tests.laws.writers import UNSENT, WRITERS, Change, Sent
from tests.oracle.postgres import UNKNOWN

LABELS = [None, "", "x", "null", "é☃'\"\\ {{ x }}\n%s"]
AMOUNTS = [None, "0.00", "-1.50", "99999999.99"]
KEYS_OF_A_LOG = 10_000
PARTS = {
    "varchar(9)": ["", 'a","b', "[1]", "null"],
    "binary(4)": ["0x00000000", "0x61000000", "0x61620000", "0x61626364"],
}
DAYS = {None: None, 0: "1970-01-01", 19782: "2024-02-29", 2932896: "9999-12-31"}


@dataclass(frozen=True)
class TableKind:
    """`whole`: before images are complete where the system also has others (REPLICA IDENTITY FULL).
    `deferred`: unique keys are checked late, as far as the system can."""

    name: str
    key: tuple[str, ...] = ("id",)
    whole: bool = False
    declares: bool = True  # the contract declares it
    deferred: bool = False
    untracked: tuple[str, ...] = ()  # columns whose changes alone make no version
    keeps_deleted: bool = False  # in the current state
    part: str = "varchar(9)"  # the type of the key's second column
    generates: bool = False  # a column that snapshots read and the log does not contain
    width: int = 0  # number of additional columns
    systems: tuple[str, ...] = ()  # the systems that have it; none: all


TABLES = {
    table.name: table
    for table in (
        TableKind("keyed"),
        TableKind("composite", key=("id", "part"), untracked=("n",), keeps_deleted=True),
        TableKind("padded", key=("id", "part"), part="binary(4)", systems=("mysql", "mariadb")),
        TableKind("whole", whole=True, deferred=True),
        TableKind("bag", key=(), whole=True),
        TableKind("undeclared", whole=True, declares=False, deferred=True, generates=True),
        TableKind("generated", generates=True, systems=("postgresql", "oracle")),
    )
}
# a thousand columns, both images; has its own case
WIDE = TableKind("wide", whole=True, width=995)


@dataclass
class Transaction:
    """What one session has written and not yet committed."""

    number: int
    written: dict[int, dict | None] = field(default_factory=dict)  # row number -> row, None: gone
    events: list[Change] = field(default_factory=list)
    locked: set = field(default_factory=set)  # keys, and numbers of rows


def log_of(row: dict) -> int:
    """The number of the log to which a row belongs."""
    return int(row["id"]) // KEYS_OF_A_LOG


class Database:
    """See the module. The same `random` makes the same database under any number of its log.

    `metadata`: provide.transaction.metadata. `key_headers`: headers carry the other key of a key
    change. `compressed`: a MySQL transaction is at one position, so only its metadata gives the
    order. `message_keys`: records are keyed by other columns (message.key.columns), so a key
    changes in one update. `truncates`: of logs that share a table only the first may have them,
    because a truncate ends what is before it in any log.
    """

    def __init__(
        self, random: Random, kind: TableKind, connector: str, topic: str, metadata: bool = True,
        key_headers: bool = True, compressed: bool = False, truncates: bool = True,
        message_keys: bool = False, log: int = 0,
    ):  # fmt: skip
        self.random, self.kind, self.connector, self.topic = random, kind, connector, topic
        self.writer = WRITERS[connector](random, log, kind.key, metadata, compressed)
        self.more = {f"more_{number}": number for number in range(kind.width)}
        self.metadata = metadata
        self.key_headers = key_headers and self.writer.key_headers
        self.truncates = truncates and self.writer.truncates
        # with key collisions and LOBs left out, the owner of a LOB is unknowable
        self.message_keys = message_keys and not (self.writer.whole and kind.deferred)
        self.log, self.first_key = log, log * KEYS_OF_A_LOG
        self.committed: dict[int, dict] = {}
        self.read: set[int] = set()  # rows unchanged since a snapshot read them
        self.open: list[Transaction] = []
        self.stream: list[dict] = []
        # value, partition and headers of each record outside snapshots, once each
        self.streamed: list[tuple[dict, int, dict]] = []
        self.marks: list[tuple[str, list[dict]]] = []
        self.reading = "A"
        self.numbers = log * 1_000_000
        self.statements = 0
        self.offsets: dict[int, int] = {}

    # --- the contract ---------------------------------------------------------------------------

    @property
    def columns(self) -> dict[str, str]:
        return self.logged | ({"made": self.writer.text} if self.kind.generates else {})

    @property
    def logged(self) -> dict[str, str]:
        """The columns in the log."""
        part = {"part": self.kind.part} if "part" in self.kind.key else {}
        writer = self.writer
        return (
            {"id": writer.integer}
            | part
            | {"label": writer.text, "big": self._long_text, "n": writer.number, "d": writer.date}
            | dict.fromkeys(self.more, writer.integer)
        )

    @property
    def _long_text(self) -> str:
        """Without a key, a row is identified by its before image, which must be complete."""
        return self.writer.long_text if self.kind.key else self.writer.text

    @property
    def is_whole(self) -> bool:
        return self.kind.whole or self.writer.whole

    @property
    def declared(self) -> dict:
        """The table as a spec of the oracle declares it."""
        found = {"topic": self.topic, "key": list(self.kind.key), "columns": self.columns}
        if self.connector == "postgresql":
            is_full = self.kind.whole and self.kind.declares
            found["replica_identity"] = "full" if is_full else "default"
        if self.kind.untracked:
            found["untracked"] = list(self.kind.untracked)
        if self.kind.keeps_deleted:
            found["deletes"] = "flag"
        return found

    # --- the workload ---------------------------------------------------------------------------

    def work(self, transactions: int, late_snapshot: bool = False, blocking: bool = False) -> None:
        """A first snapshot, then so many steps, then everything is committed.

        `late_snapshot`: the connector starts without a snapshot and reads incrementally later,
        while transactions are open. The state before is not fully known, so marks begin there.
        `blocking`: one blocking snapshot for certain, in the middle.
        """
        for _ in range(4):
            self._create(Transaction(0), self.committed)
        if not late_snapshot:
            self._read("initial")
        for step in range(transactions):
            self._step()
            if late_snapshot and step == transactions // 3:
                self.marks.clear()
                self._read("incremental")
            if blocking and step >= transactions // 2 and not self.open:
                self._read("blocking")
                blocking = False
        while self.open:
            self._commit(self.open[0])
        self._mark()

    def rows(self) -> list[dict]:
        """The rows of the table, as texts and None, or UNKNOWN where no record carries the
        value."""
        return [
            self._text(row) | self._generated(row, number in self.read)
            for number, row in self.committed.items()
        ]

    def _generated(self, row: dict, is_told: bool) -> dict:
        return {"made": f"of {row['n']}" if is_told else UNKNOWN} if self.kind.generates else {}

    def _step(self) -> None:
        """One session writes a little; sometimes it commits, or a snapshot reads."""
        if (len(self.open) < 3 and self.random.random() < 0.5) or not self.open:
            self.numbers += 1
            self.open.append(Transaction(self.numbers))
        session = self.random.choice(self.open)
        for _ in range(self.random.choice([1, 1, 2, 4])):
            if session in self.open:
                self._write(session)
        if session in self.open and self.random.random() < 0.6:
            self._commit(session)
        if self.random.random() < 0.06:
            # a blocking snapshot reads on its own, so its order with open transactions would be
            # unknowable
            self._read("incremental" if self.open or self.numbers % 2 else "blocking")
        if self.random.random() < 0.05:
            self._restart()
        if not self.open:
            self._mark()

    def _write(self, session: Transaction) -> None:
        seen = self.committed | session.written
        taken = {lock for other in self.open if other is not session for lock in other.locked}
        free = [
            number
            for number, row in seen.items()
            if row is not None and number not in taken and self._key(row) not in taken
        ]
        chance = self.random.random()
        if chance < 0.3 or not free:
            self._create(session, seen)
        elif chance < 0.55:
            self._update(session, self.random.choice(free), seen)
        elif chance < 0.7:
            number = self.random.choice(free)
            key = self._key(seen[number])
            self._delete(session, number, seen)
            if self.random.random() < 0.4:  # the same key begins another life
                self._create(session, self.committed | session.written, key)
        elif chance < 0.74:
            if len(self.open) == 1 and self.truncates:
                self._truncate(session, seen)
        elif self.kind.key:
            self._move(session, free, seen)

    # --- statements -----------------------------------------------------------------------------

    def _create(self, session: Transaction, seen: dict, key: tuple | None = None) -> None:
        key = key or self._free_key(session, seen)
        if key is None:
            return
        self.numbers += 1
        row = self._values() | dict(zip(self.kind.key or ("id",), key, strict=True))
        copies = 2 if not self.kind.key and self.random.random() < 0.4 else 1
        for _ in range(copies):
            self.numbers += 1
            if seen is self.committed:  # before the connector started
                self.committed[self.numbers] = dict(row)
                continue
            self._log(session, "c", self.numbers, after=row)

    def _update(self, session: Transaction, number: int, seen: dict) -> None:
        was = seen[number]
        changed = {
            name: value for name, value in self._values().items() if self.random.random() < 0.4
        }
        row = was | changed
        self._log(session, "u", number, before=was, after=row)

    def _delete(self, session: Transaction, number: int, seen: dict) -> None:
        self._log(session, "d", number, before=seen[number])

    def _truncate(self, session: Transaction, seen: dict) -> None:
        self._log(session, "t", None)
        session.written = dict.fromkeys(seen)
        self._commit(session)  # no other session may write meanwhile

    def _move(self, session: Transaction, free: list[int], seen: dict) -> None:
        """Moves one row to a free key, maybe over another row's, or several rows to each other's
        keys."""
        if len(free) > 1 and self.random.random() < 0.5:
            some = self.random.sample(free, min(len(free), self.random.choice([2, 2, 3])))
            keys = [self._key(seen[number]) for number in some]
            if not (self.kind.deferred and self.writer.late_keys):  # the first uses a temporary key
                aside = self._free_key(session, seen)
                if aside is None:
                    return
                self._change_key(session, some[0], aside)
                for number, key in zip(some[1:], keys[:-1], strict=True):
                    self._change_key(session, number, key)
                self._change_key(session, some[0], keys[-1])
                return
            in_passing = self.writer.late_keys == "at a transaction's end"
            aside = self._free_key(session, seen) if self.random.random() < 0.4 else None
            if aside and in_passing:
                self._change_key(session, some[0], keys[1])
                self._change_key(session, some[0], aside)
                self._end_where_rows_met(session)
                return
            self.statements += 1
            for number, key in zip(some, keys[1:] + keys[:1], strict=True):
                self._change_key(session, number, key, self.statements)
            self._end_where_rows_met(session)
            return
        number = self.random.choice(free)
        for _ in range(self.random.choice([1, 1, 2])):
            key = self._free_key(session, self.committed | session.written)
            if key:
                self._change_key(session, number, key)

    def _end_where_rows_met(self, session: Transaction) -> None:
        """Commits: if a later change left a LOB unchanged, its owner would be unknowable."""
        if self.writer.whole and self._leaves_out:
            self._commit(session)

    def _change_key(
        self, session: Transaction, number: int, key: tuple, statement: int | None = None
    ) -> None:
        was = (self.committed | session.written)[number]
        row = was | dict(zip(self.kind.key, key, strict=True))
        if self.random.random() < 0.3:
            row["label"] = self._values()["label"]
        seen = (self.committed | session.written).values()
        while self.kind.generates and row != was and row in seen:
            # of two equal rows of a key, it is unknowable which a snapshot has read
            row["label"] = self._values()["label"]
        if row == was:
            return
        if self.message_keys:
            self._log(session, "u", number, before=was, after=row, statement=statement)
            return
        if statement is None:
            self.statements += 1
        of = {"is_half": True, "statement": statement or self.statements, "was": was}
        self._log(session, "d", number, before=was, newkey=row, **of)
        self._log(session, "c", number, after=row, oldkey=was, **of)

    # --- what is written to the log -------------------------------------------------------------

    def _log(
        self, session, op, number, before=None, after=None, statement=None, was=None, **of_half
    ) -> None:
        """One change of the session."""
        if statement is None:
            self.statements += 1
        change = Change(
            op, before, after, statement or self.statements, number, was=was or before, **of_half
        )
        self.writer.at(change, is_other_half=change.is_half and op == "c")
        session.written[number] = after if op != "t" else None
        if op == "t":
            del session.written[number]
        session.locked |= {number} | {self._key(row) for row in (before, after) if row}
        session.events.append(change)

    def _commit(self, session: Transaction) -> None:
        """The connector sends what the transaction wrote."""
        self.open.remove(session)
        self.read -= session.written.keys()
        for number, row in session.written.items():
            if row is None:
                self.committed.pop(number, None)
            else:
                self.committed[number] = row
        if not session.events:
            return
        order = 0
        for sent in self.writer.commit(session.number, session.events):
            if order and self._counts_anew and self.random.random() < 0.04:
                order = self._restart()
            order += 1
            transaction = {"id": sent.tx_id, "total_order": order}
            self._send(sent, "false", transaction if self.metadata else None)
        self.writer.committed()

    def _read(self, snapshot: str) -> None:
        """A snapshot sends every committed row."""
        source = self.writer.snapshot(snapshot)
        self.read = set(self.committed)
        for row in list(self.committed.values()):
            read = Change("r", None, row, 0, None)
            self._send(Sent(read, source, ""), "true" if snapshot == "initial" else snapshot, None)
        self.writer.after_snapshot(snapshot)
        if not self.open:
            self._mark()

    @property
    def _counts_anew(self) -> bool:
        """Whether a connector that restarts within a transaction counts it from 1. If only this
        count orders a row's changes, their order is unknowable."""
        return self.metadata and bool(self.kind.key) and self.writer.position_identifies_row

    def _restart(self) -> int:
        """The connector is killed and reads again some of what it sent before. Returns the number,
        within its transaction, of the last change it read."""
        if not self.streamed or not (self.metadata or self.kind.key):
            return 0
        self.reading = self.reading + "'"
        # each change once, as in the source's log
        again = self.streamed[-self.random.randint(1, 12) :]
        numbers = Counter()
        for value, partition, headers in again:
            if self._counts_anew:
                id_ = value["transaction"]["id"]
                transaction = id_.split(":")[0]
                numbers[transaction] += 1
                value = value | {"transaction": {"id": id_, "total_order": numbers[transaction]}}
            self._land(value | {"ts_ms": 2}, partition, headers)
        return value["transaction"]["total_order"] if self.metadata else 0

    def _send(self, sent: Sent, snapshot: str, transaction: dict | None) -> None:
        change, place = sent.change, self.writer.place
        generated = self._generated(change.after, True) if change.op == "r" else {}
        value = {
            "before": self._literals(self._before(change)) if self._tells_before(change) else None,
            "after": change.after and self._literals(self._after(change) | generated),
            # a clock that sometimes steps back
            "source": self.writer.everywhere
            | sent.source
            | {"ts_ms": 1_700_000_000_000 + place - place * 7919 % 900}
            | {"snapshot": snapshot},
            "transaction": transaction,
            "op": change.op,
            "ts_ms": 1,
        }
        headers = {
            f"__debezium.{name}": self._json(self._literals(self._key_struct(row)))
            for name, row in (("newkey", change.newkey), ("oldkey", change.oldkey))
            if row and self.key_headers
        }
        # crc32 would also do; a key always has the same partition, in any process
        row = change.after or change.before
        key = self._key(row) if row else None
        key = key and (key[0] - self.first_key, *key[1:])
        partition = sum(map(ord, repr(key))) % 3
        if change.op != "r":
            self.streamed.append((value, partition, headers))
        self._land(value, partition, headers)
        if change.op == "d" and self.kind.key and self.log % 2 == 0:
            self._land(None, partition, headers, self._literals(self._key_struct(row)))

    def _land(
        self, value: dict | None, partition: int, headers: dict, key: dict | None = None
    ) -> None:
        """Lands a record; one without a value is a tombstone, whose key names the row."""
        offset = self.offsets[partition] = self.offsets.get(partition, self.log * 1_000_000 - 1) + 1
        self.stream.append(
            {
                "topic": self.topic,
                "partition": partition,
                "offset": offset,
                "key": key and self._json(key),
                "value": value and self._json(value),
                "headers": headers | {"__debezium.context.runId": self.reading},
            }
        )

    def _json(self, value: dict) -> str:
        """As Debezium writes it; for two systems, every third log has spaces, as only other tools
        write: the exact statement reads it, next to those that the routine one accepts."""
        is_spaced = self.connector in ("mysql", "db2") and self.log % 3 == 1
        separators = (", ", ": ") if is_spaced else (",", ":")
        return json.dumps(value, ensure_ascii=False, separators=separators)

    def _mark(self) -> None:
        """What the table holds while no transaction is open; the log goes on after it."""
        self.writer.place += 10
        position = self.writer.mark()
        # an untracked column has its newest value in a version, whenever it arrived
        tracked = [
            {name: value for name, value in row.items() if name not in self.kind.untracked}
            for row in self.rows()
        ]
        self.marks.append((position, tracked))
        self.writer.place += 10

    # --- rows -----------------------------------------------------------------------------------

    def _values(self) -> dict:
        self.numbers += 1
        return {
            # if colliding rows differed only in a LOB, they would be indistinguishable
            "label": f"label {self.numbers}"
            if self.writer.whole and self._leaves_out and self.kind.deferred
            else self.random.choice(LABELS),
            "big": self.random.choice([*self.writer.no_text, f"big {self.numbers}"]),
            "n": self.random.choice(AMOUNTS),
            "d": self.random.choice(list(DAYS)),
        }

    def _free_key(self, session: Transaction, seen: dict) -> tuple | None:
        """A key that no row has and no other session has touched. There are few, so keys return."""
        taken = {lock for other in self.open if other is not session for lock in other.locked}
        taken |= {self._key(row) for row in seen.values() if row}
        taken |= {self._key(row) for row in self.committed.values()}
        for _ in range(8):
            key = (self.first_key + self.random.randint(1, 7),)
            if "part" in self.kind.key:
                key += (self.random.choice(PARTS[self.kind.part]),)
            if not self.kind.key or key not in taken:
                return key
        return None

    def _key(self, row: dict) -> tuple:
        return tuple(row[name] for name in self.kind.key)

    def _key_struct(self, row: dict) -> dict:
        return {name: row[name] for name in self.kind.key}

    def _image(self, row: dict) -> dict:
        row = row | self.more
        return {name: row[name] for name in self.logged}

    def _literals(self, image: dict) -> dict:
        return {name: self.writer.literal(name, value) for name, value in image.items()}

    def _tells_before(self, change: Change) -> bool:
        """An update carries an incomplete image only if its key changed."""
        if change.before is None or self.is_whole or change.op != "u":
            return change.before is not None
        return self._key(change.before) != self._key(change.after)

    def _before(self, change: Change) -> dict:
        row = change.before
        if self._leaves_out and self.writer.whole:
            return self._image(row | {"big": UNSENT})
        if self.is_whole:
            return self._image(row)
        return {name: row[name] if name in self.kind.key else None for name in self.logged}

    def _after(self, change: Change) -> dict:
        """An unchanged long value may be left out."""
        row, was = change.after, change.was
        stays = was is not None and was["big"] == row["big"]
        if self.writer.whole:  # Oracle's LOBs; with another key they are read again
            unsent = stays and self._leaves_out and not change.is_half
            return self._image(row | {"big": UNSENT} if unsent else row)
        stays = stays and row["big"] is not None
        unsent = stays and self._leaves_out and self.random.random() < 0.7
        return self._image(row | {"big": UNSENT} if unsent else row)

    @property
    def _leaves_out(self) -> bool:
        if not self.kind.key:
            return False
        return self.writer.leaves_out and (self.writer.whole or not self.kind.whole)

    def _text(self, row: dict) -> dict:
        more = {name: str(value) for name, value in self.more.items()}
        shown = {"id": str(row["id"]), "d": self.writer.shown(DAYS[row["d"]])}
        return self._image(row) | more | shown

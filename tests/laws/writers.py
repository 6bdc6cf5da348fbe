"""How the connector of each system writes a generated database's changes: log positions, order,
source blocks, images, key changes. From the connectors' documentation; independent of the macros.

A writer is called for each change as a session makes it (`at`), for a commit, which returns the
events to send with their source blocks, and for a snapshot.
"""

import base64
import json
from dataclasses import dataclass, field
from random import Random
from typing import ClassVar

UNSENT = "__debezium_unavailable_value"


@dataclass
class Change:
    """What a session did to a row: op, images, and the other row of the pair if its key changed.
    `statement`: changes of one statement have one number. `was`: the row before, also for a create
    that is half of a key-change pair."""

    op: str
    before: dict | None
    after: dict | None
    statement: int
    number: int | None  # of the row
    place: int = 0
    was: dict | None = None
    is_half: bool = False
    newkey: dict | None = None
    oldkey: dict | None = None


@dataclass
class Sent:
    """One event as it is sent: the change, its source block and its transaction's id."""

    change: Change
    source: dict
    tx_id: str


class Writer:
    """What the systems have in common; `log` numbers the databases that share a topic."""

    places_of_a_log = 9_000_000  # a multiple of 900, or the clock (see _send) would tell logs apart
    number, integer, text, long_text, date = "decimal(10,2)", "int", "text", "text", "date"
    no_text: tuple = (None,)  # values of a long column other than texts
    whole = True  # whether before images are complete
    truncates = True
    key_headers = True  # they carry the other key of a key change
    late_keys = (
        ""  # else unique keys are checked "at a statement's end" or "at a transaction's end"
    )
    leaves_out = False  # the long value, if it is unchanged
    position_identifies_row = False  # a key has one change per position, or one key-change pair
    settings: ClassVar[dict] = {"decimal_handling_mode": "string"}
    # fields of every source block
    everywhere: ClassVar[dict] = {}

    def __init__(
        self, random: Random, log: int, key: tuple[str, ...], metadata: bool, compressed: bool
    ):
        self.random, self.log, self.key, self.metadata = random, log, key, metadata
        self.compressed = compressed and metadata
        self.place = 1000 + log * self.places_of_a_log  # the end of the log
        self.last_commit: int | None = None

    def at(self, change: Change, is_other_half: bool) -> None:
        """A change is written: gives it a position, the same for both of a key-change pair."""
        self.place += 0 if is_other_half else self.random.randint(1, 50)
        change.place = self.place

    def commit(self, number: int, changes: list[Change]) -> list[Sent]:
        raise NotImplementedError

    def committed(self) -> None:
        self.place += 40
        self.last_commit = self.place

    def snapshot(self, kind: str) -> dict:
        """The source block of a snapshot's rows; its position may be that of the last change."""
        self.place += self.random.choice([0, 30]) if kind == "incremental" else 30
        return self.of_snapshot(kind)

    def of_snapshot(self, kind: str) -> dict:
        raise NotImplementedError

    def after_snapshot(self, kind: str) -> None:
        """An incremental snapshot closes its window with its own commit."""
        self.place += 30
        if kind == "incremental":
            self.last_commit = self.place

    def mark(self) -> str:
        """The current position, as `_cdc_position` has it."""
        raise NotImplementedError

    def literal(self, column: str, value):
        """A value as the event has it, if rows of the database hold it differently."""
        return value

    def shown(self, day: str | None) -> str | None:
        """A date as the database shows it."""
        return day


class PostgreSql(Writer):
    """Writes its log as sessions write; the connector sends transactions as they commit."""

    number, whole, leaves_out = "numeric(10,2)", False, True
    late_keys = "at a transaction's end"
    position_identifies_row = True

    def commit(self, number: int, changes: list[Change]) -> list[Sent]:
        commit = self.last_commit and str(self.last_commit)
        return [
            Sent(
                change,
                {
                    "lsn": change.place,
                    "txId": number,
                    "sequence": json.dumps([commit, str(change.place)]),
                },
                f"{number}:{change.place}",
            )
            for change in changes
        ]

    def of_snapshot(self, kind: str) -> dict:
        if kind != "incremental":
            return {"lsn": self.place, "sequence": json.dumps([None, str(self.place)])}
        commit = self.last_commit and str(self.last_commit)
        return {"lsn": None, "sequence": json.dumps([commit, str(self.place)])}

    def mark(self) -> str:
        return f"{self.place:020d}"


class MySql(Writer):
    """Writes a transaction when it commits. A binary log counts positions from the start of each
    file; compressed, a transaction is at one position."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.place = 1000
        self.file = 999_998 + self.log * 1000  # the first's text sorts before that of 1000000
        self.file_begins = 0

    def commit(self, number: int, changes: list[Change]) -> list[Sent]:
        if self.random.random() < 0.1:
            self.file, self.file_begins = self.file + 1, self.place
        begin, seen, sent = self.place, {}, []
        for change in changes:  # a key-change pair is one row of one event
            end = begin + 100 * (len(seen) + 1)
            place = seen.setdefault(self.compressed or change.place, end)
            self.place = max(self.place, place)
            gtid = f"u:{number}"
            sent.append(Sent(change, self._source(place, gtid), gtid))
        return sent

    def literal(self, column: str, value):
        """The binary log strips trailing zeros of a binary(n); a snapshot has them."""
        if column != "part" or not value.startswith("0x"):
            return value
        octets = bytes.fromhex(value[2:])
        sent = octets if self.random.random() < 0.3 else octets.rstrip(b"\0")
        return base64.b64encode(sent).decode()

    def _source(self, place: int, gtid: str | None) -> dict:
        file, pos = f"bin.{self.file:06d}", place - self.file_begins
        return {"file": file, "pos": pos, "row": 0, "gtid": gtid}

    def of_snapshot(self, kind: str) -> dict:
        return self._source(self.place, None)

    def mark(self) -> str:
        return f"{self.file:010d}.{self.place - self.file_begins:012d}.{1:010d}"


def lsn(number: int, last: int) -> str:
    """A log sequence number of SQL Server (4 digits at its end) or Db2 (16)."""
    digits = f"{number:0{16 + last}x}"
    return f"{digits[:8]}:{digits[8:16]}:{digits[16:]}"


class SqlServer(Writer):
    """Change tables hold what is committed. A statement that changes several keys is all its
    deletes, then all its inserts, at one change LSN; no header links them."""

    text, long_text = "nvarchar(90)", "nvarchar(max)"
    everywhere: ClassVar[dict] = {
        "version": "2.3.7.Final",
        "connector": "sqlserver",
        "name": "server1",
        "db": "testDB",
        "schema": "dbo",
        "table": "t",
    }
    key_headers, late_keys, truncates = False, "at a statement's end", False

    def commit(self, number: int, changes: list[Change]) -> list[Sent]:
        begin, sent, serials = self.place, [], {}
        ordered = sorted(
            enumerate(changes),
            # within a statement of key changes the deletes first; the sort is stable
            key=lambda at: (at[1].statement, at[1].is_half and at[1].op == "c"),
        )
        commit = begin + 10 * (len(changes) + 1)
        for _, change in ordered:
            # key changes of one statement share the change LSN, all else has its own
            of = ("halves", change.statement) if change.is_half else ("row", len(sent))
            first = serials.setdefault(of, [begin + 10 * (len(serials) + 1), 0])
            first[1] += 1 if change.op != "u" else 2
            source = {
                "change_lsn": lsn(first[0], 4),
                "commit_lsn": lsn(commit, 4),
                # as the documentation prints it, and as connectors send it
                "event_serial_no": self.random.choice([first[1], str(first[1])]),
            }
            sent.append(Sent(change, source, lsn(commit, 4)))
        self.place = commit
        return sent

    def of_snapshot(self, kind: str) -> dict:
        return {"change_lsn": None, "commit_lsn": lsn(self.place, 4), "event_serial_no": None}

    def mark(self) -> str:
        return f"{self.place:020x}.{0:020x}.{0:019d}"


class Db2(Writer):
    """Change tables hold an update as a delete and an insert. The connector turns a delete followed
    directly by an insert, in one transaction, into an update, whether of one row or of two."""

    text, long_text = "varchar(90)", "clob"
    everywhere: ClassVar[dict] = {
        "version": "2.3.7.Final",
        "connector": "db2",
        "name": "myconnector",
        "db": "mydatabase",
        "schema": "MYSCHEMA",
        "table": "T",
    }
    late_keys, truncates, digits = "at a statement's end", False, 16
    position_identifies_row = True

    def commit(self, number: int, changes: list[Change]) -> list[Sent]:
        begin, sent, at = self.place, [], 0
        merged = self._merged(changes)
        commit = begin + 10 * (len(merged) + 1)
        for change, is_other_half in merged:
            at += 0 if is_other_half else 1
            source = {
                "change_lsn": lsn(begin + 10 * at, self.digits),
                "commit_lsn": lsn(commit, self.digits),
            }
            sent.append(Sent(change, source, lsn(commit, self.digits)))
        self.place = commit
        return sent

    def _merged(self, changes: list[Change]) -> list[tuple[Change, bool]]:
        """(change, whether it completes the pair begun by the one before)."""
        found: list[tuple[Change, bool]] = []
        for change in changes:
            was = found[-1][0] if found and not found[-1][1] else None
            if change.op != "c" or was is None or was.op != "d":
                found.append((change, False))
            elif self._same_key(was, change):
                both = Change("u", was.before, change.after, change.statement, change.number)
                found[-1] = (both, False)
            else:
                was.newkey, change.oldkey = change.after, was.before
                found.append((change, True))
        return found

    def _same_key(self, gone: Change, come: Change) -> bool:
        """Also true in a table without a key, whose updates are never pairs."""
        return all(gone.before[name] == come.after[name] for name in self.key)

    def of_snapshot(self, kind: str) -> dict:
        return {"change_lsn": None, "commit_lsn": lsn(self.place, self.digits)}

    def mark(self) -> str:
        return f"{self.place:032x}.{0:032x}"


@dataclass
class _Age:
    """What a version of the Oracle connector writes."""

    version: str
    own_commit: bool  # commit_scn of every event is its own transaction's
    forms: tuple[str, ...] = field(default=("number",))  # of a NUMBER without decimal places


AGES = (
    _Age("1.9.7.Final", False),
    _Age("2.3.7.Final", False, ("number", "base64")),
    _Age("3.3.0.Final", True, ("struct", "number")),
)


class Oracle(Writer):
    """Writes redo as sessions write; the connector sends transactions as they commit. Rows of a
    statement may share an SCN. LOBs that a statement leaves unchanged are placeholders, and those
    of before images always are."""

    number, integer = "number(10,2)", "number(9)"
    text, long_text, date = "varchar2(90)", "clob", "date"
    late_keys, leaves_out = "at a transaction's end", True
    everywhere: ClassVar[dict] = {"name": "server1"}
    no_text = ()  # a LOB that becomes NULL looks like an unchanged one
    settings: ClassVar[dict] = {"decimal_handling_mode": "precise", "lob_enabled": True}

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.statement: int | None = None
        self.seen: set[int] = set()  # rows changed at this position

    def at(self, change: Change, is_other_half: bool) -> None:
        # one row twice at one SCN, or rows that swap keys there, are distinguished only by the
        # order in the transaction
        is_alone = change.number not in self.seen and not change.is_half
        shares = change.statement == self.statement and (self.metadata or is_alone)
        if not is_other_half and not (shares and self.random.random() < 0.7):
            self.place += self.random.randint(1, 50)
            self.seen = set()
        self.statement = change.statement
        self.seen.add(change.number)
        change.place = self.place

    def commit(self, number: int, changes: list[Change]) -> list[Sent]:
        self.place += 1
        sent = []
        for at, change in enumerate(changes, start=1):
            is_own = self.age.own_commit or at == len(changes)
            source = {
                "version": self.age.version,
                "txId": f"0200{number:012x}",
                "scn": str(change.place),
                "commit_scn": str(self.place) if is_own else self.before_ours(),
                "lcr_position": None,
                "rs_id": "001234.00012345.0124",
                "ssn": 1,
                "redo_thread": 1,
            }
            sent.append(Sent(change, source, source["txId"]))
        return sent

    @property
    def age(self) -> _Age:
        """Newer with time: a connector is upgraded while it runs."""
        at = (self.place - self.log * self.places_of_a_log) // 1500
        return AGES[min((at + self.log) % 4, 2)] if at < 4 else AGES[2]

    def before_ours(self) -> str | None:
        return self.last_commit and str(self.last_commit)

    def committed(self) -> None:
        self.last_commit = self.place
        self.place += 40

    def snapshot(self, kind: str) -> dict:
        self.place += 30  # read at a position that no change shares
        return self.of_snapshot(kind)

    def of_snapshot(self, kind: str) -> dict:
        return {"version": self.age.version, "txId": None, "scn": str(self.place), "ssn": 0}

    def mark(self) -> str:
        return f"{self.place:020d}"

    def shown(self, day: str | None) -> str | None:
        return day and f"{day} 00:00:00"

    def literal(self, column: str, value):
        """A NUMBER has other forms with each version, and so does a key."""
        if value is None or column not in ("id", "n", "d"):
            return value
        if column == "d":  # it has a time of day
            return value * 86_400_000
        unscaled = round(float(value) * 100) if column == "n" else value
        form = "base64" if column == "n" else self.random.choice(self.age.forms)
        if form == "number":
            return value
        size = (unscaled if unscaled >= 0 else ~unscaled).bit_length() // 8 + 1
        text = base64.b64encode(unscaled.to_bytes(size, "big", signed=True)).decode()
        return text if form == "base64" else {"scale": 0, "value": text}


WRITERS = {
    "postgresql": PostgreSql,
    "mysql": MySql,
    "mariadb": MySql,
    "sqlserver": SqlServer,
    "oracle": Oracle,
    "db2": Db2,
}

"""A generated small database and Google Datastream reading it: what the database holds is the
truth.

    database = Database(Random(7), "oracle", log=0)
    database.work(steps=40)
    database.events    # in the order Datastream wrote them
    database.rows()    # what the table holds in the end
    database.marks     # what it held on the way: [(place, rows)], once all backfills had read

Only a backfill sends the rows that existed before the stream. It reads while the log goes on; its
rows have no position, and may already show later changes. An update is sent as UPDATE-INSERT, as
UPDATE or as a before/after pair; a key change as a pair, for SQL Server also as a delete and an
insert.

mysql       what is committed, the rows of a statement at one place oracle      each row as it is
changed; what is rolled back is followed by its inverse postgresql  what is committed, transaction
by transaction, each row at the place where it was
            written, rows written at once at one place; with the default replica identity the row
            before is its key alone
sqlserver   by its change tables what is committed, at places of its own or all at that of the
            commit, where uuids count; by its log as Oracle

When a statement changes keys, SQL Server sends all deletes before all inserts. Written from "Events
and streams", "Unified types" and the pages of the sources; shares no code with the macros or with
tests/oracle.

Many databases may share one object, each as a log with its own number: keys and positions do not
overlap.
"""

from dataclasses import dataclass, field
from random import Random
from uuid import UUID

KEYS_OF_A_LOG = 10_000
COLUMNS = {
    "mysql": {"id": "int", "label": "varchar(40)", "n": "decimal(10,2)", "d": "date"},
    "oracle": {"ID": "number(10)", "LABEL": "varchar2(40)", "N": "number(10,2)", "D": "date"},
    "postgresql": {"id": "int", "label": "varchar(40)", "n": "numeric(10,2)", "d": "date"},
    "sqlserver": {"id": "int", "label": "nvarchar(40)", "n": "decimal(10,2)", "d": "date"},
}
AMOUNTS = [None, "0.00", "-1.50", "99999999.99"]
DAYS = [None, "1970-01-01", "2024-02-29", "9999-12-31"]
BEGIN = 1_706_774_400_000  # 2024-02-01T08:00:00Z

# before the digits grow, and where a text would sort after its successor
FIRST_LSN = {
    "postgresql": [0xFFFFFF00, 0x9_FFFFFF00, 0xF_FFFFFF00, 0x16_CB002DB0],
    "sqlserver": [0x25_00000728_0003, 0x27_0000FFFF_FFF0, 0xFF_FFFFFFFF_FFF0],
}
NOWHERE = {"mysql": ("", 0)}  # in sort_keys of a backfill, after the time
SCATTER = 0x9E3779B97F4A7C15F39CC0605CEDC835

Row = tuple  # the columns' values: number, texts


@dataclass
class Session:
    """`undo`: (key, row before) of its changes, in order; None where there was no row.
    `waiting`: the events that follow once it is committed."""

    number: int
    undo: list[tuple[int, Row | None]] = field(default_factory=list)
    locked: set[int] = field(default_factory=set)
    waiting: list[tuple] = field(default_factory=list)


class Database:
    """See the module. The same `random` makes the same database under any number of its log.
    `in_avro`: times are numbers, as in Avro files (datastream_avro.py)."""

    def __init__(self, random: Random, system: str, log: int = 0, in_avro: bool = False):
        self.random, self.system, self.log, self.in_avro = random, system, log, in_avro
        self.table: dict[int, Row] = {}  # as in the log, including uncommitted work
        self.committed: dict[int, Row] = {}
        self.sessions: list[Session] = []
        self.events: list[dict] = []
        self.marks: list[tuple[tuple, list[Row]]] = []
        self.numbers = 0
        self.clock = BEGIN
        self.file, self.position = 1000 * log + random.choice([1, 98, 999]), 4
        self.scn, self.rs_id, self.ssn = 10**9 * (log + 1), [1, 1, 16], 0
        # a row's is the next number; hexadecimal texts of different lengths
        self.lsn = random.choice(FIRST_LSN.get(system, [0]))
        self.lsn += log << {"postgresql": 40, "sqlserver": 60}.get(system, 0)
        # what this stream's records look like
        self.has_keys = random.random() < 0.7
        self.has_place = not self.has_keys or random.random() < 0.7
        self.in_millis = random.random() < 0.3 or in_avro
        self.update_as = random.choice(["UPDATE-INSERT", "UPDATE-INSERT", "UPDATE", "halves"])
        self.key_change_as, self.has_whole_before, self.of_commit = "halves", True, False
        self.waits = self.undoes = False
        if system == "oracle":
            self.undoes = True
        if system == "postgresql":
            self.waits, self.has_whole_before = True, random.random() < 0.5
        if system == "sqlserver":
            self.waits = random.random() < 0.7
            self.undoes = not self.waits
            self.of_commit = self.waits and random.random() < 0.5
            self.key_change_as = random.choice(["halves", "DELETE"])
            self.key_told_in = random.choice(["primary_keys", "replication_index"])

    @property
    def once_a_row(self) -> bool:
        """At one position nothing pairs before and after images: a transaction changes a row once
        if all of it is at one position and updates are before/after pairs."""
        return self.of_commit and "halves" in (self.update_as, self.key_change_as)

    # --- the workload ---------------------------------------------------------------------------

    def work(self, steps: int) -> None:
        for number in self.random.sample(range(1, 10), 5):
            key = self.log * KEYS_OF_A_LOG + number
            self.table[key] = self._values(key)
        self.committed = dict(self.table)
        reads = sorted(self.random.sample(range(steps), min(steps, self.random.choice([1, 1, 2]))))
        for step in range(steps):
            self._step()
            if step in reads:
                self._backfill()
                self.marks.clear()
        for session in list(self.sessions):
            self._end(session)
        self._mark()

    def rows(self) -> list[Row]:
        return sorted(self.table.values())

    def _step(self) -> None:
        if not self.sessions or (self.system != "mysql" and len(self.sessions) < 3):
            self.numbers += 1
            self.sessions.append(Session(self.numbers))
        session = self.random.choice(self.sessions)
        for _ in range(self.random.choice([1, 1, 2, 4])):
            self._write(session)
        if self.system == "mysql" or self.random.random() < 0.6:
            self._end(session)
        if self.random.random() < 0.2:
            for session in list(self.sessions):
                self._end(session)
        if not self.sessions:
            self._mark()

    def _end(self, session: Session) -> None:
        """Commits, or rolls back all of its work, the last change first; if only committed work is
        sent, nothing of that is."""
        self.sessions.remove(session)
        if self.system != "mysql" and self.random.random() < 0.25:
            for key, before in reversed(session.undo):
                now = self.table.get(key)
                if self.undoes:
                    self._log([(now, before)] if before else [(now, None)], session, undone=True)
                elif before:
                    self.table[key] = before
                else:
                    self.table.pop(key, None)
            return
        for key, _ in session.undo:
            self.committed[key] = self.table.get(key)
        self.committed = {key: row for key, row in self.committed.items() if row}
        if session.waiting:
            self._next_statement()
            self._next_row()
        for method, change, row, place in session.waiting:
            self._send(method, change, row, self._place() if self.of_commit else place, session)

    def _taken(self, session: Session) -> set[int]:
        """Keys that it must not touch."""
        return {
            key
            for other in self.sessions
            if other is not session or self.once_a_row
            for key in other.locked
        }

    def _write(self, session: Session) -> None:
        taken = self._taken(session)
        free = [key for key in self.table if key not in taken]
        chance = self.random.random()
        if chance < 0.3 or not free:
            keys = {self._free_key(session)}
            if self.system == "postgresql" and self.random.random() < 0.3:
                keys.add(self._free_key(session))
            if keys := sorted(keys - {None}):
                self._log([(None, self._values(key)) for key in keys], session)
        elif chance < 0.55:
            row = self.table[self.random.choice(free)]
            changed = row if self.random.random() < 0.2 else self._values(row[0])
            self._log([(row, changed)], session)
        elif chance < 0.75:
            row = self.table[self.random.choice(free)]
            self._log([(row, None)], session)
            if self.random.random() < 0.4 and not self.once_a_row:  # another life
                self._log([(None, self._values(row[0]))], session)
        elif chance < 0.9:
            self._move(session, [self.random.choice(free)], [])
        elif len(free) > 1:
            some = self.random.sample(free, min(len(free), self.random.choice([2, 3])))
            self._move(session, some, some[1:])

    def _move(self, session: Session, keys: list[int], onto: list[int]) -> None:
        """One statement: each row to the next one's key, the last to a free one or the first's."""
        last = self._free_key(session)
        # a key that is checked row by row never has two: no replica identity may be deferrable
        may_meet = self.system != "postgresql" or self.has_whole_before
        if onto and may_meet and (last is None or self.random.random() < 0.5):
            last = keys[0]
        if last is None:
            return
        rows = [self.table[key] for key in keys]
        pairs = [(row, (key, *row[1:])) for row, key in zip(rows, [*onto, last], strict=True)]
        self._log(pairs if may_meet else pairs[::-1], session)

    # --- what is written to the log -------------------------------------------------------------

    def _log(self, pairs: list[tuple], session: Session, undone: bool = False) -> None:
        """One statement: pairs of a row before and after, None where there is no row."""
        self._next_statement()
        told = [self._told(before, after) for before, after in pairs]
        if self.system == "sqlserver":  # all deletes before all inserts
            told = [changes[:1] for changes in told] + [changes[1:] for changes in told]
        method = self._method(undone)
        for number, changes in enumerate(told):
            if changes and not (number and self._at_once(pairs)):
                self._next_row()
            for change, row in changes:
                if change.endswith("DELETE") and not self.has_whole_before:
                    row = (row[0], None, None, None)
                if self.waits:
                    session.waiting.append((method, change, row, self._place()))
                else:
                    self._send(method, change, row, self._place(), session)
        for key in {before[0] for before, _ in pairs if before}:
            session.undo.append((key, self.table.pop(key)))
        for _, after in pairs:
            if after:
                if not any(key == after[0] for key, _ in session.undo):
                    session.undo.append((after[0], None))
                self.table[after[0]] = after
        session.locked |= {row[0] for pair in pairs for row in pair if row}

    def _told(self, before: Row | None, after: Row | None) -> list[tuple[str, Row]]:
        """Labels and rows of the events for one row's change."""
        if not before:
            return [("INSERT", after)]
        if not after:
            return [("DELETE", before)]
        if before[0] != after[0] and self.key_change_as == "DELETE":
            return [("DELETE", before), ("INSERT", after)]
        if before[0] != after[0] or self.update_as == "halves":
            return [("UPDATE-DELETE", before), ("UPDATE-INSERT", after)]
        return [(self.update_as, after)]

    def _at_once(self, pairs: list[tuple]) -> bool:
        """Rows at one position: of a MySQL statement, or written at once by PostgreSQL."""
        rows_written = self.system == "postgresql" and not any(before for before, _ in pairs)
        return self.system == "mysql" or rows_written

    def _method(self, undone: bool) -> str:
        if undone and self.system == "oracle":
            return "oracle-supplementation"
        by = {"mysql": "-binlog", "oracle": "-logminer"}
        return f"{self.system}-cdc" + by.get(self.system, "-logbased" if self.undoes else "")

    def _next_statement(self) -> None:
        self.clock += self.random.randint(0, 3000)
        self.position += self.random.randint(1, 5000)
        if self.random.random() < 0.1:
            self.file, self.position = self.file + 1, 4

    def _next_row(self) -> None:
        """A row's position in the redo log: many at one scn; a later one may be in another thread's
        log, whose numbers are lower. For other systems the next number."""
        self.lsn += self.random.choice([1, 8, 0x148, 0x10000, 0x1000000])
        step = self.random.choice([0, 0, 1, 7])
        self.scn += step
        if step:
            self.rs_id = [self.random.randint(1, 0xFFFFF), self.random.randint(1, 0xFFFF), 16]
            self.ssn = self.random.choice([0, 9])
        elif self.random.random() < 0.5:
            self.rs_id[1] += self.random.randint(1, 20)
            self.ssn = 0
        else:
            self.ssn += 1

    def _place(self) -> dict:
        if self.system == "mysql":
            return {"log_file": f"mysql-bin.{self.file:06}", "log_position": self.position}
        if self.system == "postgresql":
            return {"lsn": f"{self.lsn >> 32:X}/{self.lsn & 0xFFFFFFFF:X}"}
        if self.system == "sqlserver":
            digits = f"{self.lsn:020x}"
            return {"lsn": f"{digits[:8]}:{digits[8:16]}:{digits[16:]}"}
        first, second, third = self.rs_id
        rs_id = f"0x{first:06x}.{second:08x}.{third:04x}"
        return {"scn": self.scn, "rs_id": rs_id, "ssn": self.ssn}

    def _mark(self) -> None:
        """What the table holds while no transaction is open; the log goes on after it."""
        self._next_statement()
        self.position += 1
        self.scn += 1
        self.lsn += 1
        place = {
            "mysql": (self.file, self.position),
            "oracle": (self.scn, 0, 0, 0, 0),
        }.get(self.system, (self.lsn,))
        self.marks.append((place, self.rows()))
        self.scn += 1

    def _backfill(self) -> None:
        """Reads every committed row."""
        method = self.random.choice(
            {
                "mysql": ["mysql-backfill-incremental", "mysql-backfill-fulldump"],
            }.get(self.system, [f"{self.system}-backfill"])
        )
        for row in list(self.committed.values()):
            self.clock += 1
            self._send(method, "INSERT", row, None, None)

    def _send(self, method, change, row, place, session) -> None:
        metadata = {"table": "made_up", "change_type": change}
        if self.system != "postgresql":
            metadata["database"] = "laws"
        metadata["is_deleted"] = change.endswith("DELETE")
        metadata |= self._metadata(row, session)
        keys = [self.clock, *(place.values() if place else NOWHERE.get(self.system, ()))]
        if self.has_place or not place:
            metadata |= place or self._no_place()
        event = {
            "stream_name": f"projects/acme/locations/eu/streams/{self.system}",
            "read_method": method,
            "object": "made_up",
            "schema_key": "9f1c",
            "uuid": self._uuid(session),
            "read_timestamp": self._time(self.clock + 1500),
            "source_timestamp": self._time(self.clock - self.clock % 1000),
            "source_metadata": metadata,
            "payload": dict(zip(COLUMNS[self.system], self._literals(row), strict=True)),
        }
        if self.has_keys and (place or self.system != "oracle"):
            event["sort_keys"] = keys
        self.events.append(event)

    def _metadata(self, row: Row, session: Session | None) -> dict:
        """The fields of each system in source_metadata, apart from the position."""
        if self.system == "mysql":
            return {"primary_keys": ["id"]}
        if self.system == "oracle":
            tx_id = f"{session.number:04X}" if session else ""
            return {"schema": "LAWS", "row_id": f"AAAPwRAALAAMz{row[0]:05}", "tx_id": tx_id}
        if self.system == "postgresql":
            tx_id = 363_552 + session.number if session else None
            return {"schema": "public", "tx_id": tx_id, "primary_keys": ["id"]}
        tx_id = f"0000:{session.number:08x}" if session else None
        place = [1, 300 + row[0] // 8, row[0] % 8]
        return {"schema": "dbo", "tx_id": tx_id, "physical_location": place} | {
            self.key_told_in: ["id"]
        }

    def _no_place(self) -> dict:
        """For a row that a backfill read."""
        return {"mysql": {"log_file": "", "log_position": 0}, "oracle": {}}.get(
            self.system, {"lsn": None}
        )

    def _uuid(self, session: Session | None) -> str:
        """A unique id, in random order; if all of a transaction is at one position, they count
        up."""
        number = self.log * 10**6 + len(self.events)
        if self.of_commit and session:
            scattered = (self.log * 10**6 + session.number) * SCATTER % 2**96
            return str(UUID(int=(scattered << 32) + len(self.events)))
        return str(UUID(int=number * SCATTER % 2**128))

    def _time(self, millis: int) -> int | str:
        if self.in_millis:
            return millis
        seconds, fraction = divmod(millis - BEGIN, 1000)
        text = f"2024-02-01T{8 + seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
        return f"{text}.{fraction:03}Z" if fraction else text

    # --- rows -----------------------------------------------------------------------------------

    def _literals(self, row: Row) -> list:
        """As the unified types have them: a date of MySQL and Oracle as midnight, an Oracle key as
        text, a decimal of the others as a number."""
        key, label, amount, day = row
        if self.system == "oracle":
            return [str(key), label, amount, day and f"{day}T00:00:00"]
        if self.system == "mysql":
            return [key, label, amount, day and f"{day}T00:00:00Z"]
        return [key, label, amount and float(amount), day]

    def _values(self, key: int) -> Row:
        """No two rows are equal, so a row that moves in differs from the one that moves out."""
        self.numbers += 1
        label = f"label {self.numbers} é☃'\"\\ {{{{ x }}}}"
        return key, label, self.random.choice(AMOUNTS), self.random.choice(DAYS)

    def _free_key(self, session: Session) -> int | None:
        """A key that no row has and no other session has touched. There are few, so keys return."""
        taken = self._taken(session)
        for _ in range(8):
            key = self.log * KEYS_OF_A_LOG + self.random.randint(1, 9)
            if key not in taken and key not in self.table:
                return key
        return None

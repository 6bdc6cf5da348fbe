"""A small database and Google Datastream reading it, both made up: what it holds is the truth.

    database = Database(Random(7), "oracle", log=0)
    database.work(steps=40)
    database.events    # in the order Datastream wrote them
    database.rows()    # what the table holds in the end
    database.marks     # what it held on the way: [(place, rows)], once all backfills had read

The rows of before the stream are told by a backfill alone, which reads while the log goes on; its
rows have no place, whatever they already show. An update is told as UPDATE-INSERT, as UPDATE or in
two halves, a key change in halves. MySQL writes what is committed, the rows of a statement at one
place; Oracle each row as it is changed, and what is rolled back is followed by its inverse. Written
from "Events and streams"; nothing of it is shared with the macros or with tests/oracle.

Many databases may share one object, each a log of its own number: keys and places lie apart.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from uuid import UUID

KEYS_OF_A_LOG = 10_000
COLUMNS = {
    "mysql": {"id": "int", "label": "varchar(40)", "n": "decimal(10,2)", "d": "date"},
    "oracle": {"ID": "number(10)", "LABEL": "varchar2(40)", "N": "number(10,2)", "D": "date"},
}
AMOUNTS = [None, "0.00", "-1.50", "99999999.99"]
DAYS = [None, "1970-01-01", "2024-02-29", "9999-12-31"]
BEGIN = 1_706_774_400_000  # 2024-02-01T08:00:00Z

SCATTER = 0x9E3779B97F4A7C15F39CC0605CEDC835

Row = tuple  # of the columns' values: number, texts


@dataclass
class Session:
    """`undo`: (key, row before) of its changes, the last one last; None where there was no row."""

    number: int
    undo: list[tuple[int, Row | None]] = field(default_factory=list)
    locked: set[int] = field(default_factory=set)


class Database:
    """See the module. The same `random` makes the same database under any number of its log."""

    def __init__(self, random: Random, system: str, log: int = 0):
        self.random, self.system, self.log = random, system, log
        self.table: dict[int, Row] = {}  # as the log has it, work that is not committed included
        self.committed: dict[int, Row] = {}
        self.sessions: list[Session] = []
        self.events: list[dict] = []
        self.marks: list[tuple[tuple, list[Row]]] = []
        self.numbers = 0
        self.clock = BEGIN
        self.file, self.position = 1000 * log + random.choice([1, 98, 999]), 4
        self.scn, self.rs_id, self.ssn = 10**9 * (log + 1), [1, 1, 16], 0
        # what this stream's records look like
        self.has_keys = random.random() < 0.7
        self.has_place = not self.has_keys or random.random() < 0.7
        self.in_millis = random.random() < 0.3
        self.update_as = random.choice(["UPDATE-INSERT", "UPDATE-INSERT", "UPDATE", "halves"])

    # --- a day's work ---------------------------------------------------------------------------

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
        if not self.sessions or (self.system == "oracle" and len(self.sessions) < 3):
            self.numbers += 1
            self.sessions.append(Session(self.numbers))
        session = self.random.choice(self.sessions)
        for _ in range(self.random.choice([1, 1, 2, 4])):
            self._write(session)
        if self.system == "mysql" or self.random.random() < 0.6:
            self._end(session)
        if not self.sessions:
            self._mark()

    def _end(self, session: Session) -> None:
        """Commit; of Oracle also the work taken back, the last first."""
        self.sessions.remove(session)
        if self.system == "oracle" and self.random.random() < 0.25:
            for key, before in reversed(session.undo):
                now = self.table.get(key)
                self._log([(now, before)] if before else [(now, None)], session, undone=True)
        else:
            for key, _ in session.undo:
                self.committed[key] = self.table.get(key)
        self.committed = {key: row for key, row in self.committed.items() if row}

    def _write(self, session: Session) -> None:
        taken = {key for other in self.sessions if other is not session for key in other.locked}
        free = [key for key in self.table if key not in taken]
        chance = self.random.random()
        if chance < 0.3 or not free:
            key = self._free_key(session)
            if key:
                self._log([(None, self._values(key))], session)
        elif chance < 0.55:
            row = self.table[self.random.choice(free)]
            changed = row if self.random.random() < 0.2 else self._values(row[0])
            self._log([(row, changed)], session)
        elif chance < 0.75:
            row = self.table[self.random.choice(free)]
            self._log([(row, None)], session)
            if self.random.random() < 0.4:  # the same key begins another life
                self._log([(None, self._values(row[0]))], session)
        elif chance < 0.9:
            self._move(session, [self.random.choice(free)], [])
        elif len(free) > 1:
            some = self.random.sample(free, min(len(free), self.random.choice([2, 3])))
            self._move(session, some, some[1:])

    def _move(self, session: Session, keys: list[int], onto: list[int]) -> None:
        """One statement: each row to the next one's key, the last to a free one or the first's."""
        last = self._free_key(session)
        if onto and (last is None or self.random.random() < 0.5):
            last = keys[0]
        if last is None:
            return
        rows = [self.table[key] for key in keys]
        pairs = [(row, (key, *row[1:])) for row, key in zip(rows, [*onto, last], strict=True)]
        self._log(pairs, session)

    # --- what is written to the log -------------------------------------------------------------

    def _log(self, pairs: list[tuple], session: Session, undone: bool = False) -> None:
        """One statement: pairs of a row before and after, None where there is none."""
        method = f"{self.system}-cdc-" + {"mysql": "binlog", "oracle": "logminer"}[self.system]
        if undone:
            method = "oracle-supplementation"
        self._next_statement()
        for before, after in pairs:
            if self.system == "oracle":
                self._next_row()
            if not before:
                told = [("INSERT", after)]
            elif not after:
                told = [("DELETE", before)]
            elif before[0] != after[0] or self.update_as == "halves":
                told = [("UPDATE-DELETE", before), ("UPDATE-INSERT", after)]
            else:
                told = [(self.update_as, after)]
            for change, row in told:
                self._send(method, change, row, self._place(), session)
        for key in {before[0] for before, _ in pairs if before}:
            session.undo.append((key, self.table.pop(key)))
        for _, after in pairs:
            if after:
                if not any(key == after[0] for key, _ in session.undo):
                    session.undo.append((after[0], None))
                self.table[after[0]] = after
        session.locked |= {row[0] for pair in pairs for row in pair if row}

    def _next_statement(self) -> None:
        self.clock += self.random.randint(0, 3000)
        self.position += self.random.randint(1, 5000)
        if self.random.random() < 0.1:
            self.file, self.position = self.file + 1, 4

    def _next_row(self) -> None:
        """A row's place in the redo log: many at one scn; a later one may be in another thread's
        log, whose numbers are lower."""
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
        first, second, third = self.rs_id
        rs_id = f"0x{first:06x}.{second:08x}.{third:04x}"
        return {"scn": self.scn, "rs_id": rs_id, "ssn": self.ssn}

    def _mark(self) -> None:
        """What the table holds while nothing is open; the log goes on behind it."""
        self._next_statement()
        self.position += 1
        self.scn += 1
        place = (self.file, self.position) if self.system == "mysql" else (self.scn, 0, 0, 0, 0)
        self.marks.append((place, self.rows()))
        self.scn += 1

    def _backfill(self) -> None:
        """Reads every committed row."""
        method = self.random.choice(
            {
                "mysql": ["mysql-backfill-incremental", "mysql-backfill-fulldump"],
                "oracle": ["oracle-backfill"],
            }[self.system]
        )
        for row in list(self.committed.values()):
            self.clock += 1
            self._send(method, "INSERT", row, None, None)

    def _send(self, method, change, row, place, session) -> None:
        metadata = {"table": "made_up", "database": "laws", "change_type": change}
        metadata["is_deleted"] = change.endswith("DELETE")
        if self.system == "mysql":
            metadata["primary_keys"] = ["id"]
        else:
            metadata |= {"schema": "LAWS", "row_id": f"AAAPwRAALAAMz{row[0]:05}"}
            metadata["tx_id"] = f"{session.number:04X}" if session else ""
        keys = [self.clock, *(place.values() if place else ("", 0))]
        if self.has_place or not place:
            metadata |= (
                place or {"mysql": {"log_file": "", "log_position": 0}, "oracle": {}}[self.system]
            )
        event = {
            "stream_name": f"projects/acme/locations/eu/streams/{self.system}",
            "read_method": method,
            "object": "made_up",
            "schema_key": "9f1c",
            # each its own, in an order that tells nothing
            "uuid": str(UUID(int=(self.log * 10**6 + len(self.events)) * SCATTER % 2**128)),
            "read_timestamp": self._time(self.clock + 1500),
            "source_timestamp": self._time(self.clock - self.clock % 1000),
            "source_metadata": metadata,
            "payload": dict(zip(COLUMNS[self.system], self._literals(row), strict=True)),
        }
        if self.has_keys and (place or self.system == "mysql"):
            event["sort_keys"] = keys
        self.events.append(event)

    def _time(self, millis: int) -> int | str:
        if self.in_millis:
            return millis
        seconds, fraction = divmod(millis - BEGIN, 1000)
        text = f"2024-02-01T{8 + seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
        return f"{text}.{fraction:03}Z" if fraction else text

    # --- rows -----------------------------------------------------------------------------------

    def _literals(self, row: Row) -> list:
        """As the unified types have them: a date as midnight, an Oracle key as text."""
        key, label, amount, day = row
        if self.system == "oracle":
            return [str(key), label, amount, day and f"{day}T00:00:00"]
        return [key, label, amount, day and f"{day}T00:00:00Z"]

    def _values(self, key: int) -> Row:
        """No two rows are alike: one that moves in must be told from the one that moves out."""
        self.numbers += 1
        label = f"label {self.numbers} é☃'\"\\ {{{{ x }}}}"
        return key, label, self.random.choice(AMOUNTS), self.random.choice(DAYS)

    def _free_key(self, session: Session) -> int | None:
        """A key no row has and no other session has touched; few there are, so that they return."""
        taken = {key for other in self.sessions if other is not session for key in other.locked}
        for _ in range(8):
            key = self.log * KEYS_OF_A_LOG + self.random.randint(1, 9)
            if key not in taken and key not in self.table:
                return key
        return None

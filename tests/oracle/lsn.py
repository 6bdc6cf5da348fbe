"""Log positions of SQL Server and Db2: log sequence numbers, `00000027:00000ac0:0007`."""

from typing import NamedTuple


class SqlServerPlace(NamedTuple):
    """LSN of the commit, LSN of the change, serial number; zeros where a snapshot has none."""

    commit: int
    change: int
    serial: int

    @property
    def text(self) -> str:
        """As the models write it: `00000027000007580005.00000027000007580003.000…1`."""
        return f"{self.commit:020x}.{self.change:020x}.{self.serial:019d}"


class Db2Place(NamedTuple):
    """LSN of the commit, LSN of the change; zeros where a snapshot has none."""

    commit: int
    change: int

    @property
    def text(self) -> str:
        """As the models write it: `00000000000000000000000000031e15.00000000…`."""
        return f"{self.commit:032x}.{self.change:032x}"


def sqlserver_position(source: dict, transaction: dict) -> SqlServerPlace:
    commit, change = (_read(source.get(name), 4) for name in ("commit_lsn", "change_lsn"))
    return SqlServerPlace(commit, change, int(source.get("event_serial_no") or 0))


def db2_position(source: dict, transaction: dict) -> Db2Place:
    return Db2Place(*(_read(source.get(name), 16) for name in ("commit_lsn", "change_lsn")))


def place_of_text(text: str) -> SqlServerPlace | Db2Place:
    """The position whose `text` this is."""
    commit, change, *serial = text.split(".")
    if serial:
        return SqlServerPlace(int(commit, 16), int(change, 16), int(serial[0]))
    return Db2Place(int(commit, 16), int(change, 16))


def transaction_of(source: dict, transaction: dict) -> str | None:
    return transaction.get("id") or source.get("commit_lsn")


def _read(text: str | None, last: int) -> int:
    """Three hexadecimal numbers as one; the last has this many digits."""
    if not text:
        return 0
    file, block, slot = (int(part, 16) for part in text.split(":"))
    return (file << 32 | block) << 4 * last | slot

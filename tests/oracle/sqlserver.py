"""What is peculiar to SQL Server: places in the log of a database, and values as `convert` prints
them. Names of types are those of `spec.SQLSERVER_ALIASES`."""

from __future__ import annotations

from typing import NamedTuple

from tests.oracle import pgtext

# What three moments become in nanoseconds, of which a long holds but 1677 to 2262.
WRAPPED = {
    -4852202631933722624: "9999-12-31 00:00:00",
    -4852116231933722724: "9999-12-31 23:59:59.9999999",
    -6795364578871345152: "0001-01-01 00:00:00",
}


class Place(NamedTuple):
    """LSN of the commit, LSN of the change, serial number; zeros where a snapshot has none."""

    commit: int
    change: int
    serial: int

    @property
    def text(self) -> str:
        """As the models write it: `00000027:00000758:0005.00000027:00000758:0003.000…1`."""
        return f"{_lsn_text(self.commit)}.{_lsn_text(self.change)}.{self.serial:019d}"


def position(source: dict, transaction: dict) -> Place:
    commit, change = (_lsn(source.get(name)) for name in ("commit_lsn", "change_lsn"))
    return Place(commit, change, int(source.get("event_serial_no") or 0))


def _lsn(text: str | None) -> int:
    return int(text.replace(":", ""), 16) if text else 0


def _lsn_text(number: int) -> str:
    digits = f"{number:020x}"
    return f"{digits[:8]}:{digits[8:16]}:{digits[16:]}"


def transaction_of(source: dict, transaction: dict) -> str | None:
    return transaction.get("id") or source.get("commit_lsn")


def _datetime2(literal, kind, settings) -> str:
    """More than six digits come as nanoseconds, of which SQL Server has hundreds."""
    if settings["time_precision_mode"] == "connect":
        return pgtext.print_timestamp(literal * 1000)
    if kind.args[0] <= 6:
        return pgtext.print_timestamp(literal * 1000 if kind.args[0] <= 3 else literal)
    if literal in WRAPPED:
        return WRAPPED[literal]
    micros, below = divmod(literal, 1000)
    text = pgtext.print_timestamp(micros)
    if not below:
        return text
    digits = f"{micros % 1_000_000:06d}{below:03d}".rstrip("0")
    return text.partition(".")[0] + "." + digits


def _time(literal, kind, settings) -> str:
    if settings["time_precision_mode"] == "connect" or kind.args[0] <= 3:
        return pgtext.print_time(literal * 1000)
    if kind.args[0] <= 6:
        return pgtext.print_time(literal)
    micros, below = divmod(literal, 1000)
    text = pgtext.print_time(micros)
    if not below:
        return text
    return text.partition(".")[0] + "." + f"{micros % 1_000_000:06d}{below:03d}".rstrip("0")


DECODERS = {"sqlserver datetime2": _datetime2, "sqlserver time": _time}

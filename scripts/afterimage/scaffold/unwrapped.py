"""What rows without envelopes show about the transformation that removed the envelopes
(ExtractNewRecordState): the fields and headers it added, and how it writes deletes."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from afterimage.scaffold import known

PREFIX = "__"
OWN_HEADERS = "__debezium."  # the connector's
DELETED = "__deleted"
OPERATIONS = set(known.OPERATIONS) - {"t"}  # it drops truncates
ENVELOPE = ("op", "ts_ms", "ts_us", "ts_ns")
TRANSACTION = ("id", "total_order", "data_collection_order")
SOURCE = (
    *("version", "connector", "name", "ts_ms", "ts_us", "ts_ns", "snapshot", "db", "sequence"),
    *("schema", "table", "txId", "lsn", "xmin", "origin", "origin_lsn"),
    *("server_id", "gtid", "file", "pos", "row", "thread", "query"),
    *("scn", "commit_scn", "txSeq", "lcr_position", "rs_id", "ssn", "redo_thread", "user_name"),
    *("row_id", "change_lsn", "commit_lsn", "event_serial_no"),
    *("rs", "collection", "ord", "lsid", "txnNumber"),
)
# Fields that only one connector writes.
PLACES = {
    "lsn": "postgresql",
    "scn": "oracle",
    "event_serial_no": "sqlserver",
    "ord": "mongodb",
}


@dataclass
class Added:
    """Added names in order: name in the record → field as in add.fields."""

    prefix: str = PREFIX
    paths: dict[str, str] = field(default_factory=dict)

    def name_of(self, *paths: str) -> str | None:
        """The name in the record of the first existing field."""
        return next(
            (name for path in paths for name, is_ in self.paths.items() if is_ == path), None
        )


def added(names: Iterable[str], texts: dict[str, set[str]]) -> Added:
    """The names that the transformation added.

    In: the names in order; the texts seen under each. The operation reveals a prefix other than the
    default: a name that ends in `op`, holds only operations, and has a sign before it or another
    such field next to it: `shop` is a column.
    """
    names = [name for name in names if not name.startswith(OWN_HEADERS)]
    found = _with(names, PREFIX)
    if found.paths:
        return found
    others = [
        _with(names, name.removesuffix("op"))
        for name in names
        if name.endswith("op") and name != "op" and texts.get(name, {""}) <= OPERATIONS
    ]
    sure = [each for each in others if len(each.paths) > 1 or not each.prefix[-1].isalnum()]
    return max(sure, key=lambda each: len(each.paths), default=found)


def _with(names: list[str], prefix: str) -> Added:
    return Added(prefix, {name: path for name in names if (path := _path(name, prefix))})


def _path(name: str, prefix: str) -> str | None:
    if not name.startswith(prefix) or name == DELETED:
        return None
    bare = name.removeprefix(prefix)
    if bare in (*ENVELOPE, *TRANSACTION, *SOURCE):
        return bare
    struct, _, rest = bare.partition("_")
    is_known = rest in {"source": SOURCE, "transaction": TRANSACTION}.get(struct, ())
    return f"{struct}.{rest}" if is_known else None


def delete_mode(is_rewritten: bool, has_empty: bool) -> str:
    """delete.tombstone.handling.mode, as far as its records show it."""
    if is_rewritten:
        return "rewrite-with-tombstone" if has_empty else "rewrite"
    return "tombstone"


def names_in_schema(schema: dict | None) -> tuple[str, str, str] | None:
    """Prefix, schema and table from the name of a row's schema block: `pg1.shop.orders.Value`."""
    found = re.fullmatch(r"(.+)\.([^.]+)\.([^.]+)\.Value", str((schema or {}).get("name") or ""))
    return found.groups() if found else None

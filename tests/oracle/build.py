"""Records written by hand, for tests, in the shortest form.

table = small_table(full=True) stream = Stream("t") stream.change("c", {"id": 1, "v": "a"}, lsn=10,
tx=1)
"""

import json

from tests.oracle.records import Record, record_from
from tests.oracle.spec import Spec, build_spec


def small_spec(key=("id",), full: bool = False, columns: dict | None = None, **settings) -> Spec:
    """A spec of one table `t` on topic `t`."""
    return build_spec(
        {
            "settings": settings,
            "tables": {
                "t": {
                    "topic": "t",
                    "key": list(key),
                    "replica_identity": "full" if full else "default",
                    "columns": columns or {"id": "int", "v": "text"},
                }
            },
        }
    )


class Stream:
    """Collects records of topic `t`; offsets count up, `total_order` counts within `tx` (unless
    `metadata` is off, as provide.transaction.metadata=false leaves it)."""

    def __init__(self, key: tuple[str, ...] = ("id",), metadata: bool = True):
        self.key = key
        self.metadata = metadata
        self.records: list[Record] = []
        self.orders: dict[int, int] = {}

    def change(self, op: str, after=None, before=None, *, lsn: int, tx: int, **headers) -> Record:
        """One event; `oldkey={...}` or `newkey={...}` become the headers of a key change."""
        self.orders[tx] = self.orders.get(tx, 0) + 1
        streamed = op != "r"
        row = after or before or {}
        return self.add(
            key={column: row[column] for column in self.key} if self.key and row else None,
            value={
                "before": before,
                "after": after,
                "op": op,
                "source": {"lsn": lsn, "txId": tx, "snapshot": "false" if streamed else "true"},
                "transaction": {"id": f"{tx}:{lsn}", "total_order": self.orders[tx]}
                if streamed and self.metadata
                else None,
            },
            headers={f"__debezium.{name}": json.dumps(key) for name, key in headers.items()},
        )

    def tombstone(self, key: dict) -> Record:
        return self.add(key=key, value=None, headers={})

    def add(self, key, value, headers) -> Record:
        fields = {"topic": "t", "partition": 0, "offset": len(self.records)}
        record = record_from({**fields, "key": key, "value": value, "headers": headers})
        self.records.append(record)
        return record

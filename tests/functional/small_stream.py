"""A stream of a few records that has most of what can happen: a key updated and one deleted, equal
rows of a table without a key, redelivery, late changes, a broken line, a tombstone.

project = build(spark, folder, name)
for part in PARTS:                  # three deliveries
    project.land(part)
    project.run("run")
contents(project)                   # all that a reader sees
"""

from pathlib import Path

from tests.functional.project import Project

COLUMNS = {"id": "int", "note": "text"}
TABLES = {
    "keyed": {"topic": "t.p.keyed", "key": ["id"], "columns": COLUMNS},
    "bag": {"topic": "t.p.bag", "key": [], "replica_identity": "full", "columns": COLUMNS},
}


def record(table: str, offset: int, lsn: int, op: str, before=None, after=None, run="A") -> dict:
    def image(row):
        return row and {"id": row[0], "note": row[1]}

    value = {
        "op": op,
        "before": image(before),
        "after": image(after),
        "source": {"lsn": lsn, "ts_ms": 1700000000000 + lsn, "txId": lsn, "snapshot": "false"},
    }
    headers = {"__debezium.context.runId": run}
    return {
        "topic": f"t.p.{table}",
        "partition": 0,
        "offset": offset,
        "value": value,
        "headers": headers,
    }


def keyed(offset, lsn, op, after=None, before=None):
    return record("keyed", offset, lsn, op, before, after)


def bag(offset, lsn, op, after=None, before=None, run="A"):
    return record("bag", offset, lsn, op, before, after, run)


BROKEN = {"topic": "t.p.keyed", "partition": 0, "offset": 90, "value": '{"op":'}
TOMBSTONE = {"topic": "t.p.bag", "partition": 0, "offset": 90, "value": None}
FIRST = [
    keyed(0, 100, "c", (1, "a")),
    keyed(1, 110, "c", (2, "b")),
    bag(0, 100, "c", (7, "x")),
    bag(1, 100, "c", (7, "x")),  # COPY: equal rows at one position
    BROKEN,
]
SECOND = [
    keyed(2, 200, "u", (1, "B")),
    keyed(3, 300, "d", before=(2, None)),
    keyed(4, 110, "c", (2, "b")),  # redelivered
    bag(2, 200, "c", (7, "x")),
    bag(3, 100, "c", (7, "x"), run="B"),  # a later read of the two equal rows, and a third
    bag(4, 100, "c", (7, "x"), run="B"),
    bag(5, 100, "c", (7, "x"), run="B"),
    bag(6, 300, "u", (8, "y"), before=(7, "x")),
    TOMBSTONE,
]
THIRD = [
    keyed(5, 150, "u", (1, "B")),  # late: superseded by 200
    bag(7, 250, "c", (8, "y")),
]
PARTS = [FIRST, SECOND, THIRD]


def build(spark, folder: Path, name: str) -> Project:
    return Project(
        folder / name,
        spark,
        "s",
        {"connector": "postgresql", "topic_prefix": "t"},
        {table: dict(contract) for table, contract in TABLES.items()},
        schema=name,
        landing=f"{name}_landing.events",
        # the second delivery is appended to one current state and rewrites the other
        model_config={"+replaced_share": 1},
    )


def contents(project: Project) -> dict[str, list]:
    """All that a reader sees, without batch numbers."""
    found = {}
    for table in TABLES:
        for layer in ("stg", "hist", "cur"):
            rows = project.rows(f"{layer}_s__{table}")
            # the order among equal rows is not guaranteed
            hidden = {"_cdc_batch"} | ({"_cdc_event_id"} if table == "bag" else set())
            found[f"{layer} {table}"] = sorted(
                str({k: v for k, v in row.items() if k not in hidden}) for row in rows
            )
    found["counts"] = sorted(project.counts().items(), key=str)
    return found

"""Law of crash: a run killed at any statement, then run again, ends in the same state.

The kill is an error raised at the n-th writing statement and at every statement after it, as when
the process is gone; `torn` kills after an insert of which only a part of the files is left. Then
more records land, late ones among them, and one whole run follows.
"""

from __future__ import annotations

import contextlib
import random
import re
from pathlib import Path

import pytest
from dbt.adapters.spark import session

from tests.functional.conftest import drop
from tests.functional.project import DbtFailed, Project

WRITES = re.compile(
    r"\s*(/\*.*?\*/)?\s*(--[^\n]*\n\s*)*(create|insert|alter|drop|merge)\b", re.S | re.I
)
# Statements one run of the project below writes at the most; a test holds it.
STATEMENTS = 62
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
    bag(1, 100, "c", (7, "x")),  # COPY: equal rows at one place
    BROKEN,
]
SECOND = [
    keyed(2, 200, "u", (1, "B")),
    keyed(3, 300, "d", before=(2, None)),
    keyed(4, 110, "c", (2, "b")),  # delivered again
    bag(2, 200, "c", (7, "x")),
    bag(3, 100, "c", (7, "x"), run="B"),  # a later reading of the two equal rows, and a third
    bag(4, 100, "c", (7, "x"), run="B"),
    bag(5, 100, "c", (7, "x"), run="B"),
    bag(6, 300, "u", (8, "y"), before=(7, "x")),
    TOMBSTONE,
]
THIRD = [
    keyed(5, 150, "u", (1, "B")),  # late: what 200 said is no news any more
    bag(7, 250, "c", (8, "y")),
]


@contextlib.contextmanager
def killed_at(number: int, torn: Path | None = None):
    """Statements from the `number`-th write on are not carried out; out: a list of the writes.

    torn: the warehouse; the write itself is then carried out, but for one of the files it made.
    """
    execute = session.Cursor.execute
    written: list[str] = []

    def dying(cursor, sql, *parameters):
        if WRITES.match(sql):
            written.append(sql)
        if len(written) < number:
            return execute(cursor, sql, *parameters)
        if torn and len(written) == number and not getattr(dying, "done", False):
            dying.done = True
            before = set(torn.rglob("part-*.parquet"))
            execute(cursor, sql, *parameters)
            made = sorted(set(torn.rglob("part-*.parquet")) - before)
            if len(made) > 1 and "insert" in sql:
                made[0].unlink()
        raise RuntimeError("killed")

    session.Cursor.execute = dying
    try:
        yield written
    finally:
        session.Cursor.execute = execute


def build(spark, folder: Path, name: str) -> Project:
    return Project(
        folder / name,
        spark,
        "s",
        {"connector": "postgresql", "topic_prefix": "t"},
        {table: dict(contract) for table, contract in TABLES.items()},
        schema=name,
        landing=f"{name}_landing.events",
    )


def contents(project: Project) -> dict[str, list]:
    """All that a reader sees, without the numbers of batches."""
    found = {}
    for table in TABLES:
        for layer in ("stg", "hist", "cur"):
            rows = project.rows(f"{layer}_s__{table}")
            # which of several equal rows is which is nobody's promise
            hidden = {"_cdc_batch", "_cdc_bucket"} | (
                {"_cdc_event_id"} if table == "bag" else set()
            )
            found[f"{layer} {table}"] = sorted(
                str({k: v for k, v in row.items() if k not in hidden}) for row in rows
            )
    found["counts"] = sorted(project.counts().items(), key=str)
    return found


@pytest.fixture(scope="module")
def unharmed(spark, tmp_path_factory):
    """What stands when nothing is killed."""
    project = build(spark, tmp_path_factory.mktemp("unharmed"), "unharmed")
    for part in (FIRST, SECOND, THIRD):
        project.land(part)
        with killed_at(10**6) as written:
            project.run("run")
        assert 10 < len(written) <= STATEMENTS, len(written)
    yield contents(project)
    drop(spark, project)


def test_what_is_expected_itself(unharmed):
    assert len(unharmed["cur keyed"]) == 1 and "'note': 'B'" in unharmed["cur keyed"][0]
    # three equal rows at 100, one at 200, one of them updated; one more of the updated kind
    assert len(unharmed["cur bag"]) == 5
    assert len(unharmed["hist keyed"]) == 3


def cases() -> list:
    """Every statement of the first and of a later run; a seeded few of them in CI."""
    every = [(run, n, torn) for run in (1, 2) for n in range(1, STATEMENTS) for torn in (0, 1)]
    chosen = set(random.Random(4).sample(every, 2))
    return [pytest.param(*case, marks=() if case in chosen else pytest.mark.slow) for case in every]


@pytest.mark.parametrize(("run", "number", "torn"), cases())
def test_a_killed_run_leaves_no_trace(run, number, torn, unharmed, spark, tmp_path):
    project = build(spark, tmp_path, "crash")
    warehouse = Path(spark.conf.get("spark.sql.warehouse.dir").removeprefix("file:"))
    try:
        project.land(FIRST)
        if run == 2:
            project.run("run")
            project.land(SECOND)
        killed = killed_at(number, warehouse / "crash.db" if torn else None)
        with killed as written, contextlib.suppress(DbtFailed):
            project.run("run")
        if len(written) < number:
            pytest.skip(f"the run has {len(written)} writing statements")
        project.land(([] if run == 2 else SECOND) + THIRD)
        project.run("run")
        assert contents(project) == unharmed, written[number - 1]
    finally:
        drop(spark, project)

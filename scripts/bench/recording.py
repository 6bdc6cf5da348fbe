"""What dbt sends to Spark: each statement, what it costs, and how many there are."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from bench.measure import Cost, spent

WRITES = re.compile(
    r"\s*(?:/\*.*?\*/|--[^\n]*\n|\s)*(insert|merge|create|alter|drop)\b", re.S | re.I
)


@dataclass
class Statement:
    """One statement and what it has cost until its rows were fetched."""

    sql: str
    cost: Cost = field(default_factory=Cost)

    def __str__(self) -> str:
        words = " ".join(re.sub(r"/\*.*?\*/", "", self.sql, flags=re.S).split())
        return f"{self.cost.cpu_s:7.2f} {self.cost.wall_s:7.2f} {len(self.sql):6} {words[:120]}"


@contextmanager
def recording(cursor: type, with_costs: bool = True) -> Iterator[list[Statement]]:
    """The statements a class of cursors carries out (by `execute` and `fetchall`), as they come.

    To measure the cost of one takes some 10 ms of CPU: with_costs=False only counts them.
    """
    execute, fetchall = cursor.execute, cursor.fetchall
    statements: list[Statement] = []

    def counted(call):
        if not with_costs:
            return call()
        start = spent()
        try:
            return call()
        finally:
            statements[-1].cost += spent() - start

    def execute_counted(self, sql, *parameters):
        statements.append(Statement(sql))
        return counted(lambda: execute(self, sql, *parameters))

    def fetchall_counted(self):
        return counted(lambda: fetchall(self))

    cursor.execute, cursor.fetchall = execute_counted, fetchall_counted
    try:
        yield statements
    finally:
        cursor.execute, cursor.fetchall = execute, fetchall


def counts(statements: list[Statement]) -> dict[str, int]:
    """What was sent, as fields of a measurement."""
    texts = [statement.sql for statement in statements]
    return {
        "statements": len(texts),
        "commits": sum(1 for text in texts if WRITES.match(text)),
        "sql_bytes": sum(len(text.encode()) for text in texts),
        "longest_line": max(len(line) for text in texts for line in text.splitlines()),
    }

"""A Databricks warehouse that runs nothing: it records statements, keeps the properties of tables,
and responds as if three records had arrived and nothing else."""

from __future__ import annotations

import json
import re
from types import SimpleNamespace

import sqlglot

LANDING = ["topic", "partition", "offset", "timestamp", "key", "value", "headers"]
# a warehouse refuses calls into its JVM, and all settings but its own
REFUSED = re.compile(r"^\s*(set|reset|call|add jar)\b|(reflect|java_method)\(", re.I | re.M)
OWNED = re.compile(
    r"(?:create table(?: if not exists)?|alter table|create or replace view)\s+(`\S+`)", re.I
)
PROPERTY = re.compile(r"'(afterimage\.\w+)' = '([^']*)'")


class Warehouse:
    """sent: statements, without dbt's comment, in order."""

    def __init__(self):
        self.sent: list[str] = []
        self.properties: dict[str, dict[str, str]] = {}

    def connect(self, **_) -> SimpleNamespace:
        return SimpleNamespace(
            cursor=lambda: Cursor(self),
            get_session_id_hex=lambda: "session",
            close=lambda: None,
            open=True,
        )

    def answer(self, sql: str) -> tuple[list[str], list[tuple]]:
        """Names of columns, and rows."""
        self.sent.append(sql)
        words = " ".join(re.sub(r"--[^\n]*", "", sql).split())
        if owned := OWNED.match(words):
            self.properties.setdefault(owned[1], {}).update(PROPERTY.findall(words))
        elif dropped := re.match(r"drop \w+(?: if exists)? (`\S+`)", words, re.I):
            self.properties.pop(dropped[1], None)
        elif words.startswith("show tblproperties"):
            return ["key", "value"], [*self.properties.get(words.split()[-1], {}).items()]
        elif words.startswith("DESCRIBE TABLE EXTENDED"):
            columns = [{"name": name, "type": {"name": "string"}} for name in LANDING]
            return ["json_metadata"], [(json.dumps({"columns": columns}),)]
        elif "count the batch" in sql:
            asked = sqlglot.parse_one(words, dialect="databricks").expressions
            lists = ["to_json" in each.sql("databricks").lower() for each in asked[5:-1]]
            row = ("accepted", None, 3, "1", "3", *("[]" if each else 0 for each in lists), 3)
            return [f"c{number}" for number in range(len(row))], [row]
        elif re.match(r"select (\(select )?count", words):
            asked = sqlglot.parse_one(words, dialect="databricks").expressions
            return [f"c{number}" for number in range(len(asked))], [(0,) * len(asked)]
        return ["none"], []


class Cursor:
    """As in databricks.sql, as far as the adapter uses it."""

    query_id = "query"
    active_result_set = None
    rowcount = -1

    def __init__(self, warehouse: Warehouse):
        self.warehouse, self.names, self.rows = warehouse, [], []
        self.connection = SimpleNamespace(get_session_id_hex=str)

    @property
    def description(self) -> list[tuple]:
        return [(name, "string", None, None, None, None, None) for name in self.names]

    def execute(self, sql: str, *_, **__) -> Cursor:
        bare = re.sub(r"/\*.*?\*/", "", sql, flags=re.S).strip()
        self.names, self.rows = self.warehouse.answer(bare)
        return self

    def fetchall(self) -> list[tuple]:
        return self.rows

    def fetchone(self) -> tuple | None:
        return self.rows[0] if self.rows else None

    def fetchmany(self, size: int) -> list[tuple]:
        return self.rows[:size]

    def schemas(self, *_) -> Cursor:
        return self

    def tables(self, *_) -> Cursor:
        return self

    def cancel(self) -> None:
        """Nothing runs."""

    def close(self) -> None:
        """Nothing is held."""

"""The cases of docs/concepts: contracts, records and tables as the pages show them.

A page begins with its contracts, a YAML block of table → contract as in a sources YAML. Each later
section with a table is a case: first the records, then `Change log of`, `History of` and `Current
state`, the first of which may be left out.

Optional columns of a records table: run (the run of the models that reads the record; else the
first two records come in the first run and the rest in the second), partition (else 0), key (the
record's key, else the row's), last commit, snapshot, connector run, headers, tx.
"""

import json
import re
from dataclasses import dataclass
from functools import cached_property

import yaml

from tests.docs.markdown import ROOT, sections, tables
from tests.oracle.postgres import ABSENT, UNKNOWN
from tests.oracle.records import Record, record_from
from tests.oracle.spec import Spec, build_spec
from tests.oracle.spec import Table as SourceTable
from tests.truth.compare import canonical

FOLDER = ROOT / "docs" / "concepts"
NOT_SENT = "__debezium_unavailable_value"
WHOLE_NUMBERS = {"int2", "int4", "int8", "mysql unsigned"}
SPAN = ("from", "to", "ended by", "deleted")


@dataclass(frozen=True)
class Case:
    """A section of a page. `contract` is its table's; the tables are rows of column → text,
    `change_log` None if the section shows none."""

    page: str
    title: str
    name: str
    contract: dict
    landed: list[dict[str, str]]
    change_log: list[dict[str, str]] | None
    history: list[dict[str, str]]
    current: list[dict[str, str]]

    @cached_property
    def spec(self) -> Spec:
        """The oracle's spec; the topic has the table's name."""
        contract = {"topic": self.name, **self.contract}
        return build_spec(
            {
                "connector": contract.get("connector", "postgresql"),
                "settings": contract.get("settings"),
                "tables": {self.name: contract},
            }
        )

    @property
    def is_postgresql(self) -> bool:
        return self.spec.connector == "postgresql"

    @property
    def keeps_deleted(self) -> bool:
        return self.contract.get("deletes") == "flag"

    @property
    def table(self) -> SourceTable:
        return self.spec.tables[self.name]

    @property
    def records(self) -> list[Record]:
        return [self.record(row) for row in self.landed]

    def runs(self) -> list[list[Record]]:
        """The records that each run of the models reads."""
        told = [
            int(row.get("run") or (1 if number < 2 else 2))
            for number, row in enumerate(self.landed)
        ]
        return [
            [record for record, run in zip(self.records, told, strict=True) if run == wanted]
            for wanted in range(1, max(told) + 1)
        ]

    def record(self, row: dict[str, str]) -> Record:
        """A row of the records table as a landed record."""
        place = {
            "topic": self.name,
            "partition": int(row.get("partition") or 0),
            "offset": int(row["offset"]),
        }
        op, _, reported_key = row["op"].partition(": ")
        headers = {}
        if row.get("connector run"):
            headers["__debezium.context.runId"] = row["connector run"]
        if op == "tombstone":
            key = self.key_of(reported_key) if self.table.key else None
            key = json.loads(row["key"]) if row.get("key") else key
            return record_from(place | {"key": key, "value": None, "headers": headers})
        images = {side: self.image(row[side]) for side in ("before", "after")}
        shown = images["after"] or images["before"]
        if row.get("headers"):
            header, _, other = row["headers"].partition(" ")
            headers[f"__debezium.{header}"] = json.dumps(self.key_of(other))
        key = {column: shown[column] for column in self.table.key} if shown else None
        return record_from(
            place
            | {
                "key": json.loads(row["key"]) if row.get("key") else key or None,
                "value": {
                    "op": op,
                    **images,
                    **(_wal if self.is_postgresql else _binary_log)(row, op),
                },
                "headers": headers,
            }
        )

    def image(self, text: str) -> dict | None:
        """`1, Ann, null, nick=A` as a row image: the declared columns in order, then others."""
        if not text:
            return None
        parts = text.split(", ")
        extra = [part.split("=", 1) for part in parts if re.match(r"\w+=[^=]", part)]
        values = [part for part in parts if not re.match(r"\w+=[^=]", part)]
        columns = zip(self.table.columns.items(), values, strict=True)
        return {
            column: self._literal(kind, value)
            for (column, kind), value in columns
            if value != "(absent)"
        } | dict(extra)

    def key_of(self, text: str) -> dict:
        """`1, 2` as a key."""
        return {
            column: self._literal(self.table.columns[column], part)
            for column, part in zip(self.table.key, text.split(", "), strict=True)
        }

    def _literal(self, kind, text: str):
        if text == "null":
            return None
        if text == "(not sent)":
            return NOT_SENT
        if kind.array or kind.name == "bool":
            return json.loads(text)
        return int(text) if kind.name in WHOLE_NUMBERS else "" if text == '""' else text

    # --- rows in a comparable form -----------------------------------------------------------

    def cell(self, column: str, value):
        """A value of the page, the oracle or the models."""
        if column in SPAN or value in ("(unknown)", "null"):
            return value
        if column == "_cdc_extra":
            return json.loads(value) if value else None
        if column == "op":
            return value
        if value in (ABSENT, UNKNOWN):
            return "(unknown)"
        if value is None:
            return "null"
        return canonical(self.table.columns[column], "" if value == '""' else value)

    def comparable(self, rows: list[dict], ordered: bool = False) -> list[tuple]:
        cells = [tuple(self.cell(column, row[column]) for column in row) for row in rows]
        return cells if ordered else sorted(cells, key=repr)


def place_shown(position) -> str:
    """A log position as the pages show it, from the oracle or the models; `3: 484: 1` is file,
    position and row of a binary log."""
    if position is None:
        return ""
    parts = position.split(".") if isinstance(position, str) else position
    if isinstance(parts, int):
        return str(parts)
    return ": ".join(str(int(part)) for part in parts)


def _wal(row: dict[str, str], op: str) -> dict:
    """Source and transaction of PostgreSQL. An incremental snapshot has its position only in
    `sequence`."""
    tx, number = _transaction(row)
    kind = row.get("snapshot") or ("true" if op == "r" else "false")
    lsn = row["lsn"]
    return {
        "source": {
            "lsn": None if kind == "incremental" else int(lsn),
            "txId": int(tx) if tx else None,
            "snapshot": kind,
            "sequence": json.dumps([row.get("last commit") or None, lsn]),
        },
        "transaction": {"id": f"{tx}:{lsn}", "total_order": int(number)} if number else None,
    }


def _binary_log(row: dict[str, str], op: str) -> dict:
    """Source and transaction of MySQL and MariaDB."""
    tx, number = _transaction(row)
    return {
        "source": {
            "file": row["file"],
            "pos": int(row["pos"]),
            "row": int(row.get("row") or 0),
            "gtid": tx or None,
            "snapshot": row.get("snapshot") or ("true" if op == "r" else "false"),
        },
        "transaction": {"id": tx, "total_order": int(number)} if number else None,
    }


def _transaction(row: dict[str, str]) -> tuple[str, str]:
    """`7: 2` → transaction, number in it."""
    told = re.fullmatch(r"(.*?)(?:: (\d+))?", row.get("tx", ""))
    return told[1], told[2] or ""


def contracts_of(text: str) -> dict[str, dict]:
    """The contracts at the start of a page."""
    block = re.search(r"(?ms)^```yaml\n(.*?)^```$", text.split("\n## ", 1)[0])
    return yaml.safe_load(block[1]) if block else {}


def cases_of(page) -> list[Case]:
    """The cases of a page, in order."""
    text = page.read_text(encoding="utf-8")
    contracts, found = contracts_of(text), []
    for title, section in sections(text).items():
        parts = re.split(r"(?m)^(Change log|History|Current state)(?: of `(\w+)`)?.*:$", section)
        if len(parts) == 1:
            continue
        rows = dict(zip(parts[1::3], (tables(part)[0].rows for part in parts[3::3]), strict=True))
        name = next(name for name in parts[2::3] if name)
        found.append(
            Case(
                page=page.stem,
                title=title,
                name=name,
                contract=contracts[name],
                landed=tables(parts[0])[-1].rows,
                change_log=rows.get("Change log"),
                history=rows["History"],
                current=rows["Current state"],
            )
        )
    return found


def pages_of_cases() -> dict[str, list[Case]]:
    """Every page of docs/concepts that contains cases."""
    own_test = {"operator-events", "mongodb"}
    pages = [page for page in sorted(FOLDER.glob("*.md")) if page.stem not in own_test]
    found = {page.stem: cases_of(page) for page in pages}
    return {page: cases for page, cases in found.items() if cases}

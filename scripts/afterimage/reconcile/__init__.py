"""Compare a table with its source: a running database, a file, or a table of the warehouse.

`source_rows` reads the source's rows into a temporary view; the macro reconcile_table compares and
keeps what differs; `closings` writes operator events that end rows the source does not hold.
"""

import json
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from afterimage.counted import counted
from afterimage.errors import UserError
from afterimage.invoke import operation, parse
from afterimage.reconcile.closings import closings
from afterimage.reconcile.narrowed import Narrowed
from afterimage.reconcile.source_rows import (
    VIEW,
    Taken,
    columns_of,
    rows_of_database,
    rows_of_file,
)

__all__ = ["Reconciled", "Taken", "closings", "reconcile"]

MEANING = {
    "identical": "the row is the same in both",
    "modified": "the source has other values",
    "added": "only the source has the row",
    "removed": "only the model has the row",
    "unknown": "no record carried the value",
    "pending": "the history ends before the source was read",
}
DIFFERENT = ("modified", "added", "removed", "unknown")
NEVER = Taken(None, None)


@dataclass(frozen=True)
class Reconciled:
    """What reconcile_table printed (`found`, see there), when the source was read, the file with
    the rows that were read, if some of them are pending, and which rows were not read."""

    table: str
    found: dict[str, Any]
    taken: Taken
    rows: Path | None
    exclude: tuple[str, ...] = ()
    narrowed: Narrowed | None = None

    @property
    def counts(self) -> dict[str, int]:
        """Rows by status, `identical` included."""
        statuses = self.found["statuses"]
        in_source = sum(row["in_source"] for row in statuses)
        return {
            "identical": self.found["source_rows"] - in_source + self._equal_rows,
            **{row["status"]: row["records"] for row in statuses},
        }

    @property
    def _equal_rows(self) -> int:
        return self.narrowed.equal_rows if self.narrowed else 0

    @property
    def differs(self) -> bool:
        """Whether a difference is certain."""
        return any(self.counts.get(status) for status in DIFFERENT)

    def as_json(self) -> str:
        taken = {"from": self.taken.start, "until": self.taken.end, "rows": self.rows}
        found = self.found | {"counts": self.counts, "taken": taken}
        if self.narrowed:
            found["equal_by_hash"] = self.narrowed.equal_rows
            found["not_hashed"] = self.narrowed.not_hashed
        return json.dumps(found, indent=1, default=str)

    def show(self, console: Console) -> None:
        """Print counts, columns and samples."""
        found = self.found
        console.print(f"{self.table}: {found['model']} and {found['source_rows']:,} source rows")
        if self.taken.start:
            reached = found["reached"] or "nowhere"
            span = f"{self.taken.start} to {self.taken.end}"
            console.print(f"  source read {span} UTC; changes are staged up to {reached}")
        if self.narrowed:
            console.print(f"  and {counted(self._equal_rows, 'row')} not read: equal hashes")
            for name in self.narrowed.not_hashed:
                console.print(f"  {name} was compared in the rows that were read only")
        counts = Table("status", "rows", "meaning")
        for status, rows in self.counts.items():
            counts.add_row(status, f"{rows:,}", MEANING[status])
        console.print(counts)
        if found["columns"]:
            columns = Table("column", "rows that differ")
            for row in found["columns"]:
                columns.add_row(row["column_name"], f"{row['records']:,}")
            console.print(columns)
        for status in MEANING:
            rows = [row for row in found["samples"] if row["status"] == status]
            if rows:
                console.print(_samples(status, rows))
        if found["statuses"]:
            console.print(f"All rows that differ are in {found['kept']}.")
        if "pending" in self.counts:
            console.print("Pending: let later changes land and run dbt, then compare again:")
            given = f"--file {self.rows}" if self.rows else "--rows (the same)"
            excluded = "".join(f" --exclude '{name}'" for name in self.exclude)
            console.print(
                f"  afterimage reconcile {self.table} {given} --margin 0"
                f" --taken-at '{self.taken.start}' --taken-until '{self.taken.end}'{excluded}",
                soft_wrap=True,
            )


def _samples(status: str, rows: list[dict[str, Any]]) -> Table:
    shown = Table("row", "column", "source", "model", "position", title=status)
    for row in rows:
        source, model = row["source_values"] or {}, row["model_values"] or {}
        names = row["differing_columns"] or ["(row)"]
        for number, name in enumerate(names):
            shown.add_row(
                *((row["row_key"], name) if not number else ("", name)),
                _short(source, name),
                _short(model, name),
                (row["position"] or "") if not number else "",
            )
    return shown


def _short(values: dict[str, str | None], name: str) -> str:
    if name == "(row)":
        text = json.dumps(values, ensure_ascii=False) if values else ""
    elif name in values:
        text = "null" if values[name] is None else str(values[name])
    else:
        text = "(hidden)"
    return text if len(text) <= 80 else text[:77] + "..."


def reconcile(
    target: str | None,
    table: str,
    *,
    database: str | None = None,
    database_table: str | None = None,
    file: Path | None = None,
    rows: str | None = None,
    taken: Taken = NEVER,
    margin: timedelta = timedelta(0),
    reached: datetime | None = None,
    exclude: tuple[str, ...] = (),
    samples: int = 10,
    narrow: bool = False,
) -> Reconciled:
    """Compare a table of the project with its source.

    In: the table as source.table; exactly one of the source's database (a SQLAlchemy URL, with the
    name of its table if that is not the topic's), a file of its rows (CSV, JSON lines or Parquet)
    and a relation of the warehouse; when the file or relation was read, and how much earlier or
    later that may have been; the time up to which all changes are staged, if it is known to be
    later than the newest change; columns that are not compared; how many rows of each status to
    return; whether a database's rows are read only where their hashes differ from the model's.
    Errors: UserError for an unknown table or one that has not run, for a source that cannot be
    read, and for a target that is not embedded, which takes a relation only.
    """
    kept = Path("target") / "reconcile" / f"{table}.jsonl.gz"
    buckets = kept.with_name(f"{table}.buckets.json")
    is_kept = bool(database or (file and file == kept.absolute()))
    is_over, is_pending, found_equal = bool(database), False, None
    try:
        if database:
            columns, name = columns_of(parse(target), table, exclude)
            kept.parent.mkdir(parents=True, exist_ok=True)
            hashes = _hashes(target, table, exclude) if narrow else None
            taken, found_equal = rows_of_database(
                target, database, database_table or name, columns, kept.resolve(), hashes
            )
        elif file:
            rows_of_file(target, file)
            found_equal = Narrowed.kept(buckets) if is_kept else None
        taken = taken.widened(margin)
        arguments = {
            "table": table,
            "source_rows": rows or VIEW,
            "taken_from": taken.start and str(taken.start),
            "taken_until": taken.end and str(taken.end),
            "reached": reached and str(reached),
            "exclude_columns": list(exclude),
            "samples": samples,
            "buckets": found_equal and found_equal.buckets,
        }
        printed = operation("reconcile_table", target, **arguments)
        if not printed:
            raise UserError("dbt printed nothing; see logs/dbt.log")
        found = json.loads(printed[-1])
        is_pending = any(row["status"] == "pending" for row in found["statuses"])
        is_over = is_kept and not is_pending
    finally:
        if is_over:
            kept.unlink(missing_ok=True)
            buckets.unlink(missing_ok=True)
    if database and is_pending and found_equal:
        found_equal.keep(buckets)
    elif database:
        buckets.unlink(missing_ok=True)
    rows_left = kept if database and is_pending else file
    return Reconciled(table, found, taken, rows_left, exclude, found_equal)


def _hashes(target: str | None, table: str, exclude: tuple[str, ...]) -> dict[str, Any]:
    """The hashes of the model's rows, as reconcile_hashes prints them."""
    printed = operation("reconcile_hashes", target, table=table, exclude_columns=list(exclude))
    return json.loads(printed[-1])

"""Operator events that end the rows which the source does not hold."""

import csv
import io
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from afterimage.errors import UserError

if TYPE_CHECKING:
    from afterimage.reconcile import Reconciled

COLUMNS = (
    *("event", "kind", "source_name", "table_name", "row_key", "position", "source_ts"),
    *("landed_from", "note"),
)
NOTE = "absent when reconciled with the source"


def closings(found: "Reconciled", seed: Path, write: bool) -> list[str]:
    """An event `close` for each row that only the model has: it ends after its newest change.

    In: what was found; the seed of operator events (docs/concepts/operator-events.md), which need
    not exist; whether to append the events to it.
    Out: lines to print, the events as lines of CSV among them.
    Errors: UserError for a file with other columns, and for a key that must not be shown.
    """
    known, header = [], None
    if seed.is_file():
        with seed.open(encoding="utf-8", newline="") as file:
            reader = csv.DictReader(file)
            known, header = list(reader), reader.fieldnames
    if header and tuple(header) != COLUMNS:
        raise UserError(f"{seed} does not have the columns {','.join(COLUMNS)}")
    if found.counts.get("removed") and found.found["has_sensitive_key"]:
        raise UserError(
            f"{found.table}: its key is sensitive, so --close cannot write it to a file"
        )
    rows = [(row["row_key"], row["position"]) for row in found.found["closings"]]
    source, table = found.found["source_name"], found.found["table_name"]
    closed = {(e["source_name"], e["table_name"], e["row_key"], e["position"]) for e in known}
    day = str(found.taken.end)[:10]
    names = _new_names({event["event"] for event in known}, day)
    events = [
        (next(names), "close", source, table, *row, str(found.taken.end)[:26], "", NOTE)
        for row in rows
        if (source, table, *row) not in closed
    ]
    added = io.StringIO()
    csv.writer(added, lineterminator="\n").writerows(events if header else [COLUMNS, *events])
    if not write:
        return [added.getvalue() + f"{len(events)} events for {seed.name}; --write appends them."]
    before = seed.read_text(encoding="utf-8") if seed.is_file() else ""
    with seed.open("a", encoding="utf-8", newline="") as file:
        file.write("\n" * (before != "" and not before.endswith("\n")) + added.getvalue())
    return [f"{seed.name}: {len(events)} events added. Run `dbt build` to end these rows."]


def _new_names(known: set[str], day: str) -> Iterator[str]:
    number = 0
    while number := number + 1:
        if (name := f"{day}-{number}") not in known:
            yield name

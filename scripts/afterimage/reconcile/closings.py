"""Operator events that end the rows which the source does not hold."""

from pathlib import Path
from typing import TYPE_CHECKING

from afterimage.counted import counted
from afterimage.errors import UserError
from afterimage.events_seed import added_to, events_in

if TYPE_CHECKING:
    from afterimage.reconcile import Reconciled

NOTE = "absent when reconciled with the source"


def closings(found: "Reconciled", seed: Path, write: bool) -> list[str]:
    """An event `close` for each row that only the model has: it ends after its newest change.

    In: what was found; the seed of operator events, which need not exist; whether to append the
    events to it.
    Out: lines to print, the events as lines of CSV among them.
    Errors: UserError for a file with other columns, and for a key that must not be shown.
    """
    known = events_in(seed)
    if found.counts.get("removed") and found.found["has_sensitive_key"]:
        raise UserError(
            f"{found.table}: its key is sensitive, so --close cannot write it to a file"
        )
    rows = [(row["row_key"], row["position"]) for row in found.found["closings"]]
    source, table = found.found["source_name"], found.found["table_name"]
    closed = {(e["source_name"], e["table_name"], e["row_key"], e["position"]) for e in known}
    events = [
        ("close", source, table, *row, str(found.taken.end)[:26], "", NOTE)
        for row in rows
        if (source, table, *row) not in closed
    ]
    added = added_to(seed, events, str(found.taken.end)[:10], write)
    if not write:
        return [added + f"{counted(len(events), 'event')} for {seed.name}; --write appends them."]
    return [
        f"{seed.name}: {counted(len(events), 'event')} added. Run `dbt build` to end these rows."
    ]

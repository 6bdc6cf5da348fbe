"""The seed of operator events (docs/concepts/operator-events.md): its rows, and new ones."""

import csv
import io
from collections.abc import Iterator, Sequence
from pathlib import Path

from afterimage.errors import UserError

COLUMNS = (
    *("event", "kind", "source_name", "table_name", "row_key", "position", "source_ts"),
    *("landed_from", "note"),
)


def events_in(seed: Path) -> list[dict[str, str]]:
    """The rows of a seed, which need not exist.

    Errors: UserError for a file with other columns.
    """
    if not seed.is_file():
        return []
    with seed.open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        known, header = list(reader), reader.fieldnames
    if header and tuple(header) != COLUMNS:
        raise UserError(f"{seed} does not have the columns {','.join(COLUMNS)}")
    return known


def added_to(seed: Path, events: Sequence[Sequence[str]], day: str, write: bool) -> str:
    """Events as lines of CSV, with names of their own, appended to the seed if that is wanted.

    In: the seed; the events, all columns but the first; the day in their names.
    """
    names = _new_names({event["event"] for event in events_in(seed)}, day)
    before = seed.read_text(encoding="utf-8") if seed.is_file() else ""
    added = io.StringIO()
    rows = [(next(names), *event) for event in events]
    csv.writer(added, lineterminator="\n").writerows(rows if before else [COLUMNS, *rows])
    if write:
        with seed.open("a", encoding="utf-8", newline="") as file:
            file.write("\n" * (before != "" and not before.endswith("\n")) + added.getvalue())
    return added.getvalue()


def _new_names(known: set[str], day: str) -> Iterator[str]:
    number = 0
    while number := number + 1:
        if (name := f"{day}-{number}") not in known:
            yield name

"""Erase the values of a person's rows: `afterimage erase`.

The operator events are the list; the macro erase_rows rewrites the tables. A key in clear is only
in the memory of this process: the seed, statements and logs have its keyed hash.
"""

import json
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

from afterimage.counted import counted
from afterimage.errors import UserError
from afterimage.events_seed import added_to, events_in
from afterimage.invoke import operation
from afterimage.outcomes import DOCS_INSTALLED
from afterimage.warehouse import warehouse

YOURS = (
    "Yours to do, because afterimage does not know them: Kafka and what it compacts, object stores "
    "that keep versions, backups, copies and tables made of these models, logs of Spark and dbt."
)


def keyed_hash(key: str, secret: str) -> str:
    """As the macro of that name computes it."""
    return f"erased:{_hex(secret)[:8]}:{_hex(secret + _hex(key))}"


def _hex(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def erase(
    target: str | None,
    table: str,
    keys: Sequence[str],
    reason: str | None,
    *,
    seed: Path,
    landing: str | None = None,
    write: bool = False,
) -> Iterator[str]:
    """Leave the values of rows out of the tables; without keys, of those that the seed names.

    In: the table as source.table; keys as in _cdc_key; the reason, the note of their events; the
    seed of operator events; a landing table to rewrite too; whether to write at all.
    Out: lines to print.
    Errors: UserError for a table whose rows cannot be erased, a key of no row, another secret.
    """
    begun = json.loads(operation("erase_secret", target, table=table)[-1])
    if seed.as_posix() not in begun["seeds"]:
        known = ", ".join(begun["seeds"]) or "no seed: give it operator_events=ref(…)"
        raise UserError(
            f"the change log of {table} does not read {seed}, so its next run would not know what "
            f"is erased. It reads {known} ({DOCS_INSTALLED}/concepts/operator-events.md)"
        )
    ask = warehouse(target)
    [[secret]] = ask(f"select max(secret) from {begun['secret']}")
    named = (begun["source_name"], begun["table_name"])
    listed = [
        (event["row_key"], event["position"])
        for event in events_in(seed)
        if (event["kind"], event["source_name"], event["table_name"]) == ("erase", *named)
    ]
    _refuse_other_secret(listed, secret, begun["secret"])
    through = begun["position"]
    hashes = {key: keyed_hash(key, secret) for key in dict.fromkeys(keys)}
    new = [(each, through) for each in hashes.values() if (each, through) not in listed]
    rows = [*listed, *new]
    given = {"table": table, "rows": rows, "landing": landing}
    found = json.loads(operation("erase_rows", target, **given)[-1])
    try:
        others = sorted(row[0] for row in ask(found["other_keys"]))
    finally:
        for working in found["working"]:
            ask(f"drop table if exists {working}")
    if unknown := [key for key, hashed in hashes.items() if hashed not in found["keys"]]:
        raise UserError(
            f"{table}: no values of {', '.join(unknown)}: write a key as in _cdc_key, and let dbt "
            "stage what has landed. Of a row that is erased already, leave --key out"
        )
    events = [("erase", *named, *row, "", "", reason or "") for row in new]
    day = datetime.now(UTC).date().isoformat()
    if write and events:
        added_to(seed, events, day, write=True)
        yield f"{seed.name}: {counted(len(events), 'event')} added"
    elif events:
        yield added_to(seed, events, day, write=False).rstrip("\n")
    if write:
        operation("erase_rows", target, **given, write=True)
    for each in found["tables"]:
        rows = f"{each['rows']:,} {each['content']}"
        yield f"{each['table']}: {rows} {'rewritten' if write else 'hold values to erase'}"
    if others:
        yield "The same rows had other keys, which are not erased: " + ", ".join(others)
    if found["unknown"]:
        refused = counted(found["unknown"], "refused record")
        yield f"Of an unknown row: {refused}; see the quarantine"
    if not write:
        yield "Nothing was written. --write erases."
        return
    yield "Now run `dbt build`, which rebuilds history and current state, then"
    yield f"`afterimage erase {table} --clean`."
    if landing:
        yield f"{landing}: its former versions are yours to remove (VACUUM, expire_snapshots)."
    else:
        yield "Landing still holds the records; --landing SCHEMA.TABLE empties them."
    yield YOURS


def clean(target: str | None, table: str, keep_hours: int) -> list[str]:
    """Remove files and old versions that hold values. Out: lines to print."""
    return operation("erase_clean", target, table=table, keep_hours=keep_hours)


def _refuse_other_secret(listed: Sequence[tuple[str, str]], secret: str, table: str) -> None:
    own = _hex(secret)[:8]
    others = {key.split(":")[1] for key, _ in listed if key.startswith("erased:")} - {own}
    if others:
        raise UserError(
            f"the seed names rows by keyed hashes of the secret {', '.join(sorted(others))}, and "
            f"{table} holds {own}: copy the table from the warehouse in which it was made"
        )

"""The reference of what a stream loses or changes, made from what-the-stream-loses.yml beside it.

    python -m afterimage.stream_losses     writes docs/reference/what-the-stream-loses.md

A test looks up every row in the captures it names, and holds the page against what this makes.
"""

from typing import Any

import yaml

from afterimage.macros import MACROS

FOLDER = MACROS.parent / "docs" / "reference"
SOURCE = FOLDER / "what-the-stream-loses.yml"
PAGE = FOLDER / "what-the-stream-loses.md"
LONGEST = 52  # characters of a value that the page shows

# Texts allowed in place of a literal.
NOTHING = ("no field", "no delete", "no record")
# How a row is known that no capture shows.
UNSEEN = {
    "kept": "seen; events not kept",
    "documents": "documents",
    "code": "Debezium's source",
}

INTRO = """\
<!-- Made by `python -m afterimage.stream_losses` from what-the-stream-loses.yml. Do not edit. -->
# What the stream loses

Values that never arrive, arrive changed, or arrive from the snapshot in another form than from the
stream; what afterimage shows then, and how to avoid it. [Topics compacted before they
land](../how-to/compacted-topics.md) says what Kafka loses from a topic that it compacts first.

A test looks up each row in events that a real connector wrote, and in what the database itself
printed: *seen in* names capture, column and key. Rows without a capture say so. There is no
capture of `time.precision.mode=structured`, so this page does not cover it.

| column | says |
|---|---|
| type | as a contract declares it; \\* is any |
| setting | of connector or converter, where it matters |
| database | the value as the database prints it; long ones are cut |
| arrives | the JSON in the event |
| | *no field*: no event of the row has the column |
| | *no delete*: the row is gone, but its last event says that it exists |
| | *no record*: there is no event |
| afterimage shows | the value as the database would print it |
| | *not sent*: the value of an earlier version, else unknown |
| | unknown: NULL, and the column's name in `_cdc_unknown` |

`null_when_not_sent` and `untracked` are keys of the [contract](contract.md). [types.md](types.md)
has the types and settings without loss.
"""
BETWEEN = """\
## Where documents, versions and events disagree

Events count more than documents. *Documents* are the guide of Debezium 2.3 and the source of that
version; events are those of 3.5 (MariaDB) and 3.6.
"""


def families() -> list[dict[str, Any]]:
    """The tables of the first part, each with its rows."""
    return _document()["families"]


def disagreements() -> list[dict[str, Any]]:
    """The rows of the second part."""
    return _document()["disagreements"]


def losses_page() -> str:
    """The page as Markdown."""
    parts = [INTRO]
    for family in families():
        parts.append(f"## {family['title']}\n")
        if family.get("about"):
            parts.append(f"{family['about']}\n")
        of = ["of"] if any("of" in row for row in family["rows"]) else []
        head = [*of, "type", "setting", "database", "arrives", "afterimage shows", "do", "seen in"]
        parts.append(_table(head, [_row(row, bool(of)) for row in family["rows"]]))
    parts.append(BETWEEN)
    head = ["about", "documents", "events", "database", "arrives", "chosen", "seen in"]
    parts.append(_table(head, [_disagreement(row) for row in disagreements()]))
    return "\n".join(parts)


def _document() -> dict[str, Any]:
    """All of it texts: dates, times and numbers are those of databases, and stay as written."""
    return yaml.load(SOURCE.read_text(encoding="utf-8"), Loader=yaml.BaseLoader)


def _row(row: dict[str, Any], with_connector: bool) -> list[str]:
    shows = row.get("shows")
    return [
        *([row["of"]] if with_connector else []),
        row["type"].replace("*", "\\*"),
        "<br>".join(_setting(name, value) for name, value in row.get("settings", {}).items()),
        _printed(row["has"]),
        _arriving(row),
        "; ".join(filter(None, [_shown(shows), row.get("says")])),
        row["do"],
        _seen(row),
    ]


def _disagreement(row: dict[str, Any]) -> list[str]:
    return [
        row["about"],
        row["said"],
        row["found"],
        _printed(row.get("has")),
        _arriving(row),
        row["chosen"],
        _seen(row),
    ]


def _setting(name: str, value: str | list[str]) -> str:
    values = value if isinstance(value, list) else [value]
    return f"`{name}`: " + ", ".join(f"`{value}`" for value in values)


def _arriving(row: dict[str, Any]) -> str:
    arrives = row["arrives"]
    if isinstance(arrives, dict):
        return "<br>".join(f"{part} {_code(text)}" for part, text in arrives.items())
    if arrives in NOTHING:
        return f"*{arrives}*"
    where = " in `before`" if row.get("image") == "before" else ""
    return _code(arrives) + where + (f" in `{row['field']}`" if "field" in row else "")


def _shown(shows: str | dict[str, str] | None) -> str:
    if isinstance(shows, dict):
        return "<br>".join(f"{part} {_shown(text)}" for part, text in shows.items())
    if shows in (None, "NULL"):
        return shows or ""
    return f"*{shows}*" if shows == "not sent" else _code(shows)


def _printed(value: str | dict[str, str] | None) -> str:
    if isinstance(value, dict):
        return value["words"]
    return value or "" if value in (None, "NULL") else _code(value)


def _seen(row: dict[str, Any]) -> str:
    if "unseen" in row:
        return UNSEEN[row["unseen"].partition(" ")[0]]
    name, column, key = row["seen"].split(" ")
    if row.get("image") in ("source", "transaction"):
        table, _, field = column.rpartition(".")
        column = f"{table}` `{row['image']}.{field}"
    return f"[{name}](../../tests/truth/{name}.yml) `{column}` of {key}"


def _code(text: str) -> str:
    if text == "":
        return "(empty)"
    if len(text) > LONGEST:
        text = f"{text[:LONGEST].removesuffix('…')}…"
    return f"`{text}`".replace("|", "\\|")


def _table(head: list[str], rows: list[list[str]]) -> str:
    lines = [f"| {' | '.join(row)} |" for row in (head, *rows)]
    return "\n".join([lines[0], "|---" * len(head) + "|", *lines[1:]]) + "\n"


if __name__ == "__main__":
    PAGE.write_text(losses_page(), encoding="utf-8")
    print(PAGE)

"""The contract changes that models of contract_drift ask for, by table, ready to paste."""

from typing import Any

from ruamel.yaml.comments import CommentedMap
from ruamel.yaml.error import YAMLError

from afterimage.scaffold.words import dumped, yaml


def contract_changes(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """In: rows of contract_drift. Out: {table, paste, run} of each table that drifted.

    paste is YAML for the table's contract: the lines of all its rows as one mapping, remarks above;
    empty where only commands are needed. run are these commands.
    """
    found: dict[str, list[str]] = {}
    for row in rows:
        asked = found.setdefault(f"{row['source_name']}.{row['table_name']}", [])
        if row["contract_change"]:
            asked.append(row["contract_change"])
    return [{"table": table, **_merged(texts)} for table, texts in found.items()]


def _merged(texts: list[str]) -> dict[str, Any]:
    remarks, commands, lines = [], [], CommentedMap()
    for text in texts:
        if text.startswith("#"):
            remarks.append(text)
        elif text.startswith("afterimage "):
            commands.append(text)
        else:
            remarks += _into(lines, text)
    text = dumped(lines) if lines else ""
    paste = "\n".join([*dict.fromkeys(remarks), text]).strip("\n")
    return {"paste": paste, "run": list(dict.fromkeys(commands))}


def _into(lines: CommentedMap, text: str) -> list[str]:
    """Add lines of YAML to a mapping by member. Out: lines that are not YAML, as a remark."""
    try:
        added = yaml().load(text)
    except YAMLError:
        added = None
    if not isinstance(added, dict):
        return [f"# {line}" for line in text.splitlines()]
    for key, value in added.items():
        if isinstance(value, dict):
            value.fa.set_block_style()
            lines.setdefault(key, CommentedMap()).update(value)
        else:
            lines[key] = value
    return []

"""The reference of the columns afterimage adds, made from the macros that create them and the doc
blocks that describe them.

    python -m afterimage.columns     writes docs/reference/columns.md

A test holds the page against what this makes.
"""

import re

from afterimage.macros import MACROS, Macros

PAGE = MACROS.parent / "docs" / "reference" / "columns.md"
WORDS = MACROS / "contract" / "_cdc_columns.md"
LAYERS = {
    "change log": "change_log_columns",
    "history": "history_columns",
    "current state": "current_columns",
}


def meanings() -> dict[str, str]:
    """Column -> its one sentence, from the doc blocks dbt shows."""
    text = WORDS.read_text(encoding="utf-8")
    return dict(re.findall(r"{% docs (\w+) %}\n(.+)\n{% enddocs %}", text))


def columns_page() -> str:
    """The page as Markdown: one row a column, with its Spark type and the layers that have it."""
    macros = Macros()
    documents = {"connector": "mongodb", "format": "debezium_json", "settings": {}, "columns": []}
    beside = {c["name"]: c["type"] for c in macros.document_columns(documents)}
    layers = {name: beside | getattr(macros, macro)() for name, macro in LAYERS.items()}
    layers["change log"] |= macros.change_log_columns(documents)
    said = meanings()
    names = [name for name in said if any(name in columns for columns in layers.values())]
    lines = [
        "<!-- Made by `python -m afterimage.columns` from macros/contract. Do not edit. -->",
        "# The columns afterimage adds",
        "",
        "They follow the columns of the source, which keep their names. The docs site and the",
        "tables' column comments have the same descriptions.",
        "",
        f"| column | type | {' | '.join(LAYERS)} | meaning |",
        "|---|---|---|---|---|---|",
    ]
    for name in names:
        kind = next(columns[name] for columns in layers.values() if name in columns)
        there = " | ".join("yes" if name in columns else "" for columns in layers.values())
        lines.append(f"| `{name}` | {kind} | {there} | {said[name]} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    PAGE.write_text(columns_page(), encoding="utf-8")
    print(PAGE)

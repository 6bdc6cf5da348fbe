"""docs/reference/types.md, generated from the cells.

    python -m tests.types.page     writes it

test_page.py compares the page with the cells, and with the connectors' documentation.
"""

from pathlib import Path

from tests.types import cells as matrix
from tests.types.cells import TITLES, Cell

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "types.md"
HEAD = ("type", "setting", "Spark type", "in the event", "in Spark", "`_cdc_special`", "held by")
LONGEST = 72  # characters of a value on the page

INTRO = """\
<!-- Made by `python -m tests.types.page` from tests/types/*.yml. Do not edit. -->
# Source types, and what they are in Spark

Each row is a test: the literal goes through the macros that read a change log
([tests/types](../../tests/types/test_types.py)), and must come out as the row says. Which names and
settings a contract may hold: [contract.md](contract.md). Values that never arrive, or arrive
changed: [what-the-stream-loses.md](what-the-stream-loses.md).

| column | says |
|---|---|
| type | as a contract declares it |
| setting | of the connector, where it changes what is written |
| in the event | the JSON, as Debezium writes it; long ones are cut here |
| in Spark | what the column holds; `X'00FF'` are bytes, instants are in UTC and end in Z |
| `_cdc_special` | the text there, of a value that the Spark type does not hold, or not whole |
| held by | where literal and value come from |

*Refused* is a record that goes to [quarantine](outcomes.md), with reason `value_does_not_fit`. *Not
sent* is a value that the source left out because it did not change: the one of the version before
counts.

Held by: a capture of events that a real connector wrote, with the column (the value is what the
database itself printed; [how](../../tests/truth/README.md)); flink-cdc, a fixture of Apache Flink
CDC; of Google Datastream, a column of files that Google's own tests captured; a line of the notes
on Debezium's documentation that lie beside the captures; where that is silent, a class of
Debezium's source (debezium NanoTime); or the rule that the type itself sets, in words. Only
captures, the fixture and the files were seen as a connector wrote them.
"""


def page() -> str:
    """The whole page."""
    parts = [INTRO]
    for connector, title in TITLES.items():
        parts.append(f"## {title}\n")
        for family, facts in matrix.declared(connector)["families"].items():
            cells = _by_name([c for c in matrix.own_cells(connector) if c.family == family])
            parts.append(f"### {family}\n\n{facts['says']}\n")
            if setting := facts.get("setting"):
                parts.append(f"Setting: `{setting}`.\n")
            parts.append(_table(HEAD, [_row(cell, setting) for cell in cells]))
        parts += [_names(connector), _without_cells(connector)]
    return "\n".join(part for part in parts if part)


def _by_name(cells: list[Cell]) -> list[Cell]:
    """Groups those of one type, the types in order of appearance."""
    names = [matrix.parsed(cell.connector, cell.type)["name"] for cell in cells]
    return [cells[at] for at in sorted(range(len(cells)), key=lambda at: names.index(names[at]))]


def _row(cell: Cell, setting: str | None) -> tuple[str, ...]:
    """`setting`: the family's setting, whose name is not repeated."""
    types = dict.fromkeys(cell.decoder(under)["type"] for under in cell.variants())
    settings = [
        ("" if name == setting else f"`{name}`: ") + _values(name, values)
        for name, values in _settings(cell).items()
    ]
    value = "*refused*" if cell.refused else "*not sent*" if cell.not_sent else _code(cell.value)
    return (
        f"`{cell.type}`",
        "<br>".join(settings) or "any",
        ", ".join(f"`{type_}`" for type_ in types),
        _code(cell.literal),
        value,
        _code(cell.special) if cell.special else "-",
        _held_by(cell),
    )


def _settings(cell: Cell) -> dict[str, list]:
    """The settings that matter to the cell, with its values."""
    found: dict[str, list] = {}
    for name, all_values in matrix.settings_that_matter(cell.connector, cell.type).items():
        values = list(dict.fromkeys(under[name] for under in cell.variants()))
        if name in cell.settings or set(values) < set(all_values):
            found[name] = values
    return found


def _values(name: str, values: list) -> str:
    others = [value for value in matrix.setting_values()[name] if value not in values]
    if len(values) > 2 and len(others) == 1:
        return f"any but `{others[0]}`"
    return ", ".join(f"`{value}`" for value in values)


def _held_by(cell: Cell) -> str:
    if cell.source == "rule":
        return f"rule: {cell.note}"
    return cell.source + (f" ({cell.note})" if cell.note else "")


def _code(text: str | None) -> str:
    """A value as code, on one line, long ones cut; the empty text as a word."""
    if text is None:
        return "NULL"
    if text == "":
        return "(empty)"
    text = text.replace("\n", "\\n")
    if len(text) > LONGEST:
        text = f"{text[: LONGEST - 20]}… {len(text)} characters"
    fence = "``" if "`" in text else "`"
    return f"{fence}{text}{fence}".replace("|", "\\|")


def _table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    lines = [f"| {' | '.join(row)} |" for row in (head, *rows)]
    return "\n".join([lines[0], "|---" * len(head) + "|", *lines[1:]]) + "\n"


def _names(connector: str) -> str:
    """Which names are aliases: they are read as the same type."""
    if matrix.declared(connector).get("also"):
        return ""
    rows = [
        (f"`{name}`", ", ".join(f"`{alias}`" for alias in sorted(aliases)))
        for name, aliases in sorted(matrix.other_names(connector).items())
    ]
    return "### Other names\n\nRead as the type beside them.\n\n" + _table(("type", "also"), rows)


def _without_cells(connector: str) -> str:
    facts = matrix.declared(connector)
    rows = [
        (
            ", ".join(f"`{name}`" for name in entry["types"]),
            "<br>".join(f"`{n}`: `{v}`" for n, v in (entry.get("settings") or {}).items()) or "any",
            entry["because"],
        )
        for entry in facts["never"]
    ]
    rows += [(entry["row"], "any", entry["because"]) for entry in facts["absent"]]
    if not rows:
        return ""
    return "### What is not above\n\n" + _table(("type", "setting", "why"), rows)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    print(PAGE)

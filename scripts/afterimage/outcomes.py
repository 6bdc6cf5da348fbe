"""What each kind of outcome means and what to do about it, from seeds/afterimage_remedies.csv.

    python -m afterimage.outcomes     writes the tables of docs/reference/outcomes.md

A test holds the tables against what this makes.
"""

import csv
import re

from afterimage.macros import MACROS

SOURCE = MACROS.parent / "seeds" / "afterimage_remedies.csv"
DOCS = MACROS.parent / "docs"
# The documentation in a project that installs the package; remedies name its pages by this path.
DOCS_INSTALLED = "dbt_packages/afterimage/docs"
PAGE = DOCS / "reference" / "outcomes.md"
# Outcome -> the section of the page that has its table.
SECTIONS = {
    "ignored": "Ignored",
    "unrouted": "Unrouted",
    "ambiguous": "Ambiguous",
    "contradiction": "Contradictions",
    "alarm": "Alarms",
    "refused": "Refused",
}


def remedies() -> dict[tuple[str, str], dict[str, str]]:
    """(outcome, kind) -> its meaning and remedy."""
    with SOURCE.open(encoding="utf-8", newline="") as file:
        return {(row.pop("outcome"), row.pop("kind")): row for row in csv.DictReader(file)}


def outcomes_page() -> str:
    """The page as Markdown: its text as it is, its tables of kinds made again."""
    page = PAGE.read_text(encoding="utf-8")
    for outcome, title in SECTIONS.items():
        table = _table(outcome)
        page = re.sub(
            rf"(?m)(^## {title}\n(?:(?!##).*\n)*?)(?:^\|.*\n)+", lambda m, t=table: m[1] + t, page
        )
    return page


def _table(outcome: str) -> str:
    rows = [
        f"| `{kind}` | {_linked(row['meaning'])} | {_linked(row['remedy'])} |\n"
        for (of, kind), row in remedies().items()
        if of == outcome
    ]
    kind = "reason" if outcome == "refused" else "kind"
    return f"| {kind} | means | do |\n|---|---|---|\n" + "".join(rows)


def _linked(text: str) -> str:
    """Pages of the documentation as links."""
    return re.sub(rf"{DOCS_INSTALLED}/([\w/-]+/([\w-]+)\.md(?:#[\w-]+)?)", r"[\2](../\1)", text)


if __name__ == "__main__":
    PAGE.write_text(outcomes_page(), encoding="utf-8")
    print(PAGE)

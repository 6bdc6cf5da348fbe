"""Reads what a test needs from a Markdown page: sections, tables, links."""

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Table:
    """A table: names of the columns, and each row as name → text."""

    columns: tuple[str, ...]
    rows: list[dict[str, str]]


def pages() -> list[Path]:
    """Every Markdown page of the repository."""
    skipped = {"dbt_packages", "node_modules", "target", "build", "dist"}
    return sorted(
        page
        for page in ROOT.rglob("*.md")
        if not any(
            part in skipped or part.startswith(".") for part in page.relative_to(ROOT).parts[:-1]
        )
    )


def sections(text: str) -> dict[str, str]:
    """Second-level heading → the text under it."""
    parts = re.split(r"(?m)^## +(.+)$", text)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def tables(text: str) -> list[Table]:
    """The tables of a text, in order."""
    found = []
    for block in re.findall(r"(?m)(?:^\|.*\|\n)+", text + "\n"):
        lines = [_cells(line) for line in block.splitlines()]
        columns = tuple(lines[0])
        rows = [dict(zip(columns, line, strict=True)) for line in lines[2:]]
        found.append(Table(columns, rows))
    return found


def links(text: str) -> list[str]:
    """The targets of a page's links, without code."""
    prose = re.sub(r"(?ms)^ *```.*?^ *```$", "", text)
    prose = re.sub(r"`[^`\n]*`", "", prose)
    return re.findall(r"\]\(([^)\s]+)\)", prose)


def slug(title: str) -> str:
    """The anchor of a heading, as GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def _cells(line: str) -> list[str]:
    """The cells of a row; a bar inside is written \\|."""
    cells = re.split(r"(?<!\\)\|", line.strip()[1:-1])
    return [cell.strip().replace("\\|", "|") for cell in cells]

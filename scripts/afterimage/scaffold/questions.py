"""Unanswered questions of a scaffold: its comments in the contracts."""

import re
from pathlib import Path

QUESTION = re.compile(r"^\s*(?P<name>[^#]*?):\s*(?P<value>[^#]*?)\s*#\s*(?P<why>guess\b.*)$")


def open_questions(root: Path) -> list[str]:
    """A line for each question, with its place. In: the project's root."""
    found = []
    for file in sorted((root / "models").rglob("*.y*ml")):
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            if asked := QUESTION.match(line):
                place = f"{file.relative_to(root)}:{number}"
                found.append(f"{place}: {asked['name']}: {asked['value']} is a {asked['why']}")
    return found

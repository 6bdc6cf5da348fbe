"""Lints rendered SQL, which people read when something is wrong. The rules are in .sqlfluff."""

import hashlib
import re
from concurrent.futures import ProcessPoolExecutor
from importlib.metadata import version
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PASSED = Path(__file__).with_name("linted.txt")
# counts changes of these checks, in addition to .sqlfluff
OWN_RULES = "1"
# Kept, but not well formed yet: additional fields of Oracle's records are one long line, and an
# unsigned bigint read by its JSON kind exceeds the linter's nesting limit.
LET_BE = {"change_log_of_oracle", "change_log_of_mariadb"}


def faults_of(texts: dict[str, str]) -> list[str]:
    """The faults of SQL by its name, one per line. Two processes share the work: a long statement
    takes some seconds."""
    if not texts:
        return []
    with ProcessPoolExecutor(max_workers=2) as pool:
        # the longest first, so that neither process waits for it at the end
        longest = sorted(texts.items(), key=lambda named: -len(named[1]))
        return [fault for found in pool.map(_lint, longest) for fault in found]


def not_linted(texts: dict[str, str]) -> dict[str, str]:
    """Those that were not linted in their current form, by these rules and this linter."""
    passed = PASSED.read_text().split() if PASSED.is_file() else []
    return {
        name: text
        for name, text in texts.items()
        if name not in LET_BE and _fingerprint(text) not in passed
    }


def remember(texts: dict[str, str]) -> None:
    """Records that all of these were linted without a fault."""
    lines = [
        f"{_fingerprint(text)} {name}\n"
        for name, text in sorted(texts.items())
        if name not in LET_BE
    ]
    PASSED.write_text("".join(lines))


def _fingerprint(text: str) -> str:
    by = (ROOT / ".sqlfluff").read_text() + version("sqlfluff") + OWN_RULES
    return hashlib.sha256((by + text).encode()).hexdigest()[:24]


def _lint(named: tuple[str, str]) -> list[str]:
    # Imported late: a test process with nothing to lint does not need it.
    from sqlfluff.core import FluffConfig, Linter

    name, text = named
    linter = Linter(config=FluffConfig.from_path(str(ROOT)))
    place = f"tests/golden/sql/{name}.sql"
    letters = [
        f"{place}: {found[0]}…) makes Spark build a table of all letters, see hex_text"
        for found in re.finditer(r"\b(lower|upper)\(", text)
    ]
    return letters + [
        f"{place}:{found.line_no}:{found.line_pos}: {found.rule_code()} {found.desc()}"
        for found in linter.lint_string(_shallow(text), fname=place).get_violations()
    ]


def _shallow(text: str, most: int = 16) -> str:
    """An expression beyond the linter's nesting limit (an update of a document), without its
    deepest parts; the rest stays in place."""
    found, depth = [], 0
    for token in re.findall(r"'(?:[^'\\]|\\.)*'|--[^\n]*|[()]|[^'()-]+|-", text):
        depth += token == "("
        if depth <= most:
            found.append(token)
        elif depth == most + 1 and token == "(":
            found.append("(deeper")
        depth -= token == ")"
        if token == ")" and depth == most:
            found.append(")")
    return "".join(found)

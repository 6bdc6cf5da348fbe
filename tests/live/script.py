"""Statements of a file as steps of a capture.

A statement ends with `;` at the end of a line. The comment lines with a meaning are

    -- the snapshot happens here
    -- mark 2                       the next statement writes the mark: insert into shop.mark …

and the first paragraph of comments says what the script is for (it goes into NOTES.md).
"""

import re
from pathlib import Path

from tests.live.workload import Step

SNAPSHOT = "-- the snapshot happens here"


def read_script(path: Path) -> list[Step]:
    """The steps of a script; a ValueError if it is invalid."""
    steps, statement, mark = [], [], 0
    for line in path.read_text(encoding="utf-8").splitlines():
        if not statement and (line.startswith("--") or not line.strip()):
            if line == SNAPSHOT:
                steps.append(Step("snapshot"))
            elif found := re.fullmatch(r"-- mark (\d+)", line):
                mark = int(found[1])
            continue
        statement.append(line)
        if line.endswith(";"):
            text = "\n".join(statement).removesuffix(";")
            steps.append(Step("mark", text, mark=mark) if mark else Step("sql", text))
            statement, mark = [], 0
    if statement:
        raise ValueError(f"{path}: no ; at the end of {statement[0]!r}")
    if Step("snapshot") not in steps or not any(step.mark for step in steps):
        raise ValueError(f"{path}: a script needs a line {SNAPSHOT!r} and marks")
    return steps


def title_of(path: Path) -> str:
    """The first paragraph of comments, without the dashes."""
    lines = path.read_text(encoding="utf-8").split("\n\n")[0].splitlines()
    return "\n".join(line.removeprefix("--").strip() for line in lines)

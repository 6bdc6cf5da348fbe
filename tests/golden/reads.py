"""How often a statement reads its steps."""

import re

STEP = re.compile(r"^([a-z_0-9]+) as \(\n(.*?)^\),?$", re.MULTILINE | re.DOTALL)
READ = re.compile(r"\b(?:from|join)\s+([a-z_0-9]+)\b")
COMMENT = re.compile(r"^\s*--.*$", re.MULTILINE)


def reads(sql: str) -> dict[str, int]:
    """Step (CTE) → how often Spark reads it. A step has no table: Spark inlines it wherever it is
    read, so if one is read twice, all the steps before it are read twice.

    In: SQL in the project's format, whose steps begin and end at the start of a line.
    """
    sql = COMMENT.sub("", sql)
    steps = list(STEP.finditer(sql))
    found = dict.fromkeys((step[1] for step in steps), 0)

    def read_by(text: str, times: int) -> None:
        for name in READ.findall(text):
            if name in found:
                found[name] += times

    read_by(sql[steps[-1].end() :] if steps else "", 1)
    # only later steps read it: by then all of its own reads are counted
    for step in reversed(steps):
        read_by(step[2], found[step[1]])
    return found

"""Prints what is out of reach of a capture's stream, as the oracle finds it today.

    python -m tests.truth.draft_out_of_reach shop > tests/truth/shop.out_of_reach.yml

This is a draft: whoever adopts it states for every entry why the stream does not carry it, with
evidence, or corrects the oracle. Reasons of an earlier list are kept if a column had only one.
"""

import json
import sys
import textwrap

from tests.oracle.fold import as_of, fold
from tests.truth.captures import Capture, captures
from tests.truth.compare import as_model_rows, canonical_key, compare_table

HEAD = """\
# Cells the database shows and the stream does not carry. A listed cell that turns equal fails too.
# `keys` are the key values of the rows, `mark` is `final` or the number of a mark."""


def draft(capture: Capture) -> str:
    """The YAML text of the list."""
    folded = fold(capture.envelopes, capture.former_spec)
    items = [HEAD]
    for at in ("final", *capture.marks):
        for name, rows in sorted(capture.truth(at).items()):
            table = capture.former_spec.tables[name]
            shown = (
                folded.current[name]
                if at == "final"
                else as_of(folded.versions[name], capture.marks[at].lsn)
            )
            ours = as_model_rows(shown)
            texts = {canonical_key(table, row): [row[c] for c in table.key] for row in ours + rows}
            cells: dict[str, list] = {}
            for difference in compare_table(table, rows, ours):
                if not table.key or difference.reason in ("row missing", "key twice"):
                    raise SystemExit(f"this is never out of reach: {difference}")
                cells.setdefault(difference.column or "*", []).append(texts[difference.key])
            items += [_item(capture, name, c, at, keys) for c, keys in sorted(cells.items())]
    return "\n".join(items)


def _item(capture: Capture, table: str, column: str, at, keys: list[list[str]]) -> str:
    earlier = {
        (entry.reason, entry.evidence)
        for entry in capture.out_of_reach
        if (entry.table, entry.column) == (table, column)
    }
    quoted = json.dumps(column) if column == "*" else column
    reason, evidence = earlier.pop() if len(earlier) == 1 else ("TODO", "TODO")
    shown = sorted((", ".join(key) for key in keys), key=lambda text: (len(text), text))
    shown = [f"[{text}]" if len(keys[0]) > 1 else text for text in shown]
    return "\n".join(
        [
            f"- table: {table}",
            f"  column: {quoted}",
            f"  mark: {at}",
            "  reason: >-",
            _wrap(reason),
            "  evidence: >-",
            _wrap(evidence),
            "  keys:",
            _wrap(f"[{', '.join(shown)}]").replace("\n", "\n "),
        ]
    )


def _wrap(text: str) -> str:
    lines = textwrap.wrap(text, 94, break_long_words=False, break_on_hyphens=False)
    return textwrap.indent("\n".join(lines), "    ")


if __name__ == "__main__":
    text = draft(captures()[sys.argv[1]])
    sys.stdout.reconfigure(encoding="utf-8")
    print(text)

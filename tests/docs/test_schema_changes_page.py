"""The pages on records other than row changes show what tests prove, and name what exists."""

import re

from afterimage.macros import MACROS, Macros
from tests.docs.markdown import ROOT, sections, tables

HOW_TO = ROOT / "docs" / "how-to"
PAGES = [
    HOW_TO / f"{name}.md"
    for name in ("schema-changes", "snapshots-and-signals", "freshness-and-metrics")
]


def test_every_macro_of_the_pages_is_there():
    there = {file.stem for folder in ("control", "tests") for file in (MACROS / folder).glob("*")}
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        named = set(re.findall(r"afterimage\.(\w+)", text)) | set(re.findall(r"`(cdc_\w+)`", text))
        assert named <= there, page.name


def test_differences_are_those_of_the_capture():
    """tests/functional/test_schema_changes.py::test_of_mysql compares them with the records."""
    page = sections(PAGES[0].read_text(encoding="utf-8"))["Before → after"]
    shown = tables(page)[0].rows
    test = (ROOT / "tests" / "functional" / "test_schema_changes.py").read_text(encoding="utf-8")
    for row in shown:
        if row["difference"] not in ("(none: `is_snapshot`)", "table found"):
            assert f'"{row["difference"]}"' in test
            assert not row["column"] or f'"{row["column"]}"' in test
    for row in tables(page)[1].rows:
        line = row["contract_change"].strip("`")
        assert line.split(";")[0] in test, line


def test_what_ends_a_table_is_run():
    """tests/functional/test_schema_changes.py runs them: statements_alone, tables_that_end."""
    page = sections(PAGES[0].read_text(encoding="utf-8"))
    test = (ROOT / "tests" / "functional" / "test_schema_changes.py").read_text(encoding="utf-8")
    test = re.sub(r"/\*![0-9]+ | \*/|`", "", test).casefold()
    for row in tables(page["Alarms"])[0].rows:
        statement = re.split(r" [(]|,", row["the source ran"])[0].casefold()
        assert statement in test, statement
    gone = tables(page["Before → after"])[2].rows
    assert gone[0]["contract_change"].strip("`") in test and len(gone) == 2
    assert "gone" in {
        row["drift"] for row in tables(page["Without a topic of schema changes"])[0].rows
    }


def test_what_is_evidence_is_run():
    """tests/functional/test_snapshots.py::test_every_form runs it."""
    page = sections(PAGES[1].read_text(encoding="utf-8"))["What a snapshot is evidence of"]
    test = (ROOT / "tests" / "functional" / "test_snapshots.py").read_text(encoding="utf-8")
    for row in tables(page)[0].rows:
        words = [
            word for word in row["evidence"].split() if word in ("none", "presence", "absence")
        ]
        assert all(f'"{word}"' in test for word in words), row
    assert "snapshot_select_statement_overrides" in test and "snapshot_select_statement" in page


def test_kinds_of_helpers():
    kinds = Macros().helper_kinds()
    help_ = Macros().contract_keys()
    assert f"({', '.join(kinds)})" in help_["helper_tables"]["help"]

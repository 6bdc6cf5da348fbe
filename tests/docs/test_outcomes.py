"""docs/reference/outcomes.md and the macros name the same outcomes, kinds and reasons."""

import re

from afterimage import outcomes
from afterimage.macros import MACROS, Macros
from afterimage.report.gathered import FINDINGS
from tests.docs.markdown import ROOT, sections, tables

PAGE = sections((ROOT / "docs" / "reference" / "outcomes.md").read_text(encoding="utf-8"))
VERDICTS = (MACROS / "records" / "verdicts.sql").read_text(encoding="utf-8")
AVRO = (MACROS / "forms" / "avro" / "avro_records.sql").read_text(encoding="utf-8")
KINDS = outcomes.remedies()
ACCOUNTING = (MACROS / "quality" / "accounting.sql").read_text(encoding="utf-8")


def rows(section: str) -> list[dict[str, str]]:
    return tables(PAGE[section])[0].rows


def names(section: str, column: str) -> set[str]:
    """The names that a column shows as code."""
    return {row[column].strip("`") for row in rows(section) if row[column].startswith("`")}


def kinds(outcome: str) -> set[str]:
    return {kind for of, kind in KINDS if of == outcome}


def test_the_tables_are_fresh():
    again = "make them again: python -m afterimage.outcomes"
    assert outcomes.PAGE.read_text(encoding="utf-8") == outcomes.outcomes_page(), again
    shown = {
        (outcome, kind)
        for outcome, title in outcomes.SECTIONS.items()
        for kind in names(title, "reason" if outcome == "refused" else "kind")
    }
    assert shown == KINDS.keys()


def test_every_kind_has_a_meaning_and_a_remedy_that_a_seed_can_hold():
    """dbt-spark does not escape seed texts if Spark runs in its own process."""
    for row in KINDS.values():
        assert all(text and not set(text) & set("'\\|%\n") for text in row.values()), row


def test_reasons_are_those_of_the_macros():
    used = set(re.findall(r"'refused', 'kind': '(\w+)'", VERDICTS)) | {"unreadable_line"}
    used |= set(re.findall(r"concat(?:_ws\(' ', |\()'(\w+) ?'", AVRO))
    assert used == kinds("refused")


def test_ignored_kinds():
    used = set(re.findall(r"'ignored', 'kind': '(\w+)'", VERDICTS))
    used |= {title.lower().replace(" ", "_") for title in Macros().helper_kinds().values()}
    of_connector = Macros()._fields_of_connector()
    assert used | of_connector.keys() == kinds("ignored")


def test_kinds_of_topics():
    contract = {"topic_prefix": "p", "side_topics": {}}
    known = Macros().side_topics([contract]).values()
    assert {*known, "outbox", "unknown_topic"} == kinds("unrouted")


def test_outcomes():
    [line] = re.findall(r"outcome  (.*?);", ACCOUNTING)
    listed = {word.strip() for word in line.split(",")} | {
        "unrouted",
        "pending",
        "landed_again",
        *FINDINGS,
        "operator",
    }
    assert listed == names("Outcomes", "outcome")


def test_the_macros_find_no_other_kind():
    used = {
        kind
        for path in (MACROS / "quality").glob("*.sql")
        for _, kind in re.findall(
            rf"'({'|'.join(FINDINGS)})'(?: as outcome)?,\s*'(\w+)'",
            path.read_text(encoding="utf-8"),
        )
    }
    used |= {"position_went_back", "clock_went_back", "replica_identity", "binlog_row_image"}
    assert used == {kind for outcome in FINDINGS for kind in kinds(outcome)}

"""docs/reference/outcomes.md and the macros name the same outcomes, kinds and reasons."""

import re

from afterimage.macros import MACROS, Macros
from tests.docs.markdown import ROOT, sections, tables

PAGE = sections((ROOT / "docs" / "reference" / "outcomes.md").read_text(encoding="utf-8"))
VERDICTS = (MACROS / "records" / "verdicts.sql").read_text(encoding="utf-8")
AVRO = (MACROS / "forms" / "avro" / "avro_records.sql").read_text(encoding="utf-8")
KINDS = Macros().alarm_kinds()
ACCOUNTING = (MACROS / "quality" / "accounting.sql").read_text(encoding="utf-8")


def rows(section: str) -> list[dict[str, str]]:
    return tables(PAGE[section])[0].rows


def names(section: str, column: str) -> set[str]:
    """What a column shows as code."""
    return {row[column].strip("`") for row in rows(section) if row[column].startswith("`")}


def test_reasons_are_those_of_the_macros():
    assert all(row["says"] and row["do"] for row in rows("Refused"))
    used = set(re.findall(r"'refused', 'kind': '(\w+)'", VERDICTS)) | {"unreadable_line"}
    used |= set(re.findall(r"concat(?:_ws\(' ', |\()'(\w+) ?'", AVRO))
    assert used == names("Refused", "reason")


def test_ignored_kinds():
    used = set(re.findall(r"'ignored', 'kind': '(\w+)'", VERDICTS))
    used |= {title.lower().replace(" ", "_") for title in Macros().helper_kinds().values()}
    of_connector = Macros()._fields_of_connector()
    assert used | of_connector.keys() == names("Ignored", "kind")


def test_kinds_of_topics():
    contract = {"topic_prefix": "p", "side_topics": {}}
    known = Macros().side_topics([contract]).values()
    assert {*known, "outbox", "unknown_topic"} == names("Unrouted", "kind")


def test_outcomes():
    [line] = re.findall(r"outcome  (.*?);", ACCOUNTING)
    listed = {word.strip() for word in line.split(",")} | {
        "unrouted",
        "pending",
        "landed_again",
        *KINDS,
        "operator",
    }
    assert listed == names("Outcomes", "outcome")


def test_kinds_of_findings():
    told = {
        "alarm": names("Alarms", "kind"),
        "ambiguous": names("Ambiguous", "kind"),
        "contradiction": names("Contradictions", "kind"),
    }
    assert told == {outcome: set(kinds) for outcome, kinds in KINDS.items()}


def test_the_macros_find_no_other_kind():
    used = {
        kind
        for path in (MACROS / "quality").glob("*.sql")
        if path.name != "alarm_kinds.sql"
        for _, kind in re.findall(
            rf"'({'|'.join(KINDS)})'(?: as outcome)?,\s*'(\w+)'", path.read_text(encoding="utf-8")
        )
    }
    used |= {"position_went_back", "clock_went_back", "replica_identity", "binlog_row_image"}
    assert used == {kind for kinds in KINDS.values() for kind in kinds}

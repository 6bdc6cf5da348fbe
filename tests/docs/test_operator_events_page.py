"""The cases of docs/concepts/operator-events.md, by real `dbt run`s: they build its tables."""

import re

import pytest

from tests.docs.markdown import ROOT, sections, tables
from tests.functional.conftest import drop
from tests.functional.project import Project

pytestmark = pytest.mark.xdist_group("operator_events_page")
PAGE = ROOT / "docs" / "concepts" / "operator-events.md"
DAY = 1772323200  # 2026-03-01


# Title → rows of the records, of the events, of the history and of the current state.
OPERATOR_CASES = {
    title: [table.rows for table in tables(text)]
    for title, text in sections(PAGE.read_text(encoding="utf-8")).items()
    if "Current state:" in text
}
# The same by the name of a table that stands for the case.
CASES = {f"case{number}": case for number, case in enumerate(OPERATOR_CASES.values())}


@pytest.fixture(scope="module")
def project(spark, tmp_path_factory):
    """All cases as tables of one project; the events are declared after everything was read."""
    contract = {"key": ["id"], "columns": {"id": "int", "name": "text"}}
    made = Project(
        tmp_path_factory.mktemp("operator_events"),
        spark,
        "s",
        {"connector": "postgresql", "topic_prefix": "t"},
        {name: {"topic": name, **contract} for name in CASES},
        schema="operator_events_page",
        landing="operator_events_page_landing.events",
    )
    made.land([record for name, case in CASES.items() for record in records(name, case[0])])
    made.run("run")
    made.operator_events = [
        event | {"event": f"{name} {event['event']}", "source_name": "s", "table_name": name}
        for name, case in CASES.items()
        for event in case[1]
    ]
    made.write()
    made.run("seed")
    made.run("run")
    yield made
    drop(spark, made)


@pytest.mark.parametrize("name", CASES)
def test_the_models_give_the_tables(name, project):
    _, _, history, current = CASES[name]
    shown = [
        {
            "id": str(row["id"]),
            "name": row["name"],
            "from": place(row["_cdc_position"]),
            "to": place(row["_cdc_end_position"]),
            "ended by": row["_cdc_end_reason"] or "",
        }
        for row in project.rows(f"hist_s__{name}")
    ]
    assert sorted(shown, key=str) == sorted(history, key=str)
    rows = [{"id": str(r["id"]), "name": r["name"]} for r in project.rows(f"cur_s__{name}")]
    assert sorted(rows, key=str) == sorted(current, key=str)


def records(name: str, rows: list[dict[str, str]]) -> list[dict]:
    """Landed records of a case, one per hour of the day."""
    found = []
    for row in rows:
        key, _, label = row["after"].partition(", ")
        landed = DAY + 3600 * int(row["landed"].partition(":")[0])
        source = {"lsn": int(row["lsn"]), "txId": int(row["lsn"]), "ts_ms": landed * 1000}
        value = {
            "op": row["op"],
            "after": {"id": int(key), "name": label},
            "source": source | {"snapshot": "true" if row["op"] == "r" else "false"},
        }
        found.append(
            {"topic": name, "partition": 0, "offset": int(row["offset"]), "value": value}
            | {"timestamp": landed * 1000}
        )
    return found


def place(position: str | None) -> str:
    """A position without leading zeros, as the page writes it."""
    epoch, _, digits = (position or "").rpartition(".")
    return f"{epoch}.{digits.lstrip('0')}".lstrip(".")


def test_the_position_of_an_lsn(spark):
    """0/16B3748 is 0x16B3748 bytes from the start of the log."""
    formula = re.search(r"`(lpad\(cast\(conv.*?)`", PAGE.read_text(encoding="utf-8"))[1]
    assert spark.sql(f"select {formula}").first()[0] == f"{0x16B3748:020d}"

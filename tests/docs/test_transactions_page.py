"""docs/how-to/transactions.md: its tables by a real `dbt run` over change logs made by hand, its
models and tests are existing ones. For a run that ends between two histories see
tests/functional/test_transactions.py."""

import re

import pytest

from afterimage.macros import MACROS
from tests.docs.markdown import ROOT, sections, tables
from tests.functional.conftest import drop
from tests.functional.project import Project
from tests.functional.transaction_project import (
    CONNECTORS,
    Case,
    Change,
    Version,
    boundary,
    project_of_cases,
    states,
)

pytestmark = pytest.mark.xdist_group("transactions_page")
PAGE = (ROOT / "docs" / "how-to" / "transactions.md").read_text(encoding="utf-8")
PARTS = sections(PAGE)
ROWS, NAMES = (
    [{column.strip("`"): cell for column, cell in row.items()} for row in tables(part)[0].rows]
    for part in (PARTS["Before → after"], PARTS["Which table it is"])
)


def codes(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def case_of_page() -> Case:
    """The landed records of the first table, in order."""
    case = Case({"connector": "postgresql"}, {"a": "p.s.a", "b": "p.s.b"}, [], [])
    for row in ROWS:
        id_, order = row["transaction"], 0
        for word in codes(row["landed"]):
            offset, at = len(case.landed), 1000 * int(id_)
            status, *counts = word.split(" ", 1)
            if word in case.tables:
                order += 1
                case.changes.append(Change(word, f"p.s.{word}", f"p.s.{word}", id_, order, at))
                case.versions.append(Version(word, int(id_), id_, order))
            elif status in ("BEGIN", "END"):
                told = [part.split() for part in counts[0].split(", ")] if counts else []
                told = {f"s.{name}": int(count) for name, count in told}
                counts = told if status == "END" else None
                case.landed.append(boundary(offset, status, f"{id_}:{offset}", at, counts=counts))
            else:
                record = boundary(offset, "", "")
                case.landed.append(record | {"value": word})
    return case


def cases_of_names() -> dict[str, tuple[Case, dict]]:
    """name -> case, {collection: table}. Rows of a connector share a case where possible."""
    found: list[tuple[Case, dict]] = []
    for number, row in enumerate(row for row in NAMES if row["connector"] in CONNECTORS):
        [topic], [collection] = codes(row["topic of the table"]), codes(row["data_collection"])
        is_it = row["table"] == "yes"
        for case, expected in found:
            is_free = topic not in case.tables.values() and not (is_it and collection in expected)
            if case.contract["connector"] == row["connector"] and is_free:
                break
        else:
            case, expected = Case({"connector": row["connector"]}, {}, [], []), {}
            found.append((case, expected))
        table = f"t{number}"
        case.tables[table] = topic
        if is_it:
            expected[collection] = table
        offset = len(case.landed)
        assert is_it or collection in expected, "what another row has, it cannot be"
        if is_it:
            counts = {collection: 1}
            case.landed.append(boundary(offset, "END", f"{offset}", counts=counts))
    return {f"names{number}": entry for number, entry in enumerate(found)}


@pytest.fixture
def make_project(spark, tmp_path):
    made = []

    def make(schema: str, **fields) -> Project:
        landing = f"{schema}_landing.events"
        made.append(Project(tmp_path, spark, schema=schema, landing=landing, **fields))
        return made[-1]

    yield make
    for project in made:
        drop(spark, project)


def test_the_tables_are_what_the_models_give(make_project):
    names = cases_of_names()
    cases = {"page": case_of_page()} | {name: case for name, (case, _) in names.items()}
    project = project_of_cases(cases, make_project, "transactions_page")
    chosen = ["transactions_page", "together_page__a", "together_page__b"]
    project.run("run", "--select", *chosen, *[f"transactions_{name}" for name in names])

    told = {}
    for row in project.rows("transactions_page"):
        told.setdefault(row["transaction_id"] or "15", []).append(row)
    together = {
        name: {row["id"] for row in project.rows(f"together_page__{name}")} for name in ("a", "b")
    }
    for row in ROWS:
        rows = sorted(told.pop(row["transaction"]), key=lambda r: r["table_name"] or "")
        assert ", ".join(r["state"] for r in rows) == row["state"], row
        assert {str(r["is_settled"]).lower() for r in rows} == {row["is_settled"]}, row
        seen = [name for name in together if int(row["transaction"]) in together[name]]
        assert seen == codes(row["as_of_last_complete` shows"]), row
    assert not told

    for name, (_, expected) in names.items():
        found = states(project, f"transactions_{name}")
        assert {collection: row[0] for (_, collection), row in found.items()} == expected, name


def test_every_macro_of_the_page_is_there():
    there = {file.stem for folder in ("control", "tests") for file in (MACROS / folder).glob("*")}
    named = set(re.findall(r"afterimage\.(\w+)", PAGE)) | set(re.findall(r"`(cdc_\w+)`", PAGE))
    assert named <= there

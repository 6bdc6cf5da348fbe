"""The cases of docs/concepts: their records give their tables, by the oracle and by the models."""

import json
import random
import re
from collections import Counter

import pytest

from tests.coverage import streams
from tests.docs.cases import FOLDER, Case, pages_of_cases, place_shown
from tests.docs.markdown import sections, slug, tables
from tests.docs.shared_tables import Tenant, land_and_run, rows_of, tenants_of
from tests.docs.test_mongodb_page import MONGODB_CASES
from tests.docs.test_operator_events_page import OPERATOR_CASES
from tests.functional.conftest import drop
from tests.functional.project import Project
from tests.oracle.fold import Folded, fold, in_order, unique
from tests.oracle.postgres import decode, read_json
from tests.oracle.records import Record
from tests.oracle.spec import Spec

PAGES = pages_of_cases()
CASES = [case for cases in PAGES.values() for case in cases]
INDEX = (FOLDER / "README.md").read_text(encoding="utf-8")


@pytest.fixture(
    params=CASES, ids=lambda case: f"{case.page}-{case.title}".replace(" ", "-").lower()
)
def case(request):
    return request.param


def test_the_pages_have_their_cases():
    assert len(CASES) >= 90


def test_the_index_names_every_case_once_and_every_point():
    """Each case is linked from the index; each point of the index has cases."""
    linked = Counter(re.findall(r"\]\(([\w-]+)\.md#([\w-]+)\)", INDEX))
    there = {(case.page, slug(case.title)) for case in CASES}
    there |= {("operator-events", slug(title)) for title in OPERATOR_CASES}
    there |= {("mongodb", slug(title)) for title in MONGODB_CASES}
    assert {link for link in linked if link not in there} == set()
    assert there - linked.keys() == set()
    points = tables(sections(INDEX)["The ten points"])[0].rows
    assert len(points) == 10


def test_the_records_give_the_tables(case):
    folded = fold(case.records, case.spec)
    assert history_of(case, folded) == case.comparable(case.history)
    assert current_of(case, folded) == case.comparable(case.current)
    assert becomes(case.records, case.spec) == [row["becomes"] for row in case.landed]
    if case.change_log is not None:
        shown = case.comparable(change_log_of(case), ordered=True)
        assert shown == case.comparable(case.change_log, ordered=True)


def test_any_order_of_arrival_gives_the_same(case):
    told = fold(case.records, case.spec)
    for seed in range(10):
        shuffled = random.Random(seed).sample(case.records, len(case.records))
        assert fold(shuffled, case.spec) == told


def history_of(case: Case, folded: Folded) -> list[tuple]:
    return case.comparable(
        [
            {
                **version.values,
                "from": place_shown(version.start.lsn),
                "to": place_shown(version.end and version.end.lsn),
                "ended by": version.end_reason or "",
            }
            for version in folded.versions[case.name]
        ]
    )


def current_of(case: Case, folded: Folded) -> list[tuple]:
    """The existing rows; if the contract keeps deleted ones, the newest version of each key."""
    if not case.keeps_deleted:
        return case.comparable(folded.current[case.name])
    newest = {version.key: version for version in folded.versions[case.name]}
    return case.comparable(
        [
            version.values
            | {"deleted": "yes" if version.end else "", "ended by": version.end_reason or ""}
            for version in newest.values()
        ]
    )


def change_log_of(case: Case) -> list[dict]:
    """The changes in log order, with the columns the page shows. A delete carries only its key
    unless before images are complete."""
    values = {record.coordinate: record.value for record in case.records}
    events = [event for record in case.records if (event := decode(record, case.spec))]
    rows = []
    for event in in_order(unique(events)):
        image = event.before if event.op == "d" else event.after
        if event.op == "d" and not case.table.full:
            image = {c: v if c in case.table.key else None for c, v in image.items()}
        envelope = read_json(values[event.coordinate])
        fields = envelope["before"] if event.op == "d" else envelope["after"]
        known = {*case.table.columns, *_read_as_former(fields, case.table)}
        extra = {name: v for name, v in fields.items() if name not in known}
        row = {"op": event.op, **image, "_cdc_extra": json.dumps(extra) if extra else ""}
        rows.append({column: row[column] for column in case.change_log[0]})
    return rows


def _read_as_former(fields: dict, table) -> set[str]:
    """The fields that are columns under a former name."""
    named = ((column, *names) for column, names in table.former_names.items())
    return {next((name for name in names if name in fields), "") for names in named}


def becomes(records: list[Record], spec: Spec) -> list[str]:
    """The result for each record in the change log."""
    events = [decode(record, spec) for record in records]
    kept = {event.coordinate for event in unique([event for event in events if event])}
    found, seen = [], set()
    for record, event in zip(records, events, strict=True):
        found.append(
            "same record"
            if record.coordinate in seen
            else "ignored"
            if event is None
            else "staged"
            if event.coordinate in kept
            else "duplicate"
        )
        seen.add(record.coordinate)
    return found


def tenants(log: str) -> list[Tenant]:
    """The cases of a kind of log. "usual contracts" are those that most cases have, where two runs
    are enough: most of all cases, in two tables."""
    if log != "usual contracts":
        return tenants_of([case for case in CASES if (log == "postgresql") == case.is_postgresql])
    found = tenants_of(CASES)
    of_table = Counter(tenant.table for tenant in found)
    return [t for t in found if of_table[t.table] >= 10 and len(t.case.runs()) <= 2]


@pytest.mark.shows(of="log", streams=streams.of_concepts)
@pytest.mark.parametrize(
    "log",
    [
        pytest.param("usual contracts", marks=pytest.mark.concept),
        pytest.param("postgresql", marks=pytest.mark.slow),
        pytest.param("binary log", marks=pytest.mark.slow),
    ],
)
def test_the_models_give_the_tables(log, spark, tmp_path):
    """The records land run by run; each case is compared separately."""
    tenants_ = tenants(log)
    schema = f"concepts_{log.replace(' ', '_')}"
    project = Project(
        folder=tmp_path / "project",
        spark=spark,
        source="page",
        source_contract={"connector": "postgresql"},
        tables={tenant.table: tenant.contract for tenant in tenants_},
        schema=schema,
        landing=f"{schema}_landing.events",
    )
    try:
        land_and_run(project, tenants_)
        rows = {table: rows_of(project, table) for table in project.tables}
    finally:
        drop(spark, project)
    wrong = {}
    for tenant in tenants_:
        told, expected = tenant.told(rows[tenant.table]), tenant.expected()
        for part in expected:
            if told[part] != expected[part]:
                wrong[tenant.case.page, tenant.case.title, part] = told[part], expected[part]
    assert wrong == {}

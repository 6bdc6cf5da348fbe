"""The cases of docs/concepts/order-and-life.md: their records give their tables."""

import json
import random
from collections import Counter

import pytest

from tests.docs.markdown import ROOT, sections, tables
from tests.functional.conftest import drop
from tests.functional.project import Project
from tests.oracle.fold import Folded, fold, unique
from tests.oracle.postgres import UNKNOWN, decode
from tests.oracle.records import Record, record_from
from tests.oracle.spec import Spec, build_spec

PAGE = ROOT / "docs" / "concepts" / "order-and-life.md"
CONTRACTS = {
    "customers": {
        "replica_identity": "default",
        "columns": {"id": "int", "name": "text", "notes": "text"},
    },
    "slots": {"replica_identity": "full", "columns": {"id": "int", "label": "text"}},
    "visits": {"key": [], "replica_identity": "full", "columns": {"id": "int", "page": "text"}},
}
NOT_SENT = "__debezium_unavailable_value"


def cases() -> dict[str, tuple]:
    """Title → table's name, rows of the records, of the history, of the current state."""
    found = {}
    for title, text in sections(PAGE.read_text(encoding="utf-8")).items():
        landed, history, current = tables(text)
        name = next(name for name in CONTRACTS if f"History of `{name}`" in text)
        found[title] = (name, landed.rows, history.rows, current.rows)
    return found


CASES = cases()


@pytest.fixture(params=CASES, ids=lambda title: title.replace(" ", "-").lower())
def case(request):
    return CASES[request.param]


def test_the_page_has_its_cases():
    assert len(CASES) >= 12


def test_the_records_give_the_tables(case):
    name, landed, history, current = case
    spec = spec_of(name)
    records = [record_of(name, row) for row in landed]
    folded = fold(records, spec)
    assert spans(folded, name) == sorted(tuple(row.values()) for row in history)
    assert rows(folded, name) == sorted(tuple(row.values()) for row in current)
    assert [row["becomes"] for row in landed] == becomes(records, spec)


def test_any_order_of_arrival_gives_the_same(case):
    name, landed, _, _ = case
    spec = spec_of(name)
    records = [record_of(name, row) for row in landed]
    told = fold(records, spec)
    for seed in range(10):
        shuffled = random.Random(seed).sample(records, len(records))
        assert fold(shuffled, spec) == told


def spec_of(name: str) -> Spec:
    return build_spec({"tables": {name: {"topic": name, "key": ["id"], **CONTRACTS[name]}}})


def record_of(name: str, row: dict[str, str]) -> Record:
    """A row of a records table as a landed record."""
    place = {"topic": name, "offset": int(row["offset"])}
    op, _, key = row["op"].partition(": ")
    if op == "tombstone":
        return record_from(place | {"key": {"id": int(key)}, "value": None})
    images = {side: image_of(name, row[side]) for side in ("before", "after")}
    tx, _, number = row["tx"].partition(": ")
    shown = images["after"] or images["before"]
    header, _, other = row["headers"].partition(" ")
    return record_from(
        place
        | {
            "key": {"id": shown["id"]} if shown else None,
            "value": {
                "op": op,
                **images,
                "source": {
                    "lsn": int(row["lsn"]),
                    "txId": int(tx) if tx else None,
                    "snapshot": "true" if op == "r" else "false",
                    "sequence": json.dumps([row.get("last commit") or None, row["lsn"]]),
                },
                "transaction": {"id": tx, "total_order": int(number)} if number else None,
            },
            "headers": {f"__debezium.{header}": json.dumps({"id": int(other)})} if header else {},
        }
    )


def image_of(name: str, text: str) -> dict | None:
    """`1, Ann, null` as a row image."""
    if not text:
        return None
    values = [{"null": None, "(not sent)": NOT_SENT}.get(part, part) for part in text.split(", ")]
    image = dict(zip(CONTRACTS[name]["columns"], values, strict=True))
    return image | {"id": int(image["id"])}


def becomes(records: list[Record], spec: Spec) -> list[str]:
    """What the change log makes of each record."""
    events = [decode(record, spec) for record in records]
    kept = {event.coordinate for event in unique([event for event in events if event])}
    return [
        "ignored" if event is None else "staged" if event.coordinate in kept else "duplicate"
        for event in events
    ]


def spans(folded: Folded, name: str) -> list[tuple]:
    return sorted(
        (
            *map(shown, version.values.values()),
            str(version.start.lsn),
            str(version.end.lsn) if version.end else "",
            version.end_reason or "",
        )
        for version in folded.versions[name]
    )


def rows(folded: Folded, name: str) -> list[tuple]:
    return sorted(tuple(map(shown, row.values())) for row in folded.current[name])


def shown(value) -> str:
    return "(unknown)" if value is UNKNOWN else "null" if value is None else value


@pytest.mark.slow
def test_the_models_give_the_tables(spark, tmp_path):
    """Every case a table of its own in one project; the records land as shown, in two runs."""
    tables = {}
    for number, (name, *_) in enumerate(CASES.values()):
        tables[f"case_{number}"] = {"topic": f"case_{number}", "key": ["id"], **CONTRACTS[name]}
    project = Project(
        folder=tmp_path / "project",
        spark=spark,
        source="page",
        source_contract={"connector": "postgresql"},
        tables=tables,
        schema="concepts",
        landing="concepts_landing.events",
    )
    try:
        landed = [
            [landing_record(f"case_{number}", record_of(name, row)) for row in rows]
            for number, (name, rows, _, _) in enumerate(CASES.values())
        ]
        for part in (slice(0, 2), slice(2, None)):
            project.land([record for records in landed for record in records[part]])
            project.run("run")
        got = {
            title: models_of(project, f"case_{number}", name)
            for number, (title, (name, *_)) in enumerate(CASES.items())
        }
    finally:
        drop(spark, project)
    assert got == {
        title: (
            sorted(tuple(row.values()) for row in history),
            sorted(tuple(row.values()) for row in current),
            Counter(row["becomes"] for row in records),
        )
        for title, (_, records, history, current) in CASES.items()
    }


def landing_record(topic: str, record: Record) -> dict:
    return {
        "topic": topic,
        "partition": 0,
        "offset": record.offset,
        "key": record.key,
        "value": record.value,
        "headers": record.headers,
    }


def models_of(project: Project, table: str, name: str) -> tuple[list, list, Counter]:
    """What history, current state and accounting hold of a case, in the form of the page."""
    columns = list(CONTRACTS[name]["columns"])

    def cells(row: dict) -> tuple:
        unknown = json.loads(row["_cdc_unknown"] or "[]")
        return tuple(
            "(unknown)"
            if column in unknown
            else "null"
            if row[column] is None
            else str(row[column])
            for column in columns
        )

    history = [
        (
            *cells(row),
            str(int(row["_cdc_position"])),
            str(int(row["_cdc_end_position"])) if row["_cdc_end_position"] else "",
            row["_cdc_end_reason"] or "",
        )
        for row in project.rows(f"hist_page__{table}")
    ]
    current = [cells(row) for row in project.rows(f"cur_page__{table}")]
    counts = Counter()
    for (counted, outcome, _), number in project.counts().items():
        if counted == table and outcome != "landed":
            counts[outcome] += number
    return sorted(history), sorted(current), counts

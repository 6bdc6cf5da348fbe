"""The same records by Debezium's JDBC sink and by the models: what
docs/how-to/coming-from-the-jdbc-sink.md shows of its cases and of captures.
tests/oracle/jdbc_sink.py models the sink; the database's rows are the truth."""

import json
import re
from dataclasses import dataclass

import pytest
import yaml

from tests.docs.jdbc_sink_page import BETWEEN, CASES, PARTS, REAL, Real, stop_in
from tests.docs.shared_tables import NUMBER, tenants_of
from tests.functional.capture_project import landing_records, table_contract, table_name
from tests.functional.conftest import drop
from tests.functional.project import Project
from tests.oracle.fold import fold
from tests.oracle.jdbc_sink import Sink, deliver_all, setup_of
from tests.truth.captures import captures
from tests.truth.compare import canonical, canonical_key, compare_table

pytestmark = [pytest.mark.xdist_group("beside_the_jdbc_sink"), pytest.mark.shared]
TENANTS = {
    shown.title: tenant
    for shown, tenant in zip(CASES, tenants_of([shown.case for shown in CASES]), strict=True)
}
RESTARTED = "pg-restart-duplicates", "crew.people"
# Its records up to the restart, and to the middle of the redelivery.
SEEN, AGAIN = 1141, 1589
MARK = "__debezium_unavailable_value"
# With these options the sink writes both rows of the snapshot.
WRITABLE = {"quote.identifiers": "true", "left.out": "pt,na,da,n5030"}


@dataclass
class Landed:
    """The project, and the rows in `cur_` of the restarted table when the redelivery began."""

    project: Project
    before: list[dict]

    def rows(self, layer: str, table: str) -> list[dict]:
        return self.project.rows(f"{layer}_page__{table}")


def model_table(capture: str, table: str) -> str:
    return f"{capture.replace('-', '_')}_{table_name(table)}"


@pytest.fixture(scope="module")
def landed(spark, tmp_path_factory):
    """Every case, table and contract of the page in one project."""
    there = {(real.line["capture and table"].split()[0], real.table) for real in REAL}
    there |= {RESTARTED}
    contract = yaml.safe_load(re.search(r"```yaml\n(.*?)```", PARTS["1. The usual setup"], re.S)[1])
    [setup] = contract["sources"]
    tables = {t["name"]: t["config"]["meta"]["cdc"] for t in setup["tables"]}
    tables |= {tenant.table: tenant.contract for tenant in TENANTS.values()}
    for name, table in there:
        spec = captures()[name].spec
        tables[model_table(name, table)] = table_contract(spec, spec.tables[table])
    made = Project(
        tmp_path_factory.mktemp("beside_the_jdbc_sink"),
        spark,
        "page",
        setup["config"]["meta"]["cdc"],
        tables,
        schema="beside_the_jdbc_sink",
        landing="beside_the_jdbc_sink_landing.events",
    )
    try:
        for tenant in TENANTS.values():
            made.land([tenant.landed(record) for record in tenant.case.records])
        for name, table in sorted(there):
            capture = captures()[name]
            topics = capture.spec.tables[table].topics
            records = capture.records[: SEEN if (name, table) == RESTARTED else None]
            made.land(landing_records([r for r in records if r.topic in topics]))
        made.run("run")
        people = model_table(*RESTARTED)
        models = [f"{layer}_page__{people}" for layer in ("stg", "hist", "cur")]
        before = made.rows(f"cur_page__{people}")
        made.land(landing_records(restarted(SEEN, AGAIN)))
        made.run("run", "--select", *models)
        yield Landed(made, before)
    finally:
        drop(spark, made)


def restarted(first: int, last: int) -> list:
    capture = captures()[RESTARTED[0]]
    topics = capture.spec.tables[RESTARTED[1]].topics
    return [record for record in capture.records[first:last] if record.topic in topics]


# --- the cases of the page -----------------------------------------------------------------------


@pytest.mark.parametrize("shown", CASES, ids=lambda shown: shown.title)
def test_the_models_give_the_rows(shown, landed, compared):
    tenant = TENANTS[shown.title]
    ours = shown.of_ours()
    assert "cur" in ours
    for layer, rows in ours.items():
        found = [
            row
            for row in landed.rows(layer, tenant.table)
            if tenant.number is None or row[NUMBER] == tenant.number
        ]
        columns = rows[0].keys()
        told = [{column: text_of(row, column) for column in columns} for row in found]
        assert sorted(map(repr, told)) == sorted(map(repr, rows)), layer
        compared["rows beside the JDBC sink, as a page shows them"] += len(rows)


def text_of(row: dict, column: str) -> str:
    """A cell as the page shows it; empty if the model has no such column."""
    if column not in row:
        return ""
    if column in json.loads(row.get("_cdc_unknown") or "[]"):
        return "(unknown)"
    if column == "_cdc_extra":
        return json.dumps(json.loads(row[column])) if row[column] else ""
    return "null" if row[column] is None else str(row[column])


def test_a_value_that_does_not_fit_is_in_quarantine(landed):
    """Only that of the type that grew, among all cases and captures."""
    tenant = TENANTS["A type that grows"]
    refused = landed.project.rows("dq_page__quarantine")
    assert [(r["reason"], r["topic"], r["offset"] - tenant.shift) for r in refused] == [
        ("value_does_not_fit", tenant.table, 1)
    ]


# --- captures ------------------------------------------------------------------------------------


@pytest.mark.parametrize("real", REAL, ids=str)
def test_captures_beside_the_database(real: Real, landed, compared):
    """The sink's table, ours and the database's, cell by cell: the counts are those of the page,
    and ours differs only in what is out of reach."""
    capture, line = real.capture, real.line
    table = capture.spec.tables[real.table]
    assert len(real.records) == int(line["records"])
    sink = Sink(table, capture.spec, real.setup)
    stopped = deliver_all(sink, capture.records)
    ours = landed.rows("cur", model_table(capture.name, real.table))
    assert capture.faults(table, "final", ours) == []
    compared["rows of captures beside the JDBC sink"] += len(ours)
    if stopped or stop_in(line["rows missing"]) is not None:
        assert stopped.offset == stop_in(line["rows missing"])
        return
    truth = capture.final[real.table]
    by_sink = differences(table, truth, sink.rows, real.setup.left_out)
    by_us = differences(table, truth, ours, real.setup.left_out)
    wrong = [by_sink[cell] for cell in by_sink.keys() - by_us.keys()]
    found = {
        "rows missing": wrong.count("row missing"),
        "rows too many": wrong.count("row not expected"),
        "cells wrong": wrong.count("unequal"),
        "unknown here": len(by_us.keys() - by_sink.keys()),
    }
    assert len(wrong) == sum(found.values()) - found["unknown here"]
    assert found == {name: int(line[name]) for name in found}


def differences(table, truth: list[dict], rows: list[dict], left_out) -> dict[tuple, str]:
    """(key, column) → the difference; columns left out are not compared."""
    return {
        (difference.key, difference.column): difference.reason
        for difference in compare_table(table, truth, rows)
        if difference.column not in left_out
    }


def test_in_the_midst_of_a_redelivery(landed, compared):
    """The connector restarted and sends records again. The sink goes back to earlier states of the
    rows; ours do not. The independent fold of the records before the restart gives the expected
    rows."""
    capture, (sunk, kept) = captures()[RESTARTED[0]], BETWEEN[:2]
    table = capture.spec.tables[RESTARTED[1]]
    now = landed.rows("cur", model_table(*RESTARTED))
    assert by_key(table, now) == by_key(table, landed.before)
    folded = fold(capture.records[:SEEN], capture.spec).current[table.name]
    assert by_key(table, now) == by_key(table, folded)
    assert "what it was before the redelivery began" in kept["what is seen"]
    sink = Sink(table, capture.spec)
    assert deliver_all(sink, capture.records[:AGAIN]) is None
    there, by_sink = by_key(table, now), by_key(table, sink.rows)
    assert there.keys() - by_sink.keys() == set()
    back = by_sink.keys() - there.keys()
    older = [
        key
        for key in there
        if any(b not in (a, MARK) for a, b in zip(there[key], by_sink[key], strict=True))
    ]
    said = f"{len(back)} deleted rows are back, {len(older)} rows are older than before"
    assert said == sunk["what is seen"]
    compared["rows of captures beside the JDBC sink"] += len(now)


def by_key(table, rows: list[dict]) -> dict[tuple, tuple]:
    return {
        canonical_key(table, row): tuple(
            MARK if row[column] == MARK else canonical(kind, row[column])
            for column, kind in table.columns.items()
        )
        for row in rows
    }


def test_digits_of_a_number_without_scale(landed):
    """source.sql has the written value: a double of the sink has some sixteen digits of it."""
    sunk, kept = (re.search(r"is ([\d.]+)$", row["what is seen"])[1] for row in BETWEEN[2:])
    capture = captures()["pg-inventory-with-schema"]
    table = capture.spec.tables["demo.all_types"]
    written = (capture.folder / "source.sql").read_text(encoding="utf-8")
    assert f"(2,true,-32768,2147483647,9223372036854775807,1.5,2.718281828459045,{kept}," in written
    first = landed.rows("hist", model_table(capture.name, table.name))
    [row] = [row for row in first if row["id"] == 2 and row["_cdc_op"] == "r"]
    assert row["n"] == kept
    sink = Sink(table, capture.spec, setup_of(WRITABLE))
    snapshot = [r for r in capture.records if r.topic in table.topics][:2]
    assert deliver_all(sink, snapshot) is None
    assert f"{sink.rows[1]['n']:f}" == sunk

"""docs/concepts/mongodb.md: each case's records give its history, by a real `dbt run`, in two runs
and out of order. All cases are documents of one collection, distinguished by their ids."""

import json
import random
import re

import pytest
import yaml

from tests.coverage import streams
from tests.docs.markdown import ROOT, sections, tables
from tests.functional.conftest import drop
from tests.functional.project import Project

pytestmark = pytest.mark.xdist_group("mongodb_page")
PAGE = (ROOT / "docs" / "concepts" / "mongodb.md").read_text(encoding="utf-8")
[CONTRACT] = [
    contract
    for block in re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
    for contract in yaml.safe_load(block).values()
]
PARTS = {
    title: tables(text) for title, text in sections(PAGE).items() if "\n| op | at | key |" in text
}
MONGODB_CASES = list(PARTS)


def code(cell: str) -> str:
    return cell.removeprefix("`").removesuffix("`")


def place(shown: str) -> str | None:
    seconds, _, number = shown.partition(".")
    return f"{int(seconds) * 1000:018d}.{int(number):010d}" if shown else None


def record(row: dict[str, str], offset: int) -> dict:
    seconds, _, number = row["at"].partition(".")
    source = {"connector": "mongodb", "name": "mongo", "ts_ms": int(seconds) * 1000, "rs": "rs0"}
    source |= {"db": "crm", "collection": "people", "ord": int(number), "snapshot": "false"}
    value = {"op": row["op"], "source": source, "ts_ms": int(seconds) * 1000 + 200}
    value |= {side: code(row.get(side, "")) or None for side in ("before", "after")}
    told = code(row.get("update", ""))
    value["updateDescription"] = json.loads(told) if told else None
    if row.get("transaction"):
        value["transaction"] = {"id": "t", "total_order": row["transaction"]}
    place_told = {"topic": CONTRACT["topic"], "partition": 0, "offset": offset}
    return place_told | {"timestamp": 0, "key": {"id": code(row["key"])}, "value": value}


RECORDS = {
    title: [record(row, 1000 * number + n) for n, row in enumerate(found[0].rows)]
    for number, (title, found) in enumerate(PARTS.items())
}


@pytest.fixture(scope="module")
def project(spark, tmp_path_factory):
    made = Project(
        tmp_path_factory.mktemp("mongodb_page"),
        spark,
        "s",
        {},
        {"people": CONTRACT},
        schema="mongodb_page",
        landing="mongodb_page_landing.events",
    )
    records = [record for records in RECORDS.values() for record in records]
    random.Random(7).shuffle(records)
    half = len(records) // 2
    for part in (records[:half], records[half:]):
        made.land(part)
        made.run("run")
    yield made
    drop(spark, made)


def test_the_page_has_its_cases():
    assert len(MONGODB_CASES) >= 11


@pytest.mark.shows(of="title", streams=streams.of_mongodb_page)
@pytest.mark.parametrize("title", MONGODB_CASES)
def test_its_records_give_what_is_shown(project, title, compared):
    _, expected = PARTS[title]
    offsets = {record["offset"] for record in RECORDS[title]}
    wanted = [{name: code(cell) for name, cell in row.items()} for row in expected.rows]
    if "reason" in expected.rows[0]:
        refused = [r for r in project.rows("dq_s__quarantine") if r["offset"] in offsets]
        assert sorted(r["detail"] for r in refused) == sorted(row["detail"] for row in wanted)
        assert {r["reason"] for r in refused} == {row["reason"] for row in wanted}
        compared["records refused as the page shows"] += len(wanted)
        return
    staged = {r["_cdc_key"] for r in project.rows("stg_s__people") if r["_cdc_offset"] in offsets}
    found = [r for r in project.rows("hist_s__people") if r["_cdc_key"] in staged]
    shown = [shown_as(row, wanted[0]) for row in sorted(found, key=lambda r: r["_cdc_order"])]
    for row in wanted:
        row["from"], row["to"] = place(row["from"]), place(row["to"]) or ""
    assert sorted(shown, key=lambda r: r["from"]) == sorted(wanted, key=lambda r: r["from"])
    current = {r["_cdc_key"]: r for r in project.rows("cur_s__people") if r["_cdc_key"] in staged}
    assert {r["_cdc_key"] for r in wanted if not r["ended by"]} == current.keys()
    compared["rows of hist_ as the page shows"] += len(wanted)


def shown_as(row: dict, columns: dict) -> dict:
    row = row | {"from": row["_cdc_position"], "to": row["_cdc_end_position"]}
    row["ended by"] = row["_cdc_end_reason"]
    row["_cdc_approximate"] = "yes" if row["_cdc_approximate"] else ""
    return {name: "" if row[name] is None else str(row[name]) for name in columns}

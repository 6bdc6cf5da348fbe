"""The cases of docs/how-to/datastream.md, by real `dbt run`s over the page's external table and
view: they build its tables."""

import json
import re
from itertools import count

import pytest
import yaml

from tests.coverage import streams
from tests.docs.markdown import ROOT, sections, tables
from tests.functional.conftest import drop
from tests.functional.project import Project

pytestmark = pytest.mark.xdist_group("datastream_page")
PAGE = ROOT / "docs" / "how-to" / "datastream.md"
TEXT = PAGE.read_text(encoding="utf-8")
# Title → rows of the events, of history and of current state.
CASES = {
    title: [table.rows for table in tables(text)]
    for title, text in sections(TEXT).items()
    if "Current state:" in text
}
LANDING = "datastream_page_landing.events"
KEYS = {"pallets": "id", "parcels": "id", "samples": "THIS_IS_MY_PK"}
VALUES = {"pallets": "bay", "parcels": "bay", "samples": "FIELD1"}


def block(kind: str) -> str:
    return re.search(rf"(?ms)^```{kind}\n(.*?)^```$", TEXT)[1]


def contracts() -> dict[str, dict]:
    found = yaml.safe_load(block("yaml"))["tables"]
    return {table["name"]: table["config"]["meta"]["cdc"] for table in found}


def table_of(events: list[dict]) -> str:
    return next(re.search("`(.*)`", name)[1] for name in events[0] if name.startswith("row of"))


@pytest.fixture(scope="module")
def project(spark, tmp_path_factory):
    bucket = tmp_path_factory.mktemp("datastream_page") / "bucket"
    made = Project(
        bucket.parent / "project", spark, "s", {}, contracts(), schema="datastream_page",
        landing=LANDING,
    )  # fmt: skip
    numbers = count()
    try:
        spark.sql(f"drop table {LANDING}")
        for run in ("1", "2"):
            for events in CASES.values():
                name, number = table_of(events[0]), next(numbers)
                file = bucket / name / f"2024/02/01/08/0{run}" / f"{number}.jsonl"
                file.parent.mkdir(parents=True, exist_ok=True)
                lines = [
                    line(name, row, next(numbers)) for row in events[0] if row["landed"] == run
                ]
                file.write_text("".join(lines))
            if run == "1":
                sql = block("sql").replace("gs://depot-bucket/depot", str(bucket))
                for statement in sql.replace("landing.", "datastream_page_landing.").split(";"):
                    if statement.strip():
                        spark.sql(statement)
            spark.sql("refresh table datastream_page_landing.bucket")
            made.run("run")
        yield made
    finally:
        drop(spark, made)


def line(table: str, row: dict[str, str], number: int) -> str:
    """An event of a file."""
    key, _, value = row[f"row of `{table}`"].partition(", ")
    metadata = {"table": table, "change_type": row["change_type"]}
    metadata["is_deleted"] = row["change_type"].endswith("DELETE")
    if table == "pallets":
        file, _, position = row["place"].partition(": ")
        metadata |= {"primary_keys": ["id"], "database": "depot"}
        metadata["log_file"] = f"mysql-bin.{int(file):06}" if file else ""
        metadata["log_position"] = int(position or 0)
    elif table == "parcels":
        metadata |= {"schema": "public", "tx_id": 7, "lsn": row["place"], "primary_keys": ["id"]}
    else:
        scn, rs_id, ssn = row["place"].split(" ")
        metadata |= {"scn": int(scn), "rs_id": rs_id, "ssn": int(ssn), "schema": "ROOT"}
    event = {
        "stream_name": "projects/acme/locations/eu/streams/depot",
        "read_method": row["read_method"],
        "object": contracts()[table]["topic"],
        "uuid": f"0b1d6b1e-{number}",
        "read_timestamp": f"2024-02-01T08:0{row['landed']}:00.120Z",
        "source_timestamp": "2024-02-01T08:00:01",
        "source_metadata": metadata,
        "payload": {KEYS[table]: int(key), VALUES[table]: None if value == "null" else value},
    }
    return json.dumps(event) + "\n"


@pytest.mark.shows(of="title", streams=streams.of_datastream_page)
@pytest.mark.parametrize("title", CASES)
def test_the_models_give_the_tables(title, project):
    events, history, *current = CASES[title]
    name = table_of(events)
    keys = {row[f"row of `{name}`"].partition(", ")[0] for row in events}

    def shown(layer: str) -> list[dict]:
        rows = project.rows(f"{layer}_s__{name}")
        return [row for row in rows if str(int(row[KEYS[name]])) in keys]

    def text(row: dict) -> str:
        value = row[VALUES[name]]
        return f"{int(row[KEYS[name]])}, {'null' if value is None else value}"

    found = [
        {
            "row": text(row),
            "from": place(row["_cdc_position"]),
            "to": place(row["_cdc_end_position"]),
            "ended by": row["_cdc_end_reason"] or "",
        }
        for row in shown("hist")
    ]
    assert sorted(found, key=str) == sorted(history, key=str)
    left = sorted(text(row) for row in shown("cur"))
    assert left == sorted(row["row"] for row in (current[0] if current else []))


def test_every_event_of_the_bucket_is_staged(project):
    events = [row for case in CASES.values() for row in case[0]]
    staged = sum(n for kind, n in project.counts().items() if kind[1] == "staged")
    assert staged == len(events)
    assert {kind[1] for kind in project.counts()} == {"landed", "staged"}


def place(position: str | None) -> str:
    """0000000012.000000000100 as 12: 100; for Oracle the scn; 0000001600000064 as 16/64."""
    if position is None:
        return ""
    if len(position) == 16:
        return f"{int(position[:8], 16):X}/{int(position[8:], 16):X}"
    parts = position.split(".")
    return ": ".join(str(int(part)) for part in (parts if len(parts) == 2 else parts[:1]))

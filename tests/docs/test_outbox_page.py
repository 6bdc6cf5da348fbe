"""docs/how-to/outbox.md: its tables before → after by a real `dbt run`, its options those of the
documentation, its keys and reasons those of the macros."""

import re

import pytest
import yaml

from afterimage.macros import Macros
from tests.docs.markdown import ROOT, sections, tables
from tests.functional.conftest import drop
from tests.functional.outbox_project import models_of
from tests.functional.project import Project
from tests.truth.captures import shared_folder

pytestmark = pytest.mark.xdist_group("outbox_page")
OUTBOX = ROOT / "macros" / "outbox"
PAGE = (ROOT / "docs" / "how-to" / "outbox.md").read_text(encoding="utf-8")
PARTS = sections(PAGE)
FOUND = Macros()
DEFAULT = FOUND.outbox_keys()["topic"]["default"]
SAID = ("event_id", "event_type", "aggregate_type", "aggregate_id", "payload", "payload_kind")
MODELS = ("NAME_records", "NAME_events", "NAME_refused")
# Each declaration of part 3 with the rows of its table.
CASES = {
    f"c{number}": (yaml.safe_load(said)["outbox"], tables(table)[0].rows)
    for number, (said, table) in enumerate(
        re.findall(r"```yaml\n(.*?)```\n\n((?:\|[^\n]*\n)+)", PARTS["3. Before → after"], re.DOTALL)
    )
}


def declared(name: str) -> dict:
    """The declaration of a case, with topics under the case's name."""
    outbox = CASES[name][0]
    topics = outbox.get("topic", DEFAULT)
    topics = [topics] if isinstance(topics, str) else topics
    return outbox | {"topic": [f"{name}.{topic}" for topic in topics]}


def records(name: str) -> list[dict]:
    return [
        {
            "topic": f"{name}.{code(row['topic'])}",
            "partition": 0,
            "offset": offset,
            "timestamp": 1556890294484 + offset,
            "key": code(row["key"]) or None,
            "value": code(row["value"]) if row["value"] else None,
            "headers": dict(re.findall(r"(\w+)=(.*?)(?=, \w+=|$)", code(row["headers"]))),
        }
        for offset, row in enumerate(CASES[name][1])
    ]


def code(cell: str) -> str:
    return cell.removeprefix("`").removesuffix("`")


@pytest.fixture(scope="module")
def project(spark, tmp_path_factory):
    """All cases as outboxes of one project."""
    made = Project(
        tmp_path_factory.mktemp("outbox_page"),
        spark,
        "s",
        {},
        {},
        schema="outbox_page",
        landing="outbox_page_landing.events",
        outboxes={name: declared(name) for name in CASES},
        extra_models={k: v for name in CASES for k, v in models_of(name, only=MODELS).items()},
    )
    made.land([record for name in CASES for record in records(name)])
    made.run("run")
    yield made
    drop(spark, made)


OF_MONGODB = pytest.mark.shows("mongodb", "any", "outbox event")


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=OF_MONGODB if said == {"value_converter": "string"} else [])
        for name, (said, _) in CASES.items()
    ],
)
def test_the_models_give_the_tables(name, project):
    rows = dict(enumerate(CASES[name][1]))
    found = {row["_cdc_offset"]: row for row in project.rows(f"{name}_events")}
    assert {o: [row[said] for said in SAID] for o, row in found.items()} == {
        o: [code(row[said]) if row[said] else None for said in SAID]
        for o, row in rows.items()
        if row["event_id"]
    }
    reasons = {o: row["event_type"] for o, row in rows.items() if not row["event_id"]}
    ignored = [reasons.pop(o) for o, reason in [*reasons.items()] if reason == "(ignored)"]
    assert {r["offset"]: r["reason"] for r in project.rows(f"{name}_refused")} == reasons
    left = {r["_cdc_offset"] for r in project.rows(f"{name}_records", "outcome = 'ignored'")}
    assert len(left) == len(ignored)
    assert left | set(found) | set(reasons) == set(rows)


@pytest.mark.shows("mongodb", "any", "outbox row")
def test_what_the_tables_do_not_show(project):
    """Versions of the schema, fields that were placed, the time in a document."""
    [schemas] = [n for n, (_, rows) in CASES.items() if '"version":3' in rows[0]["value"]]
    versions = {r["event_id"]: r["schema_version"] for r in project.rows(f"{schemas}_events")}
    assert versions == {"e1": "3", "e2": None, "e3": None}
    [placed] = [n for n, (outbox, _) in CASES.items() if "shard" in str(outbox)]
    [row] = project.rows(f"{placed}_events", "event_id = 'e1'")
    assert row["placed"] == {"order_ref": "102", "eventType": "OrderPlaced"}
    assert row["payload_form"] == "enveloped object"
    [document] = [n for n, (outbox, _) in CASES.items() if "field_event_timestamp" in outbox]
    times = {r["event_id"]: r["event_ts"] for r in project.rows(f"{document}_events")}
    assert times["596e275826f08b2730779e1f"].isoformat() == "2019-05-03T13:31:34.344000"
    assert times["7"] is None


@pytest.mark.shared
def test_every_option_of_both_routers_is_there():
    spec = shared_folder("spec") / "outbox.md"
    listed = spec.read_text(encoding="utf-8").split("## 4. Options")[1]
    rows = re.findall(r"(?m)^\| (`[a-z.]+`) \| (.*?) \|", listed)
    options = {name for row in rows for name in re.findall(r"`([a-z.]+)`", " ".join(row))}
    assert len(options) == 21
    told = {
        name
        for row in tables(PARTS["6. Every option of both routers"])[0].rows
        for name in re.findall(r"`([a-z.]+)`", row["option"])
    }
    assert told == options


def refused_by_the_macros() -> set[str]:
    """Reasons in the SQL of outboxes."""
    said = "".join(path.read_text(encoding="utf-8") for path in OUTBOX.glob("*.sql"))
    # the last is found among all that was read
    return {*re.findall(r"'refused (\w+)'", said), "event_id_reused"}


def test_keys_and_reasons_are_those_of_the_macros():
    reasons = {r["reason"].strip("`") for r in tables(PARTS["7. Refused"])[0].rows}
    assert reasons == refused_by_the_macros()
    keys = {r["key"].strip("`"): r for r in tables(PARTS["8. Keys"])[0].rows}
    assert list(keys) == list(FOUND.outbox_keys())
    for name, key in FOUND.outbox_keys().items():
        assert keys[name]["what it says"] == key["help"]
        assert keys[name]["type"] == key["type"]
        words = re.findall(r"`(.*?)`", keys[name]["allowed"])
        assert words == [{True: "true", False: "false"}.get(w, w) for w in key.get("allowed", [])]
        assert keys[name]["goes with"] == (f"`captured: {key['of']}`" if "of" in key else "")

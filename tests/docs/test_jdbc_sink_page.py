"""docs/how-to/coming-from-the-jdbc-sink.md: every option and type in the sink's documentation, each
once; the sink's results in its cases, by its model. For our results see
tests/functional/test_beside_the_jdbc_sink.py."""

import json
import re
from collections import Counter

import pytest

from tests.docs.jdbc_sink_page import CASES, PAGE, PARTS
from tests.docs.markdown import ROOT, sections, tables
from tests.oracle.jdbc_sink import Sink, deliver_all, setup_of
from tests.truth.captures import captures, shared_folder
from tests.truth.compare import compare_table
from tests.types.cells import decoder, default_settings

OPTIONS, LATER = tables(PARTS["2. Every option"])
TYPES = tables(PARTS["5. Types"])[0].rows
DIALECTS = ("MySQL", "PostgreSQL", "SQL Server")
# Cases of the real run of 3.6 (in its wording) → where the page shows them.
RUN = {
    "PK change": "A key that changes",
    "TOAST placeholder": "A value that was not sent",
    "truncate": "A truncate",
    "tombstone": "A key that changes",
    "ADD COLUMN DEFAULT": "6. Where the sink has more",
    "DROP COLUMN": "A column that comes, and one that goes",
    "RENAME COLUMN": "A column that comes, and one that goes",
    "int to bigint": "A type that grows",
    "NaN numeric": "4. On real records",
    "unconstrained numeric": "4. On real records",
    "jsonb": "5. Types",
}


@pytest.fixture(scope="module")
def spec() -> dict[str, str]:
    path = shared_folder("spec") / "jdbc-sink.md"
    return sections(path.read_text(encoding="utf-8"))


def names_in(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def options() -> Counter:
    """Names of both tables; the values of an option are lines below it."""
    return Counter(name for row in (*OPTIONS.rows, *LATER.rows) for name in names_in(row["option"]))


@pytest.mark.shared
def test_every_option_of_the_documents_is_there_once(spec):
    said = set()
    for row in tables(spec["9. Full settings table"])[0].rows:
        names = names_in(row["Property"])
        # `connection.url`, `.username`, `.password`
        first = names[0].rpartition(".")[0]
        said |= {first + name if name.startswith(".") else name for name in names}
    assert len(said) == 22
    of_documents = {name for row in OPTIONS.rows for name in names_in(row["option"])}
    assert of_documents == said
    assert [name for name, times in options().items() if times > 1] == []


def test_the_options_of_the_real_run_are_there():
    assert {"truncate.enabled", "use.reduction.buffer", "batch.size"} <= options().keys()


@pytest.mark.shared
def test_every_value_of_an_option_has_a_line(spec):
    """`insert, update, upsert` in the documentation are the lines of insert.mode, with its
    default."""
    told, option = {}, None
    for row in OPTIONS.rows:
        option = row["option"] or option
        told.setdefault(option, []).append(row["value"])
    for row in tables(spec["9. Full settings table"])[0].rows:
        name, values = row["Property"], row["Values / meaning"].split(", ")
        if name in ("`insert.mode`", "`primary.key.mode`", "`schema.evolution`"):
            expected = [v + " (default)" * (v == row["Default"]) for v in values]
            assert told[name] == expected
    assert told["`delete.enabled`"] == ["false (default)", "true"]


@pytest.mark.shared
def test_every_type_of_the_documents_is_there(spec):
    general, dialects = (tables(spec["6. Type mapping"])[n].rows for n in (0, 1))
    said = {}
    for row in general:
        kinds = row["Connect / semantic type"]
        prefix = kinds.rpartition(".")[0]
        for kind in kinds.split(" / "):
            whole = kind if "." in kind or "." not in kinds else f"{prefix}.{kind}"
            whole = re.sub(r"^(io\.debezium\.time)\.\w+ / .*\.", r"\1.", whole)
            said[_whole(whole, kinds)] = row["JDBC type in sink"]
    for row in dialects:
        said[row["Semantic"]] = tuple(row[dialect] for dialect in DIALECTS)
    told = {}
    for row in TYPES:
        found = tuple(row[dialect] for dialect in DIALECTS)
        column = row["the sink's column"] or found
        assert told.setdefault(row["in the event"], column) == column
    assert told.keys() == said.keys()
    for kind, column in told.items():
        expected = said[kind]
        if isinstance(expected, str):
            expected = re.match(r"(?:doc: )?([A-Z_]+(?: / [A-Z]+)*)", expected)[1]
        assert column == expected, kind


def _whole(kind: str, kinds: str) -> str:
    """`io.debezium.time.Time / MicroTime / NanoTime`: each with the first one's package."""
    first = kinds.split(" / ")[0]
    return kind if "." in kind else f"{first.rpartition('.')[0]}.{kind}".lstrip(".")


@pytest.mark.parametrize("row", TYPES, ids=lambda row: f"{row['in the event']} {row['Spark']}")
def test_declared_types_are_those_of_spark(row):
    if row["declared here"] == "-":
        assert row["Spark"] == "-"
        return
    connector, declared = re.fullmatch(r"(\w+ )?`(.+)`", row["declared here"]).groups()
    connector = (connector or "postgresql").strip()
    assert f"`{decoder(connector, declared, default_settings())['type']}`" == row["Spark"]


@pytest.mark.parametrize("shown", CASES, ids=lambda shown: shown.title)
def test_the_sink_gives_the_rows(shown):
    assert shown.of_sink()
    for where, rows in shown.of_sink().items():
        assert _sorted(shown.by_sink(where)) == _sorted(rows), where


@pytest.mark.shared
def test_every_case_of_the_real_run_is_on_the_page():
    path = shared_folder("facts-live.md")
    run = next(
        part for title, part in sections(path.read_text("utf-8")).items() if "JDBC sink" in title
    )
    said = {row["case"] for row in tables(run)[0].rows}
    assert {name for name in said if not any(name.startswith(case) for case in RUN)} == set()
    assert {place for place in RUN.values() if f"## {place}\n" not in PAGE} == set()


def test_deletes_need_the_key_of_the_record():
    with pytest.raises(ValueError, match="record_key"):
        setup_of({"primary.key.mode": "kafka"})


def test_the_setup_of_the_page_is_that_of_the_model():
    block = re.search(r"```properties\n(.*?)```", PARTS["1. The usual setup"], re.DOTALL)[1]
    told = dict(line.split("=", 1) for line in block.splitlines())
    assert told.keys() <= options().keys()
    known = {"insert.mode", "delete.enabled", "primary.key.mode", "schema.evolution"}
    assert setup_of({name: told[name] for name in known}) == setup_of({})


KEPT = [
    (path.stem, run)
    for path in sorted((ROOT / "tests" / "captures" / "jdbc-sink").glob("*.json"))
    for run in json.loads(path.read_text(encoding="utf-8"))["runs"]
]


@pytest.mark.shared
@pytest.mark.parametrize(
    ("capture", "run"),
    KEPT,
    ids=[f"{capture} {run['table']} {n}" for n, (capture, run) in enumerate(KEPT)],
)
def test_the_model_gives_what_the_real_sink_wrote(capture, run):
    """Rows of a real sink of 3.6 with a PostgreSQL (tests/live/jdbc_sink.py made them)."""
    capture = captures()[capture]
    table = capture.former_spec.tables[run["table"]]
    records = [record for record in capture.records if record.topic in table.topics]
    sink = Sink(table, capture.spec, setup_of(run["options"]))
    stopped = deliver_all(sink, records)
    assert bool(stopped) == bool(run["stopped"])
    assert (records.index(stopped) if stopped else len(records)) == run["records"]
    written = [{name: _of_bit(table, name, text) for name, text in r.items()} for r in run["rows"]]
    assert [str(difference) for difference in compare_table(table, written, sink.rows)] == []


def _of_bit(table, column: str, text: str | None) -> str | None:
    """A bit is a boolean in the sink's table."""
    is_bit = column in table.columns and table.columns[column].declared == "bit(1)"
    return {"true": "1", "false": "0"}.get(text, text) if is_bit else text


def _sorted(rows: list[dict[str, str]]) -> list[tuple]:
    return sorted(tuple(row.items()) for row in rows)

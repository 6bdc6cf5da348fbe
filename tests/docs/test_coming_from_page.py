"""docs/how-to/coming-from-snapshots-and-merges.md: the models, and the views over old and new rows,
give its tables; on Delta its snapshot and MERGE statements give theirs, run by run."""

import re
from datetime import UTC, datetime
from textwrap import dedent

import pytest
import yaml

from tests.docs.markdown import ROOT, sections, tables
from tests.functional.conftest import drop
from tests.functional.project import Project
from tests.session import file_format_of

PAGE = (ROOT / "docs/how-to/coming-from-snapshots-and-merges.md").read_text(encoding="utf-8")
PARTS = sections(PAGE)
SCHEMA, LANDING = "coming_from", "coming_from_landing.events"
# tables that the page names without a schema
NAMES = (
    r"\b((?:hist|cur)_library__books|(?:old|newest|snap|scd2|merge|autocdc|replica)_books"
    r"|books_changes)\b"
)
COLUMNS = "id int, title string, price decimal(8,2), updated_at timestamp"
INTERVAL = "valid_from timestamp, valid_to timestamp"
OLD = ["snap_books", "scd2_books"]
OF_OLD = {
    "snap_books": "a dbt snapshot",
    "scd2_books": "a hand-written MERGE",
    "autocdc_books": "AUTO CDC",
}
PURGED = "28 23:00"  # records landed by then are gone when the models start
pytestmark = pytest.mark.xdist_group("coming_from")


def blocks(kind: str) -> list[str]:
    return [dedent(text) for text in re.findall(rf"(?ms)^ *```{kind}\n(.*?)^ *```$", PAGE)]


def sql(title: str) -> str:
    """The block below a comment that starts with the title, with the schemas of this test."""
    [text] = [text for text in blocks("sql") if text.startswith(f"-- {title}")]
    text = text.partition("\n")[2].replace("landing.events", LANDING)
    return re.sub(NAMES, rf"{SCHEMA}.\1", text)


RECORDS, HISTORY, CURRENT = (table.rows for table in tables(PARTS["The records"]))
TABLES = {
    "snap_books": tables(PARTS["A dbt snapshot"])[0].rows,
    "merge_books": tables(PARTS["A hand-written MERGE"])[0].rows,
    "scd2_books": tables(PARTS["A hand-written MERGE"])[1].rows,
}
AUTO_CDC = tables(PARTS["AUTO CDC"])[1].rows
REPLICA, REPLICA_DIFFERS = (table.rows for table in tables(PARTS["Datastream's templates"])[1:])
RUNS = list(dict.fromkeys(row["run"] for row in RECORDS))
KEPT = tables(PARTS["Keep the old history"])[0].rows


def moment(shown: str) -> datetime:
    return datetime.strptime(f"2025-11-{shown}", "%Y-%m-%d %H:%M")


def millis(shown: str) -> int:
    return int(moment(shown).replace(tzinfo=UTC).timestamp() * 1000)


def record(row: dict[str, str]) -> dict:
    """A row of the table of records as it lands."""
    book = {"id": int(row["id"]), "title": row["title"] or None, "price": row["price"] or None}
    book["updated_at"] = f"{moment(row['updated_at']).isoformat()}Z" if row["updated_at"] else None
    source = {"connector": "postgresql", "lsn": int(row["lsn"]), "ts_ms": millis(row["at"])}
    source |= {"txId": int(row["lsn"]), "snapshot": "true" if row["op"] == "r" else "false"}
    image = "before" if row["op"] == "d" else "after"
    return {
        "topic": "library.public.books",
        "partition": 0,
        "offset": int(row["offset"]),
        "timestamp": millis(row["run"]),
        "key": {"id": book["id"]},
        "value": {"op": row["op"], image: book, "source": source},
    }


@pytest.fixture(scope="module")
def project(spark, tmp_path_factory):
    sources, snapshots = map(yaml.safe_load, blocks("yaml"))
    [source] = sources["sources"]
    made = Project(
        tmp_path_factory.mktemp("coming_from"),
        spark,
        source["name"],
        source["config"]["meta"]["cdc"],
        {table["name"]: table["config"]["meta"]["cdc"] for table in source["tables"]},
        schema=SCHEMA,
        landing=LANDING,
    )
    try:
        spark.sql(f"create schema if not exists {SCHEMA}")
        if is_delta := file_format_of(spark) == "delta":
            prepare_old_pipelines(made, snapshots)
        for since, run in zip(["01 00:00", *RUNS], RUNS, strict=False):
            if since == PURGED:
                spark.sql(f"truncate table {LANDING}")
            made.land([record(row) for row in RECORDS if row["run"] == run])
            if is_delta:
                run_old_pipelines(made, since, run)
            if run > PURGED:
                made.run("run", "--select", "+cur_library__books")
        if not is_delta:
            for name in OLD:
                write_as_shown(made, name, TABLES[name])
        write_as_shown(made, "autocdc_books", AUTO_CDC)
        write_as_shown(made, "replica_books", REPLICA)
        yield made
    finally:
        drop(spark, made)


def prepare_old_pipelines(made: Project, snapshots: dict) -> None:
    """Their view, empty tables and snapshot; its runs have the page's clock."""
    clock = "{% macro spark__snapshot_get_time() %}timestamp '{{ var('now', '') }}'{% endmacro %}\n"
    files = {
        "models/newest_books.sql": "{{ config(materialized='view') }}\n" + sql("newest_books"),
        "snapshots/snap_books.yml": yaml.safe_dump(snapshots),
        "macros/clock.sql": clock,
    }
    for name, text in files.items():
        (made.folder / name).parent.mkdir(exist_ok=True)
        (made.folder / name).write_text(text, encoding="utf-8")
    made.spark.sql(f"create view {SCHEMA}.books_changes as {sql('books_changes')}")
    for name, more in [
        ("merge_books", ""),
        ("scd2_books", ", valid_from timestamp, valid_to timestamp"),
    ]:
        made.spark.sql(f"create table {SCHEMA}.{name} ({COLUMNS}, lsn bigint{more}) using delta")


def run_old_pipelines(made: Project, since: str, run: str) -> None:
    for name in ("merge_books", "scd2_books"):
        made.spark.sql(sql(name).replace(":since", f"timestamp '{moment(since)}'"))
    made.run("build", "--select", "newest_books", "snap_books", "--vars", f"now: '{moment(run)}'")


def write_as_shown(made: Project, name: str, rows: list[dict]) -> None:
    """Writes an old table as the page shows it; `updated_at`, which it leaves out, comes from the
    records."""
    updated = {(row["id"], row["price"]): row["updated_at"] for row in RECORDS if row["updated_at"]}
    types = {
        column: "bigint" if column.endswith("_AT") else "timestamp"
        for column in rows[0]
        if column not in COLUMNS
    }
    columns = ", ".join([COLUMNS, *(f"{column} {kind}" for column, kind in types.items())])
    file_format = file_format_of(made.spark)
    made.spark.sql(f"create table {SCHEMA}.{name} ({columns}) using {file_format}")
    values = []
    for row in rows:
        book = [row["id"], f"'{row['title']}'", row["price"]]
        told = {"updated_at": updated[row["id"], row["price"]]} | {c: row[c] for c in types}
        for column, text in told.items():
            is_time = types.get(column) != "bigint"
            book.append("null" if not text else f"timestamp '{moment(text)}'" if is_time else text)
        values.append(f"({', '.join(book)})")
    made.spark.sql(f"insert into {SCHEMA}.{name} values {', '.join(values)}")


def shown(rows: list[dict], like: list[dict]) -> list[dict]:
    """Rows in the columns and the form of a table of the page, in any order."""
    return by_text([{column: text_of(row[column]) for column in like[0]} for row in rows])


def text_of(value) -> str:
    if isinstance(value, datetime):
        return f"{value:%d %H:%M}"
    return str(value).lower() if isinstance(value, bool) else "" if value is None else str(value)


def by_text(rows: list[dict]) -> list[dict]:
    return sorted(rows, key=str)


@pytest.mark.formats
@pytest.mark.parametrize(
    ("model", "rows"), [("hist_library__books", HISTORY), ("cur_library__books", CURRENT)]
)
def test_the_models_give_the_tables(project, model, rows):
    assert shown(project.rows(model), rows) == by_text(rows)


@pytest.mark.delta
@pytest.mark.parametrize("name", TABLES)
def test_the_old_pipelines_give_the_tables(project, name):
    assert shown(project.rows(name), TABLES[name]) == by_text(TABLES[name])


@pytest.mark.formats
@pytest.mark.parametrize("name", OF_OLD)
def test_old_and_new_history_stand_together(project, name):
    old = sql(f"old_books, of {OF_OLD[name]}")
    assert name in old
    project.spark.sql(f"create or replace view {SCHEMA}.old_books as {old}")
    for title in ("books_history", "differences"):
        project.spark.sql(f"create or replace view {SCHEMA}.{title} as {sql(title)}")
    found = shown(project.rows("books_history"), KEPT)
    assert found == by_text(KEPT)
    assert project.rows("differences") == []


@pytest.mark.formats
def test_a_replica_is_compared_with_the_current_state(project):
    project.spark.sql(
        f"create or replace view {SCHEMA}.replica_differences as {sql('replica_differences')}"
    )
    found = project.rows("replica_differences")
    assert shown(found, REPLICA_DIFFERS) == by_text(REPLICA_DIFFERS)


@pytest.mark.formats
def test_the_handover_is_the_one_written_down(project):
    project.spark.sql(f"create or replace view {SCHEMA}.handover as {sql('handover')}")
    [row] = project.rows("handover")
    written = set(re.findall(r"timestamp '(2025[^']+)'", PAGE))
    assert written == {str(row["handover"])}

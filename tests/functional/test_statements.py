"""What dbt sends to Spark: how many statements a run takes, and that compiling sends no query."""

import json
import re

import pytest

from tests.functional.project import DbtFailed
from tests.functional.statements import around_first, heard
from tests.session import file_format_of

# Statements of an increment of one table's three models, and of a run with nothing new, including
# dbt's own lists of tables. Fewer are better: then lower the number.
INCREMENT = {"parquet": 35, "delta": 34, "iceberg": 35}
NOTHING_NEW = {"parquet": 4, "delta": 8, "iceberg": 7}
# the statements of an increment that commit to a table or to the catalog
COMMITS = {"parquet": 17, "delta": 16, "iceberg": 16}
COMMIT = r"\b(insert|merge|create|alter|drop|overwrite|delete from|truncate)\b"
LAWS = """
models:
  - name: hist_src__orders
    data_tests: [afterimage.cdc_intervals, afterimage.cdc_no_placeholder_left]
  - name: cur_src__orders
    data_tests:
      - afterimage.cdc_agreement: {arguments: {history: ref('hist_src__orders')}}
"""
MODELS = ("--select", *(f"{layer}_src__orders" for layer in ("stg", "hist", "cur")))


def event(offset: int, op: str = "c") -> dict:
    """A change of one of ten rows, as a connector writes it."""
    row = {"id": offset % 10, "label": f"label {offset}"}
    source = {"connector": "postgresql", "ts_ms": 1, "snapshot": "false", "lsn": 100 + offset}
    value = {"before": None, "after": row, "source": source, "op": op, "ts_ms": 1}
    return {"topic": "t.public.orders", "partition": 0, "offset": offset, "value": value}


@pytest.fixture
def project(make_project):
    made = make_project(
        "statements",
        source="src",
        tables={
            "orders": {
                "topic": "t.public.orders",
                "key": ["id"],
                "columns": {"id": "int", "label": "varchar(40)"},
            }
        },
    )
    made.land([event(n) for n in range(10)])
    made.run("run", *MODELS)
    return made


@pytest.mark.formats
def test_a_run_takes_so_many(project):
    file_format = file_format_of(project.spark)
    project.land([event(n, "u") for n in range(10, 30)])
    with heard() as increment:
        project.run("run", *MODELS)
    with heard() as nothing_new:
        project.run("run", *MODELS)
    assert len(increment) <= INCREMENT[file_format], told(increment)
    assert len(nothing_new) <= NOTHING_NEW[file_format], told(nothing_new)
    commits = [sql for sql in plain(increment) if re.match(COMMIT, sql)]
    assert len(commits) <= COMMITS[file_format], told(commits)
    assert not [sql for sql in plain(nothing_new) if re.match(COMMIT, sql)]


def test_change_logs_share_one_read_of_their_operator_events(make_project):
    """Also of a seed without rows, which adds no statement but that one."""
    table = {"key": ["id"], "columns": {"id": "int", "label": "varchar(40)"}}
    made = make_project(
        "shared_events",
        source="src",
        tables={name: table | {"topic": f"t.public.{name}"} for name in ("a", "b", "c")},
        layers={name: ["stg"] for name in "abc"},
    )
    made.land([event(n) | {"topic": f"t.public.{name}"} for name in "abc" for n in range(3)])
    logs = ("--select", *(f"stg_src__{name}" for name in "abc"))
    made.run("run", *logs)
    with heard() as without:
        made.run("run", *logs)
    made.operator_events = []
    made.write()
    made.run("seed")
    with heard() as nothing_new:
        made.run("run", *logs)
    reads = [sql for sql in plain(nothing_new) if "operator_events" in sql]
    assert len(reads) == 1, told(nothing_new)
    assert len(nothing_new) == len(without) + 1, told(nothing_new)


def test_the_exact_statement_is_planned_only_for_what_is_marked(project):
    project.land([event(n, "u") for n in range(10, 30)])
    with heard() as plain:
        project.run("run", "--select", "stg_src__orders")
    odd = event(30, "u")
    odd["value"]["after"]["more"] = 1
    project.land([odd])
    with heard() as marked:
        project.run("run", "--select", "stg_src__orders")
    reads = [[sql for sql in said if "_cdc_verdict" in sql] for said in (plain, marked)]
    assert [len(sql) for sql in reads] == [0, 1]
    assert {row["_cdc_extra"] for row in project.rows("stg_src__orders")} == {None, '{"more":1}'}


def with_spaces(record: dict) -> dict:
    """In a form that no connector writes: for the exact statement."""
    return record | {"value": json.dumps(record["value"])}


def test_of_two_records_at_one_place_the_marked_one_is_read_again(project):
    project.land([event(30, "u"), with_spaces(event(30, "u"))])
    project.run("run")
    assert len(project.rows("stg_src__orders")) == 11


def test_landing_that_loses_records_while_it_is_read(project):
    """The cause is unknown: the run ends, and the next one reads what there is."""
    project.land([event(30, "u"), with_spaces(event(31, "u"))])
    empty = f"truncate table {project.landing}"
    marked = around_first("verdicts on the marked", before=lambda: project.spark.sql(empty))
    with marked, pytest.raises(DbtFailed, match="was changed while it was read"):
        project.run("run")
    assert len(project.rows("stg_src__orders")) == 10
    project.land([event(31, "u"), with_spaces(event(32, "u"))])
    project.run("run")
    assert len(project.rows("stg_src__orders")) == 12


@pytest.mark.parametrize("new", [[], [event(30, "u")], [event(2, "u") | {"offset": 50}]])
def test_a_change_delivered_again_is_found(project, new):
    """Alone, next to a new one, or with a position that regresses."""
    again = event(3) | {"offset": 40}
    twice = [event(31, "u"), event(31, "u") | {"offset": 41}] if new else []
    project.land([again, *new, *twice])
    project.run("run")
    told = {kind: n for (_, outcome, kind), n in project.counts().items() if outcome == "duplicate"}
    assert told == {"redelivered": 1 + bool(twice)}
    assert len(project.rows("stg_src__orders")) == 10 + len(new) + bool(twice)


def test_what_comes_twice_among_many_is_found(project):
    """Among more changes than a statement could name one by one."""
    again = [event(3) | {"offset": offset} for offset in (2000, 2001)]
    twice = [event(900, "u") | {"offset": 2002}]
    project.land([*(event(n, "u") for n in range(10, 1010)), *again, *twice])
    project.run("run")
    told = {kind: n for (_, outcome, kind), n in project.counts().items() if outcome == "duplicate"}
    assert told == {"redelivered": 3}
    assert len(project.rows("stg_src__orders")) == 1010


def test_no_record_stops_a_run(project):
    """A record from which the form is learned may be no row, and an op may look like ours."""
    no_row, odd = event(30), event(31)
    no_row["value"]["after"] = "x"
    odd["value"]["op"] = "o"
    project.spark.sql(
        f"alter table {project.schema}.stg_src__orders unset tblproperties ('afterimage.form')"
    )
    project.land([no_row, odd, event(32, "u")])
    project.run("run")
    refused = [row["reason"] for row in project.rows("dq_src__quarantine")]
    assert len(refused) == 2 and "unknown_op" in refused, refused
    assert len(project.rows("stg_src__orders")) == 11


def test_target_run_shows_what_was_sent(project):
    """In order, each below a heading; except dbt's own statements."""
    project.land([event(n, "u") for n in range(10, 30)])
    with heard() as said:
        project.run("run", *MODELS)
    files = {
        layer: next((project.folder / "target" / "run").rglob(f"{layer}_src__orders.sql"))
        for layer in ("stg", "hist", "cur")
    }
    shown = "\n".join(path.read_text() for path in files.values())
    sent = [re.sub(r"^\s*/\*.*?\*/", "", sql, flags=re.S).strip() for sql in said]
    ours = [sql for sql in sent if sql.startswith("-- ")]
    assert {sql.split()[0] for sql in sent if sql not in ours} <= {"show", "drop"}, told(said)
    place = 0
    for sql in ours:
        found = shown.find(sql, place)
        assert found >= place, sql
        place = found + len(sql)


@pytest.mark.parametrize(
    "command", [["compile"], ["list"], ["docs", "generate", "--empty-catalog"]]
)
def test_compiling_asks_nothing(project, command):
    """For models and tests: dbt sends only its own lists of schemas and tables."""
    (project.folder / "models" / "laws.yml").write_text(LAWS)
    with heard() as said:
        project.run(*command)
    dbts = r"\bshow (databases|schemas|table extended|tables|views)\b"
    asked = [sql for sql in said if not re.search(dbts, sql)]
    assert asked == [], told(asked)


def test_a_model_with_more_around_the_call_is_refused(project):
    from tests.functional.project import DbtFailed

    for name, macro in (("stg", "change_log"), ("hist", "history"), ("cur", "current_state")):
        path = project.folder / "models" / f"{name}_src__orders.sql"
        call = path.read_text()
        path.write_text(f"select * from (\n{call}\n) as more\n")
        told_why = rf"{name}_src__orders: the model must be one call of afterimage.{macro}\("
        with pytest.raises(DbtFailed, match=told_why):
            project.run("run", "--select", path.stem)
        path.write_text(f"-- what a person wrote\n/* and more */\n{call}\n-- the end\n")
        project.run("run", "--select", path.stem)


def plain(statements: list[str]) -> list[str]:
    """Statements without comments, one line each."""
    return [
        " ".join(re.sub(r"/\*.*?\*/|--[^\n]*", "", sql, flags=re.S).split()) for sql in statements
    ]


def told(statements: list[str]) -> str:
    """The beginnings of statements, without dbt's comment."""
    bare = (re.sub(r"/\*.*?\*/", "", sql, flags=re.S).split() for sql in statements)
    return "\n".join(" ".join(words)[:120] for words in bare)

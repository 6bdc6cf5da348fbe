"""afterimage.reconcile: it finds the rows that differ from the database's own, all of them and no
others, in what the models make of captures, at past times, and in rows changed by hand."""

import pytest

from tests.functional.capture_project import landing_records, project_of, table_name
from tests.functional.conftest import drop
from tests.functional.project import DbtFailed
from tests.truth.captures import captures
from tests.truth.compare import canonical_key, compare_table

# Types whose text in the database is not the text of the model.
EXCLUDED = ("interval", "hstore", "timetz", "bit", "varbit", "point", "mysql geometry", "mysql bit")
CASES = [
    pytest.param("shop", id="shop"),
    *(
        pytest.param(name, id=name, marks=pytest.mark.slow)
        for name in ("types", "mysql-types", "pg-inventory", "mariadb-inventory", "mysql9-full")
    ),
]


def not_compared(table) -> list[str]:
    """Columns that a text cannot be compared with, or whose text is another in the database."""
    return [name for name, kind in table.columns.items() if kind.array or kind.name in EXCLUDED]


def keep_truth(spark, name: str, table, rows: list[dict]) -> None:
    """The database's rows as a table of texts."""
    columns = [name for name in table.columns if not rows or name in rows[0]]
    values = [tuple(row[column] for column in columns) for row in rows]
    schema = ", ".join(f"`{column}` string" for column in columns)
    spark.createDataFrame(values, schema).write.mode("overwrite").saveAsTable(name)


def reconciled(macro_arguments: str) -> str:
    return "{{ config(materialized='table') }}\n{{ afterimage.reconcile(" + macro_arguments + ") }}"


@pytest.mark.parametrize("name", CASES)
def test_it_finds_what_differs_from_the_database(name, spark, tmp_path, compared):
    capture = captures()[name]
    schema = "reconcile_" + name.replace("-", "_")
    project = project_of(capture, tmp_path / "project", spark, schema=schema)
    tables = {
        table_name(name): table
        for name, table in capture.spec.tables.items()
        if table.key and name in capture.final
    }
    project.extra_models = {
        f"rec_{model}": reconciled(
            f"ref('cur_src__{model}'), '{schema}_landing.truth_{model}', "
            f"exclude_columns={not_compared(capture.former_spec.tables[table.name])}"
        )
        for model, table in tables.items()
    }
    project.write()
    try:
        for model, table in tables.items():
            keep_truth(spark, f"{schema}_landing.truth_{model}", table, capture.final[table.name])
        project.land(landing_records(capture.records))
        project.run("run")
        for model, table in tables.items():
            rows = project.rows(f"cur_src__{model}")
            differences = [
                d
                for d in compare_table(table, capture.final[table.name], rows)
                if d.column not in not_compared(table)
                # a value that no record carried is NULL in the model as in the database
                and not (d.reason == "unknown" and d.expected is None)
            ]
            expected = {(d.key, d.column) for d in differences}
            known = {d.key for d in differences if d.reason != "unknown"}
            keys = {row["_cdc_key"]: canonical_key(table, row) for row in rows}
            found = set()
            for row in project.rows(f"rec_{model}"):
                compared[f"rows reconciled with the database: {row['status']}"] += 1
                if row["status"] in ("added", "removed"):
                    found.add((keys.get(row["row_key"], row["row_key"]), None))
                found |= {(keys[row["row_key"]], column) for column in row["differing_columns"]}
                if row["status"] in ("modified", "unknown"):
                    assert (row["status"] == "modified") == (keys[row["row_key"]] in known), row
            assert found == expected, (model, found ^ expected)
    finally:
        drop(spark, project)


def event(offset, op, at, row, key=None):
    """A change at a second of 2026, its position the same number."""
    source = {
        "connector": "postgresql",
        "name": "pg1",
        "schema": "shop",
        "table": "orders",
        "lsn": at,
        "txId": at,
        "ts_ms": 1767225600000 + at * 1000,
    }
    before = row if op == "d" else None
    value = {"op": op, "source": source, "before": before, "after": None if op == "d" else row}
    return {
        "topic": "pg1.shop.orders",
        "partition": 0,
        "offset": offset,
        "timestamp": source["ts_ms"],
        "key": {"id": row["id"]},
        "value": value,
    }


def second(number: int) -> str:
    return f"timestamp '2026-01-01 00:00:{number:02d} UTC'"


def rows(*values: tuple) -> str:
    """Rows of the source as a query."""
    return "(select * from values " + ", ".join(map(str, values)) + " as v(id, note))"


STREAM = [
    event(0, "c", 10, {"id": 1, "note": "a"}),
    event(1, "c", 10, {"id": 2, "note": "x"}),
    event(2, "u", 20, {"id": 1, "note": "b"}),
    event(3, "d", 30, {"id": 2, "note": None}),
    event(4, "c", 40, {"id": 3, "note": "late"}),
]
NOW = "ref('cur_src__orders'), \"{}\""
PAST = 'ref(\'hist_src__orders\'), "{}", taken_from="{}", taken_until="{}"'
AT_15, AT_18_TO_22, AT_25, AT_50 = (
    (second(start), second(end)) for start, end in ((15, 15), (18, 22), (25, 25), (50, 50))
)
SAME = rows((1, "b"), (3, "late"))
SMALL = {
    "now": (NOW.format(SAME), {}),
    "now_changed": (
        NOW.format(rows((1, "c"), (4, "new"))),
        {"1": "modified", "3": "removed", "4": "added"},
    ),
    "history_now": ("ref('hist_src__orders'), \"" + rows((1, "b"), (3, "late")) + '"', {}),
    "at_15": (PAST.format(rows((1, "a"), (2, "x")), *AT_15), {}),
    "at_15_newer": (PAST.format(rows((1, "b"), (2, "x")), *AT_15), {"1": "modified"}),
    "at_18_before": (PAST.format(rows((1, "a"), (2, "x")), *AT_18_TO_22), {}),
    "at_18_after": (PAST.format(rows((1, "b"), (2, "x")), *AT_18_TO_22), {}),
    "at_18_neither": (PAST.format(rows((1, "c"), (2, "x")), *AT_18_TO_22), {"1": "modified"}),
    "at_25": (PAST.format(rows((1, "b"), (3, "late")), *AT_25), {"2": "removed", "3": "added"}),
    "at_29_to_31": (PAST.format(rows((1, "b")), second(29), second(31)), {}),
    "at_9_to_11": (PAST.format(rows((2, "x")), second(9), second(11)), {}),
    "behind": (
        PAST.format(rows((1, "c"), (3, "late")), *AT_50),
        {"1": "pending"},
    ),
    "not_behind": (
        PAST.format(rows((1, "c"), (3, "late")), *AT_50) + f', reached="{second(50)}"',
        {"1": "modified"},
    ),
    "key_twice": (
        PAST.format(rows((1, "a"), (1, "z"), (2, "x")), *AT_15),
        {"1": "modified"},
    ),
    "excluded": (
        NOW.format(rows((1, "c"), (3, "late"))) + ", exclude_columns=['note']",
        {},
    ),
}


def test_it_compares_with_now_and_with_a_past_time(make_project):
    """A row equals its source if it did at any time while the source was read; what the change log
    has not reached is pending."""
    project = make_project(
        "reconcile_small",
        source="src",
        source_contract={"connector": "postgresql", "topic_prefix": "pg1"},
        tables={
            "orders": {
                "topic": "pg1.shop.orders",
                "key": ["id"],
                "columns": {"id": "int", "note": "text"},
            }
        },
        extra_models={f"rec_{name}": reconciled(said) for name, (said, _) in SMALL.items()},
    )
    sources = {"same": SAME, "differs": rows((1, "c"), (3, "late"))}
    laws = [
        {"afterimage.cdc_reconciles": {"name": name, "arguments": {"source_rows": source}}}
        for name, source in sources.items()
    ]
    project._file("models/laws.yml", {"models": [{"name": "cur_src__orders", "data_tests": laws}]})
    project.land(STREAM)
    project.run("run")
    with pytest.raises(DbtFailed) as failed:
        project.run("test")
    assert "Got 1 result" in str(failed.value) and "differs" in str(failed.value)
    assert "test same" not in str(failed.value)
    found = {
        name: {
            row["row_key"]: row["status"]
            for row in project.rows(f"rec_{name}")
            if row["status"] != "identical"
        }
        for name in SMALL
    }
    assert found == {name: expected for name, (_, expected) in SMALL.items()}
    [changed] = [r for r in project.rows("rec_now_changed") if r["status"] == "modified"]
    assert changed["differing_columns"] == ["note"]
    assert (changed["source_values"], changed["model_values"]) == ({"note": "c"}, {"note": "b"})
    assert changed["position"] == f"{20:020d}"

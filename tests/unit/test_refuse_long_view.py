"""Which views are refused as too long for their catalog."""

from types import SimpleNamespace

import pytest

from afterimage.macros import Macros

LONGEST = "x" * 32_700
DERBY = "jdbc:derby:;databaseName=metastore;create=true"
# Spark's response for a setting that nobody set
UNSET = "<undefined>"
EMBEDDED = {
    "select current_catalog()": "spark_catalog",
    "set spark.sql.catalogImplementation": "hive",
    "set spark.hadoop.hive.metastore.uris": UNSET,
    "set spark.hadoop.javax.jdo.option.ConnectionURL": DERBY,
}


class Refused(Exception):  # noqa: N818
    pass


def refuse(message: str) -> None:
    raise Refused(message)


def told(view_sql: str, answers: dict[str, str], materialized: str = "view") -> str | None:
    """The macro's message for a view, or None if it accepts it."""

    def run_query(sql: str):
        answer = answers[sql]
        return SimpleNamespace(rows=[[answer] if sql.startswith("select") else [sql[4:], answer]])

    macros = Macros(
        execute=True,
        flags=SimpleNamespace(WHICH="run"),
        model=SimpleNamespace(
            name="cdc_accounting",
            resource_type="model",
            config=SimpleNamespace(materialized="view"),
        ),
        config={"materialized": materialized},
        exceptions=SimpleNamespace(raise_compiler_error=refuse),
        run_query=run_query,
    )
    try:
        macros.refuse_long_view(view_sql)
    except Refused as refused:
        return str(refused)
    return None


def test_derby_holds_32700_characters():
    assert told(LONGEST, EMBEDDED) is None
    message = told(LONGEST + "x", EMBEDDED)
    assert "cdc_accounting: the view has 32701 characters" in message
    assert "+materialized: table" in message


def test_an_embedded_metastore_without_settings_is_derby():
    key = "set spark.hadoop.javax.jdo.option.ConnectionURL"
    assert told(LONGEST + "x", EMBEDDED | {key: UNSET})


@pytest.mark.parametrize(
    "answers",
    [
        {"select current_catalog()": "ice"},
        {"set spark.sql.catalogImplementation": "in-memory"},
        {"set spark.hadoop.hive.metastore.uris": "thrift://metastore:9083"},
        {"set spark.hadoop.javax.jdo.option.ConnectionURL": "jdbc:postgresql://db/metastore"},
    ],
    ids=["Iceberg", "in memory", "a metastore server", "another database"],
)
def test_other_catalogs_hold_any_view(answers):
    assert told(LONGEST + "x", EMBEDDED | answers) is None


def test_a_table_is_no_view():
    assert told(LONGEST + "x", EMBEDDED, materialized="table") is None

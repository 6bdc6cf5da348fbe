"""The demo on a project of two models: what it prints, runs, repeats and reports when it fails."""

import gzip
import json
from pathlib import Path
from textwrap import dedent

import pytest
from click.testing import CliRunner

from afterimage import demo
from afterimage.cli import main
from afterimage.errors import UserError

PROJECT = {
    "dbt_project.yml": """
        {name: demo, profile: demo, flags: {send_anonymous_usage_stats: false}}
    """,
    "profiles/profiles.yml": """
        demo:
          target: ci
          outputs:
            ci: {type: spark, method: session, host: NA, schema: cli_demo, threads: 1,
                 server_side_parameters: {spark.sql.catalogImplementation: in-memory}}
    """,
    "models/shop.yml": """
        sources: [{name: shop, schema: landing, tables: [{name: shop_events}]}]
        models: [{name: stg_shop__orders, columns: [{name: offset, data_tests: [not_null]}]}]
    """,
    "models/stg_shop__orders.sql": """
        {{ config(materialized='table') }} select offset from {{ source('shop', 'shop_events') }}
    """,
    "models/dq_shop__accounting.sql": """
        {{ config(materialized='table') }}
        select 'shop' as source_name, 'orders' as table_name, 't' as topic, 'refused' as outcome,
          'broken [json]' as kind, count(*) as records from {{ ref('stg_shop__orders') }}
    """,
}


@pytest.fixture
def files(tmp_path, monkeypatch) -> Path:
    for name, text in PROJECT.items():
        file = tmp_path / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(dedent(text))
    (tmp_path / "demo").mkdir()
    for offset, name in enumerate(("first", "second", "third")):
        record = {"topic": "t", "partition": 0, "offset": offset, "value": "v"}
        with gzip.open(tmp_path / "demo" / f"shop.{name}.jsonl.gz", "wt") as file:
            file.write(json.dumps(record))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def project(spark, files) -> Path:
    spark.sql("drop table if exists landing.shop_events")
    yield files
    spark.sql("drop schema if exists cli_demo cascade")
    spark.sql("drop table if exists landing.shop_events")


@pytest.mark.delta
@pytest.mark.parquet
def test_twice(project):
    first = CliRunner().invoke(main, ["demo"])
    assert first.exit_code == 0, first.output
    said = " ".join(first.output.split())
    assert said.startswith("Spark runs on Java")
    assert said.count("landed 1, already there 0, broken 0") == 3
    assert said.count("2 models;") == 2
    assert "2 models, 1 test;" in said
    assert "│ change log │ stg_shop__orders │ 3 │" in said
    assert "│ t │ broken [json] │ 3 │" in said
    assert "Nothing new" not in said
    # dbt's and Spark's own output is not on the screen.
    assert "OK created" not in said
    assert "WARN" not in said
    assert (project / "target" / "static_index.html").is_file()

    again = CliRunner().invoke(main, ["demo"])
    assert again.exit_code == 0, again.output
    said = " ".join(again.output.split())
    assert said.count("landed 0, already there 1, broken 0") == 3
    assert "Nothing new" in said
    assert "│ change log │ stg_shop__orders │ 3 │" in said


def test_a_step_that_fails_shows_what_dbt_said_and_what_to_do(project):
    (project / "models" / "stg_shop__orders.sql").write_text("select no_such_column from nowhere")
    done = CliRunner().invoke(main, ["demo"])
    assert done.exit_code == 1
    assert "TABLE_OR_VIEW_NOT_FOUND" in done.output
    assert "Error: Build the models: dbt run: failed" in done.output
    assert "make demo" in done.output.split("Error:")[1]
    assert "second delivery" not in done.output


@pytest.mark.slow
def test_a_test_that_fails_fails_the_demo(project):
    (project / "models" / "stg_shop__orders.sql").write_text("select cast(null as int) as offset")
    done = CliRunner().invoke(main, ["demo"])
    assert done.exit_code == 1
    assert "not_null_stg_shop__orders_offset" in done.output
    assert "run every test: dbt build: failed" in done.output


def test_no_models_is_no_success(project):
    for model in (project / "models").iterdir():
        model.unlink()
    done = CliRunner().invoke(main, ["demo"])
    assert done.exit_code == 1
    assert "ran no model" in done.output


def test_events_that_are_missing(project):
    (project / "demo" / "shop.second.jsonl.gz").unlink()
    done = CliRunner().invoke(main, ["demo"])
    assert done.exit_code == 1
    assert "demo/shop.second.jsonl.gz" in done.output


def test_fresh_removes_tables_and_artifacts_before_spark_starts(files, monkeypatch):
    def start(target):
        there = [name for name in (".spark", "target", "demo") if (files / name).exists()]
        raise UserError(f"{target} has {there}")

    monkeypatch.setattr(demo, "use_java", lambda: "Java")
    monkeypatch.setattr(demo, "spark_session", start)
    for name in (".spark", "target"):
        (files / name / "warehouse").mkdir(parents=True)
    kept = CliRunner().invoke(main, ["demo", "--target", "ci"])
    assert kept.exit_code == 1 and "ci has ['.spark', 'target', 'demo']" in kept.output
    with monkeypatch.context() as busy:
        busy.setattr(demo, "refuse_second", lambda target: start("a server"))
        refused = CliRunner().invoke(main, ["demo", "--fresh"])
        assert "a server has ['.spark', 'target', 'demo']" in refused.output
    fresh = CliRunner().invoke(main, ["demo", "--fresh"])
    assert fresh.exit_code == 1 and "None has ['demo']" in fresh.output
    assert "Removed .spark and target: starting over." in fresh.output

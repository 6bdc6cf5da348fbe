"""The YAML of the models: generated from the contracts, checked against them, and enforced by
dbt."""

import pytest
import yaml
from click.testing import CliRunner
from tests.functional.project import Project

from afterimage.cli import main
from afterimage.columns import WORDS, meanings
from afterimage.macros import Macros

COLUMNS = {
    "id": "int",
    "amount": "numeric(9,2)",
    "Gift Wrap": "boolean",
    "order": "text[]",
    "at": "timestamp",
    "valid_from": "date",
    'a"`b': "int",
}


def command(project, *arguments):
    return CliRunner().invoke(main, [*arguments, "--project-dir", str(project.folder)])


@pytest.fixture
def project(spark, tmp_path):
    made = Project(
        tmp_path / "consumer",
        spark,
        "shop",
        {"connector": "postgresql"},
        {
            "orders": {
                "topic": "pg1.shop.orders",
                "key": ["id"],
                "columns": dict(COLUMNS),
                "source_fields": ["xmin"],
                "headers": ["tenant-id"],
            },
            "log": {
                "topic": "pg1.shop.log",
                "key": [],
                "replica_identity": "full",
                "settings": {"skipped_operations": ["none"]},
                "columns": {"note": "text"},
            },
        },
        schema="model_yaml",
        landing="model_yaml_landing.events",
    )
    made.run("parse")
    return made


def described(project, model) -> dict:
    return yaml.safe_load((project.folder / f"models/{model}.yml").read_text())["models"][0]


def test_every_column_of_afterimage_has_its_words():
    macros = Macros()
    # those of documents are among the contract's columns
    wanted = {"_cdc_document", "_cdc_approximate", "_cdc_update"}
    for layer in ("change_log", "history_log", "history", "state_log", "current"):
        wanted |= set(getattr(macros, f"{layer}_columns")())
    assert set(meanings()) == wanted
    assert WORDS.read_text().count("{% docs ") == len(wanted)


def test_written_checked_and_enforced(project):
    before = command(project, "model-yaml", "--check")
    assert before.exit_code == 1
    assert before.output.count("has drifted from the contract") == 6

    written = command(project, "model-yaml")
    assert written.exit_code == 0, written.output
    assert "6 models, 6 of 6 files written" in written.output
    assert "6 models, 0 of 6 files written" in command(project, "model-yaml").output
    assert command(project, "model-yaml", "--check").exit_code == 0

    current = described(project, "cur_shop__orders")
    assert current["config"] == {"contract": {"enforced": True}}
    assert current["description"] == (
        "Current state of shop.orders: one row per live row, by `id`; equals the source table. "
        "The connector leaves out truncates: rows that a TRUNCATE took at the source stay."
    )
    assert current["data_tests"] == [
        {"afterimage.cdc_agreement": {"arguments": {"history": "ref('hist_shop__orders')"}}},
        "afterimage.cdc_no_placeholder_left",
    ]
    assert described(project, "stg_shop__log")["data_tests"] == ["afterimage.cdc_order_unique"]
    # the table that declares its truncates as sent gets no such description
    assert "leaves out" not in described(project, "cur_shop__log")["description"]
    columns = {column["name"]: column for column in current["columns"]}
    called = {"valid_from": "valid_from_", 'a"`b': 'a"_b'}
    assert list(columns)[: len(COLUMNS)] == [called.get(name, name) for name in COLUMNS]
    assert (
        columns["valid_from_"]["description"] == '`date` of the source, called "valid_from" there.'
    )
    assert columns["amount"] == {
        "name": "amount",
        "data_type": "decimal(9,2)",
        "description": "`numeric(9,2)` of the source.",
    }
    quoted = {name for name, column in columns.items() if column.get("quote")}
    assert quoted == {"Gift Wrap", "order", "at", 'a"_b'}
    assert columns["order"]["data_type"] == "array<string>"
    assert columns["_cdc_op"]["description"] == '{{ doc("_cdc_op") }}'
    staged = {c["name"]: c for c in described(project, "stg_shop__orders")["columns"]}
    told = "`xmin` of the event's `source`, as text."
    assert staged["_cdc_source_xmin"] == {
        "name": "_cdc_source_xmin",
        "data_type": "string",
        "description": told,
    }

    # dbt accepts it, with the descriptions in place, and the tables have these columns and types.
    source = {"lsn": 1, "connector": "postgresql", "ts_ms": 1}
    row = {"id": 1, "amount": "AMU=", "Gift Wrap": True, "order": ["a"], "at": 0}
    value = {"op": "c", "source": source, "after": row}
    project.land([{"topic": "pg1.shop.orders", "partition": 0, "offset": 0, "value": value}])
    project.run("build")
    assert [row["Gift Wrap"] for row in project.rows("cur_shop__orders")] == [True]
    node = project.run("parse").result.nodes["model.consumer.stg_shop__orders"]
    assert node.columns["_cdc_op"].description.startswith("What the change did")
    types = {}
    for layer in ("stg", "hist", "cur"):
        types[layer] = dict(project.spark.table(f"model_yaml.{layer}_shop__orders").dtypes)
        told = described(project, f"{layer}_shop__orders")["columns"]
        assert types[layer] == {column["name"]: column["data_type"] for column in told}, layer


def test_what_a_person_wrote_stays(project):
    command(project, "model-yaml")
    path = project.folder / "models" / "cur_shop__orders.yml"
    text = path.read_text()
    text = text.replace("models:\n", "# mine\nmodels:\n", 1)
    text = text.replace("`numeric(9,2)` of the source.", "`numeric(9,2)` of the source. With tax.")
    text = text.replace(
        "      - name: amount\n",
        "      # checked by accounting\n      - name: amount\n        data_tests: [not_null]\n",
    )
    path.write_text(text)
    assert command(project, "model-yaml", "--check").exit_code == 0

    columns = project.tables["orders"]["columns"]
    del columns["order"]
    columns |= {"amount": "numeric(12,2)", "late": "date"}
    project.write()
    drifted = command(project, "model-yaml", "--check")
    assert drifted.exit_code == 1
    assert "cur_shop__orders: models/cur_shop__orders.yml has drifted" in drifted.output
    assert "shop__log" not in drifted.output
    assert command(project, "model-yaml").exit_code == 0
    text = path.read_text()
    assert text.startswith("# mine\n") and "# checked by accounting\n" in text
    told = {column["name"]: column for column in described(project, "cur_shop__orders")["columns"]}
    assert told["amount"] == {
        "name": "amount",
        "data_type": "decimal(12,2)",
        "description": "`numeric(12,2)` of the source. With tax.",
        "data_tests": ["not_null"],
    }
    kept = ["id", "amount", "Gift Wrap", "at", "valid_from_", 'a"_b']
    assert list(told)[:7] == [*kept, "late"]


def test_a_description_by_hand_in_a_file_of_several(project):
    path = project.folder / "models" / "all.yml"
    path.write_text(
        "models:\n"
        "  - name: stg_shop__log\n"
        "    description: My log.\n"
        "    columns:\n"
        "      - {name: note, description: What was said.}\n"
        "  - name: hist_shop__log\n"
    )
    assert command(project, "model-yaml").exit_code == 0
    assert not (project.folder / "models" / "stg_shop__log.yml").exists()
    first, second = yaml.safe_load(path.read_text())["models"]
    assert first["description"] == "My log."
    # unrequested parts are not added to a model that a person describes
    assert "data_tests" not in first
    assert first["columns"][0]["description"] == "`text` of the source. What was said."
    assert second["config"] == {"contract": {"enforced": True}}
    assert command(project, "model-yaml", "--check").exit_code == 0


def test_what_the_source_says_of_a_table_and_a_column(project):
    """The descriptions of a model and its columns end with those in the sources YAML."""
    path = project.folder / "models" / "sources.yml"
    document = yaml.safe_load(path.read_text())
    [orders] = [each for each in document["sources"][0]["tables"] if each["name"] == "orders"]
    text = "{% raw %}Net, in {{ euro }}{% endraw %}"
    orders["columns"] = [{"name": "amount", "description": text}]
    orders["description"] = text
    path.write_text(yaml.safe_dump(document, sort_keys=False))
    assert command(project, "model-yaml").exit_code == 0
    history = described(project, "hist_shop__orders")
    assert history["description"].startswith("History of shop.orders: one row per version of `id`")
    assert history["description"].endswith(f"\n\n{text}")
    columns = {each["name"]: each for each in history["columns"]}
    assert columns["amount"]["description"] == f"`numeric(9,2)` of the source. {text}"
    assert columns["id"]["description"] == "`int` of the source."
    assert command(project, "model-yaml", "--check").exit_code == 0

"""Contracts and models from samples of records."""

import json
import re
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner
from jsonschema import Draft202012Validator
from tests.cli.faults import contract_faults
from tests.truth.captures import shared_folder

from afterimage.cli import main
from afterimage.contract import contract_schema
from afterimage.errors import UserError
from afterimage.macros import MACROS
from afterimage.scaffold import records_of_files, records_of_table, scaffold
from afterimage.scaffold.quality import AS_VIEW

CAPTURES = MACROS.parent / "tests" / "captures"
TRUTH = MACROS.parent / "tests" / "truth"
SOURCES = "models/staging/shop/_shop__sources.yml"
ROOT = Path(__file__).resolve().parents[2]
QUALITY = ["dq_shop__accounting.sql", "dq_shop__quarantine.sql", "dq_shop__runs.sql"]
# A schema block does not distinguish these: text of any kind is `string` in it.
SAME_IN_STREAM = {"char(3)": "text"}


@pytest.fixture
def root(tmp_path):
    (tmp_path / "dbt_project.yml").write_text("name: consumer\nprofile: consumer\n")
    return tmp_path


def record(topic="pg1.shop.orders", key=None, op="c", before=None, after=None, **source):
    """One record without a schema block."""
    block = {"connector": "postgresql", "name": "pg1", "db": "shop", "schema": "shop"}
    block |= {"table": topic.split(".")[-1]} | source
    value = {"op": op, "source": block, "before": before, "after": after}
    return topic, None if key is None else json.dumps(key).encode(), json.dumps(value).encode()


def tables_of(root, path=SOURCES) -> dict[str, dict]:
    document = yaml.safe_load((root / path).read_text())
    assert not list(Draft202012Validator(contract_schema()).iter_errors(document))
    source = document["sources"][0]
    assert contract_faults(source) == []
    return {table["name"]: table["config"]["meta"]["cdc"] for table in source["tables"]}


def columns_of(root, *records) -> dict[str, str]:
    scaffold(root, records, "landing.events", force=True)
    return tables_of(root)["orders"]["columns"]


def test_paths_of_documents(root):
    strict = '{"_id": {"$oid": "596e275826f08b2730779e1f"}, "n": 1, "at": {"$date": 1}, "x": 1}'
    canonical = (
        '{"_id": {"$oid": "596e275826f08b2730779e1f"}, "n": {"$numberLong": "9"}, "x": "a", '
        '"u": {"$binary": {"base64": "", "subType": "04"}}, "o": {"a": [1.5]}, "l": null, "a.b": 1}'
    )
    of = {"connector": "mongodb", "name": "m", "db": "crm", "rs": "rs0", "schema": None}
    of |= {"collection": "people", "table": None, "ts_ms": 1000, "ord": 1}
    records = [
        record("m.crm.people", {"id": "1"}, "c", None, strict, **of),
        record("m.crm.people", {"id": "1"}, "u", None, canonical, **of),
        record("m.crm.people", {"id": "1"}, "d", None, None, **of),
    ]
    said = scaffold(root, records, "landing.events")
    [(name, contract)] = tables_of(root, "models/staging/crm/_crm__sources.yml").items()
    assert name == "people"
    assert contract["key"] == ["_id"]
    assert contract["columns"] == {
        "_id": "objectid",
        "n": "long",
        "at": "date",
        "x": "any",
        "u": "uuid",
        "o": "object",
        "l": "any",
    }
    assert any("7 of 7 types are guesses" in line for line in said)


def test_types_of_the_schema_block(root):
    done = CliRunner().invoke(
        main,
        [
            "scaffold",
            str(CAPTURES / "shop-schema" / "events.jsonl.gz"),
            "--all-topics",
            *("--landing", "landing.shop_events"),
            *("--project-dir", str(root)),
        ],
    )
    assert done.exit_code == 0, done.output
    spec = yaml.safe_load((TRUTH / "shop-schema.yml").read_text())
    found = tables_of(root)
    assert len(found) == len(spec["tables"])
    for name, table in spec["tables"].items():
        contract = found[name.split(".")[-1]]
        types = {
            column: SAME_IN_STREAM.get(kind, spec["types"].get(kind, kind))
            for column, kind in table["columns"].items()
        }
        assert contract["columns"] == types, name
        assert contract["key"] == table["key"], name
        assert contract["topic"] == table["topic"]
        assert contract.get("replica_identity", "default") == table["replica_identity"], name
    text = (root / SOURCES).read_text()
    assert "points: int\n" in text and re.search(r"id: bigint  +# not null\n", text)
    over = yaml.safe_load(text)["sources"][0]
    assert over["config"]["meta"]["cdc"] == {
        "connector": "postgresql",
        "format": "debezium_json",
        "topic_prefix": "pg1",
        "settings": {"skipped_operations": []},
    }
    assert "passed over pg1.transaction: 104 records, none of them a row change" in done.output
    models = {str(path.relative_to(root)) for path in root.rglob("*.sql")}
    assert len(models) == 3 * len(found) + len(QUALITY)
    one_line = (root / "models/history/shop/hist_shop__order_lines.sql").read_text()
    assert one_line == "{{ afterimage.history(ref('stg_shop__order_lines')) }}\n"
    first = (root / "models/staging/shop/stg_shop__order_lines.sql").read_text()
    call = "change_log(source('shop', 'order_lines'), operator_events=ref('operator_events'))"
    assert first == f"{{{{ afterimage.{call} }}}}\n"


@pytest.mark.parametrize(
    ("literals", "kind"),
    [
        ([1, -(2**63), None], "bigint"),
        ([2**63], "text"),
        ([10**5000], "text"),
        ([True, None], "boolean"),
        ([1, 2.5], "double precision"),
        ([2.5, "NaN"], "double precision"),
        (["NaN"], "text"),
        ([1, "a"], "text"),
        ([None], "text"),
        (["__debezium_unavailable_value", 5], "bigint"),
        (["2024-01-01T00:00:00Z", "infinity"], "text"),
        (["2024-01-01"], "text"),
        ([19723], "bigint"),
        (["12.50", "NAN"], "text"),
        ([["a", None], []], "text[]"),
        ([[1], [None]], "bigint[]"),
        ([[[1]]], "text"),
        ([{"scale": 1, "value": "AA=="}], "numeric"),
        ([{"k": 1}], "text"),
    ],
)
def test_guesses(root, literals, kind):
    records = [("pg1.shop.orders", b'{"id": 1}', _value(literal).encode()) for literal in literals]
    assert columns_of(root, *records) == {"id": "bigint", "a": kind}
    assert root.joinpath(SOURCES).read_text().count("# guess") == 2


def _value(literal) -> str:
    whole = record(after={"id": 1, "a": "@"})[2].decode()
    digits = "1" + "0" * 5000 if literal == 10**5000 else None
    return whole.replace('"@"', digits or json.dumps(literal))


def test_what_looks_like_another_type_is_said(root):
    columns_of(root, record(after={"t": "2024-01-01T00:00:00Z", "n": "12.50", "d": 19723}))
    text = (root / SOURCES).read_text()
    lines = [line.strip() for line in text.splitlines() if "# guess" in line]
    assert lines == [
        "t: text    # guess: looks like timestamptz",
        "n: text    # guess: looks like numeric, then also settings.decimal_handling_mode: string",
        "d: bigint  # guess: could also be a date or time, which Debezium sends as a number",
    ]


def test_a_key_column_left_out_of_the_value_is_there(root):
    found = columns_of(root, record(key={"id": 1}, after={"name": "a"}))
    assert list(found) == ["name", "id"]
    assert "only in the record's key" in (root / SOURCES).read_text()


def test_columns_that_came_and_went(root):
    found = columns_of(
        root, record(after={"old": 1, "id": 1}), record(after={"id": 1, "new": True})
    )
    assert list(found) == ["id", "new", "old"]
    assert "not in the newest record" in (root / SOURCES).read_text()


def test_merged_into_the_file_that_has_the_source(root):
    path = root / "models" / "my_sources.yml"
    path.parent.mkdir()
    mine = """\
# mine
sources:
  - name: shop  # the shop
    schema: landing
    config:
      meta:
        cdc:
          connector: postgresql
          topic_prefix: pg1
          settings: {decimal_handling_mode: string}
    tables:
      - name: orders
        description: "Orders, by hand."
        config: {meta: {cdc: {topic: pg1.shop.orders, key: [id], columns: {id: int}}}}  # short
"""
    path.write_text(mine)
    sample = [
        record(key={"id": 1}, after={"id": 1}),
        record("pg1.shop.carts", key={"id": 1}, after={"id": 1}),
        record("pg2.shop.lines", key={"id": 1}, after={"id": 1}, name="pg2"),
    ]
    said = scaffold(root, sample, "landing.events")
    text = path.read_text()
    assert "# mine\n" in text and "# the shop\n" in text and "# short\n" in text
    assert text.startswith(mine.rstrip("\n"))
    assert any(
        "column id is int in the contract, bigint in the sample: left as it is" in line
        for line in said
    )
    found = tables_of(root, "models/my_sources.yml")
    assert found["orders"]["columns"] == {"id": "int"}
    assert found["carts"] == {
        "format": "debezium_json",
        "topic": "pg1.shop.carts",
        "key": ["id"],
        "columns": {"id": "bigint"},
    }
    assert found["lines"]["topic_prefix"] == "pg2"

    # Again: nothing changes. By force: the contract changes, not the rest of the table.
    scaffold(root, sample, "landing.events")
    assert path.read_text() == text
    scaffold(root, sample, "landing.events", force=True)
    assert tables_of(root, "models/my_sources.yml")["orders"]["columns"] == {"id": "bigint"}
    assert 'description: "Orders, by hand."' in path.read_text()

    with pytest.raises(UserError, match=r"reads schema landing.*--source another name"):
        scaffold(root, sample, "elsewhere.events")


def test_models_are_not_overwritten(root):
    sample = [record(key={"id": 1}, after={"id": 1})]
    scaffold(root, sample, "landing.events")
    model = root / "models/current/shop/cur_shop__orders.sql"
    assert model.read_text() == "{{ afterimage.current_state(ref('hist_shop__orders')) }}\n"
    model.write_text("-- mine\n")
    said = scaffold(root, sample, "landing.events")
    assert model.read_text() == "-- mine\n"
    assert any("left models/current/shop/cur_shop__orders.sql" in line for line in said)
    scaffold(root, sample, "landing.events", force=True)
    assert "afterimage.current_state" in model.read_text()


def test_without_a_key(root):
    said = scaffold(root, [record(after={"a": 1})], "landing.events")
    assert tables_of(root)["orders"]["key"] == []
    assert {path.name for path in root.rglob("*.sql")} == {"stg_shop__orders.sql", *QUALITY}
    assert any("only its change log" in line for line in said)
    # With before images a keyless table can be followed.
    update = record(op="u", before={"a": 1}, after={"a": 2})
    scaffold(root, [update], "landing.events", force=True)
    assert tables_of(root)["orders"]["replica_identity"] == "full"
    assert len(list(root.rglob("*.sql"))) == 3 + len(QUALITY)


def test_the_quality_models_name_every_change_log_of_the_source(root):
    def scaffolded(*tables, **options):
        row = {"id": 1}
        sample = [record(name, key=row, after=row, table=name) for name in tables]
        return scaffold(root, sample, "landing.events", **options)

    scaffolded("orders")
    folder = root / "models/quality/shop"
    accounting = folder / "dq_shop__accounting.sql"
    alone = (
        "{{ afterimage.accounting(\n    [\n        ref('stg_shop__orders'),\n    ],\n"
        "    [source('shop', 'orders')]\n) }}\n"
    )
    assert accounting.read_text() == alone
    tests = yaml.safe_load((folder / "_shop__quality.yml").read_text())["models"]
    assert [model["name"] + ".sql" for model in tests] == QUALITY

    # an unchanged generated one gains the new columns, an edited one does not
    quarantine = folder / "dq_shop__quarantine.sql"
    quarantine.write_text("-- mine\n" + quarantine.read_text())
    (folder / "_shop__quality.yml").write_text("models: [{name: dq_shop__runs}]\n")
    said = scaffolded("carts", "orders")
    both = alone.replace("        ref('stg", "        ref('stg_shop__carts'),\n        ref('stg")
    assert accounting.read_text() == both
    assert f"left {quarantine.relative_to(root)} as it is: it lacks ref('stg_shop__carts')" in said
    assert quarantine.read_text().startswith("-- mine")
    assert (folder / "_shop__quality.yml").read_text() == "models: [{name: dq_shop__runs}]\n"
    assert f"unchanged {accounting.relative_to(root)}" in scaffolded("carts")

    # a model of that name elsewhere is that model
    (root / "models/dq").mkdir()
    elsewhere = quarantine.rename(root / "models/dq" / quarantine.name)
    said = scaffolded("carts")
    assert f"left {elsewhere.relative_to(root)} as it is: it lacks ref('stg_shop__carts')" in said
    assert not quarantine.exists()

    # a catalog on Derby holds no view over more
    scaffolded(*(f"t{number:02}" for number in range(AS_VIEW)))
    assert accounting.read_text().startswith("{{ config(materialized='table') }}\n")
    assert f"unchanged {accounting.relative_to(root)}" in scaffolded("orders")
    scaffolded("last")
    assert "ref('stg_shop__last')" in accounting.read_text()


def test_a_text_for_exposures_is_written_once(root):
    path = root / "models/staging/shop/_shop__docs.md"
    page = (ROOT / "docs/how-to/scaffold.md").read_text()
    name = re.search(r"""doc\("(shop_\w+)"\)""", page)[1]
    scaffold(root, [record(after={"id": 1}, key={"id": 1})], "landing.events")
    assert f"{{% docs {name} %}}" in path.read_text()
    path.rename(root / "models/shop.md")
    said = scaffold(root, [record(after={"id": 1}, key={"id": 1})], "landing.events")
    assert not path.exists() and not any("_shop__docs.md" in line for line in said)


def test_the_seed_of_operator_events_is_written_once(root):
    sample = [record(after={"id": 1}, key={"id": 1})]
    seeds = {name: root / f"data/operator_events.{name}" for name in ("csv", "yml")}
    with (root / "dbt_project.yml").open("a") as file:
        file.write("seed-paths: [data, more]\n")
    assert "would write data/operator_events.csv" in scaffold(
        root, sample, "landing.events", check=True
    )
    scaffold(root, sample, "landing.events")
    for name, folder in (("csv", "seeds"), ("yml", "models")):
        example = (ROOT / folder / f"operator_events.{name}").read_text()
        assert seeds[name].read_text() == example, "the example's seed is what scaffold writes"

    # an operator's rows stay, wherever the file is; so does a model of that name
    row = "1,epoch,shop,,,,,2026-03-01 04:00:00,\n"
    seeds["csv"].write_text(seeds["csv"].read_text() + row)
    seeds["yml"].write_text("seeds: []\n")
    scaffold(root, sample, "landing.events", force=True)
    assert seeds["csv"].read_text().endswith(row)
    assert seeds["yml"].read_text() == "seeds: []\n"
    for place in ("more/cdc/operator_events.csv", "models/operator_events.sql"):
        (root / place).parent.mkdir(parents=True, exist_ok=True)
        moved = seeds["csv"].rename(root / place)
        scaffold(root, sample, "landing.events", force=True)
        assert moved.is_file() and not seeds["csv"].exists()
        moved.rename(seeds["csv"])


@pytest.mark.parametrize("model", QUALITY)
def test_as_many_change_logs_as_a_view_names_fit_into_it(model):
    """With the example's change logs, and room for longer names; see refuse_long_view.sql."""
    logs = (ROOT / "models/quality/shop" / model).read_text().count("ref('stg_")
    view = (ROOT / "tests/golden/sql" / model).read_text()
    assert len(view) / logs * AS_VIEW < 0.9 * 32_700


def test_two_tables_of_one_name_and_awkward_names(root):
    sample = [
        record("a", key={"id": 1}, after={"id": 1, "Gift {{ wrap }}": 1}, table="My Table"),
        record("b", key={"id": 1}, after={"id": 1}, table="my-table", schema="other"),
    ]
    scaffold(root, sample, "landing.events")
    assert set(tables_of(root)) == {"shop_my_table", "other_my_table"}


@pytest.mark.shared
def test_mysql_of_a_schema_block(root):
    capture = shared_folder() / "mysql9-schema" / "events.jsonl.gz"
    topics = [f"mysql9schema.shop.{name}" for name in ("types", "nopk", "Mixed_Case")]
    records = list(records_of_files([capture]))
    of_topics = [each for each in records if each.topic in topics]
    scaffold(root, of_topics, "landing.events", topics=topics)
    found = tables_of(root)
    wanted = yaml.safe_load((TRUTH / "mysql9-schema.yml").read_text())["tables"]["shop.types"]
    columns = {name: kind.partition("(")[0] for name, kind in found["types"]["columns"].items()}
    # what a schema block does not carry: digits of a decimal sent as text, a type's narrower name
    same = {"dec_small": "text", "dec_big": "text", "ch": "text", "vc": "text", "ltx": "text"}
    same |= {"ti": "smallint", "tiu": "smallint", "t1": "smallint", "si": "int"}
    same |= {"mi": "int", "i": "bigint", "bin": "text", "vb": "text", "bl": "text", "tx": "text"}
    same |= {"b1": "boolean"}
    expected = {name: kind.partition("(")[0] for name, kind in wanted["columns"].items()}
    assert columns == expected | same
    # the schema changes carry it, in a topic of their own; contracts call a longtext text
    scaffold(root, records, "landing.events", topics=topics, force=True)
    columns = tables_of(root)["types"]["columns"]
    types = {name: kind.partition("(")[0] for name, kind in columns.items()}
    assert types == expected | {"ltx": "text"}
    assert found["nopk"]["key"] == [] and "replica_identity" not in found["nopk"]
    models = {path.name for path in root.rglob("*.sql")}
    assert {"hist_shop__nopk.sql", "cur_shop__mixed_case.sql"} <= models


def test_nothing_is_written_when_a_topic_is_wrong(root):
    sample = [
        record("good", after={"id": 1}),
        record("my", after={"id": 1}, connector="vitess"),
        ("plain", None, b'{"id": 1}'),
        ("broken", None, b"{"),
        ("empty", None, None),
    ]
    with pytest.raises(UserError) as failed:
        scaffold(root, sample, "landing.events", topics=["good", "my", "plain", "absent"])
    assert "topic my has connector vitess; supported: postgresql" in failed.value.message
    assert "topic plain contains no Debezium row change" in failed.value.message
    assert "topic absent is not in the sample" in failed.value.message
    topic = "pg1.shop.order"
    others = ("pg1.shop.orders", "pg2.crm.x")
    there = [record(name, after={"id": 1}) for name in others]
    for given in ((there, None), ([], lambda: others)):  # of a landing table only `topics` are read
        with pytest.raises(UserError) as failed:
            scaffold(root, given[0], "landing.events", topics=[topic], topics_there=given[1])
        assert failed.value.message == (
            f"topic {topic} is not in the sample; similar names there: pg1.shop.orders"
        )
    with pytest.raises(UserError, match="no topic of the sample"):
        scaffold(root, sample[2:], "landing.events")
    assert not (root / "models").exists()


def test_the_last_line_names_the_next_commands(root):
    *_, last = scaffold(root, [record(after={"id": 1}, key={"id": 1})], "landing.events")
    commands = re.findall("`([^`]+)`", last)
    assert commands[:3] == ["afterimage validate", "afterimage model-yaml", "dbt build"]
    assert commands[3:] == ["afterimage drift"]


def test_from_the_landing_table(spark, root):
    events = CAPTURES / "shop-schema" / "events.jsonl.gz"
    records = list(records_of_files([events]))
    rows = [(*each, 0, number) for number, each in enumerate(records)]
    spark.sql("create schema if not exists scaffold_landing")
    spark.sql("drop table if exists scaffold_landing.events")
    shape = (
        "topic string, key binary, value binary, headers array<struct<key:string,value:binary>>, "
        "partition int, offset bigint"
    )
    landed = spark.createDataFrame(rows, shape).selectExpr("*", "current_timestamp() as timestamp")
    landed.write.saveAsTable("scaffold_landing.events")
    topics = ["pg1.shop.orders"]

    def ask(sql: str):
        return spark.sql(sql).collect()

    wanted = sorted((each for each in records if each.topic in topics), key=repr)
    from_table = list(records_of_table(ask, "scaffold_landing.events", topics))
    assert sorted(from_table, key=repr) == wanted and any(each.headers for each in wanted)
    scaffold(root, from_table, "scaffold_landing.events")
    assert tables_of(root)["orders"]["columns"]["total"] == "numeric(12,2)"
    # A custom landing table may have no headers.
    spark.sql("drop table if exists scaffold_landing.bare")
    landed.drop("headers").write.saveAsTable("scaffold_landing.bare")
    bare = list(records_of_table(ask, "scaffold_landing.bare", topics))
    assert sorted(bare, key=repr) == sorted(
        (each._replace(headers=()) for each in wanted), key=repr
    )
    spark.sql("drop table scaffold_landing.bare")
    with pytest.raises(UserError, match="there is no table"):
        list(records_of_table(ask, "scaffold_landing.absent"))
    spark.sql("drop table scaffold_landing.events")


def test_a_topic_must_be_named(root):
    done = CliRunner().invoke(main, ["scaffold", "--project-dir", str(root)])
    assert done.exit_code == 2
    assert "either --topic (once or more) or --all-topics" in done.output


def test_helper_tables_are_passed_over(root):
    signal = {"id": "1", "type": "execute-snapshot", "data": None}
    records = [
        record(after={"id": 1}),
        record(topic="pg1.shop.dbz", after=signal, table="dbz"),
        record(topic="pg1.shop._orders_gho", after={"id": 1}, table="_orders_gho"),
    ]
    said = scaffold(root, records, "landing.events")
    assert list(tables_of(root)) == ["orders"]
    [of_signals] = [line for line in said if "pg1.shop.dbz" in line]
    assert "it is a signal table (helper_tables: {shop.dbz: signal})" in of_signals
    assert [line for line in said if "_orders_gho" in line and "online DDL table" in line]

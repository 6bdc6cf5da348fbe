"""The contract: its reference is generated from the macros, and a wrong one is refused with all its
faults."""

import json
from types import SimpleNamespace

import jsonschema
import pytest
import yaml
from click.testing import CliRunner
from tests.cli.faults import contract_faults
from tests.functional.project import DbtFailed, Project

from afterimage import contract
from afterimage.cli import main
from afterimage.macros import MACROS, Macros

SHIPPED = MACROS.parent / "models" / "staging" / "shop" / "_shop__sources.yml"
ORDERS = {"topic": "pg1.shop.orders", "key": ["id"], "columns": {"id": "int", "note": "text"}}


def without(key: str) -> dict:
    return {name: value for name, value in ORDERS.items() if name != key}


# table contract, source contract, the validator's message, whether a JSON schema can detect it
WRONG = {
    "unknown key": (ORDERS | {"primary": ["id"]}, {}, "primary: unknown key", True),
    "wrong value": (
        ORDERS | {"replica_identity": "all"},
        {},
        'replica_identity: "all" is not allowed. Allowed: default, full, nothing, index',
        True,
    ),
    "another connector": (ORDERS, {"connector": "db3"}, 'connector: "db3" is not allowed', True),
    "a word of another connector": (
        ORDERS | {"replica_identity": "full"},
        {"connector": "mysql"},
        "replica_identity: a word of PostgreSQL; mysql needs none",
        False,
    ),
    "no connector": (ORDERS, {"connector": None}, "connector: missing", True),
    "no key": (without("key"), {}, "key: missing", True),
    "no columns": (without("columns"), {}, "columns: missing", True),
    "no topic": (without("topic"), {}, "topic: missing", True),
    "key that is no list": (ORDERS | {"key": "id"}, {}, "key: expected a list", True),
    "columns that are no map": (ORDERS | {"columns": ["id"]}, {}, "columns: expected a map", True),
    "columns without one": (
        ORDERS | {"columns": {}, "key": []},
        {},
        "columns: there is none",
        True,
    ),
    "settings that are no map": (ORDERS | {"settings": "x"}, {}, "settings: expected a map", True),
    "a header without a name": (
        ORDERS | {"headers": ["-"]},
        {},
        'headers: "-" gives no column: it must be a text with one of A-Z, a-z, 0-9',
        False,
    ),
    "headers that give one column": (
        ORDERS | {"headers": ["tenant-id", "Tenant_Id"]},
        {},
        "headers: two of tenant-id, Tenant_Id give one column",
        False,
    ),
    "key not among the columns": (
        ORDERS | {"key": ["id", "no"]},
        {},
        "key: column no is not among the columns (id, note)",
        False,
    ),
    "tables that rows do not tell": (
        ORDERS | {"source_tables": ["shop.orders"], "add_fields": ["op"]},
        {"format": "unwrapped"},
        "source_tables: rows without envelopes do not tell their table",
        False,
    ),
    "unknown type": (
        ORDERS | {"columns": {"id": "int", "note": "varstring(9)"}},
        {},
        "columns.note: unknown type varstring(9). Known types: bigint, ",
        True,
    ),
    "misspelt type": (
        ORDERS | {"columns": {"id": "int", "note": "timestampz(3)"}},
        {},
        "columns.note: unknown type timestampz(3). Did you mean timestamptz? Known types: bigint, ",
        True,
    ),
    "type larger than the database has": (
        ORDERS | {"columns": {"id": "int", "note": "numeric(1001,2)"}},
        {},
        "columns.note: the database has no numeric(1001,2): the first number goes from 0 to 1000.",
        False,
    ),
    "digits the database has not": (
        ORDERS | {"columns": {"id": "number(9)", "note": "timestamp(10)"}},
        {"connector": "oracle"},
        "columns.note: the database has no timestamp(10): the first number goes from 0 to 9.",
        False,
    ),
    "array where there are none": (
        ORDERS | {"columns": {"id": "number(9)", "note": "clob[]"}},
        {"connector": "oracle"},
        "columns.note: unknown type clob[]",
        False,
    ),
    "array of arrays": (
        ORDERS | {"columns": {"id": "int", "note": "int[3][]"}},
        {},
        "The connector cannot send arrays of arrays",
        True,
    ),
    "a name that models cannot have": (
        ORDERS | {"model_names": {"note": "valid_from"}},
        {},
        'model_names.note: "valid_from" is no name that a column of a model may have',
        False,
    ),
    "a name that another column has": (
        ORDERS | {"model_names": {"note": "ID"}},
        {},
        "model_names.note: ID is what another column is called",
        False,
    ),
    "a name of no column": (
        ORDERS | {"model_names": {"notes": "remark"}},
        {},
        "model_names.notes: is not among the columns (id, note)",
        False,
    ),
    "former names of no column": (
        ORDERS | {"former_names": {"notes": ["remark"]}},
        {},
        "former_names.notes: is not among the columns (id, note)",
        False,
    ),
    "former names that are no list": (
        ORDERS | {"former_names": {"note": "remark"}},
        {},
        'former_names.note: expected a list of names, the newest first, got "remark"',
        True,
    ),
    "a former name that is another column's": (
        ORDERS | {"former_names": {"note": ["id"]}},
        {},
        "former_names.note: id is the name of another column now",
        False,
    ),
    "a former name of two columns": (
        ORDERS | {"former_names": {"note": ["text"], "id": ["text"]}},
        {},
        "was the name of",
        False,
    ),
    "names that meet": (
        ORDERS
        | {
            "columns": {"id": "int", "unit-no": "int", "unit_no": "int"},
            "settings": {"field_name_adjustment_mode": "avro"},
        },
        {},
        "columns.unit_no: under field_name_adjustment_mode avro its name in events is unit_no, "
        "which is that of unit-no too.",
        False,
    ),
    "unknown setting": (
        ORDERS | {"settings": {"decimals": "string"}},
        {},
        "settings.decimals: unknown setting",
        True,
    ),
    "wrong setting": (
        ORDERS,
        {"settings": {"decimal_handling_mode": "exact"}},
        'settings.decimal_handling_mode: "exact" is not allowed. Allowed: precise, string, double',
        True,
    ),
    "setting of another kind": (
        ORDERS | {"settings": {"money_fraction_digits": "two"}},
        {},
        'settings.money_fraction_digits: expected a number, got "two"',
        True,
    ),
    "setting taken for a text of the connector's": (
        ORDERS | {"settings": {"skipped_operations": ["d", "truncate"]}},
        {},
        'settings.skipped_operations: ["truncate"] may not stand in it. Allowed: c, u, d, t, none',
        True,
    ),
    "placeholder that is no bytes": (
        ORDERS | {"settings": {"unavailable_value_placeholder": "hex:C3F"}},
        {},
        'settings.unavailable_value_placeholder: "hex:C3F" is no hex: with two hexadecimal digits',
        False,
    ),
    "setting that nothing reads": (
        ORDERS | {"settings": {"hstore_handling_mode": "map"}},
        {},
        "settings.hstore_handling_mode: unknown setting",
        True,
    ),
    "sensitive column that is none": (
        ORDERS | {"sensitive": ["mail"]},
        {},
        "sensitive: column mail is not among the columns",
        False,
    ),
}


def sources(tables: dict[str, dict], over: dict) -> dict:
    """A sources YAML as dbt reads it."""
    named = [
        {"name": name, "config": {"meta": {"cdc": contract}}} for name, contract in tables.items()
    ]
    return {"sources": [{"name": "shop", "config": {"meta": {"cdc": over}}, "tables": named}]}


def source_contract(over: dict) -> dict:
    whole = {"connector": "postgresql"} | over
    return {name: value for name, value in whole.items() if value is not None}


@pytest.fixture(scope="module")
def schema():
    made = contract.contract_schema()
    jsonschema.Draft202012Validator.check_schema(made)
    return jsonschema.Draft202012Validator(made)


def test_the_files_are_what_the_macros_say():
    again = "run `python -m afterimage.contract`"
    assert contract.SCHEMA.read_text() == contract.schema_text(), again
    assert contract.TABLE.read_text() == contract.contract_table(), again


def test_the_schema_takes_the_shipped_contract(schema):
    shipped = yaml.safe_load(SHIPPED.read_text())
    assert not list(schema.iter_errors(shipped))
    # This proves that it checked: the same with one letter more is refused.
    shipped["sources"][0]["tables"][0]["config"]["meta"]["cdc"]["keys"] = []
    assert list(schema.iter_errors(shipped))


@pytest.mark.parametrize(
    "types",
    [
        ["timestamp(3) without time zone", "numeric(12, 2)", "varchar(20)[]", "bit varying"],
        [
            "interval day to second(3)",
            "geometry(Point,4326)",
            "int[3]",
            "integer array",
            "float(24)",
        ],
        [
            "text character set latin1",
            "point srid 4326",
            "bigint(20) signed",
            "enum('a') charset b",
        ],
    ],
)
def test_the_schema_takes_types_with_arguments(schema, types):
    columns = {f"c{number}": kind for number, kind in enumerate(types)} | {"Gift Wrap": "boolean"}
    document = sources({"orders": ORDERS | {"key": [], "columns": columns}}, source_contract({}))
    assert not list(schema.iter_errors(document))


@pytest.mark.parametrize(
    "name", ["valid_from", "_cdc_op", "Id", "a`b", "a${b}", "cdc_append", "a\nb"]
)
def test_no_table_is_refused_for_a_name(schema, name):
    table = ORDERS | {
        "connector": "postgresql",
        "columns": {"id": "int", "note": "text", name: "int"},
    }
    document = sources({"orders": table}, {})
    assert not list(schema.iter_errors(document))
    assert contract_faults(document["sources"][0]) == []


@pytest.mark.parametrize("name", WRONG)
def test_the_schema_refuses(schema, name):
    table, over, _, seen = WRONG[name]
    document = sources({"orders": table}, source_contract(over))
    assert bool(list(schema.iter_errors(document))) is seen


def test_connector_at_each_table_is_enough(schema):
    here = ORDERS | {"connector": "postgresql"}
    assert not list(schema.iter_errors(sources({"orders": here}, {})))
    assert list(schema.iter_errors(sources({"orders": here, "carts": ORDERS}, {})))


@pytest.fixture
def wrong_project(spark, tmp_path):
    """A project with every wrong contract at once, and two tables on one topic."""
    tables = {}
    for number, (table, over, _, _) in enumerate(WRONG.values()):
        topic = {"topic": f"pg1.shop.t{number}"} if "topic" in table else {}
        # The case's source keys are at its table here, as all share one source.
        tables[f"t{number}"] = table | topic | {k: v for k, v in over.items() if v}
        if over.get("connector", "") is not None:
            tables[f"t{number}"].setdefault("connector", "postgresql")
    tables["first"] = tables["second"] = ORDERS | {"connector": "postgresql"}
    return Project(
        tmp_path / "consumer",
        spark,
        "shop",
        {},
        tables,
        schema="wrong_contracts",
        landing="wrong_landing.events",
        layers={name: ["stg"] for name in tables},
    )


def test_all_faults_at_once_and_nothing_runs(wrong_project, spark):
    with pytest.raises(DbtFailed) as failed:
        wrong_project.run("run")
    wanted = {
        f"shop.t{number}: {said}" if ": " in said else said
        for number, (_, _, said, _) in enumerate(WRONG.values())
    }
    wanted.add("is also declared by shop.first")
    told = str(failed.value)
    assert [part for part in wanted if part not in told] == []
    # One each, and the topic declared twice.
    assert f"{len(WRONG) + 1} fault(s) in CDC contracts" in told
    # dbt creates the schema before it calls hooks; it stays empty.
    assert spark.sql("show tables in wrong_contracts").where("not isTemporary").collect() == []

    # The same by the command, without a run.
    done = CliRunner().invoke(main, ["validate", "--project-dir", str(wrong_project.folder)])
    assert done.exit_code == 1
    assert [part for part in wanted if part not in done.output] == []


def test_a_right_contract(spark, tmp_path):
    project = Project(
        tmp_path / "consumer",
        spark,
        "shop",
        {"connector": "postgresql"},
        {"orders": ORDERS},
        schema="right_contract",
        landing="right_landing.events",
    )
    project.run("parse")
    done = CliRunner().invoke(main, ["validate", "--project-dir", str(project.folder)])
    assert (done.exit_code, done.output) == (0, "All contracts are valid.\n")
    assert json.loads(contract.SCHEMA.read_text())["$defs"]

    # a change log that the quality models of its source do not read is named, and stops nothing
    project.extra_models = {
        "stg_shop__late": "{{ afterimage.change_log(source('shop', 'late')) }}",
        "dq_shop__more": (
            "{{ afterimage.accounting([ref('stg_shop__late')], [source('shop', 'late')]) }}"
        ),
    }
    project.tables["late"] = ORDERS | {"topic": "pg1.shop.late"}
    project.layers["late"] = []
    project.write()
    for path in (project.folder / "models").glob("dq_shop__[aq]*.sql"):
        path.write_text(path.read_text().replace(", ref('stg_shop__late')", ""))
    done = CliRunner().invoke(main, ["validate", "--project-dir", str(project.folder)])
    assert done.exit_code == 0
    assert "dq_shop__quarantine lacks ref('stg_shop__late')" in done.output
    # another model counts it
    assert "dq_shop__accounting lacks" not in done.output


def test_capitals_of_an_allowed_word_are_its_writers():
    over = {"connector": "PostgreSQL", "settings": {"decimal_handling_mode": "STRING"}}

    def faults(identity: str) -> list[str]:
        table = ORDERS | {"replica_identity": identity}
        tables = [{"name": "orders", "config": {"meta": {"cdc": table}}}]
        return contract_faults(
            {"name": "shop", "config": {"meta": {"cdc": over}}, "tables": tables}
        )

    assert faults("FULL") == []
    assert faults("Fool") != []


def test_a_fault_of_several_tables_is_listed_once():
    names = {"shop": ["a", "b", "c"], "crm": ["a"]}
    nodes = {
        f"{source}.{table}": SimpleNamespace(source_name=source, name=table)
        for source, tables in names.items()
        for table in tables
    }
    of_source, of_two, of_one = "connector: missing. It is: x", "key: missing.", "columns: none."
    faults = [f"m.yml: {owner}: {of_source}" for owner in nodes]
    faults += [f"m.yml: shop.{table}: {of_two}" for table in "ac"] + [f"m.yml: shop.b: {of_one}"]
    assert Macros(graph=SimpleNamespace(sources=nodes))._once_per_source(faults) == [
        f"m.yml: shop (all 3 tables): {of_source}",
        f"m.yml: crm.a: {of_source}",
        f"m.yml: shop (2 tables: a, c): {of_two}",
        f"m.yml: shop.b: {of_one}",
    ]


@pytest.mark.parametrize(
    ("given", "similar"),
    [
        (
            {"replica_identiy": "full"},
            "replica_identiy: unknown key. Did you mean replica_identity?",
        ),
        ({"colums": {}}, "colums: unknown key. Did you mean columns?"),
        ({"zzz": 1}, "zzz: unknown key. Known keys:"),
        ({1: 1}, "1: unknown key. Known keys:"),
        (
            {"settings": {"skiped_operations": []}},
            "skiped_operations: unknown setting. Did you mean skipped_operations?",
        ),
    ],
)
def test_the_most_similar_name_comes_before_all(given, similar):
    meta = {"meta": {"cdc": ORDERS | {"connector": "postgresql"} | given}}
    [fault] = contract_faults({"name": "shop", "tables": [{"name": "orders", "config": meta}]})
    assert similar in fault


def test_types_wait_for_the_connector():
    table = ORDERS | {"connector": "postgres", "columns": {"id": "itn", "note": "text"}}
    meta = {"meta": {"cdc": table}}
    [fault] = contract_faults({"name": "shop", "tables": [{"name": "orders", "config": meta}]})
    assert fault.endswith("Types are checked once it is correct.")


def test_topics_that_differ_in_case_alone():
    """Kafka distinguishes them."""
    table = ORDERS | {"topic": ["pg1.shop.orders", "pg1.shop.Orders"], "key_within": "table"}
    meta = {"meta": {"cdc": table | {"connector": "postgresql"}}}
    assert contract_faults({"name": "shop", "tables": [{"name": "orders", "config": meta}]}) == []


def test_a_wrong_contract_stops_what_reads_it_and_nothing_else(spark, tmp_path):
    wrong = ORDERS | {"topic": "pg1.shop.wrong", "primary": ["id"]}
    project = Project(
        tmp_path / "consumer",
        spark,
        "shop",
        {"connector": "postgresql"},
        {"orders": ORDERS, "wrong": wrong},
        schema="one_wrong",
        landing="one_wrong_landing.events",
    )
    project.run("run", "--select", "+cur_shop__orders")
    assert project.rows("cur_shop__orders") == []
    for arguments in ((), ("--select", "cur_shop__wrong"), ("--select", "dq_shop__accounting")):
        with pytest.raises(DbtFailed, match=r"1 fault.*\n.*shop.wrong: primary: unknown key"):
            project.run("run", *arguments)
    # an operation in the same process checks all, whatever was selected before
    done = CliRunner().invoke(main, ["validate", "--project-dir", str(project.folder)])
    assert done.exit_code == 1 and "shop.wrong: primary: unknown key" in done.output

    # a topic that two tables declare is a fault of both
    project.tables["wrong"] = dict(ORDERS)
    project.write()
    for table in ("orders", "wrong"):
        with pytest.raises(DbtFailed, match="is also declared by"):
            project.run("run", "--select", f"stg_shop__{table}")
    for name in ("one_wrong", "one_wrong_landing"):
        spark.sql(f"drop schema {name} cascade")

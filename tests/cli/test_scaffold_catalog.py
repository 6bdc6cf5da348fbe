"""Types and keys from the source itself: scripts, exports, schema changes, configurations."""

import contextlib
import json
import re
import sqlite3
import time

import pytest
import yaml
from click.testing import CliRunner
from jinja2 import Template
from tests.truth.captures import shared_folder

from afterimage.cli import main
from afterimage.errors import UserError
from afterimage.macros import MACROS
from afterimage.scaffold import known, scaffold
from afterimage.scaffold.catalog import CatalogTable, descriptions_of
from afterimage.scaffold.catalog.database import tables_of_database
from afterimage.scaffold.catalog.ddl import tables_of_script
from afterimage.scaffold.catalog.information_schema import tables_of_export
from afterimage.scaffold.catalog.types import contract_type
from afterimage.scaffold.connector_config import read_connector_config
from afterimage.scaffold.output import SHOWN
from afterimage.scaffold.questions import open_questions

TESTS = MACROS.parent / "tests"
CAPTURES = sorted(
    script.parent
    for folder in (TESTS / "captures", shared_folder() / "captures" if shared_folder() else None)
    if folder
    for script in folder.glob("*/source.sql")
    if (TESTS / "truth" / f"{script.parent.name}.yml").is_file()
)
SHARED = pytest.mark.shared


def sources(root) -> dict:
    [file] = root.glob("models/staging/*/*__sources.yml")
    return yaml.safe_load(file.read_text())["sources"][0]


def contracts(root) -> dict[str, dict]:
    return {table["name"]: table["config"]["meta"]["cdc"] for table in sources(root)["tables"]}


def without_text(kind: str, connector: str) -> dict:
    parsed = known.parsed(kind, connector)
    assert parsed, f"{kind} is no type of {connector}"
    # MySQL's BOOLEAN is a TINYINT(1)
    alias = {"boolean": ("tinyint", [1])} if connector in ("mysql", "mariadb") else {}
    name, arguments = alias.get(parsed["name"], (parsed["name"], parsed["arguments"]))
    return parsed | {"name": name, "arguments": arguments, "text": ""}


def run_scaffold(root, records: list[tuple], *options: str):
    """The command, on a file of these records."""
    lines = []
    for number, (topic, key, value) in enumerate(records):
        line = {"topic": topic, "partition": 0, "offset": number, "timestamp": 0}
        lines.append(json.dumps(line | {"key": key.decode(), "value": value.decode()}))
    file = root / "events.jsonl"
    file.write_text("\n".join(lines))
    return CliRunner().invoke(main, ["scaffold", str(file), *options, "--project-dir", str(root)])


@pytest.fixture
def root(tmp_path):
    (tmp_path / "dbt_project.yml").write_text("name: consumer\nprofile: consumer\n")
    return tmp_path


def script(tmp_path, text: str, connector: str = "postgresql") -> list[CatalogTable]:
    file = tmp_path / "schema.sql"
    file.write_text(text)
    return tables_of_script(file, connector)


def change(table: str, after: dict, key: list[str] = (), **source) -> tuple:
    block = {"connector": "postgresql", "name": "pg1", "db": "shop", "schema": "shop"} | source
    value = {"op": "c", "source": block | {"table": table}, "before": None, "after": after}
    key = json.dumps({name: after[name] for name in key}).encode() if key else None
    return f"pg1.shop.{table}", key, json.dumps(value).encode()


@pytest.mark.parametrize(
    "capture",
    [
        pytest.param(folder, id=folder.name, marks=() if TESTS in folder.parents else SHARED)
        for folder in CAPTURES
    ],
)
def test_the_script_of_a_captured_database(capture):
    """Each column as in the truth, which was written by hand from it, with the changes of its
    tables."""
    spec = yaml.safe_load((TESTS / "truth" / f"{capture.name}.yml").read_text())
    connector = read_connector_config(capture / "connector.properties").connector
    tables = tables_of_script(capture / "source.sql", connector)
    for name, told in spec["tables"].items():
        schema, _, table_name = name.rpartition(".")
        [table] = [
            table for table in tables if table.name == table_name and table.schema in (schema, "")
        ]
        assert table.key == list(told.get("key") or []), name
        if connector == "postgresql":
            identity = told.get("replica_identity", "default")
            assert (table.replica_identity or "default") == identity, name
        for column, kind in told["columns"].items():
            found = contract_type(table.columns[column].type, connector)
            wanted = spec.get("types", {}).get(kind, kind)
            assert found, f"{name}.{column}: {table.columns[column].type}"
            assert without_text(found, connector) == without_text(wanted, connector), column


def test_a_contract_by_script_and_configuration(root):
    """Records without a schema block: of 48 types none was known before."""
    capture = TESTS / "captures" / "shop"
    done = CliRunner().invoke(
        main,
        [
            *("scaffold", str(capture / "events.jsonl.gz"), "--all-topics"),
            *("--ddl", str(capture / "source.sql")),
            *("--connector-config", str(capture / "connector.properties")),
            *("--landing", "landing.events", "--project-dir", str(root)),
        ],
    )
    assert done.exit_code == 0, done.output
    assert "guess" not in done.output
    spec = yaml.safe_load((TESTS / "truth" / "shop.yml").read_text())
    found = contracts(root)
    for name, told in spec["tables"].items():
        contract = found[name.split(".")[-1]]
        wanted = {
            column: without_text(spec["types"].get(kind, kind), "postgresql")
            for column, kind in told["columns"].items()
        }
        for column, kind in wanted.items():
            assert without_text(contract["columns"][column], "postgresql") == kind, (name, column)
        assert contract.get("replica_identity", "default") == told["replica_identity"], name


TYPES = {
    "postgresql": {
        "character varying(40)": "varchar(40)",
        "timestamp(3) with time zone": "timestamptz(3)",
        "time without time zone": "time",
        "public.citext": "citext",
        "integer[][]": "int[]",
        "double precision": "double precision",
        "bit varying(8)": "varbit(8)",
        "point3d": None,
    },
    "mysql": {
        "INT(11) UNSIGNED ZEROFILL": "int(11) unsigned",
        "enum('a','b,c')": "enum",
        "varchar(40) character set latin1": "varchar(40)",
        "tinyint(1)": "tinyint(1)",
    },
    "oracle": {
        "NUMBER(*,0)": "number(38,0)",
        "VARCHAR2(40 BYTE)": "varchar2(40)",
        "TIMESTAMP(6) WITH LOCAL TIME ZONE": "timestamp(6) with local time zone",
        "LONG": None,
        "BINARY_DOUBLE": "binary_double",
        "SYS.XMLTYPE": "xmltype",
    },
    "sqlserver": {"nvarchar(max)": "nvarchar(max)", "real": "real", "datetime2(7)": "datetime2(7)"},
    "db2": {"VARCHAR(10) FOR BIT DATA": None, "VARCHAR(10 OCTETS)": "varchar(10)"},
}


@pytest.mark.parametrize(
    ("connector", "text", "kind"),
    [(of, text, kind) for of, kinds in TYPES.items() for text, kind in kinds.items()],
)
def test_a_databases_words_for_a_type(connector, text, kind):
    found = contract_type(text, connector)
    if kind is None:
        assert found is None
    else:
        assert without_text(found, connector) == without_text(kind, connector)


def test_what_else_a_dump_of_postgresql_tells(tmp_path):
    [table] = script(
        tmp_path,
        """
        SET statement_timeout = 0;
        CREATE TYPE shop.status AS ENUM ('new', 'paid');
        CREATE DOMAIN shop.price AS numeric(12,2) CHECK (VALUE >= (0)::numeric);
        CREATE TABLE shop.orders (
            id bigint NOT NULL,
            status shop.status DEFAULT 'new'::shop.status NOT NULL,
            total shop.price,
            "Gift Wrap" boolean,
            slug text GENERATED ALWAYS AS (lower('x, (y)'::text)) STORED,
            n integer DEFAULT 3, -- a comment; with a semicolon
            CONSTRAINT positive CHECK ((n > 0))
        );
        COMMENT ON TABLE shop.orders IS 'What customers bought';
        COMMENT ON COLUMN shop.orders.n IS 'How many; it''s a count';
        ALTER TABLE ONLY shop.orders REPLICA IDENTITY FULL;
        ALTER TABLE ONLY shop.orders ADD CONSTRAINT orders_pkey PRIMARY KEY (id, "Gift Wrap");
        CREATE FUNCTION shop.f() RETURNS trigger LANGUAGE plpgsql AS $$ begin; return new; end $$;
        """,
    )
    assert (table.schema, table.name, table.comment) == ("shop", "orders", "What customers bought")
    assert (table.key, table.replica_identity) == (["id", "Gift Wrap"], "full")
    assert {name: column.type for name, column in table.columns.items()} == {
        "id": "bigint",
        "status": "enum",
        "total": "numeric(12,2)",
        "Gift Wrap": "boolean",
        "slug": "text",
        "n": "integer",
    }
    assert table.columns["status"].values == ("new", "paid")
    assert table.columns["n"].comment == "How many; it's a count"
    assert [name for name, column in table.columns.items() if column.is_generated] == ["slug"]
    assert [name for name, column in table.columns.items() if column.is_required] == [
        "id",
        "status",
    ]


def test_scripts_of_the_other_databases(tmp_path):
    [mysql] = script(
        tmp_path,
        """
        USE `crm`;
        /*!40101 SET character_set_client = utf8 */;
        CREATE TABLE `people` (
          `id` int unsigned NOT NULL AUTO_INCREMENT,
          `name` varchar(40) CHARACTER SET utf8mb3 COLLATE utf8_bin COMMENT 'first, last',
          `kind` enum('a','b,c') DEFAULT NULL,
          `raw` varchar(8) CHARACTER SET binary DEFAULT NULL,
          `whole` varchar(50) GENERATED ALWAYS AS (concat(`name`,'x')) VIRTUAL,
          PRIMARY KEY (`id`),
          UNIQUE KEY `u` (`name`),
          KEY `by_kind` (`kind`)
        ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COMMENT='who';
        ALTER TABLE people ADD COLUMN at datetime(6) AFTER id, MODIFY kind varchar(3), DROP raw;
        RENAME TABLE people TO persons;
        """,
        "mysql",
    )
    assert (mysql.schema, mysql.name, mysql.key, mysql.comment) == ("crm", "persons", ["id"], "who")
    assert {name: column.type for name, column in mysql.columns.items()} == {
        "id": "int unsigned",
        "name": "varchar(40)",
        "kind": "varchar(3)",
        "whole": "varchar(50)",
        "at": "datetime(6)",
    }
    assert mysql.columns["name"].comment == "first, last"
    [oracle] = script(
        tmp_path,
        """CREATE TABLE "INV"."DEBTORS" (
             "ID" NUMBER(9,0) NOT NULL ENABLE, name VARCHAR2(40 BYTE),
             "At" TIMESTAMP (6) DEFAULT sysdate,
             CONSTRAINT "PK" PRIMARY KEY ("ID") USING INDEX ENABLE);
           COMMENT ON COLUMN INV.DEBTORS.NAME IS 'whose debts';""",
        "oracle",
    )
    assert (oracle.schema, oracle.name, oracle.key) == ("INV", "DEBTORS", ["ID"])
    assert {name: contract_type(c.type, "oracle") for name, c in oracle.columns.items()} == {
        "ID": "number(9,0)",
        "NAME": "varchar2(40)",
        "At": "timestamp(6)",
    }
    assert oracle.columns["NAME"].comment == "whose debts"
    sqlserver, other = script(
        tmp_path,
        """CREATE TABLE [dbo].[Orders](
             [Id] [int] IDENTITY(1,1) NOT NULL, [Note] [nvarchar](max) NULL,
             [Twice] AS ([Id]*2) PERSISTED,
             CONSTRAINT [PK_Orders] PRIMARY KEY CLUSTERED ([Id] ASC))
           GO
           CREATE TABLE dbo.Lines (a datetime2(7) NOT NULL PRIMARY KEY)
           GO""",
        "sqlserver",
    )
    assert (sqlserver.key, other.key) == (["Id"], ["a"])
    assert contract_type(sqlserver.columns["Note"].type, "sqlserver") == "nvarchar(max)"
    assert sqlserver.columns["Twice"].is_generated and not sqlserver.columns["Id"].is_generated


def test_a_script_that_cannot_be_cut_into_words(tmp_path):
    with pytest.raises(UserError, match=r"schema\.sql cannot be read as SQL of postgresql"):
        script(tmp_path, "create table t (a text default 'no end);")


def test_an_export_of_the_information_schema(tmp_path):
    file = tmp_path / "columns.csv"
    file.write_text(
        "TABLE_SCHEMA,TABLE_NAME,COLUMN_NAME,ORDINAL_POSITION,DATA_TYPE,COLUMN_TYPE,IS_NULLABLE,"
        "COLUMN_KEY,EXTRA,COLUMN_COMMENT\n"
        "crm,people,name,2,varchar,varchar(40),YES,,,who\n"
        "crm,people,id,1,int,int unsigned,NO,PRI,auto_increment,\n"
        "crm,people,whole,3,varchar,varchar(50),YES,,VIRTUAL GENERATED,\n"
    )
    [table] = tables_of_export(file)
    assert (table.schema, table.name, table.key) == ("crm", "people", ["id"])
    assert {name: column.type for name, column in table.columns.items()} == {
        "id": "int unsigned",
        "name": "varchar(40)",
        "whole": "varchar(50)",
    }
    assert table.columns["whole"].is_generated and not table.columns["id"].is_generated
    file.write_text(
        "table_schema,table_name,column_name,data_type,udt_name,character_maximum_length,"
        "numeric_precision,numeric_scale,datetime_precision\n"
        "shop,t,a,character varying,varchar,40,,,\n"
        "shop,t,b,numeric,numeric,,12,2,\n"
        "shop,t,c,timestamp with time zone,timestamptz,,,,3\n"
        "shop,t,d,ARRAY,_int4,,,,\n"
        "shop,t,e,integer,int4,,32,0,\n"
        "shop,t,f,USER-DEFINED,citext,,,,\n"
    )
    [table] = tables_of_export(file)
    assert {name: contract_type(c.type, "postgresql") for name, c in table.columns.items()} == {
        "a": "varchar(40)",
        "b": "numeric(12,2)",
        "c": "timestamptz(3)",
        "d": "int[]",
        "e": "int",
        "f": "citext",
    }
    file.write_text("name,type\na,b\n")
    with pytest.raises(UserError, match=r"no columns column_name, data_type, table_name"):
        tables_of_export(file)


def test_the_connectors_own_schema_changes(root):
    """In the sample itself, from a connector that writes them; the last one of a table counts."""
    column = {"name": "id", "typeName": "BIGINT UNSIGNED", "optional": False}
    amount = {"name": "amount", "typeName": "DECIMAL", "length": 12, "scale": 2, "optional": True}
    of_mysql = {"connector": "mysql", "name": "pg1", "db": "shop", "schema": None}

    def structure(*columns):
        table = {"columns": list(columns), "primaryKeyColumnNames": ["id"]}
        changes = [{"type": "ALTER", "id": '"shop"."orders"', "table": table}]
        document = {"source": of_mysql, "databaseName": "shop", "ddl": "…", "tableChanges": changes}
        return "pg1", b"{}", json.dumps(document).encode()

    records = [
        structure(column),
        structure(column, amount),
        change("orders", {"id": 1, "amount": "1.50"}, ["id"], **of_mysql),
    ]
    said = scaffold(root, records, "landing.events")
    contract = contracts(root)["orders"]
    assert contract["columns"] == {"id": "bigint unsigned", "amount": "decimal(12,2)"}
    assert any("decimal_handling_mode string is a guess from the values" in line for line in said)

    # also for named topics: the topic of the schema changes is called by their prefix
    other = change("lines", {"a": 1}, ["a"], **of_mysql)
    done = run_scaffold(root, [*records, other], "--topic", "pg1.shop.orders", "--source", "named")
    assert done.exit_code == 0, done.output
    [file] = root.glob("models/staging/named/*__sources.yml")
    [table] = yaml.safe_load(file.read_text())["sources"][0]["tables"]
    assert table["config"]["meta"]["cdc"]["columns"] == contract["columns"]


def test_schema_changes_come_from_the_landing_table_with_a_named_topic(root, monkeypatch):
    asked = []

    def ask(sql: str) -> list[tuple]:
        asked.append(sql)
        return [("topic",)] if sql.startswith("describe") else []

    monkeypatch.setattr("afterimage.warehouse.warehouse", lambda target: ask)
    arguments = ["scaffold", "--topic", "pg1.shop.orders", "--project-dir", str(root)]
    done = CliRunner().invoke(main, arguments)
    assert "topic pg1.shop.orders is not in the sample" in done.output
    assert any("where topic in ('pg1', 'pg1.shop', 'pg1.shop.orders')" in sql for sql in asked)


def test_sources_that_disagree(root, tmp_path):
    """The first one counts; the others are reported, and so are records that differ."""
    first, second = tmp_path / "first.sql", tmp_path / "second.sql"
    first.write_text(
        "create table shop.orders (id int primary key, total numeric(12,2), slug text generated "
        "always as (lower('x')) stored, note text, tags text);"
    )
    second.write_text("create table orders (id int primary key, total numeric(10,2), more text);")
    records = [change("orders", {"id": 1, "total": 1.5, "tags": ["a"], "old": "x"}, ["id"])]
    said = scaffold(root, records, "landing.events", scripts=[first, second])
    text = "\n".join(said)
    assert contracts(root)["orders"]["columns"]["total"] == "numeric(12,2)"
    for line in (
        "total is numeric(12,2) by first.sql, numeric(10,2) by second.sql; numeric(12,2) is used",
        "second.sql has a column more, first.sql has not",
        "generated by the database, in no record, so not in the contract: slug",
        "first.sql has columns that no record has, so they are not in the contract (excluded, or "
        "added since?): note",
        "records have columns that first.sql does not (dropped or renamed since?): old",
        "decimal_handling_mode double is a guess from the values of pg1.shop.orders.total",
    ):
        assert f"{line}" in text
    assert "tags: text  # sent as text[]: compare the connector's settings" in next(
        root.rglob("*__sources.yml")
    ).read_text().replace("text #", "text  #")


def test_comments_become_descriptions(root, tmp_path):
    file = tmp_path / "schema.sql"
    file.write_text(
        "create type shop.kind as enum ('a', 'b');\n"
        "create table shop.orders (id int primary key, n int, kind shop.kind);\n"
        "comment on table shop.orders is 'What {{ customers }} bought';\n"
        "comment on column shop.orders.n is 'How many';\n"
    )
    scaffold(root, [change("orders", {"id": 1, "n": 2}, ["id"])], "l.e", scripts=[file])
    [table] = sources(root)["tables"]
    assert table["description"] == "{% raw %}What {{ customers }} bought{% endraw %}"
    assert table["columns"] == [
        {"name": "n", "description": "How many"},
        {"name": "kind", "description": "One of: a, b."},
    ]


def test_run_again_it_adds_and_keeps(root, tmp_path):
    records = [change("orders", {"id": 1, "n": 2}, ["id"])]
    scaffold(root, records, "landing.events")
    [file] = root.glob("models/staging/*/*__sources.yml")
    file.write_text(file.read_text().replace("n: bigint", "n: smallint  # mine\n               "))
    by_hand = file.read_text()
    later = [
        change("orders", {"id": 1, "n": 2, "more": "x"}, ["id"]),
        change("lines", {"a": 1}, "a"),
    ]
    checked = scaffold(root, later, "landing.events", check=True)
    assert file.read_text() == by_hand and checked.changed
    assert any(line.startswith("would change models/staging/shop") for line in checked)
    said = scaffold(root, later, "landing.events")
    assert contracts(root)["orders"]["columns"] == {"id": "bigint", "n": "smallint", "more": "text"}
    assert "lines" in contracts(root) and "# mine" in file.read_text()
    assert "shop.orders: column more text is new in the contract" in said
    assert any(
        line.endswith("more: text is a guess; added by a later scaffold")
        for line in open_questions(root)
    )
    assert any("column n is smallint in the contract, bigint in the sample" in s for s in said)
    assert not scaffold(root, later, "landing.events", check=True).changed


def test_check_ends_with_1_where_something_would_change(root):
    def scaffolded(row: dict, *options: str):
        return run_scaffold(root, [change("orders", row, ["id"])], "--all-topics", *options)

    done = scaffolded({"id": 1}, "--check")
    assert done.exit_code == 1 and "would write models/" in done.output
    assert "@@" not in done.output and not (root / "models").exists()
    assert scaffolded({"id": 1}).exit_code == 0
    assert scaffolded({"id": 1}, "--check").exit_code == 0

    # the lines that would change in an existing file
    done = scaffolded({"id": 1, "n": 2}, "--check")
    summary, where, context, added = done.output.split("would change ")[1].splitlines()[:4]
    assert summary == "models/staging/shop/_shop__sources.yml" and where.startswith("@@ -")
    assert context.startswith("                 id: bigint")
    assert re.match(r"\+ +n: bigint +# .*added by a later scaffold", added)
    many = scaffolded({"id": 1} | {f"c{n}": n for n in range(150)}, "--check").output
    assert many.count("\n+") == SHOWN - 2 and "… 52 more lines" in many


def test_configurations_of_connectors(tmp_path):
    file = tmp_path / "connector.json"
    options = {
        "connector.class": "io.debezium.connector.mysql.MySqlConnector",
        "topic.prefix": "shop",
        "decimal.handling.mode": "STRING",
        "skipped.operations": "none",
        "message.key.columns": "shop.orders:code",
        "value.converter.decimal.format": "NUMERIC",
        "time.precision.mode": "someday",
    }
    file.write_text(json.dumps({"name": "shop", "config": options}))
    found = read_connector_config(file)
    assert (found.connector, found.prefix) == ("mysql", "shop")
    assert found.settings == {
        "decimal_handling_mode": "string",
        "skipped_operations": [],
        "decimal_format": "NUMERIC",
    }
    assert "time.precision.mode someday, which no contract knows" in found.said[0]
    assert "message.key.columns shop.orders:code" in found.said[1]
    for text, said in (
        ("[1]", "not a JSON object"),
        ("{", "is not JSON"),
        ('{"connector.class": "org.apache.kafka.Some"}', "not the configuration of a Debezium"),
        ('{"connector.class": "io.debezium.connector.vitess.V"}', "connector vitess; supported"),
    ):
        file.write_text(text)
        with pytest.raises(UserError, match=said):
            read_connector_config(file)


def test_settings_of_the_configuration_that_records_contradict(root, tmp_path):
    file = tmp_path / "connector.properties"
    file.write_text(
        "connector.class=io.debezium.connector.postgresql.PostgresConnector\n"
        "topic.prefix=pg1\ndecimal.handling.mode=precise\nbinary.handling.mode=hex\n"
    )
    ddl = tmp_path / "schema.sql"
    ddl.write_text("create table shop.orders (id int primary key, total numeric(12,2));")
    said = scaffold(
        root,
        [change("orders", {"id": 1, "total": 1.5}, ["id"])],
        "landing.events",
        scripts=[ddl],
        config=read_connector_config(file),
    )
    settings = sources(root)["config"]["meta"]["cdc"]["settings"]
    assert settings == {"decimal_handling_mode": "double", "binary_handling_mode": "hex"}
    assert any(
        "connector.properties has decimal.handling.mode precise, the records were written with "
        "double: double is used" in line
        for line in said
    )


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("no url", "takes a SQLAlchemy URL"),
        ("oracle+missing://me:secret@host/x", "takes a SQLAlchemy URL"),
        ("sqlite:////no/such/folder/x", "sqlite:////no/such/folder/x does not answer"),
    ],
)
def test_a_database_that_cannot_be_asked(url, said):
    pytest.importorskip("sqlalchemy")
    with pytest.raises(UserError, match=said) as told:
        tables_of_database(url)
    assert "secret" not in str(told.value)


def test_the_command_with_a_database(root, tmp_path):
    pytest.importorskip("sqlalchemy")
    with contextlib.closing(sqlite3.connect(tmp_path / "shop.db")) as made, made:
        made.execute(
            "create table orders (id bigint, line int, n numeric(9,2), primary key (line))"
        )
    place = {"schema": "main"}
    records = [change("orders", {"id": 1, "line": 2, "n": "AMU="}, ["line"], **place)]
    done = run_scaffold(
        root, records, "--all-topics", "--database", f"sqlite:///{tmp_path}/shop.db"
    )
    assert done.exit_code == 0, done.output
    contract = contracts(root)["orders"]
    assert contract["columns"] == {"id": "bigint", "line": "int", "n": "numeric(9,2)"}
    assert contract["key"] == ["line"] and "guess" not in done.output


@pytest.mark.parametrize(
    "url",
    ["sqlite:////no/such/folder/x", "postgresql://me:secret@127.0.0.1:1/x", "a+b://me:secret@h/x"],
)
def test_the_command_with_a_database_that_cannot_be_asked(root, url):
    pytest.importorskip("sqlalchemy")
    records = [change("orders", {"id": 1}, ["id"])]
    done = run_scaffold(root, records, "--all-topics", "--database", url)
    assert done.exit_code == 1 and done.output.startswith("Error: --database ")
    assert "secret" not in done.output and not (root / "models").exists()


def test_a_driver_that_does_not_know_a_setting_of_the_url(monkeypatch):
    pytest.importorskip("sqlalchemy")

    def connect(*_, **__):
        raise TypeError("unexpected keyword argument 'colour'")

    monkeypatch.setattr("sqlite3.dbapi2.connect", connect)
    with pytest.raises(
        UserError, match=r"does not accept what follows the \? of the URL: .*colour"
    ):
        tables_of_database("sqlite://")


def test_tables_without_records_are_named(root, tmp_path):
    file = tmp_path / "schema.sql"
    file.write_text("".join(f"create table shop.t{n} (id int primary key);" for n in range(7)))
    said = scaffold(root, [change("t0", {"id": 1}, ["id"])], "landing.events", scripts=[file])
    assert (
        "no record of 6 tables is in the sample: shop.t1, shop.t2, shop.t3, shop.t4, shop.t5 and "
        "1 more" in said
    )


def test_a_table_is_found_by_its_schema():
    one, two = (CatalogTable("a.sql", schema, "t") for schema in ("x", "y"))
    loose = CatalogTable("b.sql", "", "t")
    assert descriptions_of([one, two, loose], "y", "t") == [two, loose]
    assert descriptions_of([one, loose, CatalogTable("b.sql", "", "t")], "y", "t") == []


def test_five_hundred_tables_take_seconds(tmp_path, root):
    """Two seconds on a quiet machine; the bound is for a busy one."""
    begun = time.monotonic()
    columns = ", ".join(f"c{n} varchar({n + 1})" for n in range(20))
    file = tmp_path / "schema.sql"
    file.write_text(
        "".join(f"create table shop.t{n} (id int primary key, {columns});\n" for n in range(500))
    )
    row = {"id": 1} | {f"c{n}": "x" for n in range(20)}
    said = scaffold(
        root,
        [change(f"t{n}", row, ["id"]) for n in range(500)],
        "landing.events",
        scripts=[file],
    )
    assert time.monotonic() - begun < 60
    assert len(contracts(root)) == 500 and not any("guess" in line for line in said)


def field_record(table: str, fields: list[dict], row: dict) -> tuple:
    """A record with a schema block."""
    _, key, value = change(table, row, ["id"])
    block = {"fields": [{"field": "after", "fields": fields}]}
    text = json.dumps({"schema": block, "payload": json.loads(value)})
    return f"pg1.shop.{table}", key, text.encode()


def test_a_script_that_is_older_than_the_records(root, tmp_path):
    """The schema block's type is not overruled silently."""
    file = tmp_path / "old.sql"
    file.write_text("create table shop.orders (id int primary key, at date, n varchar(3));")
    fields = [
        {"field": "id", "type": "int32"},
        {"field": "at", "type": "int64", "name": "io.debezium.time.MicroTimestamp"},
        {"field": "n", "type": "int64"},
    ]
    records = [field_record("orders", fields, {"id": 1, "at": 1, "n": 2})]
    said = scaffold(root, records, "landing.events", scripts=[file])
    assert contracts(root)["orders"]["columns"] == {"id": "int", "at": "timestamp", "n": "bigint"}
    [text] = [path.read_text() for path in root.rglob("*__sources.yml")]
    assert "# source type date, sent as io.debezium.time.MicroTimestamp" in text
    assert any("see the remarks on at, n" in line for line in said)


def test_two_tables_of_one_name_keep_apart(root):
    """By their topics, in one run and in the next, whatever a person named them."""
    one = change("orders", {"id": 1, "a": 2}, ["id"])
    other = change("orders", {"id": 1, "zz": 2}, ["id"], schema="crm")
    other = ("pg1.crm.orders", *other[1:])
    scaffold(root, [one], "landing.events")
    scaffold(root, [other], "landing.events")
    found = {name: list(contract["columns"]) for name, contract in contracts(root).items()}
    assert found == {"orders": ["id", "a"], "crm_orders": ["id", "zz"]}
    [file] = root.glob("models/staging/*/*__sources.yml")
    file.write_text(file.read_text().replace("name: orders\n", "name: purchases\n"))
    scaffold(root, [one, other], "landing.events")
    assert list(contracts(root)) == ["purchases", "crm_orders"]


def test_what_a_database_says_is_never_code(root, tmp_path):
    file = tmp_path / "schema.sql"
    text = "x {% endraw %}{{ env_var(''HOME'') }}{% raw %}"
    file.write_text(
        "create type shop.addr as (\n street text,\n zip text\n);\n"
        "create table shop.orders (id int primary key, a int, h shop.addr);\n"
        f"comment on column shop.orders.a is '{text}';\n"
    )
    scaffold(root, [change("orders", {"id": 1, "a": 2, "h": "x"}, ["id"])], "l.e", scripts=[file])
    [table] = sources(root)["tables"]
    [described] = table["columns"]
    assert Template(described["description"]).render() == text.replace("''", "'")


def test_schema_changes_of_two_databases(root):
    """In one landing table: each server's and each database's table is separate."""
    of = {"connector": "sqlserver", "name": "pg1", "db": "d1", "schema": "dbo"}
    records = []
    for database, column in (
        ("d1", {"name": "at", "typeName": "datetime2", "length": 27, "scale": 3}),
        ("d2", {"name": "at", "typeName": "varchar", "length": 9}),
    ):
        table = {"columns": [column], "primaryKeyColumnNames": []}
        changes = [{"type": "CREATE", "id": f'"{database}"."dbo"."orders"', "table": table}]
        document = {"source": of | {"db": database}, "databaseName": database, "ddl": ""}
        document["tableChanges"] = changes
        records.append(("pg1", b"{}", json.dumps(document).encode()))
    _, key, value = change("orders", {"id": 1, "at": 1}, ["id"], **of)
    scaffold(root, [*records, ("pg1.d1.dbo.orders", key, value)], "landing.events")
    assert contracts(root)["orders"]["columns"]["at"] == "datetime2(3)"


def test_lines_of_scripts_that_are_no_columns(tmp_path):
    tables = script(
        tmp_path,
        """
        create domain a.code as int;
        create domain b.code as varchar(3);
        create table a.p (id int primary key, period integer, c a.code, d b.code);
        create table a.part partition of a.p for values in (1);
        create table a.child (more text) inherits (a.p);
        create publication pub for table a.p where (id > 0);
        alter table a.p alter column id set data type bigint;
        create table a.q (x int default (cast('1' as int)), y int check (x is not null));
        """,
    )
    kinds = {
        table.name: {name: column.type for name, column in table.columns.items()}
        for table in tables
    }
    whole = {"id": "bigint", "period": "integer", "c": "int", "d": "varchar(3)"}
    assert kinds == {
        "p": whole,
        "child": whole | {"id": "int", "more": "text"},
        "q": {"x": "int", "y": "int"},
    }
    assert not any(c.is_generated or c.is_required for c in tables[-1].columns.values())
    [table] = script(
        tmp_path,
        """
        create table t (a int, `key` text, key by_a (a));
        alter table t drop key by_a;
        """,
        "mysql",
    )
    assert list(table.columns) == ["a", "key"]
    [table] = script(
        tmp_path,
        """CREATE TABLE x.t (A DECIMAL(9,2) WITH DEFAULT 0, B CLOB(1048576) LOGGED NOT COMPACT);""",
        "db2",
    )
    assert [contract_type(c.type, "db2") for c in table.columns.values()] == [
        "decimal(9,2)",
        "clob(1048576)",
    ]
    [table] = script(
        tmp_path,
        """CREATE TABLE dbo.t (a int)
           GO
           ALTER TABLE dbo.t ADD b int, c int
           GO
           ALTER TABLE dbo.t ADD DEFAULT (1) FOR b
           GO""",
        "sqlserver",
    )
    assert list(table.columns) == ["a", "b", "c"]


def kinds(tables) -> dict[str, dict[str, str]]:
    return {
        table.name: {name: column.type for name, column in table.columns.items()}
        for table in tables
    }


def test_what_scripts_rename_and_drop(tmp_path):
    tables = script(
        tmp_path,
        """create table shop.t (id number(10) primary key, a varchar2(10), b date, c number);
           alter table shop.t drop (b, c);
           rename t to u;
           alter table shop.u rename column a to z;""",
        "oracle",
    )
    assert kinds(tables) == {"U": {"ID": "number(10)", "Z": "varchar2(10)"}}
    tables = script(
        tmp_path,
        """CREATE TABLE [dbo].[t] (id int PRIMARY KEY, a varchar(10));
           GO
           EXEC sp_rename 'dbo.t.a', 'z', 'COLUMN';
           GO 2;\r
           CREATE TABLE dbo.v (id int);
           GO\r
           execute sp_rename N'[dbo].[t]', N'u'
           GO
           sp_rename 'dbo.u.id', 'Id', 'column'
           EXEC sp_rename 'dbo.v.pk', 'pk_v', 'INDEX'""",
        "sqlserver",
    )
    assert kinds(tables) == {"v": {"id": "int"}, "u": {"Id": "int", "z": "varchar(10)"}}
    assert tables[-1].key == ["Id"]


def test_words_behind_types_and_texts_with_escapes(tmp_path):
    tables = script(
        tmp_path,
        "create table t (a varchar(9) compressed, b text compressed=zlib null);",
        "mariadb",
    )
    assert kinds(tables) == {"t": {"a": "varchar(9)", "b": "text"}}
    [table] = script(
        tmp_path, r"create table p.t (a int); comment on column p.t.a is E'it\'s a back\\slash';"
    )
    assert table.columns["a"].comment == r"it's a back\slash"


def test_files_as_windows_writes_them(tmp_path, root):
    file = tmp_path / "schema.sql"
    file.write_bytes("create table t (naïve int);".encode("utf-16"))
    [table] = tables_of_script(file, "postgresql")
    assert list(table.columns) == ["naïve"]
    file.write_text("select 1;")
    with pytest.raises(UserError, match="no CREATE TABLE"):
        scaffold(root, [change("orders", {"id": 1}, ["id"])], "l.e", scripts=[file])


def test_guesses_stay_open_until_a_person_answers(root):
    """They are in the YAML; `afterimage validate` reports them again."""
    scaffold(root, [change("orders", {"id": 1, "n": "1.5"}, ["id"])], "landing.events")
    [file] = root.glob("models/staging/*/*__sources.yml")
    shown = str(file.relative_to(root))
    asked = open_questions(root)
    assert len(asked) == 2 and all(line.startswith(f"{shown}:") for line in asked)
    assert ": n: text is a guess: looks like numeric" in asked[1]
    text = file.read_text()
    file.write_text(re.sub(r"n: text +# guess: looks like numeric.*", "n: numeric(9,2)", text))
    assert len(open_questions(root)) == 1


def test_a_guess_that_a_person_has_answered_is_not_printed_again(root, tmp_path):
    ddl = tmp_path / "schema.sql"
    ddl.write_text("create table shop.orders (id int primary key, total numeric(12,2));")
    rows = ({"id": 1, "total": "1.50", "note": "x"}, {"id": 1, "total": "2.50", "note": "x"})
    update = {"op": "u", "before": rows[0], "after": rows[1]}
    update["source"] = {"connector": "postgresql", "name": "pg1", "schema": "shop", "db": "shop"}
    update["source"]["table"] = "orders"
    record = ("pg1.shop.orders", b'{"id": 1}', json.dumps(update).encode())

    def guesses(**options):
        said = scaffold(root, [record], "landing.events", scripts=[ddl], **options)
        return [line for line in said if "guess" in line]

    first = guesses()
    assert first == [
        "check pg1.shop.orders: 1 of 3 types is a guess, compare it with the database: note",
        "check pg1.shop.orders: replica_identity full is a guess from its updates",
        "check settings: decimal_handling_mode string is a guess from the values of "
        "pg1.shop.orders.total",
    ]
    [file] = root.glob("models/staging/*/*__sources.yml")
    asked = [line.split(": ", 1)[1] for line in open_questions(root)]
    assert asked == [
        "settings: {decimal_handling_mode: string} is a guess: decimal_handling_mode, from the "
        "values",
        "replica_identity: full is a guess: every update has its before image",
        "note: text is a guess",
    ]
    assert guesses() == first, "until a person answers"
    for line, answered in zip(first[::-1], ("settings: .*", "full +", "text +"), strict=True):
        text = re.sub(f"({answered})# guess.*", r"\1", file.read_text(), count=1)
        file.write_text(text)
        assert line not in guesses() and file.read_text() == text
    assert guesses() == [] and open_questions(root) == []
    assert guesses(force=True) == [], "what is overwritten equals it"


def test_what_differs_names_its_place_and_where_it_is_from(root, tmp_path):
    """A key of the source once, for all its tables; a type of the DDL under the file's name."""
    ddl = tmp_path / "schema.sql"
    ddl.write_text(
        "create table shop.orders (id int primary key, total numeric(12,2), tier char(3));"
        "alter table shop.orders replica identity full;"
        "create table shop.carts (id int primary key);"
    )
    records = [
        change("orders", {"id": 1, "total": "1.50", "tier": "a"}, ["id"]),
        change("carts", {"id": 1}, ["id"]),
    ]
    scaffold(root, records, "landing.events", scripts=[ddl])
    [file] = root.glob("models/staging/*/*__sources.yml")
    for right, wrong in {
        "decimal_handling_mode: string": "decimal_handling_mode: strings",
        "connector: postgresql": "connector: postgres",
        "tier: char(3)": "tier: text",
        "replica_identity: full": "replica_identity: index",
    }.items():
        assert right in file.read_text()
        file.write_text(file.read_text().replace(right, wrong))
    said = scaffold(root, records, "landing.events", scripts=[ddl])
    assert any("is a guess" in line for line in said), "its comment is still there"
    file.write_text(file.read_text().replace("# guess: decimal_handling_mode", "# by hand"))
    said = scaffold(root, records, "landing.events", scripts=[ddl])
    assert not any("is a guess" in line for line in said)
    assert [line for line in said if "in the contract" in line] == [
        'shop: connector is "postgres" in the contract, "postgresql" in the sample: left as it is, '
        "--force gives each table its own",
        'shop: settings.decimal_handling_mode is "strings" in the contract, "string" in the '
        "sample: left as it is, --force gives each table its own",
        "shop.orders: column tier is text in the contract, char(3) in schema.sql: left as it is, "
        "--force overwrites it",
        'shop.orders: replica_identity is "index" in the contract, "full" in schema.sql: left as '
        "it is, --force overwrites it",
    ]


def test_an_unknown_setting_of_decimals_is_always_printed(root, tmp_path):
    """A truncate proves another setting; a configuration proves it also by not naming it."""
    unknown = "without schema blocks decimal_handling_mode is unknown"
    order = change("orders", {"id": 1, "total": "1.50"}, ["id"])
    value = json.loads(order[2]) | {"op": "t", "after": None}
    records = [order, (order[0], None, json.dumps(value).encode())]
    said = scaffold(root, records, "landing.events")
    assert sources(root)["config"]["meta"]["cdc"]["settings"] == {"skipped_operations": []}
    assert any(unknown in line for line in said)
    file = tmp_path / "connector.json"
    file.write_text('{"connector.class": "io.debezium.connector.postgresql.PostgresConnector"}')
    config = read_connector_config(file)
    said = scaffold(root, records, "landing.events", config=config)
    assert not any(unknown in line for line in said)


def test_force_overwrites_what_differs(root):
    def scaffolded(*options: str) -> str:
        done = run_scaffold(root, [change("orders", {"id": 1}, ["id"])], "--all-topics", *options)
        assert done.exit_code == 0, done.output
        return done.output

    scaffolded()
    [contract] = root.glob("models/staging/*/*__sources.yml")
    [model] = root.glob("models/**/cur_*__orders.sql")
    written = {file: file.read_text() for file in (contract, model)}
    contract.write_text(written[contract].replace("id: bigint", "id: text"))
    model.write_text("select 1")
    said = scaffolded()
    assert "column id is text in the contract, bigint in the sample: left as it is" in said
    assert f"left {model.relative_to(root)} as it is, though it differs" in said
    assert contracts(root)["orders"]["columns"] == {"id": "text"}
    scaffolded("--force")
    assert {file: file.read_text() for file in written} == written

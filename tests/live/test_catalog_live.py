"""The tables of a real PostgreSQL and a real MariaDB: by SQLAlchemy, and in its own dump.

Both must agree, down to the digits of each type; the tables are those of the captures and of the
script of rare types, as far as the server has their extensions.
"""

import json
import os
import re
import subprocess
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

psycopg = pytest.importorskip(
    "psycopg", reason="psycopg is not installed: pip install -e '.[live]'"
)

from afterimage.cli import main  # noqa: E402
from afterimage.errors import UserError  # noqa: E402
from afterimage.scaffold.catalog.database import tables_of_database  # noqa: E402
from afterimage.scaffold.catalog.ddl import tables_of_script  # noqa: E402
from afterimage.scaffold.catalog.types import contract_type  # noqa: E402
from tests.live.mariadb import MariaDb, find_mariadbd  # noqa: E402
from tests.live.postgres import Postgres, find_postgres  # noqa: E402

pytestmark = pytest.mark.live
HERE = Path(__file__).resolve().parent
SCRIPTS = [
    HERE.parent / "captures" / "shop" / "source.sql",
    *(HERE / "scripts" / name for name in ("types.sql", "source_types.sql", "decimals.sql")),
]
MAKES = re.compile(r"create (extension|schema|type|domain|table)|alter table", re.IGNORECASE)


def statements_of(script: Path) -> list[str]:
    text = re.sub(r"--[^\n]*", "", script.read_text())
    return [statement.strip() for statement in re.split(r";\s*(?:\n|$)", text)]


def structure(connection) -> None:
    """The tables of all scripts; those that need a missing extension are left out."""
    for script in SCRIPTS:
        for statement in filter(MAKES.match, statements_of(script)):
            try:
                connection.execute(statement)
            except psycopg.Error:
                continue
    connection.execute("comment on table shop.orders is 'What it''s about'")
    connection.execute("comment on column shop.orders.total is 'Net; {{ not }} gross'")


def of_postgresql(tmp_path) -> tuple[list, list]:
    """The tables as the database says, and as its own dump does."""
    if find_postgres() is None:
        pytest.skip("no PostgreSQL: scripts/ci/install_databases.sh")
    with Postgres() as server, server.connect() as connection:
        connection.autocommit = True
        structure(connection)
        at = connection.info
        place = ["-h", at.host, "-p", str(at.port), "-U", at.user, at.dbname]
        dump = [find_postgres() / "pg_dump", "--schema-only", *place]
        script = dumped(tmp_path, dump, {"PGPASSWORD": at.password})
        url = f"postgresql://{at.user}:{at.password}@{at.host}:{at.port}/{at.dbname}"
        return tables_of_database(url), tables_of_script(script, "postgresql")


def of_mariadb(tmp_path) -> tuple[list, list]:
    """The same; also comments, an enum and a generated column."""
    if find_mariadbd() is None:
        pytest.skip("no MariaDB: scripts/ci/install_databases.sh")
    with MariaDb() as server, server.connect() as connection:
        for statement in statements_of(HERE / "scripts" / "mariadb_types.sql"):
            if MAKES.match(statement):
                connection.execute(statement)
        connection.execute(
            "create table kinds (id int primary key comment 'It''s', e enum('a','b'))"
        )
        connection.execute("alter table kinds comment 'What {{ it }} is about'")
        connection.execute("alter table kinds add twice int generated always as (id * 2) stored")
        place = ["-h", "127.0.0.1", "-P", str(server.port), "-u", server.user, server.database]
        dump = ["mariadb-dump", "--no-data", *place]
        script = dumped(tmp_path, dump, {"MYSQL_PWD": server.password})
        url = f"mariadb+pymysql://{server.user}:{server.password}@127.0.0.1:{server.port}/shop"
        return tables_of_database(url), tables_of_script(script, "mariadb")


def dumped(folder, command, environment) -> Path:
    done = subprocess.run(
        [str(part) for part in command],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=True,
    )
    file = folder / "dump.sql"
    file.write_text(done.stdout)
    return file


@pytest.mark.parametrize(
    ("connector", "made"), [("postgresql", of_postgresql), ("mariadb", of_mariadb)]
)
def test_the_database_and_its_dump_say_the_same(tmp_path, compared, connector, made):
    asked, dumped = ({table.name: table for table in found} for found in made(tmp_path))
    if connector == "postgresql":
        asked, dumped = (
            {name: table for name, table in found.items() if table.schema == "shop"}
            for found in (asked, dumped)
        )
    assert len(asked) > 8 and asked.keys() == dumped.keys()
    for name, table in asked.items():
        other = dumped[name]
        assert (table.key, table.comment) == (other.key, other.comment), name
        if connector == "postgresql":
            assert table.replica_identity == (other.replica_identity or "default"), name
        for column, known in table.columns.items():
            alike = other.columns[column]
            types = [contract_type(each.type, connector) for each in (known, alike)]
            assert types[0] == types[1], (name, column, known, alike)
            for part in ("is_required", "is_generated", "comment", "values"):
                assert getattr(known, part) == getattr(alike, part), (name, column, part)
            compared[f"columns of a real {connector}, asked and dumped"] += 1


def test_the_command_with_a_real_postgresql(tmp_path):
    if find_postgres() is None:
        pytest.skip("no PostgreSQL: scripts/ci/install_databases.sh")
    source = {"connector": "postgresql", "name": "pg1", "db": "shop", "schema": "shop"}
    value = {"op": "c", "source": source | {"table": "t"}, "before": None, "after": {"id": 1}}
    record = {"topic": "pg1.shop.t", "partition": 0, "offset": 0, "timestamp": 0}
    record |= {"key": None, "value": json.dumps(value | {"after": {"id": 1, "n": "AMU="}})}
    (tmp_path / "events.jsonl").write_text(json.dumps(record))
    (tmp_path / "dbt_project.yml").write_text("name: consumer\nprofile: consumer\n")
    with Postgres() as server, server.connect() as connection:
        connection.execute("create schema shop")
        connection.execute("create table shop.t (id int primary key, n numeric(9,2))")
        connection.execute("alter table shop.t replica identity full")
        at = f"{server.user}:{server.password}@127.0.0.1:{server.port}/{server.database}"
        arguments = ["--all-topics", "--database", f"postgresql://{at}"]
        done = CliRunner().invoke(
            main,
            [
                "scaffold",
                str(tmp_path / "events.jsonl"),
                *arguments,
                "--project-dir",
                str(tmp_path),
            ],
        )
    assert done.exit_code == 0, done.output
    written = [path.read_text() for path in (tmp_path / "models").rglob("*.*")]
    assert not [text for text in (done.output, *written) if server.password in text]
    [file] = tmp_path.glob("models/staging/shop/*__sources.yml")
    [table] = yaml.safe_load(file.read_text())["sources"][0]["tables"]
    contract = table["config"]["meta"]["cdc"]
    assert contract["columns"] == {"id": "int", "n": "numeric(9,2)"}
    assert contract["replica_identity"] == "full"
    assert "by the database: key is empty" in done.output


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("postgresql://me@127.0.0.1:1/x?password=secret", "postgresql://me@127.0.0.1:1/x"),
        ("postgresql://me:secret@127.0.0.1:1/x", r"postgresql://me:\*\*\*@127.0.0.1:1/x"),
    ],
)
def test_a_server_that_does_not_answer_is_named_without_its_password(url, said):
    with pytest.raises(UserError, match=f"{said} does not answer") as told:
        tables_of_database(url)
    assert "secret" not in str(told.value)

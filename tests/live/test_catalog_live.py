"""The tables of a real PostgreSQL: by SQLAlchemy, and in its own dump.

Both must agree, down to the digits of each type; the tables are those of the captures and of the
script of rare types, as far as the server has their extensions.
"""

import os
import re
import subprocess
from pathlib import Path

import pytest

psycopg = pytest.importorskip(
    "psycopg", reason="psycopg is not installed: pip install -e '.[live]'"
)

from afterimage.errors import UserError  # noqa: E402
from afterimage.scaffold.catalog.database import tables_of_database  # noqa: E402
from afterimage.scaffold.catalog.ddl import tables_of_script  # noqa: E402
from afterimage.scaffold.catalog.types import contract_type  # noqa: E402
from tests.live.postgres import Postgres, find_postgres  # noqa: E402

pytestmark = pytest.mark.live
HERE = Path(__file__).resolve().parent
SCRIPTS = [
    HERE.parent / "captures" / "shop" / "source.sql",
    *(HERE / "scripts" / name for name in ("types.sql", "source_types.sql", "decimals.sql")),
]
MAKES = re.compile(r"create (extension|schema|type|domain|table)|alter table", re.IGNORECASE)


def structure(connection) -> None:
    """The tables of all scripts; those that need a missing extension are left out."""
    for script in SCRIPTS:
        text = re.sub(r"--[^\n]*", "", script.read_text())
        for statement in re.split(r";\s*(?:\n|$)", text):
            if MAKES.match(statement.strip()):
                try:
                    connection.execute(statement)
                except psycopg.Error:
                    continue
    connection.execute("comment on table shop.orders is 'What it''s about'")
    connection.execute("comment on column shop.orders.total is 'Net; {{ not }} gross'")


def test_the_database_and_its_dump_say_the_same(tmp_path, compared):
    if find_postgres() is None:
        pytest.skip("no PostgreSQL: scripts/ci/install_postgres.sh")
    dump = find_postgres() / "pg_dump"
    with Postgres() as server, server.connect() as connection:
        connection.autocommit = True
        structure(connection)
        at = connection.info
        place = ["-h", at.host, "-p", str(at.port), "-U", at.user, at.dbname]
        done = subprocess.run(
            [str(dump), "--schema-only", *place],
            env=os.environ | {"PGPASSWORD": at.password},
            capture_output=True,
            text=True,
            check=True,
        )
        url = f"postgresql://{at.user}:{at.password}@{at.host}:{at.port}/{at.dbname}"
        asked = {table.name: table for table in tables_of_database(url) if table.schema == "shop"}
    file = tmp_path / "dump.sql"
    file.write_text(done.stdout)
    dumped = {t.name: t for t in tables_of_script(file, "postgresql") if t.schema == "shop"}
    assert len(asked) > 10 and asked.keys() == dumped.keys()
    for name, table in asked.items():
        other = dumped[name]
        assert (table.key, table.comment) == (other.key, other.comment), name
        assert table.replica_identity == (other.replica_identity or "default"), name
        for column, told in table.columns.items():
            alike = other.columns[column]
            types = [contract_type(each.type, "postgresql") for each in (told, alike)]
            assert types[0] == types[1], (name, column, told, alike)
            for part in ("is_required", "is_generated", "comment", "values"):
                assert getattr(told, part) == getattr(alike, part), (name, column, part)
            compared["columns of a real PostgreSQL, asked and dumped"] += 1


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

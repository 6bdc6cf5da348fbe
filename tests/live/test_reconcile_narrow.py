"""`afterimage reconcile --narrow` against a running PostgreSQL and MariaDB: rows whose hashes are
equal are not moved, and a change of any hashed column is found."""

import base64
import contextlib
import json
import re
import shlex
import time
from datetime import date, datetime, timedelta
from decimal import Decimal

import pytest
import sqlalchemy

# of the `live` extra
pytest.importorskip("psycopg")
pytest.importorskip("pymysql")

from click.testing import CliRunner

from afterimage.cli import main
from tests.functional.conftest import drop
from tests.functional.project import Project
from tests.live.mariadb import MariaDb, find_mariadbd
from tests.live.postgres import Postgres, find_postgres

pytestmark = [pytest.mark.live, pytest.mark.spark]
ROWS = 300
TYPES = {
    "postgresql": {
        "id": "int",
        "tenant": "uuid",
        "name": "varchar(20)",
        "code": "char(5)",
        "amount": "numeric(20,7)",
        "big": "bigint",
        "ok": "boolean",
        "born": "date",
        "at": "timestamp(6)",
        "seen": "timestamptz",
        "data": "bytea",
        "weight": "double precision",
    },
    "mariadb": {
        "id": "int",
        "tenant": "char(36)",
        "name": "varchar(20)",
        "code": "char(5)",
        "amount": "decimal(20,7)",
        "big": "bigint",
        "ok": "tinyint(1)",
        "born": "date",
        "at": "datetime(6)",
        "seen": "timestamp(6)",
        "data": "blob",
        "weight": "double",
    },
}
# a change of each hashed column that is no key, of a row of its own
CHANGES = {
    "name": "'x'",
    "code": "'x'",
    "amount": "amount + 0.0000001",
    "big": "coalesce(big, 0) + 1",
    "ok": "case when ok then {false} else {true} end",
    "born": "'2024-02-29'",
    "at": "'2024-02-29 12:00:00.000001'",
    "seen": "'2024-02-29 12:00:00.000001'",
    "data": "{bytes}",
}


def rows() -> list[tuple]:
    made = []
    for n in range(ROWS):
        made.append(
            (
                n,
                f"{n:08x}-0000-4000-8000-000000000000",
                [None, "a", "", "emoji \U0001f600", "quote '", "1:-"][n % 6],
                [None, "ab", "abcde"][n % 3],
                [None, Decimal(0), Decimal("-0.0000001"), Decimal("1234567890123.4560000")][n % 4],
                [None, 0, -(2**63), 2**63 - 1][n % 4],
                [None, True, False][n % 3],
                [None, date(1970, 1, 1), date(1969, 12, 31), date(9999, 12, 31)][n % 4],
                [None, datetime(1970, 1, 1), datetime(1969, 12, 31, 23, 59, 59, 999999)][n % 3],
                [None, datetime(2024, 3, 31, 1, 30, 0, 5)][n % 2],
                [None, b"", b"\0\xff"][n % 3],
                [None, 0.1, 1e300][n % 3],
            )
        )
    return made


def images(connector: str) -> list[dict]:
    """The rows as the connector sends them, under decimal.handling.mode string."""
    start = datetime(1970, 1, 1)
    micro = timedelta(microseconds=1)
    encode = {
        "amount": lambda v: f"{v:.7f}",
        "born": lambda v: (v - start.date()).days,
        "at": lambda v: (v - start) // micro,
        "seen": lambda v: v.isoformat(timespec="microseconds") + "Z",
        "data": lambda v: base64.b64encode(v).decode(),
        "code": lambda v: v.ljust(5) if connector == "postgresql" else v,
        "ok": lambda v: v if connector == "postgresql" else int(v),
    }
    return [
        {
            name: value if value is None else encode.get(name, lambda v: v)(value)
            for name, value in zip(TYPES[connector], row, strict=True)
        }
        for row in rows()
    ]


def record(connector: str, offset: int, image: dict, at: float = 1767225600) -> dict:
    source = {"connector": connector, "name": "t", "schema": "shop", "table": "things"}
    place = {"lsn": 100 + offset} if connector == "postgresql" else {"pos": 100 + offset, "row": 0}
    place |= {} if connector == "postgresql" else {"file": "bin.000001"}
    return {
        "topic": "t.shop.things",
        "partition": 0,
        "offset": offset,
        "timestamp": int(at * 1000),
        "key": {"id": image["id"]},
        "value": {
            "op": "c",
            "source": source | place | {"ts_ms": int(at * 1000)},
            "before": None,
            "after": image,
        },
    }


@contextlib.contextmanager
def server_of(connector: str):
    """A server with the table: how to execute a statement there, and its URL."""
    with contextlib.ExitStack() as ends:
        server = ends.enter_context({"postgresql": Postgres, "mariadb": MariaDb}[connector]())
        if connector == "postgresql":
            at = ends.enter_context(server.connect()).info
            url = f"postgresql+psycopg://{at.user}:{at.password}@{at.host}:{at.port}/{at.dbname}"
        else:
            url = f"mariadb+pymysql://{server.user}:{server.password}@127.0.0.1:{server.port}/shop"
        engine = sqlalchemy.create_engine(url, isolation_level="AUTOCOMMIT")
        ends.callback(engine.dispose)
        execute = ends.enter_context(engine.connect()).exec_driver_sql
        if connector == "postgresql":
            execute("create schema if not exists shop")
        else:
            execute("set time_zone = '+00:00'")
        columns = ", ".join(f"{name} {type_} null" for name, type_ in TYPES[connector].items())
        execute(
            f"create table shop.things ({columns}, primary key (id))".replace(
                "id int null", "id int"
            )
        )
        for row in rows():
            execute(f"insert into shop.things values ({', '.join(['%s'] * len(row))})", row)
        yield execute, url


@pytest.fixture(params=["postgresql", "mariadb"])
def source(request):
    there = {"postgresql": find_postgres, "mariadb": find_mariadbd}[request.param]()
    if there is None:
        pytest.skip(f"no {request.param}: scripts/ci/install_databases.sh")
    with server_of(request.param) as (execute, url):
        yield request.param, execute, url


def test_only_what_differs_is_read(source, spark, tmp_path, compared):
    connector, execute, url = source
    table = {"topic": "t.shop.things", "key": ["id"], "columns": TYPES[connector]}
    settings = {"decimal_handling_mode": "string"}
    contract = {"connector": connector, "topic_prefix": "t", "settings": settings}
    name = f"narrow_{connector}"
    project = Project(
        tmp_path / "p",
        spark,
        "src",
        contract,
        {"things": table},
        schema=name,
        landing=f"{name}_l.e",
    )

    def reconciled(*arguments: str) -> dict:
        folder = ["--project-dir", str(project.folder)]
        done = CliRunner().invoke(main, ["reconcile", "src.things", *arguments, *folder])
        if done.exception and not isinstance(done.exception, SystemExit):
            raise done.exception
        return done.output if "json" not in arguments else json.loads(done.output)

    narrow = ("--database", url, "--narrow", "--format", "json")
    try:
        project.land([record(connector, n, image) for n, image in enumerate(images(connector))])
        project.run("run")
        found = reconciled(*narrow)
        assert found["counts"] == {"identical": ROWS}
        assert (found["source_rows"], found["not_hashed"]) == (0, ["weight"])

        words = {
            "postgresql": {"true": "true", "false": "false", "bytes": "'\\x02'"},
            "mariadb": {"true": "1", "false": "0", "bytes": "x'02'"},
        }[connector]
        for n, (column, value) in enumerate(CHANGES.items()):
            where = f"where id = {9 + 12 * n}"
            execute(f"update shop.things set {column} = {value.format(**words)} {where}")
        execute("delete from shop.things where id = 2")
        execute("insert into shop.things (id, name) values (1000, 'new')")
        staged = ("--reached", "2100-01-01 00:00:00")
        found = reconciled(*narrow, *staged)
        assert found["counts"] == {
            "identical": ROWS - len(CHANGES) - 1,
            "modified": len(CHANGES),
            "added": 1,
            "removed": 1,
        }
        differing = {row["column_name"]: row["records"] for row in found["columns"]}
        assert differing == dict.fromkeys(CHANGES, 1)
        assert found["source_rows"] < 2 * len(CHANGES)
        compared[f"rows of a running {connector} compared by hash"] += found["equal_by_hash"]

        # the rows that were read are compared once more when later changes have landed
        said = reconciled(*narrow[:3])
        [again] = re.findall(r"afterimage reconcile src.things (.*)", said)
        again = shlex.split(again.replace("target/", f"{project.folder}/target/"))
        later = images(connector)[0] | {"name": "later"}
        project.land([record(connector, ROWS, later, time.time() + 9) | {"offset": ROWS}])
        project.run("run")
        assert reconciled(*again, "--format", "json")["counts"] == found["counts"]
        assert not list(project.folder.glob("target/reconcile/*"))
    finally:
        drop(spark, project)

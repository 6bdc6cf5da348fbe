"""A throw-away PostgreSQL server: made in a temporary folder, on loopback, gone afterwards."""

from __future__ import annotations

import getpass
import os
import secrets
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

import psycopg
from psycopg import sql

from tests.live.service import end
from tests.server import free_port

SETTINGS = {
    "listen_addresses": "127.0.0.1",
    "unix_socket_directories": "",
    "wal_level": "logical",
    "max_wal_senders": "4",
    "max_replication_slots": "4",
    "max_connections": "20",
    "shared_buffers": "32MB",
    "fsync": "off",
    "autovacuum": "off",
    "timezone": "UTC",
    "log_timezone": "UTC",
}


class PostgresError(RuntimeError):
    """The server could not be made or did not answer."""


def find_postgres() -> Path | None:
    """The folder that holds `initdb` and `postgres`, or None.

    Looks in PATH first, then in Debian's folder; the newest version wins.
    """
    on_path = shutil.which("initdb")
    folders = [Path(on_path).resolve().parent] if on_path else []
    debian = [f for f in Path("/usr/lib/postgresql").glob("*/bin") if f.parent.name.isdigit()]
    folders += sorted(debian, key=lambda f: int(f.parent.name), reverse=True)
    for folder in folders:
        if (folder / "initdb").exists() and (folder / "postgres").exists():
            return folder
    return None


class Postgres:
    """A running server, used as a context manager.

    Inside the block `port`, `user`, `password` and `database` are set and `connect()` gives
    connections. When the block ends the server is stopped by the process id that was started, and
    its folder is removed.
    """

    user = "postgres"
    title = "PostgreSQL"

    def __init__(self, database: str = "shop", settings: dict[str, str] | None = None) -> None:
        self.database = database
        self.password = secrets.token_hex(12)
        self.port = 0
        self._settings = SETTINGS | (settings or {})
        self._folder: Path | None = None
        self._process: subprocess.Popen | None = None

    def __enter__(self) -> Postgres:
        binaries = find_postgres()
        if binaries is None:
            raise PostgresError("no PostgreSQL here: neither in PATH nor in /usr/lib/postgresql")
        self._folder = Path(tempfile.mkdtemp(prefix="afterimage-pg-"))
        try:
            self._initdb(binaries)
            self._start(binaries)
            with self.connect("postgres") as connection:
                connection.execute(f'create database "{self.database}"')
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        # SIGINT is PostgreSQL's "fast shutdown", SIGQUIT its "immediate" one.
        end(self._process, (signal.SIGINT, 20), (signal.SIGQUIT, 10))
        self._process = None
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
        self._folder = None

    def connect(self, database: str | None = None) -> psycopg.Connection:
        """A connection in autocommit: transactions begin and end with the statements we send."""
        return psycopg.connect(
            host="127.0.0.1",
            port=self.port,
            user=self.user,
            password=self.password,
            dbname=database or self.database,
            autocommit=True,
            prepare_threshold=None,
            connect_timeout=5,
        )

    def connector(self) -> dict[str, str]:
        """The settings of Debezium's connector that follow from the server."""
        return {
            "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
            "database.port": str(self.port),
            "database.user": self.user,
            "database.password": self.password,
            "database.dbname": self.database,
            "plugin.name": "pgoutput",
            "publication.name": "shop_pub",
            "schema.include.list": "shop",
            "slot.name": "shop_slot",
            "topic.prefix": "pg1",
        }

    def version(self, connection: psycopg.Connection) -> str:
        return connection.execute("show server_version").fetchone()[0].split()[0]

    def read_place(self, connection: psycopg.Connection) -> dict:
        """The current position of the log."""
        names = ("lsn", "lsn_text", "at_utc")
        found = connection.execute(
            """select (pg_current_wal_insert_lsn() - '0/0')::bigint,
                      pg_current_wal_insert_lsn()::text, now()::text"""
        ).fetchone()
        return dict(zip(names, found, strict=True))

    def read_tables(self, connection: psycopg.Connection) -> dict[str, list[dict]]:
        """All tables of schema shop: each column as the text the database prints, in key order."""
        columns = connection.execute(
            """select c.relname, a.attname, array_position(i.indkey::int2[], a.attnum)
                 from pg_class c
                 join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
                 join pg_index i on i.indrelid = c.oid and i.indisprimary
                where c.relnamespace = 'shop'::regnamespace and c.relkind = 'r'
                order by c.relname, a.attnum"""
        ).fetchall()
        tables = {}
        for table in sorted({c[0] for c in columns}):
            names = [c[1] for c in columns if c[0] == table]
            key = sorted((c[2], c[1]) for c in columns if c[0] == table and c[2] is not None)
            query = sql.SQL("select {} from {} order by {}").format(
                sql.SQL(", ").join(sql.SQL("{}::text").format(sql.Identifier(n)) for n in names),
                sql.Identifier("shop", table),
                sql.SQL(", ").join(sql.Identifier(table, name) for _, name in key),
            )
            rows = connection.execute(query).fetchall()
            tables[table] = [dict(zip(names, row, strict=True)) for row in rows]
        return tables

    def _as_owner(self) -> dict:
        """Arguments for subprocess: PostgreSQL refuses to run as root, so root steps down."""
        if os.geteuid() != 0:
            return {}
        return {"user": "postgres", "group": "postgres", "extra_groups": []}

    def _initdb(self, binaries: Path) -> None:
        if os.geteuid() == 0:
            try:
                shutil.chown(self._folder, "postgres", "postgres")
            except LookupError as error:
                raise PostgresError("run as root, this needs a system user `postgres`") from error
        password_file = self._folder / "password"
        password_file.write_text(self.password + "\n")
        password_file.chmod(0o600)
        if os.geteuid() == 0:
            shutil.chown(password_file, "postgres", "postgres")
        command = [binaries / "initdb", "-D", self._folder / "data", "-U", self.user]
        command += ["-A", "scram-sha-256", f"--pwfile={password_file}"]
        command += ["--encoding=UTF8", "--locale=C", "--no-sync"]
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            cwd=self._folder,
            timeout=120,
            **self._as_owner(),
        )
        if done.returncode:
            who = "postgres" if os.geteuid() == 0 else getpass.getuser()
            raise PostgresError(f"initdb failed as {who} in {self._folder}: {done.stderr.strip()}")

    def _start(self, binaries: Path) -> None:
        self.port = free_port()
        log = self._folder / "server.log"
        command = [binaries / "postgres", "-D", self._folder / "data", "-p", str(self.port)]
        for name, value in self._settings.items():
            command += ["-c", f"{name}={value}"]
        with log.open("w") as out:
            self._process = subprocess.Popen(
                command, stdout=out, stderr=out, cwd=self._folder, **self._as_owner()
            )
        deadline = time.monotonic() + 60
        while True:
            if self._process.poll() is not None:
                raise PostgresError(f"the server ended at once: {log.read_text()[-2000:]}")
            try:
                self.connect("postgres").close()
                return
            except psycopg.OperationalError as error:
                if time.monotonic() > deadline:
                    raise PostgresError(f"the server does not answer: {error}") from error
                time.sleep(0.1)

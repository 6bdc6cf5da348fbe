"""A throw-away MySQL server: made in a temporary folder, on loopback, gone afterwards.

Debian stable has no MySQL; AFTERIMAGE_MYSQL may name a folder with the unpacked packages of a newer
Debian. The server then runs with that folder's own loader and libraries, and leaves the machine's
untouched.
"""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

from tests.live.service import end
from tests.server import free_port

SETTINGS = [
    "--bind-address=127.0.0.1",
    "--mysqlx=OFF",
    "--performance-schema=OFF",
    "--secure-file-priv=NULL",
    "--gtid-mode=ON",
    "--enforce-gtid-consistency=ON",
    "--default-time-zone=+00:00",
    "--log-bin=binlog",
    "--server-id=1",
    "--sql-mode=NO_ENGINE_SUBSTITUTION",
    "--log-timestamps=UTC",
]


GEOMETRIES = (
    "point",
    "geometry",
    "linestring",
    "polygon",
    "multipoint",
    "multilinestring",
    "multipolygon",
    "geomcollection",
)


class MysqlError(RuntimeError):
    """The server could not be made or did not answer."""


def find_mysqld() -> list[str] | None:
    """The command that starts `mysqld`, or None: AFTERIMAGE_MYSQL's folder, else PATH."""
    folder = os.environ.get("AFTERIMAGE_MYSQL")
    if not folder:
        on_path = shutil.which("mysqld")
        return [on_path, "--no-defaults"] if on_path else None
    root = Path(folder).resolve() / "usr"
    loaders = sorted(root.glob("lib/*/ld-linux*.so.*")) + sorted(root.glob("lib64/ld-linux*.so.*"))
    if not loaders or not (root / "sbin" / "mysqld").exists():
        raise MysqlError(f"AFTERIMAGE_MYSQL={folder} holds no usr/sbin/mysqld with its loader")
    return [
        str(loaders[0]),
        "--library-path",
        str(loaders[0].parent),
        str(root / "sbin" / "mysqld"),
        "--no-defaults",
        f"--basedir={root}",
        f"--lc-messages-dir={root / 'share' / 'mysql'}",
    ]


class Session:
    """A connection with what the capture needs; closed at the end of its block."""

    def __init__(self, connection: object) -> None:
        self._connection = connection

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()

    def execute(self, statement: str) -> tuple:
        with self._connection.cursor() as cursor:
            cursor.execute(statement)
            return cursor.fetchall()


def as_text(column: str, data_type: str) -> str:
    """The SQL that shows a column of that type as text. MySQL prints latitude first if the SRID
    requires it, but stores and sends x first."""
    if data_type == "bit":
        return f"cast({column} + 0 as char)"
    if data_type == "float":
        return f"cast(cast({column} as double) as char)"
    if data_type.endswith(("binary", "blob")):
        return f"concat('0x', lower(hex({column})))"
    if data_type in GEOMETRIES:
        return f"st_astext({column}, 'axis-order=long-lat')"
    if data_type == "vector":
        return f"vector_to_string({column})"
    return f"cast({column} as char)"


class Mysql:
    """A running server, used as a context manager; `port`, `user`, `password`, `database` are set.

    It is stopped by the process id that was started, and its folder is removed.
    """

    user = "dbz"
    title = "MySQL"
    settings = SETTINGS
    log_status = "show binary log status"

    def __init__(self, database: str = "shop") -> None:
        self.database = database
        self.password = secrets.token_hex(12)
        self.port = 0
        self._folder: Path | None = None
        self._process: subprocess.Popen | None = None

    def __enter__(self) -> Mysql:
        command = self.command()
        self._folder = Path(tempfile.mkdtemp(prefix="afterimage-mysql-"))
        try:
            self._start(command)
            with self._connect("root", "") as root, root.cursor() as cursor:
                cursor.execute(f"create database `{self.database}` character set utf8mb4")
                cursor.execute(f"create user {self.user} identified by '{self.password}'")
                cursor.execute(f"grant all on *.* to {self.user}")
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        end(self._process, (signal.SIGTERM, 20))
        self._process = None
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
        self._folder = None

    def command(self) -> list[str]:
        """The command that starts the server."""
        command = find_mysqld()
        if command is None:
            raise MysqlError("no mysqld here: neither in PATH nor by AFTERIMAGE_MYSQL")
        return command

    def environment(self) -> dict[str, str]:
        return dict(os.environ)

    def initialize(self, command: list[str], own: list[str]) -> None:
        """Makes the server's own tables in its folder."""
        made = subprocess.run(
            [*command, *own, "--initialize-insecure"], capture_output=True, text=True, timeout=120
        )
        if made.returncode:
            raise MysqlError(f"mysqld --initialize failed: {made.stderr[-2000:]}")

    def connect(self) -> Session:
        """A connection in autocommit, as the owner of everything."""
        return Session(self._connect("root", "", self.database))

    def connector(self) -> dict[str, str]:
        """The settings of Debezium's connector that follow from the server."""
        return {
            "connector.class": "io.debezium.connector.mysql.MySqlConnector",
            "database.connectionTimeZone": "UTC",
            "database.include.list": self.database,
            "database.port": str(self.port),
            "database.user": self.user,
            "database.password": self.password,
            "database.server.id": "5401",
            "schema.history.internal": "io.debezium.relational.history.MemorySchemaHistory",
            "topic.prefix": "my1",
        }

    def version(self, connection: Session) -> str:
        return connection.execute("select version()")[0][0]

    def read_place(self, connection: Session) -> dict:
        """The current position of the binary log."""
        file, place = connection.execute(self.log_status)[0][:2]
        now = connection.execute("select cast(utc_timestamp(6) as char)")[0][0]
        return {"file": file, "pos": place, "at_utc": now}

    def read_tables(self, connection: Session) -> dict[str, list[dict]]:
        """All tables: each column as text, in key order. Bits are a number, bytes 0x and hex, a
        geometry its well-known text, a float the digits of its double."""
        columns = connection.execute(
            f"""select table_name, column_name, data_type, column_key = 'PRI'
                  from information_schema.columns where table_schema = '{self.database}'
                 order by table_name, ordinal_position"""
        )
        tables = {}
        for table in sorted({c[0] for c in columns}):
            own = [c for c in columns if c[0] == table]
            texts = ", ".join(as_text(f"`{c[1]}`", c[2]) for c in own)
            key = ", ".join(f"`{c[1]}`" for c in own if c[3]) or "1"
            rows = connection.execute(f"select {texts} from `{table}` order by {key}")
            tables[table] = [dict(zip([c[1] for c in own], row, strict=True)) for row in rows]
        return tables

    def _connect(self, user: str, password: str, database: str | None = None) -> object:
        import pymysql

        return pymysql.connect(
            unix_socket=str(self._folder / "socket"),
            user=user,
            password=password,
            database=database,
            charset="utf8mb4",
            autocommit=True,
            connect_timeout=5,
        )

    def _start(self, command: list[str]) -> None:
        import pymysql

        self.port = free_port()
        log = self._folder / "server.log"
        own = [f"--datadir={self._folder / 'data'}"]
        if os.geteuid() == 0:
            own.append("--user=root")
        self.initialize(command, own)
        own += [f"--port={self.port}", f"--socket={self._folder / 'socket'}"]
        own += [f"--pid-file={self._folder / 'pid'}", *self.settings]
        with log.open("w") as out:
            self._process = subprocess.Popen(
                [*command, *own],
                stdout=out,
                stderr=out,
                cwd=self._folder,
                env=self.environment(),
            )
        deadline = time.monotonic() + 60
        while True:
            if self._process.poll() is not None:
                raise MysqlError(f"the server ended at once: {log.read_text()[-2000:]}")
            try:
                self._connect("root", "").close()
                return
            except pymysql.OperationalError as error:
                if time.monotonic() > deadline:
                    raise MysqlError(f"the server does not answer: {error}") from error
                time.sleep(0.1)

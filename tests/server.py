"""A Thrift server as the Spark session of tests: their calls go over the wire."""

import shutil
import socket
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace

from afterimage.land.table import COLUMNS

# dbt's settings, as the profile's target has them
THREADS = 4


@dataclass
class ServerSession:
    """A connection to the server at a port of 127.0.0.1. `settings`: what `conf.get` returns."""

    port: int
    settings: dict[str, str]
    threads: int = THREADS
    folder: Path = field(default_factory=lambda: Path(tempfile.mkdtemp()))
    # tests read from within dbt's own threads
    _one_reader: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self):
        from pyhive import hive

        self._connection = hive.connect("127.0.0.1", self.port)
        self.conf = SimpleNamespace(get=self.settings.get)

    @property
    def profile(self) -> dict:
        """The profile's output that connects dbt to this server."""
        return {
            "type": "spark",
            "method": "thrift",
            "host": "127.0.0.1",
            "port": self.port,
            "threads": self.threads,
            "poll_interval": 1,
            "query_retries": 0,
        }

    def sql(self, text: str) -> SimpleNamespace:
        """Runs a statement; `collect()` returns its rows as dicts."""
        with self._connection.cursor() as cursor:
            cursor.execute(text)
            names = [column[0] for column in cursor.description or []]
            rows = (
                [dict(zip(names, row, strict=True)) for row in cursor.fetchall()] if names else []
            )
        return SimpleNamespace(collect=lambda: rows, first=lambda: rows[0] if rows else None)

    def append_rows(self, table: str, rows: list[tuple]) -> None:
        """Appends to a landing table, through a Parquet file that the server reads."""
        import pyarrow
        import pyarrow.parquet

        header = pyarrow.struct([("key", pyarrow.string()), ("value", pyarrow.binary())])
        types = {
            "partition": pyarrow.int32(),
            "offset": pyarrow.int64(),
            "timestamp": pyarrow.timestamp("us", tz="UTC"),
            "key": pyarrow.binary(),
            "value": pyarrow.binary(),
            "headers": pyarrow.list_(header),
            "line": pyarrow.int64(),
        }
        columns = dict(zip(COLUMNS, zip(*rows, strict=True), strict=True))
        columns["headers"] = [
            known and [{"key": key, "value": value} for key, value in known]
            for known in columns["headers"]
        ]
        arrays = {
            name: pyarrow.array(values, types.get(name, pyarrow.string()))
            for name, values in columns.items()
        }
        file = self.folder / "landed.parquet"
        pyarrow.parquet.write_table(pyarrow.table(arrays), file)
        names = ", ".join(COLUMNS)
        self.sql(f"insert into {table} select {names} from parquet.`{file}`")

    def read_rows(self, table: str, where: str) -> list[dict]:
        """Typed rows, through Parquet files that the server writes."""
        import pyarrow.parquet

        with self._one_reader:
            described = self.sql(f"describe {table}").collect()
        columns = []
        for row in described:
            name, type_ = row["col_name"], row["data_type"]
            if not name or name.startswith("#"):
                break
            columns.append(as_wall_clock(name, type_))
        folder = self.folder / "read"
        with self._one_reader:
            shutil.rmtree(folder, ignore_errors=True)
            # this session caches the files of a Parquet table that it has read before
            self.sql(f"refresh table {table}")
            self.sql(
                f"insert overwrite directory '{folder}' using parquet "
                f"select {', '.join(columns)} from {table} where {where}"
            )
            return pyarrow.parquet.read_table(folder).to_pylist()

    def stop(self) -> None:
        """Closes the connection if the server still runs; the server goes on."""
        from thrift.transport.TTransport import TTransportException

        with suppress(TTransportException):
            self._connection.close()
        shutil.rmtree(self.folder, ignore_errors=True)


def as_wall_clock(name: str, type_: str) -> str:
    """SQL of a column; of an instant its wall clock in the session's zone."""
    return f"cast(`{name}` as timestamp_ntz) as `{name}`" if type_ == "timestamp" else f"`{name}`"


@contextmanager
def looking_often() -> Iterator[None]:
    """dbt polls ten times a second whether a statement is done; its profile takes only whole
    seconds."""
    import time

    from dbt.adapters.spark import connections

    known = connections.time
    connections.time = SimpleNamespace(
        time=time.time, sleep=lambda seconds: time.sleep(min(seconds, 0.1))
    )
    try:
        yield
    finally:
        connections.time = known


def free_port() -> int:
    with socket.socket() as asked:
        asked.bind(("127.0.0.1", 0))
        return asked.getsockname()[1]


@contextmanager
def served(
    folder: Path, target: str, workers: int, connect: int | None = None
) -> Iterator[ServerSession]:
    """A separate server for a target of the profile. All its data is in one folder; Spark Connect
    is at the port `connect`.

    It starts in a copy of the profile, whose relative paths lead into the folder. It interprets its
    plans, as an embedded test session does.
    """
    import contextlib

    import yaml

    from afterimage.server import start, stop
    from afterimage.session import parameters_of
    from afterimage.table_formats import TABLE_FORMATS
    from tests.session import FILE_FORMAT, INTERPRETED, QUICK_JVM

    repository = Path(__file__).resolve().parents[1]
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(repository / "dbt_project.yml", folder)
    (folder / ".jars").symlink_to(repository / ".jars")
    profile = yaml.safe_load((repository / "profiles" / "profiles.yml").read_text())
    parameters = profile["afterimage"]["outputs"][target]["server_side_parameters"]
    parameters |= INTERPRETED | {"spark.executor.extraJavaOptions": QUICK_JVM}
    parameters["spark.driver.extraJavaOptions"] += f" {QUICK_JVM}"
    (folder / "profiles").mkdir()
    (folder / "profiles" / "profiles.yml").write_text(yaml.safe_dump(profile))
    port = free_port()
    with contextlib.chdir(folder):
        try:
            settings = parameters_of(target)
            settings["spark.sql.warehouse.dir"] = str(
                (folder / settings["spark.sql.warehouse.dir"]).resolve()
            )
            settings[FILE_FORMAT] = target if target in TABLE_FORMATS else "parquet"
            if target == "iceberg":
                warehouse = folder / settings["spark.sql.catalog.ice.warehouse"]
                settings["spark.sql.warehouse.dir"] = str(warehouse.resolve())
            start(target, port, workers, connect)
            session = ServerSession(port, settings)
            try:
                with looking_often():
                    yield session
            finally:
                session.stop()
        finally:
            stop()

"""The Spark session that tests run on: a target of the profile; nothing of it is kept."""

import contextlib
import os
from pathlib import Path

from afterimage.jars import require_jars
from afterimage.java import use_java
from afterimage.session import parameters_of
from tests.server import ServerSession, as_wall_clock

REPOSITORY = Path(__file__).resolve().parents[1]
# of the session, so that callers can ask for them
FILE_FORMAT = "spark.afterimage.fileFormat"
CLASS_PATH = "spark.driver.extraClassPath"
# Many short plans: full optimization costs more to compile than it saves. The quick compiler alone
# has room for 48 MB by default, which is too little.
QUICK_JVM = "-XX:TieredStopAtLevel=1 -XX:ReservedCodeCacheSize=240m"
INTERPRETED = {
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
}


def embedded_spark(warehouse: Path, compiled: bool = False, file_format: str = "parquet"):
    """The session of the format's target, with all its data in `warehouse` and in memory.

    `compiled`: let Spark compile its plans, as it does for users; on little data that takes longer
    than interpreting them.
    """
    use_java()
    from pyspark.sql import SparkSession

    with contextlib.chdir(REPOSITORY):
        settings = parameters_of("ci" if file_format == "parquet" else file_format)
    folders = ["avro", "kafka"] if file_format == "parquet" else ["avro", "kafka", file_format]
    settings |= {
        CLASS_PATH: class_path(*folders),
        FILE_FORMAT: file_format,
        "spark.sql.catalogImplementation": "in-memory",
        "spark.sql.warehouse.dir": str(warehouse),
        "spark.sql.shuffle.partitions": "2",
        "spark.ui.showConsoleProgress": "false",
        # for the collector see the profile
        "spark.driver.extraJavaOptions": f"-Duser.timezone=UTC {QUICK_JVM} -XX:+UseParallelGC "
        "-Dorg.apache.avro.limits.string.maxLength=104857600 "
        "-Dorg.apache.avro.limits.bytes.maxLength=104857600",
    }
    if file_format == "iceberg":
        settings["spark.sql.catalog.ice.warehouse"] = str(warehouse)
        settings["spark.sql.catalog.ice.uri"] = f"jdbc:sqlite:{warehouse}.db"
        settings.pop("spark.local.dir")
    if not compiled:
        settings |= INTERPRETED
    require_jars(settings)
    session = SparkSession.builder.config(map=settings).getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    return session


def class_path(*folders: str) -> str:
    """The class path of folders of `.jars`, for a session that starts in another folder."""
    return os.pathsep.join(f"{REPOSITORY}/.jars/{folder}/*" for folder in folders)


def file_format_of(session) -> str:
    """The table format of a session made here."""
    return session.conf.get(FILE_FORMAT, "parquet")


def profile_of(session) -> dict:
    """The profile's output that connects dbt to the session."""
    if isinstance(session, ServerSession):
        return session.profile
    return {"type": "spark", "method": "session", "host": "NA", "threads": 1}


def append_rows(session, table: str, rows: list[tuple]) -> None:
    """Appends rows of Python values to a table, as one file."""
    if isinstance(session, ServerSession):
        session.append_rows(table, rows)
    else:
        frame = session.createDataFrame(rows, session.table(table).schema)
        frame.coalesce(1).write.insertInto(table)


def read_rows(session, table: str, where: str = "true") -> list[dict]:
    """Rows of a table as dicts of Python values. Timestamps are wall clock in the session's zone
    (UTC): Python cannot make a local datetime of the year 1."""
    if isinstance(session, ServerSession):
        return session.read_rows(table, where)
    frame = session.table(table).where(where)
    wall_clock = [as_wall_clock(name, type_) for name, type_ in frame.dtypes]
    return [row.asDict(recursive=True) for row in frame.selectExpr(*wall_clock).collect()]


def warehouse_of(session, schema: str) -> Path:
    """The folder with the tables of a schema."""
    warehouse = Path(session.conf.get("spark.sql.warehouse.dir").removeprefix("file:"))
    return warehouse / (schema if file_format_of(session) == "iceberg" else f"{schema}.db")


def views_of(session, schema: str) -> list[str]:
    """The views of a schema, by name."""
    return [row["viewName"] for row in session.sql(f"show views in {schema}").collect()]


def drop_schema(session, schema: str) -> None:
    """Drops a schema and all it contains; Iceberg's catalogs do not cascade, and list views
    separately."""
    if not session.sql(f"show schemas like '{schema}'").collect():
        return
    if file_format_of(session) == "iceberg":
        for view in views_of(session, schema):
            session.sql(f"drop view {schema}.{view}")
        for row in session.sql(f"show tables in {schema}").collect():
            session.sql(f"drop table if exists {schema}.{row['tableName']} purge")
    session.sql(f"drop database {schema} cascade")

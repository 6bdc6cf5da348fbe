"""A Spark session per table format: that of the profile's target, with all files in one folder."""

from pathlib import Path

from afterimage.errors import UserError
from afterimage.jars import JARS, require_jars
from afterimage.java import use_java
from afterimage.session import jvm_output, parameters_of

TARGETS = {"parquet": "local", "delta": "delta", "iceberg": "iceberg"}
FORMATS = tuple(TARGETS)
HEAP = "3g"


def packages(file_format: str) -> list[str]:
    """The coordinates of the format's jars."""
    return [jar.coordinates for jar in JARS if jar.folder == file_format]


def settings(file_format: str, folder: Path) -> dict[str, str]:
    """The settings that a format's session starts with."""
    found = parameters_of(TARGETS[file_format])
    require_jars(found)
    found |= {
        "spark.driver.memory": HEAP,
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
        "spark.local.dir": str(folder / "tmp"),
        # the last of two paths counts
        "spark.driver.extraJavaOptions": found["spark.driver.extraJavaOptions"]
        + f" -Dderby.stream.error.file={folder}/derby.log",
    }
    if file_format == "iceberg":
        found["spark.sql.catalog.ice.uri"] = f"jdbc:sqlite:{folder}/iceberg.db"
        found["spark.sql.catalog.ice.warehouse"] = str(folder / "iceberg")
    else:
        # the session method of dbt-spark enables Hive itself; a builder does not
        found["spark.sql.catalogImplementation"] = "hive"
        found["spark.hadoop.javax.jdo.option.ConnectionURL"] = (
            f"jdbc:derby:;databaseName={folder}/metastore;create=true"
        )
    return found


def start(file_format: str, folder: Path):
    """The session; the JVM's own output goes to spark.log in the folder."""
    use_java()
    from pyspark.sql import SparkSession

    if SparkSession.getActiveSession() is not None:
        raise UserError("bench needs its own session, but one runs in this process already")
    folder.mkdir(parents=True, exist_ok=True)
    builder = SparkSession.builder.config(map=settings(file_format, folder))
    with jvm_output(folder / "spark.log"):
        return builder.getOrCreate()

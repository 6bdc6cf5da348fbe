"""A Spark session per table format: that of the profile's target, kept in one folder."""

from pathlib import Path

from afterimage.errors import UserError
from afterimage.java import use_java
from afterimage.session import jvm_output, parameters_of

TARGETS = {"parquet": "local", "delta": "delta", "iceberg": "iceberg"}
FORMATS = tuple(TARGETS)
HEAP = "3g"


def packages(file_format: str) -> list[str]:
    """The coordinates of the format's jars, as its target names them."""
    named = parameters_of(TARGETS[file_format]).get("spark.jars.packages", "")
    return [package for package in named.split(",") if package]


def settings(file_format: str, folder: Path, jars: list[Path]) -> dict[str, str]:
    """What the session of a format is started with; jars take the place of fetching packages."""
    found = parameters_of(TARGETS[file_format])
    found |= {
        "spark.driver.memory": HEAP,
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
        "spark.local.dir": str(folder / "tmp"),
        # of two paths the last one counts
        "spark.driver.extraJavaOptions": found["spark.driver.extraJavaOptions"]
        + f" -Dderby.stream.error.file={folder}/derby.log",
    }
    if file_format == "iceberg":
        found["spark.sql.catalog.ice.uri"] = f"jdbc:sqlite:{folder}/iceberg.db"
        found["spark.sql.catalog.ice.warehouse"] = str(folder / "iceberg")
    else:
        # the session method of dbt-spark asks for Hive by itself; a builder must be told
        found["spark.sql.catalogImplementation"] = "hive"
        found["spark.hadoop.javax.jdo.option.ConnectionURL"] = (
            f"jdbc:derby:;databaseName={folder}/metastore;create=true"
        )
    if jars:
        found.pop("spark.jars.packages", None)
        found["spark.jars"] = ",".join(map(str, jars))
    return found


def start(file_format: str, folder: Path, jars: list[Path]):
    """The session; the JVM's own output goes to spark.log in the folder."""
    use_java()
    from pyspark.sql import SparkSession

    if SparkSession.getActiveSession() is not None:
        raise UserError("bench needs a session of its own, and one runs in this process already")
    folder.mkdir(parents=True, exist_ok=True)
    builder = SparkSession.builder
    for name, value in settings(file_format, folder, jars).items():
        builder = builder.config(name, value)
    with jvm_output(folder / "spark.log"):
        return builder.getOrCreate()

"""A Spark session per table format, embedded and kept in one folder."""

from pathlib import Path

from afterimage.errors import UserError
from afterimage.java import use_java
from afterimage.session import jvm_output

FORMATS = ("parquet", "delta", "iceberg")
PACKAGES = {
    "parquet": [],
    "delta": ["io.delta:delta-spark_4.1_2.13:4.4.0", "io.delta:delta-storage:4.4.0"],
    "iceberg": [
        "org.apache.iceberg:iceberg-spark-runtime-4.1_2.13:1.12.0",
        "org.xerial:sqlite-jdbc:3.50.3.0",
    ],
}


def settings(file_format: str, folder: Path, jars: list[Path]) -> dict[str, str]:
    """What the session of a format is started with; jars take the place of fetching packages."""
    common = {
        "spark.master": "local[2]",
        "spark.driver.memory": "3g",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.shuffle.partitions": "4",
        "spark.sql.sources.partitionOverwriteMode": "dynamic",
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
        "spark.driver.extraJavaOptions": f"-Dderby.stream.error.file={folder}/derby.log "
        "-Duser.timezone=UTC",
    }
    hive = {
        "spark.sql.catalogImplementation": "hive",
        "spark.hadoop.javax.jdo.option.ConnectionURL": f"jdbc:derby:;databaseName={folder}"
        "/metastore;create=true",
    }
    own = {
        "parquet": hive,
        "delta": {
            **hive,
            "spark.sql.extensions": "io.delta.sql.DeltaSparkSessionExtension",
            "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
            "spark.databricks.delta.snapshotPartitions": "2",
        },
        "iceberg": {
            "spark.sql.catalogImplementation": "in-memory",
            "spark.sql.extensions": "org.apache.iceberg.spark.extensions."
            "IcebergSparkSessionExtensions",
            "spark.sql.catalog.ice": "org.apache.iceberg.spark.SparkCatalog",
            "spark.sql.catalog.ice.type": "jdbc",
            "spark.sql.catalog.ice.uri": f"jdbc:sqlite:{folder}/iceberg.db",
            "spark.sql.catalog.ice.jdbc.schema-version": "V1",
            "spark.sql.catalog.ice.warehouse": str(folder / "iceberg"),
            "spark.sql.defaultCatalog": "ice",
        },
    }[file_format]
    if jars:
        own["spark.jars"] = ",".join(map(str, jars))
    elif PACKAGES[file_format]:
        own["spark.jars.packages"] = ",".join(PACKAGES[file_format])
        # Delta's own two jars are enough; what they drag in is in Spark already
        own["spark.jars.excludes"] = "org.apache.hadoop:*,org.apache.parquet:*,org.slf4j:*"
    return common | own


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

"""The Spark session tests run on: nothing of it is kept."""

from __future__ import annotations

from pathlib import Path

from afterimage.java import use_java


def embedded_spark(warehouse: Path, compiled: bool = False):
    """An embedded session with its catalog in memory. `compiled`: let Spark compile its plans, as
    it does for users; on little data that takes longer than interpreting them."""
    use_java()
    from pyspark.sql import SparkSession

    builder = (
        SparkSession.builder.master("local[2]")
        .config("spark.sql.catalogImplementation", "in-memory")
        .config("spark.sql.warehouse.dir", str(warehouse))
        .config("spark.sql.session.timeZone", "UTC")
        .config("spark.sql.shuffle.partitions", "2")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.driver.memory", "2g")
        .config("spark.driver.extraJavaOptions", "-Duser.timezone=UTC")
    )
    if not compiled:
        builder.config("spark.sql.codegen.wholeStage", "false")
        builder.config("spark.sql.codegen.factoryMode", "NO_CODEGEN")
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    return session

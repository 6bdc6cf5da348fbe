"""A test that starts Spark without the mark fails, with the reason."""

import subprocess
import sys

START = "from pyspark.sql import SparkSession; SparkSession.builder.getOrCreate()"


def test_without_the_mark_there_is_no_spark():
    done = subprocess.run(
        [sys.executable, "-c", START], capture_output=True, text=True, check=False
    )
    assert done.returncode
    assert "This test starts Spark: mark it `spark`." in done.stderr

"""The capability map says what the format does; what a format lacks is told with a way out."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from py4j.protocol import Py4JJavaError
from pyspark.errors import PySparkException

from afterimage.macros import Macros
from tests.session import drop_schema, file_format_of

MERGE = "merge into {t} using (select 1 as n) as s on {t}.n = s.n when matched then delete"
# A statement of each capability; before it what Delta's table must be told.
STATEMENTS = {
    "merge": MERGE,
    "delete": "delete from {t} where n = 1",
    "overwrite_rows": "insert into {t} replace where n = 1 select 1, 'c'",
    "overwrite_partitions": "insert overwrite {t} values (1, 'c')",
    "add_column": "alter table {t} add columns (more int)",
    "rename_column": "alter table {t} rename column note to remark",
    "widen_type": "alter table {t} alter column n type bigint",
    "read_added": "select * from {t} with ('start-snapshot-id' = '{first}')",
    "any_column_name": "create table {t}_named (`a, b` int) using {form}",
}
TOLD_DELTA = {
    "rename_column": "'delta.columnMapping.mode' = 'name'",
    "widen_type": "'delta.enableTypeWidening' = 'true'",
}
# of the crash tests, and of another form in each format
NO_STATEMENT = {"atomic_append", "cluster"}


class Refused(Exception):  # noqa: N818
    pass


def refuse(message: str) -> None:
    raise Refused(message)


def macros(version: list[int]) -> Macros:
    made = Macros(
        "support/can.sql",
        "support/require_capability.sql",
        model=SimpleNamespace(name="cur_s__t"),
        exceptions=SimpleNamespace(raise_compiler_error=refuse),
    )
    made.spark_version = lambda: version
    return made


def first_version(spark, table: str, form: str) -> int:
    if form != "iceberg":
        return 1
    return spark.sql(f"select snapshot_id from {table}.snapshots order by committed_at").first()[0]


@pytest.fixture
def schema(spark):
    spark.sql("create schema capabilities")
    yield "capabilities"
    drop_schema(spark, "capabilities")


@pytest.mark.delta
@pytest.mark.iceberg
@pytest.mark.parquet
@pytest.mark.parametrize("capability", STATEMENTS)
def test_the_map_says_what_the_session_does(spark, schema, capability):
    form = file_format_of(spark)
    table = f"{schema}.told"
    told = TOLD_DELTA.get(capability) if form == "delta" else None
    spark.sql(
        f"create table {table} (n int, note string) using {form} "
        + ("partitioned by (note) " if capability == "overwrite_partitions" else "")
        + (f"tblproperties ({told})" if told else "")
    )
    spark.sql(
        f"insert into {table} select /*+ coalesce(1) */ n, 'a' from values (1), (2) as t (n)"
    ).collect()
    if capability == "read_added":
        spark.sql(f"insert into {table} values (3, 'b')")
    before = spark.table(table).orderBy("n").collect()
    names = {"t": table, "form": form, "first": first_version(spark, table, form)}
    try:
        got = spark.sql(STATEMENTS[capability].format(**names)).collect()
        done = capability != "read_added" or [row["n"] for row in got] == [3]
    except (PySparkException, Py4JJavaError):
        done = False
        assert spark.table(table).orderBy("n").collect() == before
    if capability == "overwrite_partitions":
        done = spark.table(table).count() == 3
    version = [int(number) for number in spark.version.split(".")[:2]]
    assert macros(version).can(form, capability) == done


def test_each_format_has_each_capability():
    formats = macros([4, 1]).formats()
    for form, known in formats.items():
        assert set(known) == set(STATEMENTS) | NO_STATEMENT, form


def test_what_is_lacking_is_told_with_a_way_out():
    told = "cur_s__t: s.t is a table of parquet, which lacks the capability merge; it is needed to"
    with pytest.raises(Refused, match=told) as refused:
        macros([4, 1]).require_capability("s.t", "parquet", "merge", "replace rows", "use delta")
    assert str(refused.value).endswith("replace rows. Nothing was written. Instead: use delta.")
    with pytest.raises(Refused, match=r"lacks the capability widen_type before Spark 4\.0 \(this"):
        macros([3, 5]).require_capability("s.t", "delta", "widen_type", "widen", "use iceberg")
    assert macros([4, 1]).require_capability("s.t", "delta", "merge", "replace", "-").strip() == ""


def test_a_capability_nobody_knows():
    with pytest.raises(Refused, match="no capability fly; known are merge, delete"):
        macros([4, 1]).can("delta", "fly")

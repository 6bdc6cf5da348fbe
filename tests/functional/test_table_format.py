"""The map of table formats describes what each format does; a format outside it is refused."""

from types import SimpleNamespace

import pytest
from py4j.protocol import Py4JJavaError
from pyspark.errors import PySparkException

from afterimage.macros import Macros
from tests.functional.cells import MACROS as DECODERS
from tests.functional.cells import Cell, decoder_of
from tests.session import drop_schema, file_format_of

MERGE = "merge into {t} using (select 1 as n) as s on {t}.n = s.n when matched then delete"
# A statement for each capability in the map, and for what each format must support.
STATEMENTS = {
    "merge": MERGE,
    "read_added": "select * from {t} with ('start-snapshot-id' = '{first}')",
    "mapped_names": "create table {t}_named (`a, b` int) using {form}",
    "overwrite_partitions": "insert overwrite {t} values (1, 'c')",
    "add_column": "alter table {t} add columns (more int)",
}


class Refused(Exception):  # noqa: N818
    pass


def refuse(message: str) -> None:
    raise Refused(message)


CONNECTORS = ("postgresql", "mysql", "mariadb", "sqlserver", "oracle", "db2")
MACROS = Macros(
    exceptions=SimpleNamespace(raise_compiler_error=refuse),
)


def can(form: str, capability: str) -> bool:
    """Each format supports what the map has no entry for."""
    known = MACROS.table_format(form)
    return (
        not known["mapped_names"] if capability == "mapped_names" else known.get(capability, True)
    )


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
    spark.sql(
        f"create table {table} (n int, note string) using {form} "
        + ("partitioned by (note)" if capability == "overwrite_partitions" else "")
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
    assert can(form, capability) == done


def types_of_columns() -> set[str]:
    """The Spark types of source types, including their arrays' types."""
    found = set()
    for connector in CONNECTORS:
        contract = {"connector": connector, "replica_identity": "default", "format": ""}
        for name in DECODERS.type_names(contract):
            for kind in (name, f"{name}[]"):
                decoder = decoder_of(Cell(connector, kind, None))
                if decoder:
                    found.add(decoder["type"])
    return found


@pytest.mark.delta
@pytest.mark.iceberg
@pytest.mark.parquet
def test_a_column_is_known_again_by_its_type(spark, schema):
    """As ensure_table compares it: a type that a format stores as another is unchanged."""
    types = sorted(types_of_columns())
    assert {"smallint", "array<smallint>"} <= set(types)
    form = file_format_of(spark)
    columns = ", ".join(f"c{number} {kind}" for number, kind in enumerate(types))
    spark.sql(f"create table {schema}.typed ({columns}) using {form}")
    kept = spark.sql(f"describe {schema}.typed").collect()[: len(types)]
    told = MACROS.table_format(form)
    changed = {
        kind: row["data_type"]
        for kind, row in zip(types, kept, strict=True)
        if MACROS._plain_type(kind, told) != MACROS._plain_type(row["data_type"], told)
    }
    assert changed == {}


def test_a_format_nobody_knows():
    with pytest.raises(
        Refused, match=r"csv is not supported\. Use one of: parquet, delta, iceberg"
    ):
        MACROS.table_format("csv")

"""The floor: the least a Spark job does with the records, a typed parse and a Parquet write."""

ENVELOPE = """
    op string, ts_us bigint,
    source struct<ts_us: bigint, ts_ns: bigint, snapshot: string, lsn: bigint, txId: bigint>,
    before struct<{image}>, after struct<{image}>
"""
IMAGE = (
    "order_id: bigint, customer_id: int, status: string, amount: decimal(12,2), quantity: int, "
    "placed_at: timestamp, updated_at: bigint, is_gift: boolean, notes: string"
)


# JSON types of columns with these types in the database
TYPES = {"integer": "int", "text": "string"}


def floor_select(landing: str, more: dict[str, str] | None = None) -> str:
    """Every record of the landing table, parsed once and flat.

    In: columns beyond those of the usual table, with their types in the database.
    """
    image = ", ".join([IMAGE, *(f"{name}: {TYPES[kind]}" for name, kind in (more or {}).items())])
    # explode prevents Spark from parsing again for each used column
    return f"""
select
    topic, partition, offset, timestamp, record.op, record.ts_us, record.source, record.before,
    record.after.*
from {landing}
lateral view explode(array(
    from_json(cast(value as string), '{ENVELOPE.format(image=image)}')
)) as record
"""


def run_floor(
    spark,
    landing: str,
    more: dict[str, str] | None = None,
    table: str = "spark_catalog.bench_floor.parsed",
) -> None:
    """CTAS of the parse as a plain Parquet table, regardless of the session's default catalog."""
    spark.sql(f"create schema if not exists {table.rpartition('.')[0]}")
    spark.sql(f"drop table if exists {table}")
    spark.sql(f"create table {table} using parquet as {floor_select(landing, more)}")

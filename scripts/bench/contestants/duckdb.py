"""DuckDB on the landing table's files: another engine, on the same cores."""

from pathlib import Path

from bench.contestants.contestant import NAMES, UNSENT, Contestant, delivery
from bench.generate import PLACEHOLDER

IMAGE = {
    "order_id": "bigint",
    "customer_id": "integer",
    "status": "varchar",
    "amount": "decimal(12,2)",
    "quantity": "integer",
    "placed_at": "timestamptz",
    "updated_at": "bigint",
    "is_gift": "boolean",
    "notes": "varchar",
}


class DuckDb(Contestant):
    """Current state by replacing the rows of the batch's keys, in DuckDB's own file; history
    rebuilt from all landed records, like `recompute`."""

    name = "duckdb"
    formats = ("parquet",)
    current = "current_orders"
    history = "history_orders"

    def prepare(self) -> None:
        import duckdb

        self.folder.mkdir(parents=True, exist_ok=True)
        self.database = duckdb.connect(str(self.folder / "bench.duckdb"))
        self.database.execute("set threads = 2; set memory_limit = '3GB'; set timezone = 'UTC'")
        types = {**IMAGE, "updated_at": "timestamp", "lsn": "bigint"}
        columns = ", ".join(f"{name} {kind}" for name, kind in types.items())
        self.database.execute(f"create table current_orders ({columns})")

    def run(self, batch: int) -> None:
        names = ", ".join(NAMES)
        images = ", ".join(
            f"if(newest.sent is null, standing.{name}, newest.sent.{name}) as {name}"
            if name == UNSENT
            else f"newest.{name}"
            for name in NAMES
        )
        self.database.execute(f"""
create or replace temp table replacing as
select {images}, newest.lsn, newest.op
from (
    select
        *,
        first_value(
            if({UNSENT} = '{PLACEHOLDER}', null, {{'{UNSENT}': {UNSENT}}}) ignore nulls
        ) over (
            partition by order_id order by lsn desc rows between current row and unbounded following
        ) as sent
    from ({self._parsed(delivery(batch, '"offset"'))})
    qualify row_number() over (partition by order_id order by lsn desc) = 1
) as newest
left join current_orders as standing on newest.order_id = standing.order_id
where standing.lsn is null or newest.lsn > standing.lsn;
delete from current_orders where order_id in (select order_id from replacing);
insert into current_orders select {names}, lsn from replacing where op <> 'd';
create or replace table history_orders as
select {names}, valid_from, valid_to
from (
    select
        * exclude ({UNSENT}),
        struct_extract(last_value(
            if(op = 'd' or {UNSENT} = '{PLACEHOLDER}', null, {{'sent': {UNSENT}}}) ignore nulls
        ) over in_order, 'sent') as {UNSENT},
        source_ts as valid_from,
        lead(source_ts) over in_order as valid_to
    from (
        select * from ({self._parsed()})
        qualify row_number() over (partition by order_id, lsn, op) = 1
    )
    window in_order as (partition by order_id order by lsn)
)
where op <> 'd';
""")

    def rows(self, name: str, columns: list[str]):
        """Through a Parquet file, which Spark reads."""
        file = self.folder / f"{name}.parquet"
        self.database.execute(
            f"copy (select {', '.join(columns)} from {name}) to '{file}' (format parquet)"
        )
        return self.spark.read.parquet(str(file))

    def _parsed(self, where: str = "true") -> str:
        fields = ", ".join(f'"{name}": "{kind.upper()}"' for name, kind in IMAGE.items())
        envelope = (
            '{"op": "VARCHAR", "source": {"ts_us": "BIGINT", "lsn": "BIGINT"}, '
            f'"before": {{"order_id": "BIGINT"}}, "after": {{{fields}}}}}'
        )
        after = ", ".join(
            f"make_timestamp(record.after.{name}) as {name}"
            if name == "updated_at"
            else f"record.after.{name}"
            for name in NAMES[1:]
        )
        return f"""
select
    record.source.lsn as lsn,
    make_timestamptz(record.source.ts_us) as source_ts,
    record.op as op,
    coalesce(record.after.order_id, record.before.order_id) as order_id,
    {after}
from (
    select from_json(decode(value), '{envelope}') as record
    from read_parquet('{self._files()}/*.parquet')
    where value is not null and {where}
)
"""

    def _files(self) -> Path:
        """The folder of the landing table."""
        described = self.spark.sql(f"describe formatted {self.landing}").collect()
        place = next(row["data_type"] for row in described if row["col_name"] == "Location")
        return Path(place.removeprefix("file:"))

"""The full history, rebuilt from all landed records at every run."""

from bench.contestants.contestant import NAMES, UNSENT, Contestant, is_unsent, parsed


class Recompute(Contestant):
    """One window over every change; correct by construction, and as expensive as the full past."""

    name = "recompute"
    formats = ("parquet", "delta", "iceberg")
    current = "recompute_current"
    history = "recompute"

    def rows(self, name: str, columns: list[str]):
        table = self.spark.table(self.relation("recompute"))
        return (table.where("is_current") if name == self.current else table).selectExpr(*columns)

    def prepare(self) -> None:
        """Nothing to prepare: each run drops and creates the table."""

    def run(self, batch: int) -> None:
        columns = ", ".join(name for name in NAMES if name != UNSENT)
        self.spark.sql(f"drop table if exists {self.relation('recompute')}")
        self.spark.sql(f"""
create table {self.relation("recompute")} using {self.file_format} as
select {", ".join(NAMES)}, lsn, valid_from, valid_to, valid_to is null as is_current
from (
    select
        {columns},
        (last(if({is_unsent()} or op = 'd', null, named_struct('sent', {UNSENT})), true)
            over in_order).sent as {UNSENT},
        op,
        lsn,
        source_ts as valid_from,
        lead(source_ts) over in_order as valid_to
    from (
        select *, row_number() over (partition by order_id, lsn, op order by lsn) as delivery
        from ({parsed(self.landing)})
    )
    where delivery = 1
    window in_order as (partition by order_id order by lsn)
)
where op <> 'd'
""")

"""dbt's own incremental model: merge by a unique key."""

from bench.contestants.contestant import Contestant, parsed
from bench.dbt_project import DbtProject
from bench.generate import DELIVERY


class DbtIncremental(Contestant):
    """The newest change of each key in the batch; deleted rows stay with a flag, because dbt's
    merge has no delete."""

    name = "dbt_incremental"
    current = "incremental_orders"

    def prepare(self) -> None:
        self.project = DbtProject(self.folder, self.schema)
        config = (
            "{{ config(materialized='incremental', incremental_strategy='merge', "
            f"unique_key='order_id', file_format='{self.file_format}') }}}}"
        )
        delivered = "offset >= {{ var('first') }} and offset < {{ var('end') }}"
        newest = f"""
select * except (recency)
from (
    select *, row_number() over (partition by order_id order by lsn desc) as recency
    from ({parsed(self.landing, delivered)})
)
where recency = 1
"""
        self.project.write({}, {"models/incremental_orders.sql": config + newest})

    def run(self, batch: int) -> None:
        offsets = f"{{first: {batch * DELIVERY}, end: {(batch + 1) * DELIVERY}}}"
        self.project.dbt("run", "--vars", offsets)

    def rows(self, name: str, columns: list[str]):
        living = self.spark.table(self.relation("incremental_orders")).where("op <> 'd'")
        return living.selectExpr(*columns)

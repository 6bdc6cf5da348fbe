"""dbt's own snapshot: SCD2 from the state of a table at each run."""

from bench.contestants.contestant import Contestant, parsed
from bench.dbt_project import DbtProject


class DbtSnapshot(Contestant):
    """A snapshot of the newest row of each key, by its time; missing rows are closed.

    It sees one state per run, so versions between two runs are missing.
    """

    name = "dbt_snapshot"
    current = "snapshot_current"
    history = "snapshot_orders"

    def prepare(self) -> None:
        self.project = DbtProject(self.folder, self.schema)
        newest = f"""
{{{{ config(materialized='view') }}}}
select * except (recency)
from (
    select *, row_number() over (partition by order_id order by lsn desc) as recency
    from ({parsed(self.landing)})
)
where recency = 1 and op <> 'd'
"""
        config = {
            "file_format": self.file_format,
            "unique_key": "order_id",
            "strategy": "timestamp",
            "updated_at": "source_ts",
            "hard_deletes": "invalidate",
        }
        snapshots = [
            {"name": "snapshot_orders", "relation": "ref('newest_orders')", "config": config}
        ]
        self.project.write(
            {},
            {
                "models/newest_orders.sql": newest,
                "snapshots/orders.yml": {"snapshots": snapshots},
            },
        )

    def run(self, batch: int) -> None:
        self.project.dbt("build")

    def rows(self, name: str, columns: list[str]):
        table = self.spark.table(self.relation("snapshot_orders"))
        if name == self.current:
            return table.where("dbt_valid_to is null").selectExpr(*columns)
        renamed = {"valid_from": "dbt_valid_from", "valid_to": "dbt_valid_to"}
        return table.selectExpr(
            *(
                f"{renamed[column]} as {column}" if column in renamed else column
                for column in columns
            )
        )

"""A hand-written MERGE that maintains the current state."""

from bench.contestants.contestant import (
    IMAGE_TYPES,
    NAMES,
    UNSENT,
    Contestant,
    delivery,
    is_unsent,
    parsed,
)


class MergeCurrent(Contestant):
    """The newest change of each key of the batch, merged by key; an older one is skipped.

    A value it does not send is the last one sent in the batch, else the existing one.
    """

    name = "merge_current"
    current = "merge_current"

    def prepare(self) -> None:
        self.create("merge_current", f"{IMAGE_TYPES}, lsn bigint")

    def run(self, batch: int) -> None:
        kept = f"if(change.sent is null, target.{UNSENT}, change.sent.{UNSENT})"
        updates = ", ".join(
            f"{name} = {kept if name == UNSENT else 'change.' + name}" for name in NAMES[1:]
        )
        born = ", ".join(
            "change.sent." + name if name == UNSENT else "change." + name for name in NAMES
        )
        self.spark.sql(f"""
merge into {self.relation("merge_current")} as target
using (
    select * except (recency)
    from (
        select
            *,
            row_number() over (partition by order_id order by lsn desc) as recency,
            first(if({is_unsent()}, null, named_struct('{UNSENT}', {UNSENT})), true) over (
                partition by order_id order by lsn desc
                rows between current row and unbounded following
            ) as sent
        from ({parsed(self.landing, delivery(batch))})
    )
    where recency = 1
) as change
on target.order_id = change.order_id
when matched and change.lsn > target.lsn and change.op = 'd' then delete
when matched and change.lsn > target.lsn then update set {updates}, lsn = change.lsn
when not matched and change.op <> 'd' then
    insert ({", ".join(NAMES)}, lsn) values ({born}, lsn)
""")

"""A hand-written MERGE that maintains SCD2 history: close the open version, insert new ones."""

from bench.contestants.contestant import (
    IMAGE_TYPES,
    NAMES,
    UNSENT,
    Contestant,
    delivery,
    is_unsent,
    parsed,
)


class MergeScd2(Contestant):
    """The usual union: the first change of a key occurs twice, once with its key to close the open
    version, once without one to be inserted. A change older than the open version is skipped: it
    would leave two open ones, on which the next MERGE fails."""

    name = "merge_scd2"
    current = "merge_scd2_current"
    history = "merge_scd2"

    def prepare(self) -> None:
        self.create(
            "merge_scd2",
            f"{IMAGE_TYPES}, lsn bigint, valid_from timestamp, valid_to timestamp, "
            "is_current boolean",
        )

    def rows(self, name: str, columns: list[str]):
        table = self.spark.table(self.relation("merge_scd2"))
        return (table.where("is_current") if name == self.current else table).selectExpr(*columns)

    def run(self, batch: int) -> None:
        others = ", ".join(name for name in NAMES if name != UNSENT)
        self.spark.sql(f"""
merge into {self.relation("merge_scd2")} as target
using (
    with changes as (
        -- a change delivered twice counts once
        select *
        from (
            select *, row_number() over (partition by order_id, lsn, op order by lsn) as delivery
            from ({parsed(self.landing, delivery(batch))})
        )
        where delivery = 1
    ),
    newer as (
        select changes.*, open.{UNSENT} as open_{UNSENT}
        from changes
        left join (
            select order_id, lsn, {UNSENT} from {self.relation("merge_scd2")} where is_current
        ) as open on changes.order_id = open.order_id
        where open.lsn is null or changes.lsn > open.lsn
    ),
    versions as (
        select
            {others},
            last(if({is_unsent()}, null, named_struct('sent', {UNSENT})), true) over in_order
                as sent,
            open_{UNSENT},
            lsn,
            op,
            source_ts as valid_from,
            lead(source_ts) over in_order as valid_to,
            row_number() over in_order as place
        from newer
        window in_order as (partition by order_id order by lsn)
    ),
    filled as (
        select *, if(sent is null, open_{UNSENT}, sent.sent) as {UNSENT} from versions
    )
    select order_id as closes, {others}, {UNSENT}, lsn, op, valid_from, valid_to
    from filled
    where place = 1
    union all
    select null, {others}, {UNSENT}, lsn, op, valid_from, valid_to from filled where op <> 'd'
) as change
on target.order_id = change.closes and target.is_current
when matched and change.lsn > target.lsn then
    update set valid_to = change.valid_from, is_current = false
when not matched and change.closes is null then
    insert ({", ".join(NAMES)}, lsn, valid_from, valid_to, is_current)
    values ({", ".join("change." + name for name in NAMES)}, change.lsn, change.valid_from,
        change.valid_to, change.valid_to is null)
""")

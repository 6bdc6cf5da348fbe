select
    snapshots.run,
    snapshots.snapshot,
    snapshots.collection,
    snapshots.state,
    snapshots.scan_status,
    snapshots.newest_at,
    concat(
        'the snapshot is ', snapshots.state, coalesce(concat(' (', snapshots.scan_status, ')'), '')
    ) as failure_reason
from afterimage.stg_shop__carts as snapshots
left anti join afterimage.stg_shop__carts as later
    on
        snapshots.connector_name <=> later.connector_name
        and snapshots.collection <=> later.collection
        and later.state = 'completed'
        and snapshots.newest_at < later.ended_at
        and not coalesce(later.is_filtered, false)
where
    snapshots.state in ('failed', 'aborted')
    or (
        snapshots.state in ('in progress', 'paused', 'waiting')
        and snapshots.newest_at < current_timestamp() - interval '24' hour
    )

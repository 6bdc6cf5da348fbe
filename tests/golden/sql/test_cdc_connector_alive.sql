select
    table_name,
    connector,
    newest_event_landed_at,
    heartbeat_landed_at,
    'neither a change nor a heartbeat has landed for more than 2 hours' as failure_reason
from afterimage.stg_shop__carts
where heard_at is null or heard_at < current_timestamp() - interval '2' hour

with

versions as (
    select * from afterimage.hist_shop__carts where is_current
)

select
    coalesce(current_rows._cdc_key, versions._cdc_key) as _cdc_key,
    coalesce(current_rows._cdc_copy, versions._cdc_copy) as _cdc_copy,
    case
        when current_rows._cdc_key is null then 'open in history, missing in the current state'
        when versions._cdc_key is null then 'in the current state, not open in history'
        else 'current state and history show different versions'
    end as failure_reason
from afterimage.cur_shop__carts as current_rows
full outer join versions
    on current_rows._cdc_key = versions._cdc_key and current_rows._cdc_copy <=> versions._cdc_copy
where
    current_rows._cdc_key is null
    or versions._cdc_key is null
    or current_rows._cdc_event_id <> versions._cdc_event_id

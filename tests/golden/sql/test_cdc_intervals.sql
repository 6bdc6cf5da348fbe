with

neighbours as (
    select
        _cdc_key,
        _cdc_copy,
        _cdc_position,
        _cdc_end_position,
        _cdc_end_reason,
        valid_from,
        valid_to,
        is_current,
        lead(_cdc_position) over (partition by _cdc_key, _cdc_copy order by _cdc_order) as next_position,
        lead(valid_from) over (partition by _cdc_key, _cdc_copy order by _cdc_order) as next_from
    from afterimage.hist_shop__carts
)

select *
from (
    select
        *,
        case
            when valid_to < valid_from or _cdc_end_position < _cdc_position then 'ends before it begins'
            when is_current and next_position is not null then 'open, but a later version follows'
            when is_current <> (_cdc_end_position is null) or is_current <> (valid_to is null)
                then 'is_current and its end disagree'
            when _cdc_end_position > next_position or valid_to > next_from then 'overlaps the next version'
            -- in a table without a key an update removes one of several equal rows and adds another row
            when _cdc_copy is null and _cdc_end_reason = 'update' and not _cdc_end_position <=> next_position
                then 'ended by an update, and no version begins there'
        end as failure_reason
    from neighbours
) as judged
where failure_reason is not null

-- quarantine of shop, made by afterimage.quarantine
with

stg_shop__customers_verdicts as (
    select
        'shop' as source_name,
        'customers' as table_name,
        ledger.* except (detail, record_key, record_value),
        detail,
        record_key,
        record_value,
        row_number() over (partition by topic, partition, offset order by batch desc) as recency
    from afterimage.stg_shop__customers__ledger as ledger
),

stg_shop__customers_refused as (
    select
        *,
        position as place,
        committed_after as unseen_through
    from stg_shop__customers_verdicts
    where recency = 1 and outcome = 'refused'
),

stg_shop__customers_accepted as (
    select
        _cdc_key as row_key,
        max(if(_cdc_op in ('d', 'o') or (_cdc_op <> 'r' and _cdc_unknown is null), _cdc_position, null)) as newest_change,
        max(if(_cdc_op = 'r' and _cdc_unknown is null, _cdc_position, null)) as newest_read,
        max(if((_cdc_op = 'o' and (_cdc_event_id like 'operator:erase:%')), _cdc_position, null)) as erased_through
    from afterimage.stg_shop__customers
    where _cdc_key in (select refused.row_key from stg_shop__customers_refused as refused)
    group by _cdc_key
),

stg_shop__customers_emptied as (
    -- a truncate removed the rows of all records refused before it
    select max(_cdc_position) as emptied_at
    from afterimage.stg_shop__customers
    where (_cdc_op = 't' or (_cdc_op = 'o' and (_cdc_event_id like 'operator:snapshot_complete:%')))
),

stg_shop__customers_judged as (
    select
        refused.* except (detail, record_key, record_value, row_key),
        -- an erased row is not shown
        if(is_erased, null, detail) as detail,
        if(is_erased, null, record_key) as record_key,
        if(is_erased and record_value not like 'sha256:%', concat('sha256:', sha2(record_value, 256)), record_value) as record_value,
        if(is_erased, null, row_key) as row_key,
        case
            when row_key is null or place is null then null
            when is_erased or newest_change >= place then false
            -- a snapshot read before the change was committed does not show it
            when greatest(newest_read, emptied_at) > greatest(place, unseen_through) then false
            else true
        end as row_is_behind
    from (
        select
            refused.*,
            accepted.newest_change,
            accepted.newest_read,
            emptied.emptied_at,
            accepted.erased_through is not null and coalesce(accepted.erased_through >= refused.place, true) as is_erased
        from stg_shop__customers_refused as refused
        cross join stg_shop__customers_emptied as emptied
        left join stg_shop__customers_accepted as accepted on refused.row_key = accepted.row_key
    ) as refused
),

stg_shop__products_verdicts as (
    select
        'shop' as source_name,
        'products' as table_name,
        ledger.* except (detail, record_key, record_value),
        detail,
        record_key,
        record_value,
        row_number() over (partition by topic, partition, offset order by batch desc) as recency
    from afterimage.stg_shop__products__ledger as ledger
),

stg_shop__products_refused as (
    select
        *,
        position as place,
        committed_after as unseen_through
    from stg_shop__products_verdicts
    where recency = 1 and outcome = 'refused'
),

stg_shop__products_accepted as (
    select
        _cdc_key as row_key,
        max(if(_cdc_op in ('d', 'o') or (_cdc_op <> 'r' and _cdc_unknown is null), _cdc_position, null)) as newest_change,
        max(if(_cdc_op = 'r' and _cdc_unknown is null, _cdc_position, null)) as newest_read,
        max(if((_cdc_op = 'o' and (_cdc_event_id like 'operator:erase:%')), _cdc_position, null)) as erased_through
    from afterimage.stg_shop__products
    where _cdc_key in (select refused.row_key from stg_shop__products_refused as refused)
    group by _cdc_key
),

stg_shop__products_emptied as (
    -- a truncate removed the rows of all records refused before it
    select max(_cdc_position) as emptied_at
    from afterimage.stg_shop__products
    where (_cdc_op = 't' or (_cdc_op = 'o' and (_cdc_event_id like 'operator:snapshot_complete:%')))
),

stg_shop__products_judged as (
    select
        refused.* except (detail, record_key, record_value, row_key),
        -- an erased row is not shown
        if(is_erased, null, detail) as detail,
        if(is_erased, null, record_key) as record_key,
        if(is_erased and record_value not like 'sha256:%', concat('sha256:', sha2(record_value, 256)), record_value) as record_value,
        if(is_erased, null, row_key) as row_key,
        case
            when row_key is null or place is null then null
            when is_erased or newest_change >= place then false
            -- a snapshot read before the change was committed does not show it
            when greatest(newest_read, emptied_at) > greatest(place, unseen_through) then false
            else true
        end as row_is_behind
    from (
        select
            refused.*,
            accepted.newest_change,
            accepted.newest_read,
            emptied.emptied_at,
            accepted.erased_through is not null and coalesce(accepted.erased_through >= refused.place, true) as is_erased
        from stg_shop__products_refused as refused
        cross join stg_shop__products_emptied as emptied
        left join stg_shop__products_accepted as accepted on refused.row_key = accepted.row_key
    ) as refused
),

stg_shop__orders_verdicts as (
    select
        'shop' as source_name,
        'orders' as table_name,
        ledger.* except (detail, record_key, record_value),
        detail,
        record_key,
        record_value,
        row_number() over (partition by topic, partition, offset order by batch desc) as recency
    from afterimage.stg_shop__orders__ledger as ledger
),

stg_shop__orders_refused as (
    select
        *,
        position as place,
        committed_after as unseen_through
    from stg_shop__orders_verdicts
    where recency = 1 and outcome = 'refused'
),

stg_shop__orders_accepted as (
    select
        _cdc_key as row_key,
        max(if(_cdc_op in ('d', 'o') or (_cdc_op <> 'r' and _cdc_unknown is null), _cdc_position, null)) as newest_change,
        max(if(_cdc_op = 'r' and _cdc_unknown is null, _cdc_position, null)) as newest_read,
        max(if((_cdc_op = 'o' and (_cdc_event_id like 'operator:erase:%')), _cdc_position, null)) as erased_through
    from afterimage.stg_shop__orders
    where _cdc_key in (select refused.row_key from stg_shop__orders_refused as refused)
    group by _cdc_key
),

stg_shop__orders_emptied as (
    -- a truncate removed the rows of all records refused before it
    select max(_cdc_position) as emptied_at
    from afterimage.stg_shop__orders
    where (_cdc_op = 't' or (_cdc_op = 'o' and (_cdc_event_id like 'operator:snapshot_complete:%')))
),

stg_shop__orders_judged as (
    select
        refused.* except (detail, record_key, record_value, row_key),
        -- an erased row is not shown
        if(is_erased, null, detail) as detail,
        if(is_erased, null, record_key) as record_key,
        if(is_erased and record_value not like 'sha256:%', concat('sha256:', sha2(record_value, 256)), record_value) as record_value,
        if(is_erased, null, row_key) as row_key,
        case
            when row_key is null or place is null then null
            when is_erased or newest_change >= place then false
            -- a snapshot read before the change was committed does not show it
            when greatest(newest_read, emptied_at) > greatest(place, unseen_through) then false
            else true
        end as row_is_behind
    from (
        select
            refused.*,
            accepted.newest_change,
            accepted.newest_read,
            emptied.emptied_at,
            accepted.erased_through is not null and coalesce(accepted.erased_through >= refused.place, true) as is_erased
        from stg_shop__orders_refused as refused
        cross join stg_shop__orders_emptied as emptied
        left join stg_shop__orders_accepted as accepted on refused.row_key = accepted.row_key
    ) as refused
),

stg_shop__order_lines_verdicts as (
    select
        'shop' as source_name,
        'order_lines' as table_name,
        ledger.* except (detail, record_key, record_value),
        detail,
        record_key,
        record_value,
        row_number() over (partition by topic, partition, offset order by batch desc) as recency
    from afterimage.stg_shop__order_lines__ledger as ledger
),

stg_shop__order_lines_refused as (
    select
        *,
        position as place,
        committed_after as unseen_through
    from stg_shop__order_lines_verdicts
    where recency = 1 and outcome = 'refused'
),

stg_shop__order_lines_accepted as (
    select
        _cdc_key as row_key,
        max(if(_cdc_op in ('d', 'o') or (_cdc_op <> 'r' and _cdc_unknown is null), _cdc_position, null)) as newest_change,
        max(if(_cdc_op = 'r' and _cdc_unknown is null, _cdc_position, null)) as newest_read,
        max(if((_cdc_op = 'o' and (_cdc_event_id like 'operator:erase:%')), _cdc_position, null)) as erased_through
    from afterimage.stg_shop__order_lines
    where _cdc_key in (select refused.row_key from stg_shop__order_lines_refused as refused)
    group by _cdc_key
),

stg_shop__order_lines_emptied as (
    -- a truncate removed the rows of all records refused before it
    select max(_cdc_position) as emptied_at
    from afterimage.stg_shop__order_lines
    where (_cdc_op = 't' or (_cdc_op = 'o' and (_cdc_event_id like 'operator:snapshot_complete:%')))
),

stg_shop__order_lines_judged as (
    select
        refused.* except (detail, record_key, record_value, row_key),
        -- an erased row is not shown
        if(is_erased, null, detail) as detail,
        if(is_erased, null, record_key) as record_key,
        if(is_erased and record_value not like 'sha256:%', concat('sha256:', sha2(record_value, 256)), record_value) as record_value,
        if(is_erased, null, row_key) as row_key,
        case
            when row_key is null or place is null then null
            when is_erased or newest_change >= place then false
            -- a snapshot read before the change was committed does not show it
            when greatest(newest_read, emptied_at) > greatest(place, unseen_through) then false
            else true
        end as row_is_behind
    from (
        select
            refused.*,
            accepted.newest_change,
            accepted.newest_read,
            emptied.emptied_at,
            accepted.erased_through is not null and coalesce(accepted.erased_through >= refused.place, true) as is_erased
        from stg_shop__order_lines_refused as refused
        cross join stg_shop__order_lines_emptied as emptied
        left join stg_shop__order_lines_accepted as accepted on refused.row_key = accepted.row_key
    ) as refused
),

stg_shop__stock_slots_verdicts as (
    select
        'shop' as source_name,
        'stock_slots' as table_name,
        ledger.* except (detail, record_key, record_value),
        detail,
        record_key,
        record_value,
        row_number() over (partition by topic, partition, offset order by batch desc) as recency
    from afterimage.stg_shop__stock_slots__ledger as ledger
),

stg_shop__stock_slots_refused as (
    select
        *,
        position as place,
        committed_after as unseen_through
    from stg_shop__stock_slots_verdicts
    where recency = 1 and outcome = 'refused'
),

stg_shop__stock_slots_accepted as (
    select
        _cdc_key as row_key,
        max(if(_cdc_op in ('d', 'o') or (_cdc_op <> 'r' and _cdc_unknown is null), _cdc_position, null)) as newest_change,
        max(if(_cdc_op = 'r' and _cdc_unknown is null, _cdc_position, null)) as newest_read,
        max(if((_cdc_op = 'o' and (_cdc_event_id like 'operator:erase:%')), _cdc_position, null)) as erased_through
    from afterimage.stg_shop__stock_slots
    where _cdc_key in (select refused.row_key from stg_shop__stock_slots_refused as refused)
    group by _cdc_key
),

stg_shop__stock_slots_emptied as (
    -- a truncate removed the rows of all records refused before it
    select max(_cdc_position) as emptied_at
    from afterimage.stg_shop__stock_slots
    where (_cdc_op = 't' or (_cdc_op = 'o' and (_cdc_event_id like 'operator:snapshot_complete:%')))
),

stg_shop__stock_slots_judged as (
    select
        refused.* except (detail, record_key, record_value, row_key),
        -- an erased row is not shown
        if(is_erased, null, detail) as detail,
        if(is_erased, null, record_key) as record_key,
        if(is_erased and record_value not like 'sha256:%', concat('sha256:', sha2(record_value, 256)), record_value) as record_value,
        if(is_erased, null, row_key) as row_key,
        case
            when row_key is null or place is null then null
            when is_erased or newest_change >= place then false
            -- a snapshot read before the change was committed does not show it
            when greatest(newest_read, emptied_at) > greatest(place, unseen_through) then false
            else true
        end as row_is_behind
    from (
        select
            refused.*,
            accepted.newest_change,
            accepted.newest_read,
            emptied.emptied_at,
            accepted.erased_through is not null and coalesce(accepted.erased_through >= refused.place, true) as is_erased
        from stg_shop__stock_slots_refused as refused
        cross join stg_shop__stock_slots_emptied as emptied
        left join stg_shop__stock_slots_accepted as accepted on refused.row_key = accepted.row_key
    ) as refused
),

stg_shop__carts_verdicts as (
    select
        'shop' as source_name,
        'carts' as table_name,
        ledger.* except (detail, record_key, record_value),
        detail,
        record_key,
        record_value,
        row_number() over (partition by topic, partition, offset order by batch desc) as recency
    from afterimage.stg_shop__carts__ledger as ledger
),

stg_shop__carts_refused as (
    select
        *,
        position as place,
        committed_after as unseen_through
    from stg_shop__carts_verdicts
    where recency = 1 and outcome = 'refused'
),

stg_shop__carts_accepted as (
    select
        _cdc_key as row_key,
        max(if(_cdc_op in ('d', 'o') or (_cdc_op <> 'r' and _cdc_unknown is null), _cdc_position, null)) as newest_change,
        max(if(_cdc_op = 'r' and _cdc_unknown is null, _cdc_position, null)) as newest_read,
        max(if((_cdc_op = 'o' and (_cdc_event_id like 'operator:erase:%')), _cdc_position, null)) as erased_through
    from afterimage.stg_shop__carts
    where _cdc_key in (select refused.row_key from stg_shop__carts_refused as refused)
    group by _cdc_key
),

stg_shop__carts_emptied as (
    -- a truncate removed the rows of all records refused before it
    select max(_cdc_position) as emptied_at
    from afterimage.stg_shop__carts
    where (_cdc_op = 't' or (_cdc_op = 'o' and (_cdc_event_id like 'operator:snapshot_complete:%')))
),

stg_shop__carts_judged as (
    select
        refused.* except (detail, record_key, record_value, row_key),
        -- an erased row is not shown
        if(is_erased, null, detail) as detail,
        if(is_erased, null, record_key) as record_key,
        if(is_erased and record_value not like 'sha256:%', concat('sha256:', sha2(record_value, 256)), record_value) as record_value,
        if(is_erased, null, row_key) as row_key,
        case
            when row_key is null or place is null then null
            when is_erased or newest_change >= place then false
            -- a snapshot read before the change was committed does not show it
            when greatest(newest_read, emptied_at) > greatest(place, unseen_through) then false
            else true
        end as row_is_behind
    from (
        select
            refused.*,
            accepted.newest_change,
            accepted.newest_read,
            emptied.emptied_at,
            accepted.erased_through is not null and coalesce(accepted.erased_through >= refused.place, true) as is_erased
        from stg_shop__carts_refused as refused
        cross join stg_shop__carts_emptied as emptied
        left join stg_shop__carts_accepted as accepted on refused.row_key = accepted.row_key
    ) as refused
),

verdicts as (
    select * from stg_shop__customers_judged
    union all
    select * from stg_shop__products_judged
    union all
    select * from stg_shop__orders_judged
    union all
    select * from stg_shop__order_lines_judged
    union all
    select * from stg_shop__stock_slots_judged
    union all
    select * from stg_shop__carts_judged
),

refused as (
    select
        source_name,
        table_name,
        topic,
        partition,
        offset,
        cast(null as string) as file,
        cast(null as bigint) as line,
        landed_at,
        kind as reason,
        detail,
        record_key,
        record_value,
        row_key,
        position,
        row_is_behind,
        decided_at as refused_at
    from verdicts
)

select refused.*, remedies.meaning, remedies.remedy
from refused
left join afterimage.afterimage_remedies as remedies on remedies.outcome = 'refused' and refused.reason = remedies.kind

-- cur_shop__orders and the rows of its source, made by afterimage.reconcile
with

source_values as (
    select
        struct(*) as _cdc_printed,
        if(id rlike '^[-+]?[0-9]+$', try_cast(id as bigint), null) as id,
        if(customer_id rlike '^[-+]?[0-9]+$', try_cast(customer_id as bigint), null) as customer_id,
        status,
        if(
            placed_at rlike '^(?!0000)[0-9]{4}-[^B]*$',
            try_cast(if(placed_at rlike '[ T][0-9:.]+$', concat(placed_at, ' UTC'), placed_at) as timestamp),
            null
        ) as placed_at,
        if(total rlike '[.][0-9]{2}0*[1-9]', null, try_cast(total as decimal(12,2))) as total,
        comment
    from copy.orders
),

-- values as text, so that both sides also show those that no type of Spark holds
source_rows as (
    select
        coalesce(cast(id as string), cast(_cdc_printed.id as string)) as id,
        coalesce(cast(customer_id as string), cast(_cdc_printed.customer_id as string)) as customer_id,
        status,
        coalesce(cast(unix_micros(placed_at) as string), cast(_cdc_printed.placed_at as string)) as placed_at,
        coalesce(cast(total as string), cast(_cdc_printed.total as string)) as total,
        comment,
        true as _cdc_source_row
    from source_values
),

model_rows as (
    select
        _cdc_key,
        _cdc_position,
        _cdc_source_ts,
        coalesce(from_json(_cdc_unknown, 'array<string>'), array()) as _cdc_unknown,
        cast(id as string) as id,
        cast(customer_id as string) as customer_id,
        status,
        coalesce(
            cast(unix_micros(placed_at) as string), from_json(_cdc_special, 'map<string, string>')['placed_at']
        ) as placed_at,
        coalesce(cast(total as string), from_json(_cdc_special, 'map<string, string>')['total']) as total,
        comment
    from afterimage.cur_shop__orders
),

compared as (
    select
        coalesce(model_rows._cdc_key, source_rows.id) as _cdc_key,
        model_rows._cdc_position,
        model_rows._cdc_source_ts,
        source_rows._cdc_source_row is not null as is_in_source,
        model_rows._cdc_key is not null as is_in_model,
        array_compact(array(
            if(model_rows.id <=> source_rows.id, null, 'id'),
            if(model_rows.customer_id <=> source_rows.customer_id, null, 'customer_id'),
            if(model_rows.status <=> source_rows.status, null, 'status'),
            if(model_rows.placed_at <=> source_rows.placed_at, null, 'placed_at'),
            if(model_rows.total <=> source_rows.total, null, 'total'),
            if(model_rows.comment <=> source_rows.comment, null, 'comment')
        )) as differing_columns,
        model_rows._cdc_unknown,
        map(
            'id', source_rows.id,
            'customer_id', source_rows.customer_id,
            'status', source_rows.status,
            'placed_at', source_rows.placed_at,
            'total', source_rows.total,
            'comment', source_rows.comment
        ) as source_values,
        map(
            'id', model_rows.id,
            'customer_id', model_rows.customer_id,
            'status', model_rows.status,
            'placed_at', model_rows.placed_at,
            'total', model_rows.total,
            'comment', model_rows.comment
        ) as model_values
    from model_rows
    full outer join source_rows
        on model_rows.id <=> source_rows.id
),

judged as (
    select
        *,
        case
            when is_in_source and is_in_model and size(differing_columns) = 0 then 'identical'
            when not is_in_model then 'added'
            when not is_in_source then 'removed'
            when size(array_except(differing_columns, _cdc_unknown)) = 0 then 'unknown'
            else 'modified'
        end as status
    from compared
)

select
    _cdc_key as row_key,
    status,
    if(is_in_source and is_in_model, differing_columns, array()) as differing_columns,
    array_intersect(differing_columns, _cdc_unknown) as unknown_columns,
    if(
        is_in_source, map_filter(source_values, (name, value) -> array_contains(differing_columns, name)), null
    ) as source_values,
    if(
        is_in_model, map_filter(model_values, (name, value) -> array_contains(differing_columns, name)), null
    ) as model_values,
    _cdc_position as position,
    _cdc_source_ts as source_ts
from judged

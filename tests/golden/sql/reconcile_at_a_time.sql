-- hist_shop__products and the rows of its source, made by afterimage.reconcile
with

source_values as (
    select
        struct(*) as _cdc_printed,
        sku,
        name,
        if(price rlike '[.][0-9]{2}0*[1-9]', null, try_cast(price as decimal(12,2))) as price,
        weight,
        attributes,
        category,
        description
    from copy.products
),

-- values as text, so that both sides also show those that no type of Spark holds
source_rows as (
    select
        sku,
        name,
        coalesce(cast(price as string), cast(_cdc_printed.price as string)) as price,
        weight,
        attributes,
        category,
        description,
        monotonically_increasing_id() as _cdc_source_row
    from source_values
),

model_rows as (
    select
        _cdc_key,
        _cdc_position,
        _cdc_source_ts,
        coalesce(from_json(_cdc_unknown, 'array<string>'), array()) as _cdc_unknown,
        valid_from,
        valid_to,
        sku,
        name,
        coalesce(cast(price as string), from_json(_cdc_special, 'map<string, string>')['price']) as price,
        weight,
        attributes,
        category,
        description
    from afterimage.hist_shop__products
    where valid_from <= current_timestamp() and coalesce(valid_to >= current_timestamp(), true)
),

compared as (
    select
        coalesce(model_rows._cdc_key, source_rows.sku) as _cdc_key,
        model_rows._cdc_position,
        model_rows._cdc_source_ts,
        model_rows.valid_from,
        model_rows.valid_to,
        source_rows._cdc_source_row,
        source_rows._cdc_source_row is not null as is_in_source,
        model_rows._cdc_key is not null as is_in_model,
        array_compact(array(
            if(model_rows.sku <=> source_rows.sku, null, 'sku'),
            if(model_rows.name <=> source_rows.name, null, 'name'),
            if(model_rows.price <=> source_rows.price, null, 'price'),
            if(model_rows.weight <=> source_rows.weight, null, 'weight'),
            if(model_rows.attributes <=> source_rows.attributes, null, 'attributes'),
            if(model_rows.category <=> source_rows.category, null, 'category'),
            if(model_rows.description <=> source_rows.description, null, 'description')
        )) as differing_columns,
        model_rows._cdc_unknown,
        map(
            'sku', source_rows.sku,
            'name', source_rows.name,
            'price', source_rows.price,
            'weight', source_rows.weight,
            'attributes', source_rows.attributes,
            'category', source_rows.category,
            'description', source_rows.description
        ) as source_values,
        map(
            'sku', model_rows.sku,
            'name', model_rows.name,
            'price', model_rows.price,
            'weight', model_rows.weight,
            'attributes', model_rows.attributes,
            'category', model_rows.category,
            'description', model_rows.description
        ) as model_values
    from model_rows
    full outer join source_rows
        on model_rows.sku <=> source_rows.sku
),

-- of the versions active while the source was read, the one that is most like its row
closest as (
    select
        *,
        row_number() over (
            partition by _cdc_key, _cdc_source_row
            order by if(is_in_source, size(differing_columns), 0), _cdc_position desc
        ) as likeness,
        not coalesce(
            max(coalesce(valid_to > current_timestamp(), true)) over (partition by _cdc_key)
            and min(valid_from) over (partition by _cdc_key) < current_timestamp()
            and sum(
                unix_micros(
                    least(valid_to, current_timestamp())
                ) - unix_micros(greatest(valid_from, current_timestamp()))
            ) over (partition by _cdc_key) >= unix_micros(current_timestamp()) - unix_micros(current_timestamp()),
            false
        ) as was_absent
    from compared
),

judged as (
    select
        *,
        case
            when is_in_source and is_in_model and size(differing_columns) = 0 then 'identical'
            when not is_in_source and was_absent then 'identical'
            when
                (
                    select max(history._cdc_source_ts)
                    from afterimage.hist_shop__products as history
                    where history._cdc_op <> 'r'
                ) >= current_timestamp() is not true
                then 'pending'
            when not is_in_model then 'added'
            when not is_in_source then 'removed'
            when size(array_except(differing_columns, _cdc_unknown)) = 0 then 'unknown'
            else 'modified'
        end as status
    from closest
    where likeness = 1
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

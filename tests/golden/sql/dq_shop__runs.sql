-- what each run did, made by afterimage.accounting_by_run
with

verdicts as (
    select
        'shop' as source_name,
        'customers' as table_name,
        _cdc_batch as run,
        'staged' as outcome,
        cast(null as string) as kind,
        cast(null as string) as earlier_outcome,
        cast(null as string) as earlier_kind,
        _cdc_landed_ts as landed_at
    from afterimage.stg_shop__customers
    where _cdc_topic is not null
    union all
    select
        'shop',
        'customers',
        batch,
        outcome,
        kind,
        lag(outcome) over (partition by topic, partition, offset order by batch),
        lag(kind) over (partition by topic, partition, offset order by batch),
        landed_at
    from afterimage.stg_shop__customers__ledger
    union all
    select
        'shop' as source_name,
        'products' as table_name,
        _cdc_batch as run,
        'staged' as outcome,
        cast(null as string) as kind,
        cast(null as string) as earlier_outcome,
        cast(null as string) as earlier_kind,
        _cdc_landed_ts as landed_at
    from afterimage.stg_shop__products
    where _cdc_topic is not null
    union all
    select
        'shop',
        'products',
        batch,
        outcome,
        kind,
        lag(outcome) over (partition by topic, partition, offset order by batch),
        lag(kind) over (partition by topic, partition, offset order by batch),
        landed_at
    from afterimage.stg_shop__products__ledger
    union all
    select
        'shop' as source_name,
        'orders' as table_name,
        _cdc_batch as run,
        'staged' as outcome,
        cast(null as string) as kind,
        cast(null as string) as earlier_outcome,
        cast(null as string) as earlier_kind,
        _cdc_landed_ts as landed_at
    from afterimage.stg_shop__orders
    where _cdc_topic is not null
    union all
    select
        'shop',
        'orders',
        batch,
        outcome,
        kind,
        lag(outcome) over (partition by topic, partition, offset order by batch),
        lag(kind) over (partition by topic, partition, offset order by batch),
        landed_at
    from afterimage.stg_shop__orders__ledger
    union all
    select
        'shop' as source_name,
        'order_lines' as table_name,
        _cdc_batch as run,
        'staged' as outcome,
        cast(null as string) as kind,
        cast(null as string) as earlier_outcome,
        cast(null as string) as earlier_kind,
        _cdc_landed_ts as landed_at
    from afterimage.stg_shop__order_lines
    where _cdc_topic is not null
    union all
    select
        'shop',
        'order_lines',
        batch,
        outcome,
        kind,
        lag(outcome) over (partition by topic, partition, offset order by batch),
        lag(kind) over (partition by topic, partition, offset order by batch),
        landed_at
    from afterimage.stg_shop__order_lines__ledger
    union all
    select
        'shop' as source_name,
        'stock_slots' as table_name,
        _cdc_batch as run,
        'staged' as outcome,
        cast(null as string) as kind,
        cast(null as string) as earlier_outcome,
        cast(null as string) as earlier_kind,
        _cdc_landed_ts as landed_at
    from afterimage.stg_shop__stock_slots
    where _cdc_topic is not null
    union all
    select
        'shop',
        'stock_slots',
        batch,
        outcome,
        kind,
        lag(outcome) over (partition by topic, partition, offset order by batch),
        lag(kind) over (partition by topic, partition, offset order by batch),
        landed_at
    from afterimage.stg_shop__stock_slots__ledger
    union all
    select
        'shop' as source_name,
        'carts' as table_name,
        _cdc_batch as run,
        'staged' as outcome,
        cast(null as string) as kind,
        cast(null as string) as earlier_outcome,
        cast(null as string) as earlier_kind,
        _cdc_landed_ts as landed_at
    from afterimage.stg_shop__carts
    where _cdc_topic is not null
    union all
    select
        'shop',
        'carts',
        batch,
        outcome,
        kind,
        lag(outcome) over (partition by topic, partition, offset order by batch),
        lag(kind) over (partition by topic, partition, offset order by batch),
        landed_at
    from afterimage.stg_shop__carts__ledger
)

select
    source_name,
    table_name,
    run,
    counted_as as outcome,
    counted_kind as kind,
    sum(records) as records,
    min(landed_at) as landed_from,
    max(landed_at) as landed_until
from verdicts
    -- added under its present outcome, subtracted from its former one
    lateral view stack(2, outcome, kind, 1, earlier_outcome, earlier_kind, -1) as counted_as, counted_kind, records
where counted_as <> 'resolved'
group by source_name, table_name, run, counted_as, counted_kind
having sum(records) <> 0

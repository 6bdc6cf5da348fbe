insert into afterimage.stg_shop__carts__ledger (
    topic,
    partition,
    offset,
    landed_at,
    outcome,
    kind,
    detail,
    record_key,
    record_value,
    row_key,
    position,
    committed_after,
    event_id,
    connector_run,
    fingerprint,
    batch,
    decided_at
)
with

refused_before as (
    select distinct
        topic,
        partition,
        offset
    from afterimage.stg_shop__carts__ledger
    where outcome = 'refused'
),

decided as (
    select
        batch.*,
        case
            -- another record with the same timestamp was accepted at these coordinates
            when
                batch._cdc_outcome = 'refused'
                and batch._cdc_topic is not null
                and batch._cdc_partition is not null
                and batch._cdc_offset is not null
                and bool_or(batch._cdc_outcome = 'accepted') over (
                    partition by batch._cdc_topic, batch._cdc_partition, batch._cdc_offset, batch._cdc_landed_ts
                )
                then null
            when batch._cdc_outcome in ('ignored', 'refused') then batch._cdc_outcome
            when exceptional._cdc_delivery > 1 then 'duplicate'
            when exceptional._cdc_delivery = 0 then null
            when refused_before.offset is not null then 'resolved'
        end as _cdc_became
    from afterimage.stg_shop__carts__batch as batch
    left join few as exceptional on batch._cdc_batch_row = exceptional._cdc_batch_row
    left join refused_before
        on
            batch._cdc_topic = refused_before.topic
            and batch._cdc_partition = refused_before.partition
            and batch._cdc_offset = refused_before.offset
    -- records that the routine statement marked are there a second time, with the exact statement's verdict
    where batch._cdc_outcome <> 'marked'
)

select
    _cdc_topic as topic,
    _cdc_partition as partition,
    _cdc_offset as offset,
    _cdc_landed_ts as landed_at,
    _cdc_became as outcome,
    case _cdc_became when 'duplicate' then 'redelivered' when 'resolved' then 'accepted' else _cdc_kind end as kind,
    _cdc_detail as detail,
    if(_cdc_became = 'refused', _cdc_record_key, null) as record_key,
    if(_cdc_became = 'refused', _cdc_record_value, null) as record_value,
    if(_cdc_became = 'refused', _cdc_key, null) as row_key,
    if(_cdc_became = 'refused', _cdc_position, null) as position,
    if(_cdc_became = 'refused', _cdc_committed_after, null) as committed_after,
    if(_cdc_became = 'duplicate', _cdc_event_id, null) as event_id,
    if(_cdc_became = 'duplicate', _cdc_connector_run, null) as connector_run,
    'f' as fingerprint,
    cast(4 as bigint) as batch,
    current_timestamp() as decided_at
from decided
where _cdc_became is not null

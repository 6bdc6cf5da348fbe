insert into afterimage.stg_shop__carts__ledger (
    topic, partition, offset, landed_at, outcome, kind, detail, record_key, record_value, row_key, position, committed_after, event_id, connector_run, fingerprint, batch, decided_at
)
with

redelivered as (
    select
        batch.*,
        exceptional._cdc_delivery
    from afterimage.stg_shop__carts__batch as batch
    inner join few as exceptional on batch._cdc_batch_row = exceptional._cdc_batch_row
    where exceptional._cdc_delivery <> 1
),

refused_before as (
    select distinct
        topic,
        partition,
        offset
    from afterimage.stg_shop__carts__ledger
    where outcome = 'refused'
),

entries as (
    select
        _cdc_topic,
        _cdc_partition,
        _cdc_offset,
        _cdc_landed_ts,
        _cdc_key,
        _cdc_position,
        _cdc_committed_after,
        _cdc_event_id,
        _cdc_connector_run,
        _cdc_detail,
        _cdc_record_key,
        _cdc_record_value,
        _cdc_outcome as verdict,
        _cdc_kind as why
    from afterimage.stg_shop__carts__batch
    where _cdc_outcome in ('ignored', 'refused')
    union all
    select
        _cdc_topic,
        _cdc_partition,
        _cdc_offset,
        _cdc_landed_ts,
        _cdc_key,
        _cdc_position,
        _cdc_committed_after,
        _cdc_event_id,
        _cdc_connector_run,
        _cdc_detail,
        _cdc_record_key,
        _cdc_record_value,
        'duplicate' as verdict,
        'redelivered' as why
    from redelivered
    where _cdc_delivery > 1
    union all
    select
        batch._cdc_topic,
        batch._cdc_partition,
        batch._cdc_offset,
        batch._cdc_landed_ts,
        batch._cdc_key,
        batch._cdc_position,
        batch._cdc_committed_after,
        batch._cdc_event_id,
        batch._cdc_connector_run,
        batch._cdc_detail,
        batch._cdc_record_key,
        batch._cdc_record_value,
        'resolved' as verdict,
        'accepted' as why
    from afterimage.stg_shop__carts__batch as batch
    left semi join refused_before
        on batch._cdc_topic = refused_before.topic and batch._cdc_partition = refused_before.partition and batch._cdc_offset = refused_before.offset
    left anti join redelivered on batch._cdc_batch_row = redelivered._cdc_batch_row
    where batch._cdc_outcome = 'accepted'
)

select
    _cdc_topic as topic,
    _cdc_partition as partition,
    _cdc_offset as offset,
    _cdc_landed_ts as landed_at,
    verdict as outcome,
    why as kind,
    _cdc_detail as detail,
    if(verdict = 'refused', _cdc_record_key, null) as record_key,
    if(verdict = 'refused', _cdc_record_value, null) as record_value,
    if(verdict = 'refused', _cdc_key, null) as row_key,
    if(verdict = 'refused', _cdc_position, null) as position,
    if(verdict = 'refused', _cdc_committed_after, null) as committed_after,
    if(verdict = 'duplicate', _cdc_event_id, null) as event_id,
    if(verdict = 'duplicate', _cdc_connector_run, null) as connector_run,
    'f' as fingerprint,
    cast(4 as bigint) as batch,
    current_timestamp() as decided_at
from entries

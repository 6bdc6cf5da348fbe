{#
  The insert into the ledger: one row for each record of a batch that is not a new row of the change log, with its outcome.
    ignored    by kind (tombstone, message)
    refused    by reason, with the raw record, and the row's key and position as far as they could be read; sensitive tables keep a hash of
               the record instead, and of a key of sensitive columns
    duplicate  a change that was delivered before
    resolved   closes an earlier refusal of the same record that is now accepted (or, since its epoch was declared, is no duplicate)
  If a record was refused and another record of the batch at the same coordinate was not, the refused one was cut off: the complete one counts.
  In: exceptional, SQL of a relation, see found_exceptional; may_resolve, whether the ledger holds a record that
  this batch may have accepted; may_be_whole, whether the batch has both refused and accepted records.
#}
{% macro ledger_insert(ledger, batch, exceptional, may_resolve, contract, number, fingerprint, epochs=[], may_be_whole=true) -%}
{% set is_sensitive = contract['sensitive'] | length > 0 -%}
insert into {{ ledger }} (
    {{ afterimage.ledger_columns().keys() | join(', ') }}
)
with

{% if may_resolve -%}
refused_before as (
    select distinct
        topic,
        partition,
        offset
    from {{ ledger }}
    where outcome {{ "in ('refused', 'duplicate')" if epochs else "= 'refused'" }}
),

{% endif -%}
decided as (
    select
        batch.*,
        case
            {%- if may_be_whole %}
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
            {%- endif %}
            when batch._cdc_outcome in ('ignored', 'refused') then batch._cdc_outcome
            {%- if exceptional %}
            when exceptional._cdc_delivery > 1 then 'duplicate'
            when exceptional._cdc_delivery = 0 then null
            {%- endif %}
            {%- if may_resolve %}
            when refused_before.offset is not null then 'resolved'
            {%- endif %}
        end as _cdc_became
    from {{ batch }} as batch
    {%- if exceptional %}
    left join {{ exceptional }} as exceptional on batch._cdc_batch_row = exceptional._cdc_batch_row
    {%- endif %}
    {%- if may_resolve %}
    left join refused_before
        on
            batch._cdc_topic = refused_before.topic
            and batch._cdc_partition = refused_before.partition
            and batch._cdc_offset = refused_before.offset
    {%- endif %}
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
    {% if is_sensitive -%}
    if(_cdc_kind in ('value_does_not_fit', 'broken_document'), _cdc_detail, null) as detail,
    null as record_key,
    if(_cdc_became = 'refused', concat('sha256:', sha2(_cdc_record_value, 256)), null) as record_value,
    {%- else -%}
    _cdc_detail as detail,
    if(_cdc_became = 'refused', _cdc_record_key, null) as record_key,
    if(_cdc_became = 'refused', _cdc_record_value, null) as record_value,
    {%- endif %}
    if(_cdc_became = 'refused', {{ afterimage.shown_key('_cdc_key', contract) }}, null) as row_key,
    if(_cdc_became = 'refused', _cdc_position, null) as position,
    if(_cdc_became = 'refused', _cdc_committed_after, null) as committed_after,
    if(_cdc_became = 'duplicate', _cdc_event_id, null) as event_id,
    if(_cdc_became = 'duplicate', _cdc_connector_run, null) as connector_run,
    '{{ fingerprint }}' as fingerprint,
    cast({{ number }} as bigint) as batch,
    current_timestamp() as decided_at
from decided
where _cdc_became is not null
{%- endmacro %}

{#
  The records of an outbox, each once, with its outcome: the log that outbox_events and outbox_quarantine read.

  In:  records, the source() of a table with config.meta.outbox (see outbox_keys); or the ref() of the change log of
       the outbox table itself, if that was captured without the router.
  Out: a separate model, to which each run appends. One row for each landed record:
    outcome           event, refused, or ignored (for rows: all but inserts)
    reason, detail    why it was refused (docs/how-to/outbox.md), what was ignored (delete, truncate, message,
                      tombstone)
    event_id, event_type, aggregate_type, aggregate_id   texts; NULL if unknown
    payload           as the application wrote it, verbatim; bytes in base64; NULL if empty
    payload_kind      object (a JSON object or array), text, binary, empty
    payload_form      its form in the value: text (a JSON string), object, value (a bare number or word), bare (no
                      JSON around it), null, none (no value), each after `enveloped ` if fields are placed next to it;
                      `object like an envelope`: nothing is declared to be placed next to it, yet it begins with
                      payload
    schema_version    of the payload, if known
    placed            the fields of fields_additional_placement by their aliases, texts
    headers           all Kafka headers of a routed message, texts
    event_ts          the record's timestamp, which is the event's; for rows the change's, or the column's
    content_hash      of aggregate and payload, the payload compared as a JSON value
    _cdc_topic, _cdc_partition, _cdc_offset, _cdc_landed_ts   the landing coordinate
    _cdc_position, _cdc_tx_id   for rows, if their change log has them
    record_key, record_value    of a refused record
    fingerprint, decided_at     the declaration under which it was judged, and when

  A record is identified by its coordinate and timestamp. It is read once; a refused one again when declaration,
  schemas or package change.
  Sources: Debezium documentation, "Outbox event router" and "MongoDB outbox event router"; capture pg-outbox.

      {{ afterimage.outbox_records(source('shop', 'outbox')) }}
#}
{% macro outbox_records(records) %}
  {{ config(materialized='incremental', incremental_strategy='append') }}
  {% if not execute %}{{ return('') }}{% endif %}
  {% set outbox = afterimage.outbox_of_model(model) %}
  {% set from_change_log = model.sources | length == 0 %}
  {% if from_change_log and outbox['captured'] != 'rows' %}
    {% do exceptions.raise_compiler_error(
      '[afterimage] model ' ~ model.name ~ ' reads a change log, and ' ~ outbox['origin'] ~ ': ' ~ outbox['source_name'] ~ '.' ~ outbox['table_name']
      ~ ': outbox.captured is router. Say captured: rows, or give outbox_records the source().') %}
  {% endif %}
  {% if outbox['captured'] == 'rows' and not from_change_log and outbox['topic'] == afterimage.outbox_keys()['topic']['default'] %}
    {% do exceptions.raise_compiler_error(
      '[afterimage] ' ~ outbox['origin'] ~ ': ' ~ outbox['source_name'] ~ '.' ~ outbox['table_name'] ~ ': outbox.topic: missing. With captured: rows it is the topic of '
      ~ 'the outbox itself, e.g. shop.public.outbox; or give outbox_records the ref() of its change log.') %}
  {% endif %}
  {% set is_avro = 'avro' in [outbox['payload'], outbox['value_converter']] %}
  {% set schemas = afterimage.avro_schemas(dict(outbox, topics=outbox['avro_subjects'])) if is_avro else [] %}
  {% set fingerprint = local_md5(tojson([afterimage.package_version(), outbox, schemas], sort_keys=true)) %}
  {% if should_full_refresh() %}{% do afterimage._refuse_lossy_outbox_refresh(records, from_change_log) %}{% endif %}
  {{ return(afterimage._outbox_records(records, outbox, schemas, fingerprint, from_change_log, this if is_incremental() else none)) }}
{% endmacro %}


{# The select of it. In: built, the log so far, or none. #}
{% macro _outbox_records(records, outbox, schemas, fingerprint, from_change_log, built) -%}
-- records of the outbox {{ outbox['source_name'] }}.{{ outbox['table_name'] }}, made by afterimage.outbox_records
with

{% if built -%}
decided as (
    select *
    from {{ built }}
    where outcome <> 'refused' or fingerprint = '{{ fingerprint }}'
),

{% endif -%}
{% if from_change_log -%}
{{ afterimage.outbox_changes(records, outbox, built) }}
{%- else -%}
{{ afterimage.outbox_landed(records, outbox, schemas, built) }}

{{ afterimage.outbox_messages(outbox) if outbox['captured'] == 'router' else afterimage.outbox_rows(outbox) }}
{%- endif %}

{{ afterimage.outbox_payloads(outbox, schemas, from_change_log) }}

judged as (
    select
        *,
        {{ afterimage._outbox_verdict() | indent(8) }} as verdict
    from payloads
)

select
    split_part(verdict, ' ', 1) as outcome,
    nullif(split_part(verdict, ' ', 2), '') as reason,
    case
        when verdict in ('refused unknown_schema', 'refused broken_avro') then concat('schema: ', split_part(unreadable, ' ', 2))
        when verdict = 'refused wrong_form' then concat('members: ', to_json(json_object_keys(body)))
    end as detail,
    event_id,
    if(verdict = 'event', event_type, null) as event_type,
    aggregate_type,
    aggregate_id,
    if(verdict = 'event' and payload_text <> '', payload_text, null) as payload,
    case
        when verdict <> 'event' then null
        when coalesce(payload_text, '') = '' then 'empty'
        {%- if outbox['payload'] == 'binary' %}
        else 'binary'
        {%- elif outbox['payload'] == 'text' %}
        else 'text'
        {%- else %}
        when payload_text rlike '\\A\\s*[\\[{]' then 'object'
        else 'text'
        {%- endif %}
    end as payload_kind,
    payload_form,
    schema_version,
    placed,
    message_headers as headers,
    event_ts,
    if(
        verdict = 'event',
        sha2(
            concat_ws(
                '\u0001',
                coalesce(aggregate_type, ''),
                coalesce(aggregate_id, ''),
                coalesce({{ afterimage.json_normal('payload_text') ~ ', ' if outbox['payload'] in ['json', 'avro'] }}payload_text, '')
            ),
            256
        ),
        null
    ) as content_hash,
    topic as _cdc_topic,
    partition as _cdc_partition,
    offset as _cdc_offset,
    timestamp as _cdc_landed_ts,
    position as _cdc_position,
    transaction_id as _cdc_tx_id,
    {% if outbox['sensitive'] -%}
    cast(null as string) as record_key,
    if(verdict like 'refused %', concat('sha256:', sha2(record_value, 256)), null) as record_value,
    {%- else -%}
    if(verdict like 'refused %', record_key, null) as record_key,
    if(verdict like 'refused %', record_value, null) as record_value,
    {%- endif %}
    '{{ fingerprint }}' as fingerprint,
    current_timestamp() as decided_at
from judged
{%- endmacro %}


{# The outcome of a record (SQL): event, `ignored <what>` or `refused <why>`, the first that holds. #}
{% macro _outbox_verdict() -%}
case
    when unreadable is not null then concat('refused ', split_part(unreadable, ' ', 1))
    when not is_text then 'refused not_utf8'
    when other is not null then other
    when not is_whole then 'refused broken_json'
    when event_id is null or event_id = '' then 'refused missing_event_id'
    when payload_form like '%broken' then 'refused broken_json'
    when not payload_fits then 'refused payload_does_not_parse'
    else 'event'
end
{%- endmacro %}


{# A full refresh reads everything again: refused when the log has records that no longer exist in its input. #}
{% macro _refuse_lossy_outbox_refresh(records, from_change_log) %}
  {% set existing = afterimage.listed_relation(this) %}
  {% if existing and existing.is_table %}
    {% set prefix = '_cdc_' if from_change_log else '' %}
    {% set gone = run_query(
      'select count(*) from ' ~ existing ~ ' as built left anti join ' ~ records ~ ' as landed on built._cdc_topic = landed.' ~ prefix ~ 'topic and built._cdc_partition = landed.'
      ~ prefix ~ 'partition and built._cdc_offset = landed.' ~ prefix ~ 'offset and built._cdc_landed_ts <=> landed.' ~ ('_cdc_landed_ts' if from_change_log else 'timestamp')).rows[0][0] %}
    {% if gone > 0 %}
      {% do exceptions.raise_compiler_error(
        '[afterimage] ' ~ model.name ~ ': --full-refresh refused: ' ~ gone ~ ' record(s) in ' ~ existing ~ ' are no longer in ' ~ records
        ~ ' and would be lost. Run without --full-refresh; if you really mean it, drop the table yourself.') %}
    {% endif %}
  {% endif %}
{% endmacro %}

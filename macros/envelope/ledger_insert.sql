{#
  The insert into the ledger: what became of every record of a batch that is not a new row of the change log.
    ignored    by kind (tombstone, message)
    refused    by reason, with the raw record; sensitive tables keep a hash of it instead
    duplicate  a change that was delivered before
    resolved   closes an earlier refusal of the same record that now is accepted
#}
{% macro ledger_insert(ledger, batch, changes, repeats, contract, number, fingerprint) -%}
{% set is_sensitive = contract['sensitive'] | length > 0 -%}
insert into {{ ledger }} (
    {{ afterimage.ledger_columns().keys() | join(', ') }}
)
with

{% if repeats -%}
{{ changes }},

redelivered as (
    select batch.*, recognised.copy
    from {{ batch }} as batch
    inner join recognised on batch.batch_row = recognised.batch_row
    where recognised.copy <> 1
),

{% endif -%}
refused_before as (
    select distinct partition, offset from {{ ledger }} where outcome = 'refused'
),

entries as (
    select
        {{ afterimage._ledger_source_columns() }},
        outcome as verdict,
        kind as why
    from {{ batch }}
    where outcome <> 'accepted'
    {%- if repeats %}
    union all
    select
        {{ afterimage._ledger_source_columns() }},
        'duplicate' as verdict,
        'redelivered' as why
    from redelivered
    where copy > 1
    {%- endif %}
    union all
    select
        {{ afterimage._ledger_source_columns('batch.') }},
        'resolved' as verdict,
        'accepted' as why
    from {{ batch }} as batch
    left semi join refused_before
        on batch._cdc_partition = refused_before.partition and batch._cdc_offset = refused_before.offset
    {%- if repeats %}
    left anti join redelivered on batch.batch_row = redelivered.batch_row
    {%- endif %}
    where batch.outcome = 'accepted'
)

select
    _cdc_topic as topic,
    _cdc_partition as partition,
    _cdc_offset as offset,
    _cdc_landed_ts as landed_at,
    verdict as outcome,
    why as kind,
    {% if is_sensitive -%}
    if(why = 'value_does_not_fit', detail, null) as detail,
    null as record_key,
    if(verdict = 'refused', concat('sha256:', sha2(record_value, 256)), null) as record_value,
    {%- else -%}
    detail,
    if(verdict = 'refused', record_key, null) as record_key,
    if(verdict = 'refused', record_value, null) as record_value,
    {%- endif %}
    '{{ fingerprint }}' as fingerprint,
    cast({{ number }} as bigint) as batch,
    current_timestamp() as decided_at
from entries
{%- endmacro %}


{% macro _ledger_source_columns(prefix='') %}
  {{- return(prefix ~ ['_cdc_topic', '_cdc_partition', '_cdc_offset', '_cdc_landed_ts', 'detail', 'record_key', 'record_value'] | join(',\n        ' ~ prefix)) -}}
{% endmacro %}


{#
  A full refresh reads landing again. It is refused when the change log holds records that landing no longer has: they would be lost.
#}
{% macro refuse_lossy_full_refresh(change_log, contract) %}
  {% set existing = adapter.get_relation(database=change_log.database, schema=change_log.schema, identifier=change_log.identifier) %}
  {% if existing %}
    {% set landing = afterimage._landing_of_model(model) %}
    {% set gone = run_query(
      "select count(*) from " ~ existing ~ " as staged left anti join " ~ landing ~ " as landed on staged._cdc_topic = landed.topic "
      ~ "and staged._cdc_partition = landed.partition and staged._cdc_offset = landed.offset").rows[0][0] %}
    {% if gone > 0 %}
      {% do exceptions.raise_compiler_error(
        '[afterimage] ' ~ model.name ~ ': --full-refresh refused: ' ~ gone ~ ' change(s) in ' ~ existing ~ ' are no longer in ' ~ landing
        ~ ' and would be lost. Run without --full-refresh; if you really mean it, drop the table yourself.') %}
    {% endif %}
  {% endif %}
{% endmacro %}


{# The landing relation of a change log's model. #}
{% macro _landing_of_model(node) %}
  {% set source_node = afterimage._source_of_model(node) %}
  {{ return(source(source_node.source_name, source_node.name)) }}
{% endmacro %}

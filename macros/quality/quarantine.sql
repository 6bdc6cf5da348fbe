{#
  The quarantine of a source: every refused record that no later run has accepted, with reason, raw text and coordinate.

  In:  change_logs, list of ref() of the source's change logs; landings, list of the relations they read (for lines that were no records).
  Out: a select: source_name, table_name, topic, partition, offset, file, line, landed_at, reason, detail, record_key, record_value, refused_at, and
    row_key, position   the key of the row and the place in the log as text, as far as they could be read (no key with sensitive columns)
    row_is_behind       true when the change is later than all that was accepted of its row: the models show the row as it was before
#}
{% macro quarantine(change_logs, landings) -%}
  {{ config(materialized='view') -}}
  {% if not execute %}{{ return('') }}{% endif -%}
-- quarantine of {{ afterimage.contract_of_change_log(change_logs[0])['source_name'] }}, made by afterimage.quarantine
with

{% for change_log in change_logs -%}
{% set contract = afterimage.contract_of_change_log(change_log) -%}
{{ change_log.identifier }}_verdicts as (
    select
        {{ afterimage.literal(contract['source_name']) }} as source_name,
        {{ afterimage.literal(contract['table_name']) }} as table_name,
        ledger.* except (detail, record_key, record_value, row_key),
        {{ 'row_key' if afterimage.may_name_rows(contract) else 'cast(null as string)' }} as row_key,
        {% if contract['sensitive'] -%}
        -- declared sensitive, perhaps after the refusal: no value is shown, and no detail written under an earlier contract
        if(fingerprint = '{{ afterimage.contract_fingerprint(contract, afterimage.retry_stamp(change_log), afterimage.epochs_of(change_log)) }}', detail, null) as detail,
        cast(null as string) as record_key,
        if(record_value like 'sha256:%', record_value, concat('sha256:', sha2(record_value, 256))) as record_value,
        {%- else -%}
        detail,
        record_key,
        record_value,
        {%- endif %}
        row_number() over (partition by {{ afterimage.ledger_place(change_log) }} order by batch desc) as recency
    from {{ afterimage.beside(change_log, 'ledger') }} as ledger
),

{{ change_log.identifier }}_refused as (
    -- a row is behind when what was refused of it is later than all that was accepted
    select
        refused.* except (detail, record_key, record_value),
        -- of a row that was erased nothing is shown
        if(accepted.erased >= refused.place, null, refused.detail) as detail,
        if(accepted.erased >= refused.place, null, refused.record_key) as record_key,
        if(accepted.erased >= refused.place, concat('sha256:', sha2(refused.record_value, 256)), refused.record_value) as record_value,
        refused.row_key is not null and not coalesce(accepted.newest > refused.place, false) as row_is_behind
    from (
        select *, {{ afterimage.in_epoch('position', 'landed_at', afterimage.epochs_of(change_log)) }} as place
        from {{ change_log.identifier }}_verdicts
        where recency = 1 and outcome = 'refused'
    ) as refused
    left join (
        select
            _cdc_key,
            max({{ afterimage.in_epoch('_cdc_position', '_cdc_landed_ts', afterimage.epochs_of(change_log)) }}) as newest,
            max(if({{ afterimage.is_operator_event(['erase']) }}, _cdc_position, null)) as erased
        from {{ change_log }}
        group by _cdc_key
    ) as accepted on refused.row_key = accepted._cdc_key
),

{% endfor -%}
verdicts as (
    {%- for change_log in change_logs %}
    select * from {{ change_log.identifier }}_refused
    {%- if not loop.last %}
    union all
    {%- endif %}
    {%- endfor %}
)

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
{%- for landing in landings if afterimage.has_lines(landing) %}
union all
select
    null,
    null,
    null,
    null,
    null,
    file,
    line,
    timestamp,
    'unreadable_line',
    null,
    null,
    {% if afterimage.contracts_on([landing]) | map(attribute='sensitive') | select | list -%}
    -- what the line held is not known, and tables on this landing have columns declared sensitive
    concat('sha256:', sha2(value, 256)),
    {%- else -%}
    cast(value as string),
    {%- endif %}
    null,
    null,
    false,
    timestamp
from {{ landing }}
where topic is null and line is not null
{%- endfor %}
{%- endmacro %}

{#
  The quarantine of a source: every refused record that no later run has accepted, with reason, raw text and
  coordinate.

  In:  change_logs, list of ref() of the source's change logs; landings, list of the relations they read (for lines
       that were no records); remedies, ref() of the seed afterimage_remedies, or none.
  Out: a select: source_name, table_name, topic, partition, offset, file, line, landed_at, reason, detail, record_key,
  record_value, refused_at, and
    row_key, position   the key of the row (its hash if it has a sensitive column) and the position in the log, as far
                        as they could be read
    row_is_behind       true when no change with the full row was accepted since: the models show all or part of the
                        row's earlier state; NULL when the row, or its position in the log, is unknown
    meaning, remedy     of the reason, with remedies
#}
{% macro quarantine(change_logs, landings, remedies=none) -%}
{{ afterimage.refuse_long_view(afterimage._quarantine(change_logs, landings, remedies)) if execute }}
{%- endmacro %}


{% macro _quarantine(change_logs, landings, remedies) -%}
-- quarantine of {{ afterimage.contract_of_change_log(change_logs[0])['source_name'] }}, made by afterimage.quarantine
with

{% for change_log in change_logs -%}
{% set contract = afterimage.contract_of_change_log(change_log) -%}
{% set epochs = afterimage.epochs_of(change_log) -%}
{% set place = afterimage.in_epoch('_cdc_position', '_cdc_landed_ts', epochs) -%}
{{ change_log.identifier }}_verdicts as (
    select
        {{ afterimage.literal(contract['source_name']) }} as source_name,
        {{ afterimage.literal(contract['table_name']) }} as table_name,
        {% set hashed = afterimage.shown_key('row_key', contract) -%}
        {% if hashed == 'row_key' -%}
        ledger.* except (detail, record_key, record_value),
        {%- else -%}
        ledger.* except (detail, record_key, record_value, row_key),
        -- the key in clear may have been written before one of its columns was declared sensitive
        {{ "if(row_key like 'sha256:%', row_key, " ~ hashed ~ ')' if contract['key'] else hashed }} as row_key,
        {%- endif %}
        {% if contract['sensitive'] -%}
        -- declared sensitive, perhaps after the refusal: no value or earlier detail is shown
        if(fingerprint = '{{ afterimage.contract_fingerprint(contract, afterimage.retry_stamp(change_log), afterimage.epochs_of(change_log)) }}', detail, null) as detail,
        cast(null as string) as record_key,
        if(record_value like 'sha256:%', record_value, concat('sha256:', sha2(record_value, 256))) as record_value,
        {%- else -%}
        detail,
        record_key,
        record_value,
        {%- endif %}
        row_number() over (partition by {{ afterimage.ledger_place(change_log) }} order by batch desc) as recency
    from {{ afterimage.companion_table(change_log, 'ledger') }} as ledger
),

{{ change_log.identifier }}_refused as (
    select
        *,
        {{ afterimage.in_epoch('position', 'landed_at', epochs) }} as place,
        {{ afterimage.in_epoch('committed_after', 'landed_at', epochs) }} as unseen_through
    from {{ change_log.identifier }}_verdicts
    where recency = 1 and outcome = 'refused'
),

{{ change_log.identifier }}_accepted as (
    {#- each row that a refused record is about: the position of its newest change that carries the full row (values
        that such a change does not send are carried forward), or of its end; where a snapshot last read it, without
        what was committed after that; up to where an operator erased it #}
    select
        {{ afterimage.shown_key('_cdc_key', contract) }} as row_key,
        max(if({{ afterimage.ends_row() }} or (_cdc_op <> 'r' and _cdc_unknown is null), {{ place }}, null)) as newest_change,
        max(if(_cdc_op = 'r' and _cdc_unknown is null, {{ place }}, null)) as newest_read,
        max(if({{ afterimage.is_operator_event(['erase']) }}, _cdc_position, null)) as erased_through
    from {{ change_log }}
    where {{ afterimage.shown_key('_cdc_key', contract) }} in (select refused.row_key from {{ change_log.identifier }}_refused as refused)
    group by _cdc_key
),

{{ change_log.identifier }}_emptied as (
    -- a truncate removed the rows of all records refused before it
    select max({{ place }}) as emptied_at
    from {{ change_log }}
    where {{ afterimage.is_table_wide() if contract['truncate_empties'] == 'table' else 'false' }}
),

{{ change_log.identifier }}_judged as (
    select
        refused.* except (detail, record_key, record_value, row_key),
        -- an erased row is not shown
        if(is_erased, null, detail) as detail,
        if(is_erased, null, record_key) as record_key,
        if(is_erased and record_value not like 'sha256:%', concat('sha256:', sha2(record_value, 256)), record_value) as record_value,
        if(is_erased, null, row_key) as row_key,
        case
            when row_key is null or place is null then null
            when is_erased or newest_change {{ '>=' if afterimage.connector(contract)['position_identifies_row'] else '>' }} place then false
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
        from {{ change_log.identifier }}_refused as refused
        cross join {{ change_log.identifier }}_emptied as emptied
        left join {{ change_log.identifier }}_accepted as accepted on refused.row_key = accepted.row_key
    ) as refused
),

{% endfor -%}
verdicts as (
    {%- for change_log in change_logs %}
    select * from {{ change_log.identifier }}_judged
    {{- '\n    union all' if not loop.last }}
    {%- endfor %}
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
        -- the content of the line is unknown, and tables on this landing have columns declared sensitive
        concat('sha256:', sha2(value, 256)),
        {%- else -%}
        cast(value as string),
        {%- endif %}
        null,
        null,
        null,
        timestamp
    from {{ landing }}
    where topic is null and line is not null
{%- endfor %}
)

{% if remedies -%}
select refused.*, remedies.meaning, remedies.remedy
from refused
left join {{ remedies }} as remedies on remedies.outcome = 'refused' and refused.reason = remedies.kind
{%- else -%}
select * from refused
{%- endif %}
{%- endmacro %}

{#
  Law of agreement: a current state holds the open versions of its history, no row more or less; if it keeps deleted
  rows, the newest version of each key. Rows are the same when position, end and all columns that both have are.
  Put on a current state with `history: ref('hist_…')`. Returns the rows that only one side has.
#}
{% test cdc_agreement(model, history) %}
{% set of_state = afterimage.columns_there(model) | map(attribute='name') | list -%}
{% set of_history = afterimage.columns_there(history) | map(attribute='name') | list -%}
{% set keeps_deleted = '_cdc_is_deleted' in of_state %}
with

versions as (
    {%- if keeps_deleted %}
    select * from (
{{ afterimage.newest_versions(history, []) | indent(8, true) }}
    ) as by_recency
    where _cdc_recency = 1
    {%- else %}
    select * from {{ history }} where is_current
    {%- endif %}
)

select
    coalesce(current_rows._cdc_key, versions._cdc_key) as _cdc_key,
    coalesce(current_rows._cdc_copy, versions._cdc_copy) as _cdc_copy,
    case
        when current_rows._cdc_key is null then '{{ 'newest' if keeps_deleted else 'open' }} in history, missing in the current state'
        when versions._cdc_key is null then 'in the current state, not {{ 'the newest' if keeps_deleted else 'open' }} in history'
        else 'current state and history show different versions'
    end as failure_reason
from {{ model }} as current_rows
full outer join versions
    on current_rows._cdc_key = versions._cdc_key and current_rows._cdc_copy <=> versions._cdc_copy
where
    current_rows._cdc_key is null
    or versions._cdc_key is null
    or current_rows._cdc_event_id <> versions._cdc_event_id
    {%- if keeps_deleted %}
    or not current_rows._cdc_end_position <=> versions._cdc_end_position
    {%- endif %}
    {%- for column in of_state if column in of_history and not column.startswith('_cdc_') %}
    or not current_rows.{{ afterimage.identifier(column) }} <=> versions.{{ afterimage.identifier(column) }}
    {%- endfor %}
{% endtest %}

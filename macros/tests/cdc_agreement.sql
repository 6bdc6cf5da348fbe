{#
  Law of agreement: a current state holds the open versions of its history, no row more or less.
  A current state that keeps deleted rows is compared in the others.
  Put on a current state with `history: ref('hist_…')`. Gives the rows that only one side has.
#}
{% test cdc_agreement(model, history) %}
select
    coalesce(current_rows._cdc_key, open_versions._cdc_key) as _cdc_key,
    coalesce(current_rows._cdc_copy, open_versions._cdc_copy) as _cdc_copy,
    case
        when current_rows._cdc_key is null then 'open in history, missing in the current state'
        when open_versions._cdc_key is null then 'in the current state, not open in history'
        else 'current state and history show different versions'
    end as failure_reason
{%- if afterimage.has_column(model, '_cdc_is_deleted') %}
from (select * from {{ model }} where not _cdc_is_deleted) as current_rows
{%- else %}
from {{ model }} as current_rows
{%- endif %}
full outer join (select * from {{ history }} where is_current) as open_versions
    on current_rows._cdc_key = open_versions._cdc_key and current_rows._cdc_copy <=> open_versions._cdc_copy
where
    current_rows._cdc_key is null
    or open_versions._cdc_key is null
    or current_rows._cdc_event_id <> open_versions._cdc_event_id
{% endtest %}

{#
  Changes -> rows of a history log: versions, ends of versions, and rows withdrawn.

  In:  changes (relation or CTE of a change log); contract; progress (see progress()): none folds everything.
  Out: contract columns and history_log_columns(). _cdc_kind is
    version  the row from this place on, values not sent filled in from the last known ones
    refresh  the version goes on; its untracked columns have these values from now on
    end      the row is gone from this place on (delete, key change, truncate)
    void     what an earlier run wrote for this place no longer stands
  Only rows from the first new change of a key on are given: everything before it stands as it was written.
#}
{% macro versions(changes, contract, progress=none) -%}
  {% set columns = afterimage.layer_columns(contract, afterimage.history_log_columns()) -%}
  {% if progress is not none and progress['waiting'] == 0 -%}
-- nothing new since batch {{ progress['applied'] }}
select
    {%- for column in columns %}
    cast(null as {{ column['type'] }}) as {{ column['sql'] }}{{ ',' if not loop.last }}
    {%- endfor %}
where false
  {%- elif contract['key'] -%}
{{ afterimage.keyed_versions(changes, contract, progress) }}
  {%- else -%}
{{ afterimage.bag_versions(changes, contract, progress) }}
  {%- endif %}
{%- endmacro %}

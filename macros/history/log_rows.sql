{#
  The columns of a row of a history log from _cdc_op on, in the order of history_log_columns(), as the change that made it has them.
  In: overrides, {column: SQL} where the row says something else than the change.
#}
{% macro log_columns_of_change(overrides={}) %}
  {% set parts = [] %}
  {% for name, type in afterimage.history_log_columns().items() if name not in ['_cdc_kind', '_cdc_end_reason'] %}
    {% set own = 'cast(null as ' ~ type ~ ')' if name == '_cdc_copy' else none %}
    {% set value = overrides.get(name, own) %}
    {% do parts.append(name if value is none else value ~ ' as ' ~ name) %}
  {% endfor %}
  {{ return(parts | join(',\n        ')) }}
{% endmacro %}


{#
  The same of the end a truncate makes, in a step that has it as the struct _cdc_by_truncate (an element of `truncates`, see touched_keys; it may be a
  complete snapshot).
  In: SQL of the row's key, its copy, and the place of the end.
#}
{% macro log_columns_of_truncate(key='_cdc_key', copy='cast(null as bigint)', order='_cdc_by_truncate._cdc_order') %}
  {% set values = {'_cdc_op': '_cdc_by_truncate._cdc_op', '_cdc_key': key, '_cdc_copy': copy, '_cdc_previous_key': 'cast(null as string)', '_cdc_order': order,
                   '_cdc_snapshot': "'none'", '_cdc_unknown': 'cast(null as string)', '_cdc_special': 'cast(null as string)',
                   '_cdc_batch': 'greatest(_cdc_batch, _cdc_by_truncate._cdc_batch)'} %}
  {% for name in afterimage.history_log_columns() if name not in values %}
    {% do values.update({name: '_cdc_by_truncate.' ~ name}) %}
  {% endfor %}
  {{ return(afterimage.log_columns_of_change(values)) }}
{% endmacro %}


{#
  Rows that withdraw what an earlier run wrote at the places of some changes.
  In: columns of the contract; the CTE of the changes, with _cdc_first_order; which of them (SQL); the columns from _cdc_op on (those of the
      changes by default); whether something may have been written there (SQL).
#}
{% macro withdrawn_log_rows(columns, changes, condition, own_columns=none, is_late='true') -%}
select
        {%- for column in columns %}
        {{ column['sql'] }},
        {%- endfor %}
        'void',
        null,
        {{ own_columns or afterimage.log_columns_of_change() }},
        _cdc_first_order,
        {{ is_late }}
    from {{ changes }}
    where {{ condition }}
{%- endmacro %}


{#
  The rows of `log_rows` a run appends: from the first new change of a key on; a withdrawn place only where something was written before.
  They carry the number of the run's last batch, so that they win over what stood at the same place.
#}
{% macro written_log_rows(contract, progress) -%}
select
    {%- for column in afterimage.layer_columns(contract, afterimage.history_log_columns()) if column['name'] != '_cdc_batch' %}
    {{ column['sql'] }},
    {%- endfor %}
    {% if progress is not none -%}
    cast({{ progress['available'] }} as bigint) as _cdc_batch
    {%- else -%}
    _cdc_batch
    {%- endif %}
from log_rows
where _cdc_order >= _cdc_first_order and (_cdc_kind <> 'void' or _cdc_is_late)
{%- endmacro %}

{#
  The columns of a place from _cdc_op on, in the order of place_columns(), as the change that made it has them.
  In: overrides, {column: SQL} where the row says something else than the change.
#}
{% macro place_of_change(overrides={}) %}
  {% set parts = [] %}
  {% for name, type in afterimage.place_columns().items() if name not in ['_cdc_kind', '_cdc_end_reason'] %}
    {% set own = 'cast(null as ' ~ type ~ ')' if name == '_cdc_copy' else none %}
    {% set value = overrides.get(name, own) %}
    {% do parts.append(name if value is none else value ~ ' as ' ~ name) %}
  {% endfor %}
  {{ return(parts | join(',\n        ')) }}
{% endmacro %}


{#
  The same of the end a truncate makes, in a step that has it as the struct _cdc_by_truncate (an element of `truncates`, see touched_keys; it may be a
  complete snapshot). In: SQL of the row's key, its copy, and the place of the end.
#}
{% macro place_of_truncate(key='_cdc_key', copy='cast(null as bigint)', order='_cdc_by_truncate._cdc_order') %}
  {{ return(afterimage.place_of_change(afterimage._values_of_truncate(key, copy, order))) }}
{% endmacro %}


{#
  The columns of a place in a step that has each change once more as the end a truncate makes: there _cdc_is_cut, with the truncate as the
  struct _cdc_by_truncate.
#}
{% macro place_of_change_or_truncate() %}
  {% set values = {} %}
  {% for name, value in afterimage._values_of_truncate('_cdc_key', 'cast(null as bigint)', '_cdc_by_truncate._cdc_order').items()
        if name not in ['_cdc_key', '_cdc_copy'] %}
    {% do values.update({name: 'if(_cdc_is_cut, ' ~ value ~ ', ' ~ name ~ ')'}) %}
  {% endfor %}
  {{ return(afterimage.place_of_change(values)) }}
{% endmacro %}


{% macro _values_of_truncate(key, copy, order) %}
  {% set values = {'_cdc_op': '_cdc_by_truncate._cdc_op', '_cdc_key': key, '_cdc_copy': copy, '_cdc_previous_key': 'cast(null as string)', '_cdc_order': order,
                   '_cdc_snapshot': "'none'", '_cdc_unknown': 'cast(null as string)', '_cdc_special': 'cast(null as string)',
                   '_cdc_batch': 'greatest(_cdc_batch, _cdc_by_truncate._cdc_batch)'} %}
  {% for name in afterimage.place_columns() if name not in values and name not in ['_cdc_kind', '_cdc_end_reason'] %}
    {% do values.update({name: '_cdc_by_truncate.' ~ name}) %}
  {% endfor %}
  {{ return(values) }}
{% endmacro %}

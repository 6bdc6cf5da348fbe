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
  The columns of a place as the end a truncate makes has them, in a step with that as the struct _cdc_by_truncate (an element of `truncates`, see
  touched_keys; it may be a complete snapshot). Out: {column: SQL} of all but the row's key and its copy.
#}
{% macro values_of_truncate() %}
  {% set values = {'_cdc_op': '_cdc_by_truncate._cdc_op', '_cdc_previous_key': 'cast(null as string)', '_cdc_order': '_cdc_by_truncate._cdc_order',
                   '_cdc_snapshot': "'none'", '_cdc_unknown': 'cast(null as string)', '_cdc_special': 'cast(null as string)',
                   '_cdc_batch': 'greatest(_cdc_batch, _cdc_by_truncate._cdc_batch)'} %}
  {% for name in afterimage.place_columns() if name not in values and name not in ['_cdc_kind', '_cdc_end_reason', '_cdc_key', '_cdc_copy'] %}
    {% do values.update({name: '_cdc_by_truncate.' ~ name}) %}
  {% endfor %}
  {{ return(values) }}
{% endmacro %}


{# The columns of a place in a step that has each change once more as the end a truncate makes: there _cdc_is_cut, with the truncate as above. #}
{% macro place_of_change_or_truncate() %}
  {% set values = {} %}
  {% for name, value in afterimage.values_of_truncate().items() %}{% do values.update({name: 'if(_cdc_is_cut, ' ~ value ~ ', ' ~ name ~ ')'}) %}{% endfor %}
  {{ return(afterimage.place_of_change(values)) }}
{% endmacro %}

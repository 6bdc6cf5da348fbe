{#
  The columns of a timeline row from _cdc_op on, in the order of place_columns(), as the change that made it has them.
  In: overrides, {column: SQL} where the row differs from the change.
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
  The same in a step that has each change once more as the end a truncate makes: there _cdc_is_cut holds, with the truncate as the struct
  _cdc_by_truncate (an element of `truncates`, see touched_keys; it may be a complete snapshot). In: overrides; at_cut, {column: SQL} of those rows.
#}
{% macro place_of_change_or_truncate(overrides={}, at_cut={}) %}
  {% set nothing = 'cast(null as string)' %}
  {% set ends = dict({'_cdc_previous_key': nothing, '_cdc_snapshot': "'none'", '_cdc_unknown': nothing, '_cdc_special': nothing,
                      '_cdc_batch': 'greatest(_cdc_batch, _cdc_by_truncate._cdc_batch)'}, **at_cut) %}
  {% set values = dict(overrides) %}
  {% for name in afterimage.place_columns() if name not in ['_cdc_kind', '_cdc_end_reason', '_cdc_key'] and (name != '_cdc_copy' or name in ends) %}
    {% set end, own = ends.get(name, '_cdc_by_truncate.' ~ name), overrides.get(name, name) %}
    {% do values.update({name: own if own == end else 'if(_cdc_is_cut, ' ~ end ~ ', ' ~ own ~ ')'}) %}
  {% endfor %}
  {{ return(afterimage.place_of_change(values)) }}
{% endmacro %}

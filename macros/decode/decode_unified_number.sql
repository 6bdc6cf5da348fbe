{#
  Unified types decimal and number of Datastream: text of the digits, or a JSON number, exact to 38 digits. Out: as decode_number has them; beyond
  38 digits text with as many digits after the decimal point as the type has.
#}
{% macro decode_unified_number(type, settings) %}
  {% set type = dict(type, name='number' if type['name'] == 'numeric' else type['name']) %}
  {% set found = dict(afterimage.decode_number(type, dict(settings, decimal_handling_mode='string')), scale=none) %}
  {% set scale = type['arguments'][1] if type['arguments'] | length > 1 else 0 %}
  {% if found['type'] != 'string' or not type['arguments'] or type['name'] == 'float' or scale <= 0 %}{{ return(found) }}{% endif %}
  {% set padded = "concat(split_part(v, '.', 1), '.', rpad(split_part(v, '.', 2), " ~ scale ~ ", '0'))" %}
  {% set most = type['arguments'][0] - scale %}
  {% do found.update({
    'value': "get(transform(array(" ~ found['value'] ~ "), v -> " ~ padded ~ "), 0)",
    'refuse': found['refuse'] ~ " or coalesce(get(transform(array(" ~ found['value'] ~ "), v -> length(split_part(v, '.', 2)) > " ~ scale
              ~ " or length(ltrim('-0', split_part(v, '.', 1))) > " ~ most ~ "), 0), false)",
  }) %}
  {{ return(found) }}
{% endmacro %}

{# Unified types float and double of Datastream: a JSON number, or text of one, NaN or Infinity. Out: as decode_float. #}
{% macro decode_unified_float(type, settings) %}
  {% set spark = afterimage.decode_float(type, settings)['type'] %}
  {% set value = 'try_cast({raw} as ' ~ spark ~ ')' %}
  {% set too_great = ' or (' ~ value ~ " in (float('Infinity'), float('-Infinity')) and not {raw} like '%Infinity')" if spark == 'float' else '' %}
  {{ return({
    'literal': 'string',
    'type': spark,
    'value': value,
    'refuse': "{raw} is not null and (not {raw} rlike '^([-+]?[0-9]+([.][0-9]*)?([eE][-+]?[0-9]+)?|NaN|[-+]?Infinity)$' or " ~ value ~ " is null" ~ too_great ~ ")",
  }) }}
{% endmacro %}

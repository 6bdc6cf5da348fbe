{# Unified type json of Datastream: text of one JSON value, or that value itself, whose null is NULL. Out: as decode_json. #}
{% macro decode_unified_json(type, settings) %}
  {% set text = "case coalesce(schema_of_variant({raw}), 'VOID') when 'VOID' then null when 'STRING' then try_variant_get({raw}, '$', 'string') else to_json({raw}) end" %}
  {% set value = afterimage.decode_json(type, settings)['value'] | replace('{raw}', 't') %}
  {{ return({'literal': 'variant', 'type': 'string', 'value': 'get(transform(array(' ~ text ~ '), t -> ' ~ value ~ '), 0)'}) }}
{% endmacro %}

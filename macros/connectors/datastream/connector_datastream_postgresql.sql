{#
  PostgreSQL through Google Datastream. See connector() and datastream_connector() for the keys. Arrays are not carried. json is nested JSON,
  which loses digits when read as text.
#}
{% macro connector_datastream_postgresql(contract) %}
  {% set base = afterimage.connector_postgresql(contract) %}
  {% set json = ['json', 'jsonb'] %}
  {% set types = dict(base['types'], numeric=['numeric'], text=base['types']['text'] | reject('in', json) | list + ['money'], json=json) %}
  {% set position = "case when source.lsn rlike '^[0-9A-Fa-f]{1,8}/[0-9A-Fa-f]{1,8}$' then translate(concat(lpad(split_part(source.lsn, '/', 1), 8, '0'),"
                    ~ " lpad(split_part(source.lsn, '/', 2), 8, '0')), 'ABCDEF', 'abcdef') end" %}
  {{ return(afterimage.datastream_connector(contract, dict(base, types=types), position, '[0-9a-f]{16}')) }}
{% endmacro %}

{#
  The first columns of an envelope: the landed record and, for one in Avro, why its bytes cannot be read, and the schemas it was written with.
  In: contract. Out: SQL, a part of a select, with a comma at its end.
#}
{% macro landed_columns(contract) -%}
{% set writer_schema = 'data_schema' if afterimage.record_format(contract['format'])['has_data'] else 'value_schema' -%}
{% set of_avro = ['unreadable', writer_schema ~ ' as writer_schema', 'key_schema'] if contract['avro_schemas'] else [] -%}
{% for name in ['topic', 'partition', 'offset', 'timestamp', 'headers', 'record_key', 'record_value'] + of_avro %}{{ name }},
        {% endfor -%}
{%- endmacro %}


{# The same, plus how the record was parsed (see parsed_document). In: is_tombstone, SQL. #}
{% macro landed_and_parsed(contract, is_tombstone="record_value is null or record_value = 'null'") -%}
{{ afterimage.landed_columns(contract) }}{{ is_tombstone }} as is_tombstone,
        coalesce(record.is_one, false) and record.document is not null as is_object,
        record.corrupt is not null as is_corrupt,
{%- endmacro %}

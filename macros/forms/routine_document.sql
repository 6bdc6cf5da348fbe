{#
  CTE `documents`: the new records, and of each the text that is parsed. Behind a schema block it is the payload alone: that block is known by its
  hash, and what it says of the columns was looked at when it came first. Of a record in Avro, that of schemas which say what the contract says.
  In: contract; form (see expected_form).
#}
{% macro routine_document(contract, form) -%}
{% set length = form['block']['length'] if form['block'] else 0 -%}
{% if contract['avro_schemas'] -%}
{{ afterimage.avro_records(contract, afterimage.avro_schemas(contract)) }}

{% endif -%}
documents as (
    {%- if form['block'] %}
    -- behind the schema block that was looked at when it came first
    {%- endif %}
    select
        *,
        {% if form['block'] -%}
        if(
            xxhash64(left(record_value, {{ length }})) = {{ form['block']['hash'] }} and endswith(record_value, '}'),
            substr(record_value, {{ length + 1 }}, length(record_value) - {{ length + 1 }}),
            null
        ) as document
        {%- elif contract['avro_schemas'] -%}
        if(value_schema in ({{ afterimage.literals(form['schemas']) or "''" }}), record_value, null) as document
        {%- else -%}
        record_value as document
        {%- endif %}
    from {{ afterimage.records_read(contract) }}
),
{%- endmacro %}

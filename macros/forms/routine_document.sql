{#
  CTE `documents`: the new records, each with the text to parse. After a schema block that is only the payload: the block is recognised by its
  hash, and was checked when it first came. For Avro it is the text of records whose schemas agree with the contract.
  In: contract; form (see expected_form).
#}
{% macro routine_document(contract, form) -%}
{% set length = form['block']['length'] if form['block'] else 0 -%}
{% if contract['avro_schemas'] -%}
{{ afterimage.avro_records(contract, afterimage.avro_schemas(contract)) }}

{% endif -%}
documents as (
    {%- if form['block'] %}
    -- after the schema block that was checked when it first appeared
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

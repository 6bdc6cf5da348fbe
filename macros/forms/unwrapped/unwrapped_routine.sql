{#
  Format unwrapped, as the routine statement reads it: the columns of the row first, then the added fields that are there.
  In: contract; form (see expected_form). Out: as debezium_json_routine; before and after, the parsed flat row, have the added fields too.
#}
{% macro unwrapped_routine(contract, form) -%}
{% set added = afterimage.added_fields(contract) | map(attribute='field') | list -%}
{% set is_deleted = "flat.`__deleted` = 'true'" if contract['delete_tombstone_handling_mode'].startswith('rewrite') else none -%}
{% set op = afterimage.op_of_row(contract, 'flat') -%}
{{ afterimage.routine_document(contract, form) }}

parsed as (
    -- explode keeps Spark from parsing again for each column
    select
        documents.*,
        flat as before,
        {{ 'if(' ~ is_deleted ~ ', null, flat)' if is_deleted else 'flat' }} as after,
        {{ 'if(' ~ is_deleted ~ ", 'd', " ~ op ~ ')' if is_deleted else op }} as op,
        {{ afterimage.added_of_envelope(contract, 'flat') }},
        flat._cdc_corrupt as corrupt,
        to_json(named_struct(
            {%- for field in form['fields'] %}
            {{ afterimage.literal(field) }}, flat.`{{ field }}`{{ ',' if not loop.last }}
            {%- endfor %}
        ), map('ignoreNullFields', 'false')) as written,
        -- except the brace that ends the row
        left(written, length(written) - 1) as beginning
    from documents
        lateral view explode(array(from_json(
            document,
            {{ afterimage.literal(afterimage.routine_row_type(contract, form, added + ['_cdc_corrupt'])) | indent(12) }},
            map('columnNameOfCorruptRecord', '_cdc_corrupt', 'allowNonNumericNumbers', 'true')
        ))) as flat
),
{%- endmacro %}


{# The regular expression of the text after the columns of a row: each added field at most once, in the order of the contract. Out: its parts. #}
{% macro unwrapped_routine_ending(contract) %}
  {% set fields = [] %}
  {% for field in afterimage.added_fields(contract) %}
    {% do fields.append('(?:,"' ~ modules.re.escape(field['field']) ~ '":(?:"[^"\\\\]*"|[^,"\\[\\]{}]+))?+') %}
  {% endfor %}
  {{ return(['\\A'] + fields + ['\\}\\z']) }}
{% endmacro %}

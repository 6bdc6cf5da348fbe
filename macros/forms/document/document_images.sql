{#
  CTE `images` for documents: the row images that judged_records reads, from the output of document_envelope or document_rows; one row per record.
  In: contract, columns (contract_columns), connector. Out: CTE with the columns of `images` in judged_records, and for documents update_document,
  document_fault and identity.
#}
{% macro document_images(contract, columns, connector) -%}
images as (
    select
        * except (fault),
        {{ afterimage.document_image(columns, 'document', 'is_approximate', "op <> 'd' or is_whole") }} as image,
        cast(null as string) as image_text,
        if(is_whole, null, {{ afterimage._fields_sent(columns) }}) as fields,
        cast(null as struct<`_id`: string>) as key_in_record,
        coalesce(fault, {{ afterimage.other_document() }}) as fault,
        {{ afterimage.document_identity() }} as identity,
        {{ afterimage.position_of_record(contract, connector) }} as position,
        {{ afterimage.reported_snapshot() }} as snapshot,
        cast(null as string) as old_key,
        cast(null as string) as new_key
    from documents
),
{%- endmacro %}


{# Names of the columns in a record that lacks the full document: its key, and the changed ones. #}
{% macro _fields_sent(columns) %}
  {% set changed = [] %}
  {% for column in columns if column['name'] not in ['_cdc_document', '_cdc_approximate'] and not column['is_key'] %}
    {% do changed.append("if(" ~ afterimage.is_sent(column['field'], 'sent_paths') ~ ", " ~ afterimage.literal(column['field']) ~ ", null)") %}
  {% endfor %}
  {{ return("array_compact(array('_cdc_approximate', " ~ (['null'] + changed) | join(', ') ~ "))") }}
{% endmacro %}

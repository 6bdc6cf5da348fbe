{#
  CTE `new_records`: the records that the routine statement left to the exact one, as they landed. In: batch, the table they are in.
#}
{% macro marked_records(batch) -%}
new_records as (
    select
        _cdc_topic as topic,
        _cdc_partition as partition,
        _cdc_offset as offset,
        _cdc_landed_ts as timestamp,
        _cdc_headers as headers,
        {{ afterimage.landed_json('_cdc_record_key') }} as record_key,
        {{ afterimage.landed_json('_cdc_record_value') }} as record_value
    from {{ batch }}
    where _cdc_outcome = 'marked'
),
{%- endmacro %}

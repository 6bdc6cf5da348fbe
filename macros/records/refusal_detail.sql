{#
  Where in a refused record the fault lies: the column, the field or the place that its reason leaves open. Names and numbers, and of values
  only what a column that is not sensitive did not take. NULL where the reason says all.

  In: contract; columns and keys, as judged_records has them. Stands in its last step, where _cdc_verdict is known. Out: SQL text.
#}
{% macro refusal_detail(contract, columns, keys) -%}
  {% set is_document, format = afterimage.is_document(contract), afterimage.record_format(contract['format']) -%}
  {% set fields = "to_json(slice(json_object_keys(_cdc_record_value), 1, 20))" -%}
case
        when _cdc_verdict = 'refused broken_json'
            then
                concat(
                    case
                        when not _cdc_record_value rlike {{ afterimage.literal('\\A\\s*[{]') }} then 'begins without {'
                        when not _cdc_record_value rlike {{ afterimage.literal('[}]\\s*\\z') }} then 'ends without }'
                        else 'no single object between { and }'
                    end,
                    ', ',
                    octet_length(_cdc_record_value),
                    ' bytes'
                )
        when _cdc_verdict = 'refused value_does_not_fit' then coalesce(_cdc_misfits, {{ afterimage._mistyped(columns) }})
        when _cdc_verdict = 'refused wrong_envelope' then coalesce(_cdc_fault, concat(if(_cdc_op is null, 'no op', 'no source'), ' among its fields ', {{ fields }}))
        {%- if is_document %}
        when _cdc_verdict = 'refused broken_document' then _cdc_document_fault
        {%- elif format['has_before'] %}
        when _cdc_verdict = 'refused missing_image' then concat('no ', if(_cdc_op = 'd', 'before', 'after'), ', op: ', _cdc_op)
        {%- endif %}
        when _cdc_verdict = 'refused missing_position' then _cdc_place_told
        {%- if contract['key_within'] == 'physical_table' and format['source_is_optional'] %}
        when _cdc_verdict = 'refused missing_key' and _cdc_source_table is null
            then 'its physical table is told neither by its source nor by __dbz__physicalTableIdentifier in its key (key_within: physical_table)'
        {%- endif %}
        {%- if keys and not is_document %}
        when _cdc_verdict = 'refused missing_key'
            then
                concat(
                    'no value: ',
                    concat_ws(', '{% for key in keys %}, if({{ key['sql'] }} is null, {{ afterimage.literal(key['name']) }}, null){% endfor %}),
                    '; fields of the row: ',
                    coalesce(to_json(slice(_cdc_fields, 1, 20)), 'none')
                )
        {%- endif %}
        when _cdc_verdict = 'refused unknown_op' then concat('op: ', _cdc_op{{ ", if(_cdc_op = 'x', ' (without attributes a created row and one that a snapshot read look alike, and a table without a key has to tell them apart)', '')" if not keys and format['source_is_optional'] }})
        {%- if contract['avro_schemas'] %}
        when _cdc_unreadable is not null then concat('schema: ', substring_index(_cdc_unreadable, ' ', -1))
        {%- endif %}
        {%- if contract['source_tables'] %}
        when _cdc_verdict = 'refused other_table' then concat('table: ', _cdc_table_in_source{{ ", if(_cdc_record_value is null, ' (the topic: no header of this tombstone tells its table)', '')" if not format['has_envelope'] }})
        {%- endif %}
        when _cdc_verdict = 'refused duplicate_json_key' then if(_cdc_repeats_key, 'a key of the envelope stands twice', concat('fields: ', to_json(_cdc_fields)))
    end
{%- endmacro %}

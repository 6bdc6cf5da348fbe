{#
  The columns of a record for which the schema block of Connect's JSON converter differs from the contract: in the scale of decimals, the unit of
  times, whether bytes are texts. Otherwise the values would be misread, and nothing else shows it.
  In:  columns (contract_columns); is_full, whether a delete has the values of the row (else the step has op); has_image, whether the step has
       the image, whose values say more; in a step that has schema_fields.
  Out: a list of SQL, each a text of what does not fit, NULL where it fits.
#}
{% macro misfits_of_block(columns, is_full, has_image=false) %}
  {% set parts = [] %}
  {% for column in columns if column['decoder'].get('scale') is not none %}
    {% do parts.append(afterimage._other_scale(column, afterimage._scale_in_schema(column), is_full)) %}
  {% endfor %}
  {% for column in columns if column['decoder'].get('schema_names') is not none %}
    {% set unit = afterimage._field_of_schema(column) ~ '.name' %}
    {% do parts.append(afterimage._other_unit(column, unit, is_full, unit ~ " rlike '^(io[.]debezium[.]time|org[.]apache[.]kafka[.]connect[.]data)[.]' and ")) %}
  {% endfor %}
  {% for column in columns if column['decoder'].get('in_bytes') %}
    {% do parts.append(afterimage._text_for_bytes(column, afterimage._field_of_schema(column) ~ '.type', is_full, has_image)) %}
  {% endfor %}
  {{ return(parts) }}
{% endmacro %}


{#
  The same for the schema a row in Avro was written with, in a step that has writer_schema and key_schema.
  In: columns; schemas (avro_schemas); format; is_full; has_image. Out: as misfits_of_block.
#}
{% macro misfits_in_avro(columns, schemas, format, is_full, has_image=false) %}
  {% set parts = [] %}
  {% for column in columns %}
    {% set declared = afterimage.declared_in_avro(column, schemas, format) %}
    {% if declared['scale'] %}{% do parts.append(afterimage._other_scale(column, declared['scale'], is_full)) %}{% endif %}
    {% if declared['unit'] %}{% do parts.append(afterimage._other_unit(column, declared['unit'], is_full)) %}{% endif %}
    {% if declared['type'] and column['decoder'].get('in_bytes') %}{% do parts.append(afterimage._text_for_bytes(column, declared['type'], is_full, has_image)) %}{% endif %}
  {% endfor %}
  {{ return(parts) }}
{% endmacro %}


{% macro _other_scale(column, scale, is_full) %}
  {{ return("if(" ~ afterimage._unless_deleted(column, is_full) ~ scale ~ " <> " ~ column['decoder']['scale'] ~ ", concat('" ~ afterimage.escape_text(column['name']) ~ ": scale ', " ~ scale
            ~ ", ' in the schema of the record does not fit " ~ afterimage.escape_text(column['source_type']) ~ "'), null)") }}
{% endmacro %}


{% macro _other_unit(column, unit, is_full, only_where='') %}
  {% set names = column['decoder']['schema_names'] %}
  {{ return("if(" ~ afterimage._unless_deleted(column, is_full) ~ only_where ~ "not array_contains(" ~ names ~ ", " ~ unit ~ "), concat('" ~ afterimage.escape_text(column['name']) ~ ": ', " ~ unit
            ~ ", ' in the schema of the record, where ', array_join(" ~ names ~ ", ' or '), ' is " ~ afterimage.escape_text(column['source_type']) ~ "'), null)") }}
{% endmacro %}


{#
  The misfit of bytes sent as text: no schema says whether it is hexadecimal or base64. Text that cannot be hexadecimal is base64, and is read as
  without a schema.
#}
{% macro _text_for_bytes(column, type, is_full, has_image) %}
  {% set raw = afterimage.raw_literal(column, 'image') %}
  {% set in_hex = "exists(" ~ raw ~ ", e -> e rlike '^([0-9A-Fa-f]{2})+$')" if column['decoder']['literal'].startswith('array') else raw ~ " rlike '^([0-9A-Fa-f]{2})+$'" %}
  {{ return("if(" ~ afterimage._unless_deleted(column, is_full) ~ type ~ " = 'string'" ~ (" and " ~ in_hex if has_image else "") ~ ", '" ~ afterimage.escape_text(column['name'])
            ~ ": text in the schema of the record, where binary_handling_mode is bytes: it may be base64 or hexadecimal', null)") }}
{% endmacro %}


{#
  The name and type that a record's schema gives a column, in a step that has schema_fields, writer_schema and key_schema: {name, type} (SQL).
  In: column, of which it takes field, decoder and is_key; format; schemas (avro_schemas).
#}
{% macro in_schema(column, format, schemas) %}
  {% set field, declared = afterimage._field_of_schema(column), afterimage.declared_in_avro(column, schemas, format) %}
  {{ return({
    'name': 'coalesce(' ~ declared['unit'] ~ ', ' ~ field ~ '.name)' if declared['unit'] else field ~ '.name',
    'type': 'coalesce(' ~ declared['type'] ~ ', ' ~ field ~ '.type)' if declared['type'] else field ~ '.type',
  }) }}
{% endmacro %}


{#
  The columns of a record as its schema block describes them, parsed: array<struct<field, type, name, parameters, items>> (SQL), NULL if there
  is no block.
  In: format, in a step that has record_value and has_schema; with_key, whether the fields of the block of its own key follow, for a column that
  its value leaves out and for a record without a value: the step has record_key too.
#}
{% macro schema_fields(format, with_key=false) %}
  {% set fields = afterimage.record_format(format)['schema_fields'] %}
  {% set type = 'type: string, name: string, parameters: map<string, string>' %}
  {% set type = 'array<struct<field: string, ' ~ type ~ ', items: struct<' ~ type ~ '>>>' %}
  {% if not fields %}{{ return('cast(null as ' ~ type ~ ')') }}{% endif %}
  {% set of_value = "if(has_schema, from_json(get_json_object(record_value, '" ~ fields ~ "'), '" ~ type ~ "'), null)" %}
  {% if not with_key %}{{ return(of_value) }}{% endif %}
  {{ return("concat(coalesce(" ~ of_value ~ ", array()), coalesce(from_json(get_json_object(record_key, '$.schema.fields'), '" ~ type ~ "'), array()))") }}
{% endmacro %}


{# The block's entry for one column, or for the elements of an array: struct<type, name, parameters> (SQL). #}
{% macro _field_of_schema(column) %}
  {% set found = [] %}
  {% for name in afterimage.names_in_events(column) %}{% do found.append("get(filter(schema_fields, f -> f.field = " ~ afterimage.literal(name) ~ "), 0)") %}{% endfor %}
  {{ return((found[0] if found | length == 1 else 'coalesce(' ~ found | join(', ') ~ ')') ~ ('.items' if column['decoder']['literal'].startswith('array') else '')) }}
{% endmacro %}


{# The scale it gives a decimal. A scale greater than the precision is ignored (hand-made ones exist: fixture full_types of Flink CDC). #}
{% macro _scale_in_schema(column) %}
  {% set parameters = afterimage._field_of_schema(column) ~ '.parameters' %}
  {% set scale, precision = "try_cast(" ~ parameters ~ "['scale'] as int)", "try_cast(" ~ parameters ~ "['connect.decimal.precision'] as int)" %}
  {{ return("if(coalesce(" ~ precision ~ ", 1000) >= " ~ scale ~ ", " ~ scale ~ ", null)") }}
{% endmacro %}

{#
  The scale of a decimal column and the unit of a time column in the writers' schemas, like a schema block in JSON. The bytes alone would be read
  with the declared ones and give another number, another time.

  In:  column; schemas (avro_schemas); format.
  Out: {scale, unit, type}: SQL, by the ids in `writer_schema` and, for a column of the key, `key_schema`, because its value may leave it out; none
       where all schemas agree with the declared one. The type is given for bytes only: bytes or string.
#}
{% macro declared_in_avro(column, schemas, format) %}
  {% set scale, names = column['decoder'].get('scale'), column['decoder'].get('schema_names') %}
  {% set found = {'value': {'scale': [], 'unit': [], 'type': []}, 'key': {'scale': [], 'unit': [], 'type': []}} %}
  {% for schema in schemas if schema['of'] != 'key' or column['is_key'] %}
    {% set cases_of_side = found['key' if schema['of'] == 'key' else 'value'] %}
    {% set as_written = afterimage._type_in_avro(fromjson(schema['schema']), afterimage.names_in_events(column), format) %}
    {% set type = afterimage._but_null(as_written) %}
    {% if type.get('type') == 'array' %}{% set type = afterimage._but_null(type['items']) %}{% endif %}
    {% set written_scale, precision = afterimage._decimal_in_avro(type) %}
    {# a scale greater than the precision is ignored, as in a schema block #}
    {% if scale is not none and written_scale is not none and (precision is none or precision >= written_scale) and written_scale != scale %}
      {% do cases_of_side['scale'].append("when '" ~ schema['id'] ~ "' then " ~ written_scale) %}
    {% endif %}
    {% set other = 'string' if column['decoder'].get('in_bytes') else 'bytes' if column['decoder'].get('in_hex') else none %}
    {% if other and afterimage._form_in_avro(as_written) == other %}
      {% do cases_of_side['type'].append("when '" ~ schema['id'] ~ "' then '" ~ other ~ "'") %}
    {% endif %}
    {% set unit = type.get('connect.name') or '' %}
    {% if names and modules.re.match('(io[.]debezium[.]time|org[.]apache[.]kafka[.]connect[.]data)[.]', unit)
          and not (names.startswith('array(') and afterimage.literal(unit) in names) %}
      {% do cases_of_side['unit'].append("when '" ~ schema['id'] ~ "' then " ~ afterimage.literal(unit)) %}
    {% endif %}
  {% endfor %}
  {% set declared = {} %}
  {% for part in ['scale', 'unit', 'type'] %}
    {% set cases = [] %}
    {% for side, id in [('value', 'writer_schema'), ('key', 'key_schema')] if found[side][part] %}
      {% do cases.append('case ' ~ id ~ ' ' ~ found[side][part] | join(' ') ~ ' end') %}
    {% endfor %}
    {% do declared.update({part: (cases[0] if cases | length == 1 else 'coalesce(' ~ cases | join(', ') ~ ')') if cases else none}) %}
  {% endfor %}
  {{ return(declared) }}
{% endmacro %}


{#
  The type a schema gives a field of the row, as it is written there; null where it has no such field.
  In: fields, the names it may have, of which the first that is there counts.
#}
{% macro _type_in_avro(schema, fields, format) %}
  {% set types = {} %}
  {% for member in afterimage.row_in_avro(schema, format) %}{% do types.update({member['name']: member['type']}) %}{% endfor %}
  {% for field in fields if field in types %}{{ return(types[field]) }}{% endfor %}
  {{ return('null') }}
{% endmacro %}


{# The name of a type (for an array that of its elements), NULL aside; none for null. #}
{% macro _form_in_avro(type) %}
  {% set found = namespace(types=[type]) %}
  {% for level in range(4) %}
    {% set inner = [] %}
    {% for type in found.types if type != 'null' %}
      {% do inner.extend([type] if type is string else [type['items'] if type['type'] == 'array' else type['type']] if type is mapping else type) %}
    {% endfor %}
    {% set found.types = inner %}
  {% endfor %}
  {{ return(found.types | first) }}
{% endmacro %}


{# The fields a schema gives a row, as Avro has them: for an envelope those of `before`, whose type `after` shares. #}
{% macro row_in_avro(schema, format) %}
  {% for member in afterimage.fields_in_avro(schema) if afterimage.record_format(format)['has_envelope'] and member['name'] == 'before' %}
    {{ return(afterimage.fields_in_avro(afterimage._but_null(member['type']))) }}
  {% endfor %}
  {{ return(afterimage.fields_in_avro(schema)) }}
{% endmacro %}


{# Scale and precision of a type, each none where it is not given. #}
{% macro _decimal_in_avro(type) %}
  {% set parameters = type.get('connect.parameters') or {} %}
  {% set is_decimal = type.get('logicalType') == 'decimal' %}
  {% set scale = parameters.get('scale', type.get('scale', 0) if is_decimal else none) %}
  {% set precision = parameters.get('connect.decimal.precision', type.get('precision') if is_decimal else none) %}
  {{ return((scale | int if scale is not none else none, precision | int if precision is not none else none)) }}
{% endmacro %}


{# The fields of a record's schema. In: an Avro schema, parsed. Out: list of fields as Avro has them; empty where the schema is not of a record. #}
{% macro fields_in_avro(schema) %}
  {{ return(schema['fields'] if schema is mapping and 'fields' in schema else []) }}
{% endmacro %}


{# The first type of a union that has a schema of its own; a type that is only a name gives no information. #}
{% macro _but_null(type) %}
  {% for branch in (type if type is sequence and type is not string and type is not mapping else [type]) if branch is mapping %}
    {{ return(branch) }}
  {% endfor %}
  {{ return({}) }}
{% endmacro %}

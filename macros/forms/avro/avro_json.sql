{#
  A body in Avro as the text that Kafka Connect's JSON converter writes of the same value; NULL where it is not exactly one complete value of the
  schema. In: body (SQL, binary), schema (text). Out: SQL text.

  The schema is put into a record of afterimage's, whose bytes are those of the body followed by eight more: the body was read completely if and
  only if these eight are read correctly. Fields of one record that differ in case only (iodebeziumtxId and iodebeziumtxid of CloudEvents),
  which Spark treats as one, are read under other names and get their own back in the text.
#}
{% macro avro_json(body, schema) %}
  {% set renamed = {} %}
  {% set document = fromjson(schema) %}
  {% do afterimage._tell_names_apart(document, renamed) %}
  {% set schema = tojson(document) if renamed else schema %}
  {% set frame = '{"type":"record","name":"_frame","fields":[{"name":"value","type":' ~ afterimage._without_logical_types(schema)
                 ~ '},{"name":"end","type":{"type":"fixed","name":"_end","size":8}}]}' %}
  {% set read = "to_json(from_avro(concat(" ~ body ~ ", X'61667465722E2E2E'), " ~ afterimage.literal(frame) ~ ", map('mode', 'PERMISSIVE')), map('ignoreNullFields', 'false'))" %}
  {% set text = "nullif(regexp_extract(" ~ read ~ ", " ~ afterimage.literal('(?s)\\A\\{"value":(.*),"end":"YWZ0ZXIuLi4="\\}\\z') ~ ", 1), '')" %}
  {# within a JSON text only a key has this form #}
  {% set own = namespace(text=text) %}
  {% for name, was in renamed.items() %}{% set own.text = 'replace(' ~ own.text ~ ', ' ~ afterimage.literal('"' ~ name ~ '":') ~ ', ' ~ afterimage.literal('"' ~ was ~ '":') ~ ')' %}{% endfor %}
  {{ return(own.text) }}
{% endmacro %}


{# Within a JSON text a quote that is not escaped begins or ends a string, so every match is a key. #}
{% macro _without_logical_types(schema) %}
  {{ return(modules.re.sub('([{,]\\s*)"logicalType"(\\s*:)', '\\1"plainType"\\2', schema)) }}
{% endmacro %}


{#
  Renames, in place, the fields of a schema that differ from an earlier one of their record in case only.
  In: schema as it was parsed; renamed, a dict to fill: new name -> own name.
#}
{% macro _tell_names_apart(schema, renamed) %}
  {% if schema is mapping %}
    {% set seen = [] %}
    {% for field in schema.get('fields', []) %}{% do seen.append(field['name'] | lower) %}{% endfor %}
    {% for field in schema.get('fields', []) %}
      {% if field['name'] | lower in seen[:loop.index0] %}
        {% do renamed.update({field['name'] ~ '_' ~ (renamed | length + 1) ~ '_apart': field['name']}) %}
        {% do field.update({'name': renamed.keys() | list | last}) %}
      {% endif %}
      {% do afterimage._tell_names_apart(field['type'], renamed) %}
    {% endfor %}
    {% for part in ['type', 'items', 'values'] if schema.get(part) is not string %}{% do afterimage._tell_names_apart(schema.get(part), renamed) %}{% endfor %}
  {% elif schema is sequence and schema is not string %}
    {% for branch in schema %}{% do afterimage._tell_names_apart(branch, renamed) %}{% endfor %}
  {% endif %}
{% endmacro %}

{#
  A decoder that reads each record by its own schema (a schema block, or that of Avro), where that gives the column another unit of time or another
  form of bytes than the contract: a mode changed in mid-topic leaves records of both. Where there is no schema the contract decides. A column that
  has had other types is read only by the record's position (former_types).

  In:  decoder (see there); column, its {name, field, source_type, is_key}; contract; schemas (avro_schemas).
  Out: decoder, in a step that has schema_fields and, for records in Avro, writer_schema and key_schema.
#}
{% macro decoder_by_schema(decoder, column, contract, schemas) %}
  {% if decoder is none or (contract['former_types'] or {}).get(column['name']) %}{{ return(decoder) }}{% endif %}
  {% if not afterimage.is_any_read_by_schema([{'decoder': decoder}]) %}{{ return(decoder) }}{% endif %}
  {% set in_schema = afterimage.in_schema(dict(column, decoder=decoder), contract['format'], schemas) %}
  {% if decoder.get('schema_names') %}
    {% set known, others = modules.re.findall("'([^']+)'", decoder['schema_names']), [] %}
    {% for mode in ['days', 'connect', 'microseconds', 'nanoseconds'] %}
      {% set other = afterimage._decoder_under(column, contract, 'time_precision_mode', mode) %}
      {% set names = [] %}
      {% for name in modules.re.findall("'([^']+)'", other.get('schema_names') or '') if name not in known %}{% do names.append(name) %}{% endfor %}
      {% if names and other['literal'] == decoder['literal'] and other['type'] == decoder['type'] %}
        {% do known.extend(names) %}
        {% do others.append(("when " ~ in_schema['name'] ~ " in ('" ~ names | join("', '") ~ "') then ", other)) %}
      {% endif %}
    {% endfor %}
    {{ return(dict(afterimage._by_case(decoder, others), schema_names="array('" ~ known | join("', '") ~ "')")) }}
  {% endif %}
  {{ return(afterimage._by_case(decoder, [("when " ~ in_schema['type'] ~ " = 'bytes' then ", afterimage._decoder_under(column, contract, 'binary_handling_mode', 'bytes'))])) }}
{% endmacro %}


{# The decoder of a column under another value of a setting. #}
{% macro _decoder_under(column, contract, setting, value) %}
  {% set settings = dict(contract['settings']) %}
  {% do settings.update({setting: value}) %}
  {{ return(afterimage.decoder(column['source_type'], dict(contract, settings=settings))) }}
{% endmacro %}


{# A decoder that tries others first. In: decoder; others, (SQL `when … then `, decoder). #}
{% macro _by_case(decoder, others) %}
  {% if not others %}{{ return(decoder) }}{% endif %}
  {% set templates = dict(decoder) %}
  {% for part in ['value', 'special', 'unknown', 'refuse', 'scale', 'schema_names', 'quoted'] %}
    {% set otherwise = 'false' if part in ['unknown', 'refuse'] else 'null' %}
    {% set cases, present = [], [decoder] if decoder.get(part) else [] %}
    {% for when, other in others %}
      {% do cases.append(when ~ (other.get(part) or otherwise)) %}
      {% if other.get(part) %}{% do present.append(other) %}{% endif %}
    {% endfor %}
    {% if present %}{% do templates.update({part: '(case ' ~ cases | join(' ') ~ ' else ' ~ (decoder.get(part) or otherwise) ~ ' end)'}) %}{% endif %}
  {% endfor %}
  {{ return(templates) }}
{% endmacro %}

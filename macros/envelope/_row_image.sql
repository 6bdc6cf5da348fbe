{#
  The pieces of judged_records that go through the columns of an image one by one.
  A delete under any REPLICA IDENTITY but full carries the key alone: PostgreSQL does not send the rest, and the connector fills
  NOT NULL columns with invented values. Those are dropped here.
#}

{#
  The literal of a column in an image struct: image.`Gift Wrap`. Of a key column that the image does not have, that in the record's key
  (see _key_beside).
#}
{% macro _raw(column, image) %}
  {% set raw = image ~ '.`' ~ column['field'] ~ '`' %}
  {% if image == 'image' and column['is_key'] %}
    {{ return('if(key_beside is null or array_contains(fields, ' ~ afterimage.literal(column['field']) ~ '), ' ~ raw ~ ', key_beside.`' ~ column['field'] ~ '`)') }}
  {% endif %}
  {{ return(raw) }}
{% endmacro %}


{# True (SQL) when the image has no say on this column. A key column is never unsent: the record's key has it, or the record is refused. #}
{% macro _is_unsent(column) %}
  {% if column['is_key'] %}{{ return('false') }}{% endif %}
  {% set placeholder = afterimage.fill(column['decoder']['unknown'], afterimage._raw(column, 'image')) if column['decoder'].get('unknown') else none %}
  {{ return("((not is_whole and not array_contains(fields, " ~ afterimage.literal(column['field']) ~ "))" ~ (" or " ~ placeholder if placeholder else "") ~ ")") }}
{% endmacro %}


{# The declared columns as an array of names: an image that holds just these needs no look at each of them (is_whole). #}
{% macro _declared_fields(columns) %}
  {% set names = [] %}
  {% for column in columns %}{% do names.append(afterimage.literal(column['field'])) %}{% endfor %}
  {{ return('array(' ~ names | join(', ') ~ ')') }}
{% endmacro %}


{% macro _decoded_value(column, image, is_full) %}
  {% set raw = afterimage._raw(column, image) %}
  {% set value = afterimage.fill(column['decoder']['value'], raw) %}
  {% set placeholder = afterimage.fill(column['decoder']['unknown'], raw) if column['decoder'].get('unknown') else none %}
  {% set conditions = [] %}
  {% if not is_full and not column['is_key'] %}{% do conditions.append("op = 'd'") %}{% endif %}
  {% if placeholder %}{% do conditions.append(placeholder) %}{% endif %}
  {{ return('case when ' ~ conditions | join(' or ') ~ ' then null else ' ~ value ~ ' end' if conditions else value) }}
{% endmacro %}


{# JSON array of the names of columns the image does not tell, NULL when it tells all. #}
{% macro _unknown_columns(columns, is_full) %}
  {% set unsent, placeholders = {}, ['not is_whole'] %}
  {% for column in columns %}
    {% if column['decoder'].get('unknown') %}{% do placeholders.append(afterimage.fill(column['decoder']['unknown'], afterimage._raw(column, 'image'))) %}{% endif %}
    {% do unsent.update({column['name']: afterimage._is_unsent(column)}) %}
  {% endfor %}
  {{ return("case when " ~ ("op <> 't'" if is_full else "op in ('c', 'r', 'u', 'x')") ~ " and image is not null and (" ~ placeholders | join(' or ') ~ ") then "
            ~ afterimage.json_names(unsent) ~ " end") }}
{% endmacro %}


{# JSON object of values that are legal in the source and fit no Spark type: {"birth_date": "infinity"}; NULL when there is none. #}
{% macro _special_values(columns, is_full, image='image') %}
  {% set values = {} %}
  {% for column in columns if column['decoder'].get('special') %}
    {% set special = afterimage.fill(column['decoder']['special'], afterimage._raw(column, image)) %}
    {% if not is_full and not column['is_key'] %}{% set special = "case when op <> 'd' then " ~ special ~ " end" %}{% endif %}
    {% do values.update({column['name']: special}) %}
  {% endfor %}
  {# making JSON of nothing for every row would cost more than all the rest #}
  {{ return("case when coalesce(" ~ values.values() | join(', ') ~ ") is not null then " ~ afterimage.json_texts(values) ~ " end" if values else 'cast(null as string)') }}
{% endmacro %}


{# JSON object of the fields the contract does not know; NULL when there is none. Values are exact to 38 digits; where one is no
   value of VARIANT (an object with a key twice, NaN) all are kept as text. #}
{% macro _extra_fields(columns) %}
  {% set names = [] %}
  {% for column in columns %}{% do names.append(afterimage.literal(column['field'])) %}{% endfor %}
  {% set undeclared = "array_except(fields, array(" ~ names | join(', ') ~ "))" %}
  {{ return("case when not is_whole and size(" ~ undeclared ~ ") > 0 then coalesce(to_json(map_filter(from_json(image_text, 'map<string, variant>'), (name, value) -> array_contains("
            ~ undeclared ~ ", name))), to_json(map_filter(from_json(image_text, 'map<string, string>'), (name, value) -> array_contains("
            ~ undeclared ~ ", name)))) end") }}
{% endmacro %}


{# Which values do not fit their declared types, with their literals (only the name of a sensitive column); NULL when all fit. #}
{% macro _misfits(columns, is_full, image_text) %}
  {% set parts = [] %}
  {% for column in columns if column['decoder'].get('refuse') %}
    {% set raw = afterimage._raw(column, 'image') %}
    {% set refuse = afterimage.fill(column['decoder']['refuse'], raw) %}
    {% if column['decoder'].get('unknown') %}{% set refuse = 'not ' ~ afterimage._is_unsent(column) ~ ' and ' ~ refuse %}{% endif %}
    {% if not is_full and not column['is_key'] %}{% set refuse = "op <> 'd' and " ~ refuse %}{% endif %}
    {% set shown = ": (sensitive) does not fit " if column['is_sensitive'] else ": ', left(to_json(named_struct('v', " ~ raw ~ ")), 200), ' does not fit " %}
    {% do parts.append('if(' ~ refuse ~ ", concat('" ~ afterimage.escape_text(column['name']) ~ shown ~ afterimage.escape_text(column['source_type']) ~ "'), null)") %}
  {% endfor %}
  {% for column in columns if column['decoder'].get('scale') is not none %}
    {% set told = afterimage._scale_in_schema(column) %}
    {% if not column['decoder']['literal'].startswith('array') %}
      {# some digits are base64 of another number: only the quotes around them, which parsing has taken away, tell which is meant #}
      {% do parts.append("if(" ~ ("op <> 'd' and " if not is_full and not column['is_key'] else '') ~ column['decoder']['scale'] ~ " is not null and try_cast(" ~ afterimage._raw(column, 'image') ~ " as decimal(38,0)) is not null and coalesce(image_text, " ~ image_text ~ ") rlike "
                         ~ afterimage.literal('"' ~ modules.re.escape(column['field']) ~ '"\\s*:\\s*-?[0-9]') ~ ", '" ~ afterimage.escape_text(column['name'])
                         ~ ": a JSON number where base64 was expected (decimal.format of the converter is NUMERIC?)', null)") %}
    {% endif %}
    {% do parts.append("if(" ~ told ~ " <> " ~ column['decoder']['scale'] ~ ", concat('" ~ afterimage.escape_text(column['name']) ~ ": scale ', " ~ told
                       ~ ", ' in the schema of the record does not fit " ~ afterimage.escape_text(column['source_type']) ~ "'), null)") %}
  {% endfor %}
  {% for column in columns if column['decoder'].get('schema_names') is not none %}
    {# numbers of milliseconds read as microseconds would be other times, and nothing else tells #}
    {% set told, names = afterimage._unit_in_schema(column), column['decoder']['schema_names'] %}
    {% set is_other = told ~ " <> '' and not array_contains(" ~ names ~ ", " ~ told ~ ")" %}
    {% do parts.append("if(has_schema, if(" ~ ("op <> 'd' and " if not is_full and not column['is_key'] else '') ~ is_other ~ ", concat('"
                       ~ afterimage.escape_text(column['name']) ~ ": ', " ~ told ~ ", ' in the schema of the record, where ', array_join(" ~ names ~ ", ' or '), ' is "
                       ~ afterimage.escape_text(column['source_type']) ~ "'), null), null)") %}
  {% endfor %}
  {% for column in columns if column['decoder'].get('bare') %}
    {# base64 of digits alone is read as a number too; a whole one #}
    {% set raw = afterimage._raw(column, 'image') %}
    {% set kind = "schema_of_variant(from_json(coalesce(image_text, " ~ image_text ~ "), 'map<string, variant>')[" ~ afterimage.literal(column['field']) ~ "])" %}
    {% do parts.append("if(" ~ ("op <> 'd' and " if not is_full and not column['is_key'] else '') ~ afterimage.fill(column['decoder']['bare'], raw) ~ " and record_value rlike "
                       ~ afterimage.literal('"' ~ modules.re.escape(column['field']) ~ '"\\s*:\\s*(?:\\[[^\\]"]*)?"') ~ " and " ~ kind ~ " rlike 'STRING|VARIANT', '"
                       ~ afterimage.escape_text(column['name']) ~ ": a text where a JSON number was expected (decimal.format of the converter is BASE64?)', null)") %}
  {% endfor %}
  {{ return("nullif(concat_ws('; ', " ~ parts | join(', ') ~ "), '')" if parts else 'cast(null as string)') }}
{% endmacro %}


{#
  The scale that the schema block of a record gives a decimal or the elements of an array of them, NULL where there is no block: base64 alone
  would be read with the declared one and be another number. One with more scale than precision is not believed (hand-made ones exist:
  fixture full_types of Flink CDC).
#}
{% macro _scale_in_schema(column) %}
  {% set pattern = '"parameters"\\s*:\\s*\\{([^}]*)\\}\\s*' ~ afterimage._end_of_field() %}
  {% set parameters = "regexp_extract(" ~ afterimage._schema_before_name(column) ~ ", " ~ afterimage.literal(pattern) ~ ", 1)" %}
  {% set scale = afterimage._number_of_parameter(parameters, 'scale') %}
  {% set precision = afterimage._number_of_parameter(parameters, 'connect.decimal.precision') %}
  {{ return("if(has_schema, if(coalesce(" ~ precision ~ ", 1000) >= " ~ scale ~ ", " ~ scale ~ ", null), null)") }}
{% endmacro %}


{# The name of a unit that the schema block of a record gives a column or the elements of an array; '' where it gives none. Out: SQL text. #}
{% macro _unit_in_schema(column) %}
  {% set pattern = '"name"\\s*:\\s*"((?:io[.]debezium[.]time|org[.]apache[.]kafka[.]connect[.]data)[.][A-Za-z]+)"\\s*,\\s*"version"\\s*:\\s*[0-9]+\\s*'
                   ~ afterimage._end_of_field() %}
  {{ return("regexp_extract(" ~ afterimage._schema_before_name(column) ~ ", " ~ afterimage.literal(pattern) ~ ", 1)") }}
{% endmacro %}


{#
  The end of the schema block up to the name of a column, which stands last in its field:
    {"type":"int64","optional":true,"name":"io.debezium.time.MicroTimestamp","version":1,"default":0,"field":"created_at"}
  of an array behind its items, {"type":"array","items":{"type":…,"name":…,"version":1},"optional":true,"field":"dates"}.
  A thousand letters, for the block has many times as many. Where there is no such field, the end of the record, which looks otherwise.
#}
{% macro _schema_before_name(column) %}
  {% set name = '"' ~ (column['field'] | replace('\\', '\\\\') | replace('"', '\\"')) ~ '"' %}
  {{ return("right(substring_index(substring_index(record_value, " ~ afterimage.literal('"field":' ~ name) ~ ", 1), " ~ afterimage.literal('"field": ' ~ name) ~ ", 1), 1000)") }}
{% endmacro %}


{# Regular expression of what may stand between name or parameters of a type and the name of its column. Order as Connect's JsonConverter has it. #}
{% macro _end_of_field() %}
  {{ return('(?:\\}\\s*,\\s*"optional"\\s*:\\s*(?:true|false)\\s*)?'
            ~ '(?:,\\s*"doc"\\s*:\\s*' ~ afterimage._plain_text() ~ '\\s*)?'
            ~ '(?:,\\s*"parameters"\\s*:\\s*\\{[^}]*\\}\\s*)?'
            ~ '(?:,\\s*"default"\\s*:\\s*(?:"[^"]*"|\\[[^\\]]*\\]|[^,"\\[\\]{}]+)\\s*)?'
            ~ ',\\s*\\z') }}
{% endmacro %}


{% macro _number_of_parameter(parameters, name) %}
  {% set pattern = '"' ~ modules.re.escape(name) ~ '"\\s*:\\s*"([0-9]+)"' %}
  {{ return("try_cast(nullif(regexp_extract(" ~ parameters ~ ", " ~ afterimage.literal(pattern) ~ ", 1), '') as int)") }}
{% endmacro %}


{# For a record whose JSON has a literal of the wrong kind: the columns that came out NULL although the text holds something. #}
{% macro _mistyped(columns) %}
  {% set parts = [] %}
  {% for column in columns %}
    {% set text = "from_json(_cdc_image_text, 'map<string, string>')[" ~ afterimage.literal(column['field']) ~ "]" %}
    {% set shown = ": (sensitive) does not fit " if column['is_sensitive'] else ": ', left(" ~ text ~ ", 200), ' does not fit " %}
    {% do parts.append("if(" ~ afterimage._raw(column, '_cdc_image') ~ " is null and " ~ text ~ " is not null, concat('" ~ afterimage.escape_text(column['name'])
                       ~ shown ~ afterimage.escape_text(column['source_type']) ~ "'), null)") %}
  {% endfor %}
  {{ return("concat_ws('; ', " ~ parts | join(', ') ~ ")") }}
{% endmacro %}


{# Row text of the row before an update of a table without a key. #}
{% macro _before_row_text(columns) %}
  {% set values = {} %}
  {% for column in columns %}
    {% do values.update({column['name']: afterimage.fill(column['decoder']['value'], afterimage._raw(column, 'before'))}) %}
  {% endfor %}
  {{ return("case when op = 'u' and before is not null then " ~ afterimage.row_text(columns, values, afterimage._special_values(columns, true, 'before')) ~ " end") }}
{% endmacro %}


{#
  The key in a header (__debezium.oldkey, __debezium.newkey) in the form of key_text; NULL when the header is not there.
  The header's value is the key's JSON, under schemas.enable one level down in payload. Kafka's own header converter writes a precise
  decimal as a bare number, where the record has the base64 of its bytes (capture mysql9-schema).
#}
{% macro _header_key(keys, name) %}
  {% if not keys %}{{ return('cast(null as string)') }}{% endif %}
  {% set text = afterimage.kafka_header(name) %}
  {% set parsed = "from_json(" ~ afterimage._without_schema(text) ~ ", " ~ afterimage.literal(afterimage.row_image_type(keys)) ~ ")" %}
  {% set texts = [] %}
  {% for column in keys %}
    {% set raw = parsed ~ '.' ~ afterimage.identifier(column['field']) %}
    {% set special = afterimage.fill(column['decoder']['special'], raw) if column['decoder'].get('special') else none %}
    {% set value = afterimage.fill(column['decoder']['value'], raw) %}
    {% if column['decoder'].get('from_number') %}
      {% set is_quoted = text ~ " rlike " ~ afterimage.literal('"' ~ modules.re.escape(column['field']) ~ '"\\s*:\\s*"') %}
      {% set value = 'if(' ~ is_quoted ~ ', ' ~ value ~ ', ' ~ afterimage.fill(column['decoder']['from_number'], raw) ~ ')' %}
    {% endif %}
    {% do texts.append(afterimage.key_part(value, column['type'], special)) %}
  {% endfor %}
  {{ return("case when " ~ text ~ " is not null then " ~ afterimage.joined_key(texts) ~ " end") }}
{% endmacro %}


{# The JSON of a key without the schema block that schemas.enable wraps around it. In and out: SQL text. #}
{% macro _without_schema(text) %}
  {{ return("if(get_json_object(" ~ text ~ ", '$.schema.type') = 'struct', get_json_object(" ~ text ~ ", '$.payload'), " ~ text ~ ")") }}
{% endmacro %}


{#
  The columns of the key as the record's key has them, where the image lacks one; else NULL. A connector leaves out columns by
  column.exclude.list of the value alone, never of the key. In: keys. Out: SQL.
#}
{% macro _key_beside(keys) %}
  {% if not keys %}{{ return('cast(null as struct<none: string>)') }}{% endif %}
  {% set are_there = [] %}
  {% for column in keys %}{% do are_there.append('array_contains(json_object_keys(image_text), ' ~ afterimage.literal(column['field']) ~ ')') %}{% endfor %}
  {{ return('case when not is_plain and not (' ~ are_there | join(' and ') ~ ') then from_json(' ~ afterimage._without_schema('record_key') ~ ', '
            ~ afterimage.literal(afterimage.row_image_type(keys)) ~ ') end') }}
{% endmacro %}


{#
  The row before a delete: its `before`; where that is not there, the key columns of the record's key, which name the row just as well
  (a before image under REPLICA IDENTITY DEFAULT tells no more than them). NULL where the record's key lacks one of them.
  Where before images are whole they are what a delete is matched by, and a key does not stand in for one.
#}
{% macro _image_before_delete(columns, keys, is_full, added) %}
  {% if is_full or not keys %}{{ return('before') }}{% endif %}
  {% set are_there = [] %}
  {% set of_key = "from_json(" ~ afterimage._without_schema('record_key') ~ ", " ~ afterimage.literal(afterimage.row_image_type(columns, added)) ~ ")" %}
  {% for column in keys %}{% do are_there.append(of_key ~ '.' ~ afterimage.identifier(column['field']) ~ ' is not null') %}{% endfor %}
  {{ return('coalesce(before, if(' ~ are_there | join(' and ') ~ ', ' ~ of_key ~ ', null))') }}
{% endmacro %}


{#
  Hash of the row before an update, as image_hash makes it of the row after: of a table with a key and whole before images. NULL where the
  key is left out of them.
#}
{% macro _before_hash(columns) %}
  {% set befores, has_key = [], ['op = \'u\'', 'before is not null'] %}
  {% for column in columns if column['is_key'] %}{% do has_key.append(afterimage._raw(column, 'before') ~ ' is not null') %}{% endfor %}
  {% for column in columns %}
    {% do befores.append({'sql': afterimage.fill(column['decoder']['value'], afterimage._raw(column, 'before')), 'type': column['type']}) %}
  {% endfor %}
  {{ return("case when " ~ has_key | join(' and ') ~ " then " ~ afterimage.image_hash(befores, 'cast(null as string)', afterimage._special_values(columns, true, 'before')) ~ " end") }}
{% endmacro %}


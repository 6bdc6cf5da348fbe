{#
  The parts of judged_records that loop over the columns of an image.
  Under any REPLICA IDENTITY but full, a delete carries only the key: PostgreSQL does not send the rest, and the connector fills NOT NULL
  columns with invented values. Those are dropped here.
#}

{#
  The literal of a column in a struct made by row_image_type, under its name in events or one that it had before (contract: former_names).
  In: column; struct (SQL); fields (SQL), the fields of the image (see _fields_sent_by), which still have a former name where that is another
  column's; none for a key. Out: SQL.
#}
{% macro _of_any_name(column, struct, fields=none) %}
  {% set found = [struct ~ '.' ~ afterimage._name_of_field(column.get('member', column['field']), struct)] %}
  {% for name in column.get('former', []) %}
    {% set raw = struct ~ '.' ~ afterimage._name_of_field(name['member'], struct) %}
    {% do found.append('if(array_contains(' ~ fields ~ ', ' ~ afterimage.literal(name['field']) ~ '), null, ' ~ raw ~ ')' if fields else raw) %}
  {% endfor %}
  {{ return(found[0] if found | length == 1 else 'coalesce(' ~ found | join(', ') ~ ')') }}
{% endmacro %}


{# The name of a struct's field as SQL; if a function returns the struct, without quotes where possible, because linters read nothing else. #}
{% macro _name_of_field(name, struct) %}
  {{ return(afterimage.identifier(name) if '(' in struct else '`' ~ name ~ '`') }}
{% endmacro %}


{# Whether (SQL) a list of fields has a column under one of its names. #}
{% macro _has_column(fields, column) %}
  {% set parts = [] %}
  {% for name in afterimage.names_in_events(column) %}{% do parts.append('array_contains(' ~ fields ~ ', ' ~ afterimage.literal(name) ~ ')') %}{% endfor %}
  {{ return(parts[0] if parts | length == 1 else '(' ~ parts | join(' or ') ~ ')') }}
{% endmacro %}


{# The value (SQL) of a column in a map from fields to values. #}
{% macro _in_map(column, map) %}
  {% set parts = [] %}
  {% for name in afterimage.names_in_events(column) %}{% do parts.append(map ~ '[' ~ afterimage.literal(name) ~ ']') %}{% endfor %}
  {{ return(parts[0] if parts | length == 1 else 'coalesce(' ~ parts | join(', ') ~ ')') }}
{% endmacro %}


{# The regular expression of a column's names as keys of JSON. #}
{% macro _name_in_json(column) %}
  {% set names = [] %}
  {% for name in afterimage.names_in_events(column) %}{% do names.append(modules.re.escape(name)) %}{% endfor %}
  {{ return('"' ~ (names[0] if names | length == 1 else '(?:' ~ names | join('|') ~ ')') ~ '"') }}
{% endmacro %}


{#
  The fields of an image as an array of names (SQL). A former name of a column is replaced by its current one, unless a newer one is there too: then
  it is the name of another column.
#}
{% macro _fields_sent_by(image_text, columns) %}
  {% set fields, cases = 'json_object_keys(' ~ image_text ~ ')', [] %}
  {% for column in columns %}
    {% set newer = [column['field']] %}
    {% for name in column.get('former', []) %}
      {% set none_newer = [] %}
      {% for field in newer %}{% do none_newer.append('not array_contains(' ~ fields ~ ', ' ~ afterimage.literal(field) ~ ')') %}{% endfor %}
      {% do cases.append('when f = ' ~ afterimage.literal(name['field']) ~ ' and ' ~ none_newer | join(' and ') ~ ' then ' ~ afterimage.literal(column['field'])) %}
      {% do newer.append(name['field']) %}
    {% endfor %}
  {% endfor %}
  {{ return('transform(' ~ fields ~ ', f -> case ' ~ cases | join(' ') ~ ' else f end)' if cases else fields) }}
{% endmacro %}


{# Whether an image has a column and its value was sent. In: column; SQL of the image's fields and of the literal. Out: SQL boolean. #}
{% macro _is_in_image(column, fields, raw) %}
  {% set is_there = afterimage._has_column(fields, column) %}
  {% if not column['decoder'].get('unknown') %}{{ return(is_there) }}{% endif %}
  {{ return('(' ~ is_there ~ ' and not coalesce(' ~ afterimage.fill(column['decoder']['unknown'], raw) ~ ', false))') }}
{% endmacro %}


{# True (SQL) when the image lacks the value of this column. A key column is never unsent: the record's key has it, or the record is refused. #}
{% macro _is_unsent(column) %}
  {% if column['is_key'] %}{{ return('false') }}{% endif %}
  {% set placeholder = afterimage.fill(column['decoder']['unknown'], afterimage.raw_literal(column, 'image')) if column['decoder'].get('unknown') else none %}
  {{ return("((not is_whole and not array_contains(fields, " ~ afterimage.literal(column['field']) ~ "))" ~ (" or " ~ placeholder if placeholder else "") ~ ")") }}
{% endmacro %}


{# The declared columns as an array of names: if an image holds just these, its columns need no checks one by one (is_whole). #}
{% macro _declared_fields(columns) %}
  {{ return('array(' ~ afterimage.literals(columns | map(attribute='field')) ~ ')') }}
{% endmacro %}


{% macro _decoded_value(column, image, is_full) %}
  {% set raw = afterimage.raw_literal(column, image) %}
  {% set value = afterimage.fill(column['decoder']['value'], raw) %}
  {% set placeholder = afterimage.fill(column['decoder']['unknown'], raw) if column['decoder'].get('unknown') else none %}
  {% set conditions = [] %}
  {% if not is_full and not column['is_key'] %}{% do conditions.append("op = 'd'") %}{% endif %}
  {% if placeholder %}{% do conditions.append(placeholder) %}{% endif %}
  {{ return('case when ' ~ conditions | join(' or ') ~ ' then null else ' ~ value ~ ' end' if conditions else value) }}
{% endmacro %}


{#
  JSON array of the names of columns whose values the image does not have, NULL when it has all.
  In: columns; is_full; has_changes_alone, whether the step has that column, for updates that carry only what they set (see key_alone_before).
#}
{% macro _unknown_columns(columns, is_full, has_changes_alone) %}
  {% set unsent, placeholders = {}, ['not is_whole'] + (['has_changes_alone'] if has_changes_alone else []) %}
  {% for column in columns if not column['is_key'] %}
    {% if column['decoder'].get('unknown') %}{% do placeholders.append(afterimage.fill(column['decoder']['unknown'], afterimage.raw_literal(column, 'image'))) %}{% endif %}
    {% set left_out = ' or has_changes_alone and ' ~ afterimage.raw_literal(column, 'image') ~ ' is null' if has_changes_alone else '' %}
    {% do unsent.update({column['name']: afterimage._is_unsent(column) ~ left_out}) %}
  {% endfor %}
  {% if not unsent %}{{ return('cast(null as string)') }}{% endif %}
  {{ return("case when " ~ ("op <> 't'" if is_full else afterimage.leaves_row('op')) ~ " and image is not null and (" ~ placeholders | join(' or ') ~ ") then "
            ~ afterimage.json_names(unsent) ~ " end") }}
{% endmacro %}


{#
  JSON array of the names of columns that the image does not have at all, NULL when it has all. A row is always sent with all its columns, with a
  placeholder for a value not sent: such a column was excluded, generated, dropped, or not there yet.
#}
{% macro _absent_columns(columns) %}
  {% set absent = {} %}
  {% for column in columns if not column['is_key'] %}
    {% do absent.update({column['name']: 'not array_contains(fields, ' ~ afterimage.literal(column['field']) ~ ')'}) %}
  {% endfor %}
  {{ return("case when not is_whole and image is not null and " ~ afterimage.leaves_row('op') ~ " then " ~ afterimage.json_names(absent) ~ " end" if absent else 'cast(null as string)') }}
{% endmacro %}


{# JSON object of the fields the contract does not know; NULL when there is none. Values are exact to 38 digits; if one is no value
   of VARIANT (an object with a duplicate key, NaN) all are kept as text. In: image, text (SQL) of the row with its numbers as they came. #}
{% macro _extra_fields(columns, image) %}
  {% set undeclared = "array_except(fields, " ~ afterimage._declared_fields(columns) ~ ")" %}
  {{ return("case when not is_whole and size(" ~ undeclared ~ ") > 0 then coalesce(to_json(map_filter(from_json(" ~ image ~ ", 'map<string, variant>'), (name, value) -> array_contains("
            ~ undeclared ~ ", name))), to_json(map_filter(from_json(image_text, 'map<string, string>'), (name, value) -> array_contains("
            ~ undeclared ~ ", name)))) end") }}
{% endmacro %}


{# The beginning of a condition (SQL) on the value of a column that the image of a delete lacks unless before images are full. #}
{% macro _unless_deleted(column, is_full) %}
  {{ return("op <> 'd' and " if not is_full and not column['is_key'] else '') }}
{% endmacro %}


{# The values that do not fit their declared types, with their literals (only the name of a sensitive column), as one text; NULL when all fit. #}
{% macro _misfits(columns, is_full, format, schemas=[]) %}
  {% set parts = [] %}
  {% for column in columns if column['decoder'].get('refuse') %}
    {% set raw = afterimage.raw_literal(column, 'image') %}
    {% set refuse = afterimage.fill(column['decoder']['refuse'], raw) %}
    {% if column['decoder'].get('unknown') %}{% set refuse = 'not ' ~ afterimage._is_unsent(column) ~ ' and ' ~ refuse %}{% endif %}
    {% set shown = ": (sensitive) does not fit " if column['is_sensitive'] else ": ', left(to_json(named_struct('v', " ~ raw ~ ")), 200), ' does not fit " %}
    {% set declared = column['source_type'] ~ column['decoder'].get('under', '') %}
    {% do parts.append('if(' ~ afterimage._unless_deleted(column, is_full) ~ refuse ~ ", concat('" ~ afterimage.escape_text(column['name']) ~ shown ~ afterimage.escape_text(declared) ~ "'), null)") %}
  {% endfor %}
  {% do parts.extend(afterimage.misfits_of_block(columns, is_full, has_image=true) + afterimage.misfits_in_avro(columns, schemas, format, is_full, has_image=true)) %}
  {% for column in columns if column['decoder'].get('quoted') or column['decoder'].get('bare') %}
    {# parsing removes quotes, so a text and a number look the same: 1234 is also base64, and so is true. The cheap checks come first #}
    {% set raw, name = afterimage.raw_literal(column, 'image'), afterimage._name_in_json(column) %}
    {% set kind = "schema_of_variant(" ~ afterimage._in_map(column, "from_json(image_text, 'map<string, variant>')") ~ ")" %}
    {% set is_row = afterimage._unless_deleted(column, is_full) %}
    {% if column['decoder'].get('quoted') %}
      {% set looks_bare = "{raw} rlike '^(-?[0-9][-+.0-9eE]*|true|false)$'" %}
      {% set is_list = column['decoder']['literal'].startswith('array') %}
      {% set looks = "exists(" ~ raw ~ ", e -> " ~ afterimage.fill(looks_bare, 'e') ~ ")" if is_list else afterimage.fill(looks_bare, raw) %}
      {% do parts.append("if(" ~ is_row ~ column['decoder']['quoted'] ~ " is not null and " ~ looks ~ " and record_value rlike "
                         ~ afterimage.literal(name ~ ('\\s*:\\s*\\[' if is_list else '\\s*:\\s*[-0-9tf]')) ~ " and " ~ kind ~ (" not in ('ARRAY<STRING>')" if is_list else " <> 'STRING'")
                         ~ ", concat('" ~ afterimage.escape_text(column['name']) ~ ": a JSON number, true or false where ', " ~ column['decoder']['quoted'] ~ ", ' was expected"
                         ~ (" (decimal.format of the converter is NUMERIC?)" if column['decoder'].get('scale') is not none else "") ~ "'), null)") %}
    {% endif %}
    {% if column['decoder'].get('bare') %}
      {% do parts.append("if(" ~ is_row ~ afterimage.fill(column['decoder']['bare'], raw) ~ " and record_value rlike " ~ afterimage.literal(name ~ '\\s*:\\s*(?:\\[[^\\]"]*)?"')
                         ~ " and " ~ kind ~ " rlike 'STRING|VARIANT', '" ~ afterimage.escape_text(column['name'])
                         ~ ": a text where a JSON number was expected (decimal.format of the converter is BASE64?)', null)") %}
    {% endif %}
  {% endfor %}
  {% for column in columns if column['decoder'].get('digits_behind') is not none %}
    {% set most = column['decoder']['digits_behind'] %}
    {% set number = "cast(" ~ afterimage._in_map(column, "from_json(" ~ afterimage.image_text(format, is_exact=true) ~ ", 'map<string, variant>')") ~ " as string)" %}
    {% set has_more = afterimage._name_in_json(column) ~ '\\s*:\\s*-?[0-9]+(?:[.][0-9]{' ~ ([most, 0] | max) ~ '}[0-9]*[1-9]|[.]?[0-9]*[eE]-)' %}
    {% do parts.append("if(" ~ afterimage._unless_deleted(column, is_full) ~ "record_value rlike " ~ afterimage.literal(has_more) ~ " and "
                       ~ afterimage.digits_behind_point(number) ~ " > " ~ most ~ ", '" ~ afterimage.escape_text(column['name'])
                       ~ ": more digits behind the point than " ~ afterimage.escape_text(column['source_type']) ~ " has', null)") %}
  {% endfor %}
  {{ return("nullif(concat_ws('; ', " ~ parts | join(', ') ~ "), '')" if parts else 'cast(null as string)') }}
{% endmacro %}


{# The columns that are NULL although the text has a value, as one text, for a record whose JSON has a literal of the wrong kind. #}
{% macro _mistyped(columns) %}
  {% set parts = [] %}
  {% for column in columns %}
    {% set text = afterimage._in_map(column, "from_json(_cdc_image_text, 'map<string, string>')") %}
    {% set shown = ": (sensitive) does not fit " if column['is_sensitive'] else ": ', left(" ~ text ~ ", 200), ' does not fit " %}
    {% set declared = column['source_type'] ~ column['decoder'].get('under', '') %}
    {% do parts.append("if(" ~ afterimage.raw_literal(column, '_cdc_image') ~ " is null and " ~ text ~ " is not null, concat('" ~ afterimage.escape_text(column['name'])
                       ~ shown ~ afterimage.escape_text(declared) ~ "'), null)") %}
  {% endfor %}
  {% for column in columns if column['decoder']['literal'].startswith('struct<') %}
    {% set texts = "from_json(" ~ afterimage._in_map(column, "from_json(_cdc_image_text, 'map<string, string>')") ~ ", 'map<string, string>')" %}
    {% for member in modules.re.findall('`?([A-Za-z]+)`?:', column['decoder']['literal']) %}
      {% do parts.append("if(" ~ afterimage.raw_literal(column, '_cdc_image') ~ "." ~ member ~ " is null and " ~ texts ~ "['" ~ member ~ "'] is not null, '"
                         ~ afterimage.escape_text(column['name']) ~ ": " ~ member ~ " does not fit " ~ afterimage.escape_text(column['source_type']) ~ "', null)") %}
    {% endfor %}
  {% endfor %}
  {{ return("coalesce(nullif(concat_ws('; ', " ~ parts | join(', ') ~ "), ''), 'a literal beside the row is of another JSON kind: in the row before it, in source or in transaction')") }}
{% endmacro %}


{# Row text of the row before an update of a table without a key. #}
{% macro _before_row_text(columns) %}
  {% set values = {} %}
  {% for column in columns %}
    {% do values.update({column['name']: afterimage.fill(column['decoder']['value'], afterimage.raw_literal(column, 'before'))}) %}
  {% endfor %}
  {{ return("case when op = 'u' and before is not null then " ~ afterimage.row_text(columns, values, afterimage.special_values(columns, true, 'before')) ~ " end") }}
{% endmacro %}


{#
  The key in a header (__debezium.oldkey, __debezium.newkey) in the form of key_text; NULL when the header is not there.
  The header's value is the key's JSON, under schemas.enable one level down in payload. Kafka's own header converter writes a precise
  decimal as a bare number, where the record has the base64 of its bytes (capture mysql9-schema); Connect's own dates and clocks as text
  without quotes; and control characters unescaped. That is not valid JSON, and is repaired before it is parsed.
#}
{% macro _header_key(keys, name) %}
  {% if not keys %}{{ return('cast(null as string)') }}{% endif %}
  {% set text = afterimage.kafka_header(name) %}
  {% set clocks = afterimage.literal('(?<!\\\\)(":\\s*)([0-9]{4,}-[0-9][^,}\\s]*|[0-9]{2}:[0-9]{2}:[0-9][^,}\\s]*)') %}
  {% set has_clocks = [] %}
  {% for column in keys if column['decoder'].get('from_bare') and column['decoder'].get('schema_names') %}{% do has_clocks.append(column) %}{% endfor %}
  {% set document = afterimage.without_schema(text) %}
  {% set document = "regexp_replace(" ~ document ~ ", " ~ clocks ~ ", '$1\"$2\"')" if has_clocks else document %}
  {% set parsed = afterimage.row_image(document, keys, [], "map('allowUnquotedControlChars', 'true')") %}
  {% set texts = [] %}
  {% for column in keys %}
    {% set raw = afterimage._of_any_name(column, parsed) %}
    {% set special = afterimage.fill(column['decoder']['special'], raw) if column['decoder'].get('special') else none %}
    {% set value = afterimage.fill(column['decoder']['value'], raw) %}
    {% if column['decoder'].get('from_bare') %}
      {% set field = afterimage._name_in_json(column) ~ '\\s*:\\s*' %}
      {% set bare = "regexp_extract(" ~ text ~ ", " ~ afterimage.literal(field ~ '([^\\s"\\[{,}][^,}\\s]*)') ~ ", 1)" %}
      {% set value = 'if(' ~ text ~ " rlike " ~ afterimage.literal(field ~ column['decoder']['bare_form']) ~ ', ' ~ afterimage.fill(column['decoder']['from_bare'], bare) ~ ', ' ~ value ~ ')' %}
    {% endif %}
    {% do texts.append(afterimage.key_part(value, column['type'], special)) %}
  {% endfor %}
  {{ return("case when " ~ text ~ " is not null then " ~ afterimage.joined_key(texts, afterimage._has_fields(document, keys)) ~ " end") }}
{% endmacro %}


{#
  The key columns from the record's key, where the image lacks one or it was not sent; else NULL. column.exclude.list removes columns only from
  the value, never from the key, and PostgreSQL sends a long value only in the key where an update left it alone.
  In: keys. Out: SQL.
#}
{% macro _key_in_record(keys) %}
  {% if not keys %}{{ return('cast(null as struct<none: string>)') }}{% endif %}
  {% set are_there = [] %}
  {% for column in keys %}
    {% set raw = afterimage._of_any_name(column, "if(op = 'd', before, after)") %}
    {% do are_there.append(afterimage._is_in_image(column, 'json_object_keys(image_text)', raw)) %}
  {% endfor %}
  {{ return('case when not (' ~ are_there | join(' and ') ~ ') then ' ~ afterimage.row_image('key_document', keys) ~ ' end') }}
{% endmacro %}


{#
  The row after a change, including values that only the row before has: under the current names of the columns.
  In: columns; contract. Out: SQL, in a step that has before and after.
#}
{% macro _image_after(columns, contract) %}
  {% if not afterimage.unsent_is_in_before(contract) %}{{ return('after') }}{% endif %}
  {% set unsent, fields, former = [], [], [] %}
  {% for column in columns %}
    {% set name = column.get('member', column['field']) %}
    {% set value = 'after.`' ~ name ~ '`' %}
    {% if column['decoder'].get('unknown') %}
      {% do unsent.append(afterimage.fill(column['decoder']['unknown'], value)) %}
      {% set value = 'if(' ~ unsent[-1] ~ ', coalesce(before.`' ~ name ~ '`, ' ~ value ~ '), ' ~ value ~ ')' %}
    {% endif %}
    {% do fields.append(afterimage.literal(name) ~ ', ' ~ value) %}
    {% for other in column.get('former', []) %}{% do former.append(afterimage.literal(other['member']) ~ ', after.`' ~ other['member'] ~ '`') %}{% endfor %}
  {% endfor %}
  {% if not unsent %}{{ return('after') }}{% endif %}
  {{ return("if(op = 'u' and before is not null and (" ~ unsent | join(' or ') ~ "), named_struct(" ~ (fields + former) | join(', ') ~ "), after)") }}
{% endmacro %}


{#
  The row before a delete: its `before`; if that is missing, the key columns of the record's key, which identify the row just as well
  (a before image under REPLICA IDENTITY DEFAULT says no more). NULL where the record's key lacks one of them.
  Where before images are full, deletes are matched by them, and a key does not replace one.
#}
{% macro _image_before_delete(columns, keys, is_full, added) %}
  {% if is_full or not keys %}{{ return('before') }}{% endif %}
  {{ return("coalesce(before, if(" ~ afterimage._has_fields('key_document', keys) ~ ", " ~ afterimage.row_image('key_document', columns, added) ~ ", null))") }}
{% endmacro %}


{# Whether a JSON object (SQL) has a field for each of some columns. Out: SQL boolean. #}
{% macro _has_fields(document, columns) %}
  {% set are_there = [] %}
  {% for column in columns %}{% do are_there.append(afterimage._has_column('json_object_keys(' ~ document ~ ')', column)) %}{% endfor %}
  {{ return('coalesce(' ~ are_there | join(' and ') ~ ', false)') }}
{% endmacro %}


{# Whether a record has each column of its key (SQL), in a step that has `image`: in the row, or in its own key, like the row before some deletes. #}
{% macro _key_is_sent(keys) %}
  {% set are_there = [] %}
  {% for column in keys %}{% do are_there.append(afterimage._is_in_image(column, 'fields', afterimage._of_any_name(column, 'image'))) %}{% endfor %}
  {{ return('fields is null or (' ~ are_there | join(' and ') ~ ') or ' ~ afterimage._has_fields('key_document', keys)) }}
{% endmacro %}


{#
  The key that a row had before an update, in the form of key_text. An image that is not full has the columns of the replica identity and invented
  values for all others: it is used only where the record's key does not hold the contract's; otherwise the connector would have split the update.
#}
{% macro _key_before_update(keys, is_full) %}
  {% set conditions, texts = ["op = 'u'"], [] %}
  {% for column in keys %}
    {% set raw = afterimage.raw_literal(column, 'before') %}
    {% do conditions.append(raw ~ ' is not null') %}
    {% set special = afterimage.fill(column['decoder']['special'], raw) if column['decoder'].get('special') else none %}
    {% do texts.append(afterimage.key_part(afterimage.fill(column['decoder']['value'], raw), column['type'], special)) %}
  {% endfor %}
  {% if not is_full %}{% do conditions.append('not ' ~ afterimage._has_fields('key_document', keys)) %}{% endif %}
  {{ return('case when ' ~ conditions | join(' and ') ~ ' then ' ~ afterimage.joined_key(texts) ~ ' end') }}
{% endmacro %}


{#
  Hash of the row before an update, as image_hash makes it of the row after: for a table with a key whose rows may collide. NULL where the image
  lacks the key. Where the contract does not declare full before images, also of the row before a delete, whose own image has only the key.
#}
{% macro _before_hash(columns, is_full) %}
  {% set befores, has_key = [], ["op = 'u'" if is_full else "op in ('u', 'd')", 'before is not null'] %}
  {% for column in columns if column['is_key'] %}{% do has_key.append(afterimage.raw_literal(column, 'before') ~ ' is not null') %}{% endfor %}
  {% for column in columns %}
    {% do befores.append({'sql': afterimage.fill(column['decoder']['value'], afterimage.raw_literal(column, 'before')), 'type': column['type']}) %}
  {% endfor %}
  {{ return("case when " ~ has_key | join(' and ') ~ " then " ~ afterimage.image_hash(befores, 'cast(null as string)', afterimage.special_values(columns, true, 'before')) ~ " end") }}
{% endmacro %}

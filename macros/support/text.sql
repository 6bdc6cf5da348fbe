{# Text escaped for a single-quoted Spark literal: data is never code. (Spark substitutes ${…} before it parses SQL.) #}
{% macro escape_text(text) %}
  {{ return(text | string | replace('\\', '\\\\') | replace("'", "\\'") | replace('${', '\\u0024{')) }}
{% endmacro %}


{# A quoted Spark literal. #}
{% macro literal(text) %}
  {{ return("'" ~ afterimage.escape_text(text) ~ "'") }}
{% endmacro %}


{# Texts as quoted Spark literals, separated by commas. #}
{% macro literals(texts) %}
  {% set found = [] %}
  {% for text in texts %}{% do found.append(afterimage.literal(text)) %}{% endfor %}
  {{ return(found | join(', ')) }}
{% endmacro %}


{# A text as Spark writes it in JSON, quotes included. #}
{% macro json_text(text) %}
  {{ return('"' ~ text | replace('\\', '\\\\') | replace('"', '\\"') | replace('\n', '\\n') | replace('\t', '\\t') | replace('\r', '\\r') ~ '"') }}
{% endmacro %}


{#
  SQL of a JSON array of the names whose condition holds; NULL when none does. In: {name: condition}.
  Built as text: Spark interprets a lambda over an array of all names row by row.
#}
{% macro json_names(conditions) %}
  {% set parts = [] %}
  {% for name, condition in conditions.items() %}{% do parts.append('if(' ~ condition ~ ', ' ~ afterimage.literal(afterimage.json_text(name)) ~ ', null)') %}{% endfor %}
  {{ return("nullif(concat('[', concat_ws(',', " ~ parts | join(', ') ~ "), ']'), '[]')") }}
{% endmacro %}


{#
  Whether (SQL) such an array contains a column; never NULL. A quote within a name is escaped, so a quote after [ or ,
  begins a name.
#}
{% macro json_names_has(names, name) %}
  {% set text = afterimage.json_text(name) %}
  {{ return('coalesce(contains(' ~ names ~ ', ' ~ afterimage.literal('[' ~ text) ~ ') or contains(' ~ names ~ ', ' ~ afterimage.literal(',' ~ text) ~ '), false)') }}
{% endmacro %}


{# SQL of a JSON object of the values that are not NULL. In: {name: SQL of a text}. #}
{% macro json_texts(values) %}
  {% set parts = [] %}
  {% for name, value in values.items() %}{% do parts.append(afterimage.literal(name) ~ ', ' ~ value) %}{% endfor %}
  {{ return("to_json(named_struct(" ~ parts | join(', ') ~ "), map('ignoreNullFields', 'true'))") }}
{% endmacro %}


{# A column name for Spark SQL: bare when plain, otherwise in backticks, as are words that Spark accepts bare but that read better quoted. #}
{% macro identifier(name) %}
  {% set reserved = [
    'order', 'table', 'select', 'from', 'where', 'group', 'by', 'user', 'end', 'case', 'when', 'then', 'else', 'and', 'or', 'not',
    'in', 'is', 'as', 'on', 'join', 'left', 'right', 'full', 'inner', 'outer', 'cross', 'union', 'all', 'distinct', 'having',
    'limit', 'with', 'at', 'to', 'of', 'for', 'default', 'primary', 'key', 'check', 'column', 'constraint', 'create', 'desc', 'asc',
    'between', 'like', 'null', 'true', 'false', 'cast', 'date', 'timestamp', 'time', 'interval', 'year', 'month', 'day', 'values',
    'first', 'last', 'rows', 'range', 'partition', 'over', 'using', 'natural', 'set', 'into', 'add', 'drop', 'any', 'some', 'exists',
  ] %}
  {{ return(name if modules.re.match('^[a-z_][a-z0-9_]*$', name) and name not in reserved else '`' ~ name | replace('`', '``') ~ '`') }}
{% endmacro %}


{# Writes one line to dbt's log, prefixed with the package's name. #}
{% macro say(text) %}
  {% do log('[afterimage] ' ~ text, info=true) %}
{% endmacro %}


{#
  A broadcast hint for a relation known to be small, so that Spark does not shuffle the large side of the join; empty
  when its size is unknown or large. In: name in the from clause, number of rows or none.
#}
{% macro broadcast_hint(name, rows) %}
  {{- return('/*+ broadcast(' ~ name ~ ') */' if rows is not none and rows <= 500000 else '') -}}
{% endmacro %}


{#
  Lower-case hexadecimal digits (SQL) of a number or of bytes. Not by lower(), and upper() is used nowhere: the first
  call of either makes Spark build a table of all letters, some 4 CPU seconds in each JVM (stack samples of
  a first load).
#}
{% macro hex_text(value) %}
  {{ return('translate(hex(' ~ value ~ "), 'ABCDEF', 'abcdef')") }}
{% endmacro %}

{#
  Hashes of a model's rows in 65,536 buckets of keys, for a source that counts the same: rows of a bucket whose hashes are equal need not be
  moved. `afterimage reconcile --narrow` calls it.

  In:  table, as source.table; exclude_columns, see reconcile.
  Prints one line of JSON: {select, SQL of {bucket, records, total}; columns: [{name in the source, kind, is_key}], of which see _hashed_kind;
       not_hashed: [name in the model]}.
  Raises for a table that is unknown or has not run, and for a key that a database and Spark print differently.
#}
{% macro reconcile_hashes(table, exclude_columns=[]) %}
  {% set nodes = afterimage.models_of_table(table, 'reconcile') %}
  {% set node = nodes.get('cdc_history') or nodes.get('cdc_current') %}
  {% set versions = afterimage.listed_relation(afterimage.relation_of(node)) if node else none %}
  {% if versions is none %}
    {% do exceptions.raise_compiler_error('[afterimage] reconcile: ' ~ (node.name ~ ' has not run yet.' if node else table ~ ' has neither a history nor a current state.')) %}
  {% endif %}
  {% set contract = afterimage.contract_of_model(node) %}
  {% set left_out = exclude_columns + (contract['masked'] or {}) | list + (contract['untracked'] or []) | list %}
  {% set columns, texts, not_hashed = [], [], [] %}
  {% for column in afterimage.contract_columns(contract) if column['name'] not in left_out and not column['name'].startswith('_cdc_') %}
    {% set kind = afterimage._hashed_kind(column, contract) %}
    {% if kind %}
      {% do columns.append({'name': column.get('source_name', column['name']), 'kind': kind, 'is_key': column['is_key']}) %}
      {% do texts.append(afterimage._hashed_text(column, kind)) %}
    {% else %}
      {% do not_hashed.append(column['name']) %}
    {% endif %}
  {% endfor %}
  {% set total = "sum(cast(conv(left(md5(concat(" ~ texts | join(', ') ~ ")), 15), 16, 10) as decimal(20, 0)))" %}
  {% set is_row = afterimage._is_row_now(node, contract) %}
  {% do print(tojson({
    'select': 'select ' ~ afterimage._key_bucket(contract) ~ ' as bucket, count(*) as records, ' ~ total ~ ' as total from ' ~ versions ~ (' where ' ~ is_row if is_row else '') ~ ' group by 1',
    'columns': columns,
    'not_hashed': not_hashed,
  })) %}
{% endmacro %}


{# The bucket of a model's row, four hexadecimal digits of its key's md5. In: contract. Out: SQL text. #}
{% macro _key_bucket(contract) %}
  {% set texts = [] %}
  {% for column in afterimage.contract_columns(contract) if column['is_key'] %}
    {% set kind = afterimage._hashed_kind(column, contract) %}
    {% if not kind %}
      {% do exceptions.raise_compiler_error('[afterimage] reconcile: the key ' ~ column['name'] ~ ' (' ~ column['source_type'] ~ ') has no text that the database and Spark print alike. Leave out --narrow.') %}
    {% endif %}
    {% do texts.append(afterimage._hashed_text(column, kind)) %}
  {% endfor %}
  {{ return("left(md5(concat(" ~ texts | join(', ') ~ ")), 4)") }}
{% endmacro %}


{# How a column's value becomes a text that databases make as well; none for types that each prints in its own way: floats, JSON, arrays. #}
{% macro _hashed_kind(column, contract) %}
  {% set type, name = column['type'], afterimage.parsed_type(column['source_type'], contract)['name'] %}
  {% if type in ['boolean', 'binary'] %}{{ return(type) }}{% endif %}
  {% if type in ['timestamp', 'timestamp_ntz'] %}{{ return('instant') }}{% endif %}
  {% if type == 'string' and name in ['char', 'character', 'bpchar', 'nchar'] %}{{ return('padded text') }}{% endif %}
  {% set texts = ['varchar', 'character varying', 'nvarchar', 'text', 'tinytext', 'mediumtext', 'longtext', 'uuid', 'enum'] %}
  {% set is_alike = type in ['tinyint', 'smallint', 'int', 'bigint', 'date'] or type.startswith('decimal') and name != 'money' or type == 'string' and name in texts %}
  {{ return('text' if is_alike else none) }}
{% endmacro %}


{# A column of a model in the form length:text, - for NULL. afterimage/reconcile/narrowed.py makes the same of the source's. In and out: SQL. #}
{% macro _hashed_text(column, kind) %}
  {% set value, type = column['sql'], column['type'] %}
  {% if kind == 'padded text' %}
    {% set text = 'rtrim(' ~ value ~ ')' %}
  {% elif kind == 'instant' %}
    {% set text = 'cast(' ~ ("timestampdiff(microsecond, timestamp_ntz'1970-01-01 00:00:00', " ~ value ~ ")" if type == 'timestamp_ntz' else 'unix_micros(' ~ value ~ ')') ~ ' as string)' %}
  {% elif kind == 'binary' %}
    {% set text = 'lower(hex(' ~ value ~ '))' %}
  {% elif type.startswith('decimal') %}
    {# Spark's own text of a small decimal may have an exponent #}
    {% set text = "translate(format_number(" ~ value ~ ", " ~ type[8:-1].split(',')[1] | trim ~ "), ',', '')" %}
  {% else %}
    {% set text = value if type == 'string' else 'cast(' ~ value ~ ' as string)' %}
  {% endif %}
  {% if column['decoder'].get('special') %}{% set text = 'coalesce(' ~ afterimage.special_text(column['name']) ~ ', ' ~ text ~ ')' %}{% endif %}
  {{ return("coalesce(concat(char_length(" ~ text ~ "), ':', " ~ text ~ "), '-')") }}
{% endmacro %}

{#
  True (SQL) for a change whose row before has only its key, although the connector asks for full rows (binlog_row_image=MINIMAL): the row after
  then has the values that were set, and NULL for all else. A row of nothing but NULLs looks alike; filled in with known values, it stays what it is.
  In: columns; connector, contract; is_exact, whether `before` has the former names of columns too.
  Out: SQL text in a step that has op and before; none where no such change can come.
#}
{% macro key_alone_before(columns, connector, contract, is_exact=false) %}
  {% set rest = columns | rejectattr('is_key') | list %}
  {% if not afterimage.may_tell_key_alone(connector, contract) or not rest %}{{ return(none) }}{% endif %}
  {% set conditions = ["op in ('u', 'd')", 'before is not null'] %}
  {% for column in rest %}{% do conditions.append((afterimage._of_any_name(column, 'before') if is_exact else afterimage._routine_raw(column, 'before')) ~ ' is null') %}{% endfor %}
  {{ return('(' ~ conditions | join(' and ') ~ ')') }}
{% endmacro %}


{# Whether the row before a change of this table can come with only its key, and NULL for all else. #}
{% macro may_tell_key_alone(connector, contract) %}
  {{ return(connector.get('may_tell_key_alone') and contract['key'] and afterimage.sends_row_before(contract)) }}
{% endmacro %}

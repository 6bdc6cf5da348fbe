{#
  Rows of a select as a list of dicts: JSON is the same from every driver, with timestamps to the microsecond in UTC.
#}
{% macro rows_as_json(select_sql) %}
  {% set rows = [] %}
  {% set as_json = "to_json(struct(*), map('ignoreNullFields', 'false', 'timeZone', 'UTC', 'timestampFormat', \"yyyy-MM-dd'T'HH:mm:ss.SSSSSSXXX\", "
                   ~ "'timestampNTZFormat', \"yyyy-MM-dd'T'HH:mm:ss.SSSSSS\"))" %}
  {% for row in run_query('select ' ~ as_json ~ ' as row_json from (' ~ select_sql ~ ') as asked').rows %}{% do rows.append(fromjson(row[0])) %}{% endfor %}
  {{ return(rows) }}
{% endmacro %}

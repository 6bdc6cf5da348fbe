{#
  Drops the appends that no view reads: neither the one that stands by now nor the one before it, for who began to read that may still be at it.
  In: log (relation); before, its properties when the run began.
#}
{% macro drop_unread_appends(log, before) %}
  {% set unread = [] %}
  {% for append in afterimage._appends_there(log) %}
    {% set read = [] %}
    {% for appends in [afterimage.state_appends(before), afterimage.state_appends(afterimage.table_properties(log))] %}
      {% if append == appends['whole'] or appends['later'] <= append <= appends['append'] %}{% do read.append(append) %}{% endif %}
    {% endfor %}
    {% if not read %}{% do unread.append(append) %}{% endif %}
  {% endfor %}
  {% do afterimage._drop_appends(log, unread) %}
{% endmacro %}


{# The numbers of the appends there are, as the catalog knows them. #}
{% macro _appends_there(log) %}
  {% set found = [] %}
  {% for row in run_query('show partitions ' ~ log).rows %}{% do found.append(row[0].partition('=')[2] | int) %}{% endfor %}
  {{ return(found) }}
{% endmacro %}


{% macro _drop_appends(log, appends) %}
  {% set partitions = [] %}
  {% for append in appends %}{% do partitions.append('partition (cdc_append = ' ~ append ~ ')') %}{% endfor %}
  {% if partitions %}{% do run_query('alter table ' ~ log ~ ' drop if exists ' ~ partitions | join(', ')) %}{% endif %}
{% endmacro %}

{#
  Drops the appends that no view reads. It keeps those of the current view and of the one before it, which may still have readers.
  In: log (relation); before, its properties when the run began. Lists the appends only where the last run or this one wrote appends that replace
  others (property `unread`).
#}
{% macro drop_unread_appends(log, before) %}
  {% if before.get('unread') != 'yes' and afterimage.table_properties(log).get('unread') != 'yes' %}{{ return('') }}{% endif %}
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


{# The numbers of the existing appends, from the catalog. #}
{% macro _appends_there(log) %}
  {% set found = [] %}
  {% for row in afterimage.ask('list the appends', 'show partitions ' ~ log).rows %}{% do found.append(row[0].partition('=')[2] | int) %}{% endfor %}
  {{ return(found) }}
{% endmacro %}


{% macro _drop_appends(log, appends) %}
  {% set partitions = [] %}
  {% for append in appends %}{% do partitions.append('partition (cdc_append = ' ~ append ~ ')') %}{% endfor %}
  {% if partitions %}{% do afterimage.ask('drop appends that no view reads', 'alter table ' ~ log ~ ' drop if exists ' ~ partitions | join(', ')) %}{% endif %}
{% endmacro %}

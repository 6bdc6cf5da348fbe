{#
  Appends the touched rows to the log of a current state, where the format has no MERGE (see active_rows). Then it may append once more: all rows,
  when later appends hold more of them than replaced_share allows; or the rows of the later appends, when there are fifty. The first bounds what a
  reader leaves out, the second the files it opens, without rewriting what a run did not touch.

  An append is a partition of the log, overwritten as one. Old ones stay for current readers (see drop_unread_appends).

  In: log (relation); state, a select; columns; touched, see touched_state; versions (relation); known, the log's properties.
  Out: the properties that say which appends count now, see state_appends.
#}
{% macro append_state(log, state, columns, touched, versions, known) %}
  {% set appends = dict(afterimage.state_appends(known), append=known.get('append', 0) | int + 1) %}
  {% do afterimage._write_append(log, appends['append'], afterimage.touched_rows(state, columns, touched, versions)) %}
  {% if touched is none %}
    {{ return(dict(appends, whole=appends['append'], later=appends['append'] + 1, replaced=0, unread='yes' if known.get('append') else 'no')) }}
  {% endif %}
  {% set rows = afterimage.ask('count the rows of the appends', 'select count_if(cdc_append = ' ~ appends['whole'] ~ '), count_if(cdc_append >= ' ~ appends['later'] ~ ') from ' ~ log
                          ~ ' where cdc_append <= ' ~ appends['append']).rows[0] %}
  {% do appends.update({'replaced': rows[1], 'unread': 'no'}) %}
  {% set again = appends['append'] + 1 %}
  {% if rows[1] > rows[0] * afterimage.replaced_share() %}
    {% set active = afterimage.touched_rows(afterimage.active_rows(log, columns, appends), columns, none, versions) %}
    {% do afterimage._write_append(log, again, active, reads_itself=true) %}
    {% do appends.update({'append': again, 'whole': again, 'later': again + 1, 'replaced': 0, 'unread': 'yes'}) %}
  {% elif again - appends['later'] >= 50 %}
    {% do afterimage._write_append(log, again, afterimage.active_rows(log, columns, appends, true), reads_itself=true) %}
    {% do appends.update({'append': again, 'later': again, 'unread': 'yes'}) %}
  {% endif %}
  {{ return(appends) }}
{% endmacro %}


{#
  Overwrites one partition of the log, including what a run that was cut off left in it. (With a dynamic partition, no rows would replace nothing.)
  In: append, its number; rows, a select of them and _cdc_is_gone; reads_itself, whether that reads the log, which
  Spark allows only with a dynamic partition.
#}
{% macro _write_append(log, append, rows, reads_itself=false) %}
  {% if reads_itself %}{% do afterimage._drop_appends(log, [append]) %}{% endif %}
  {% set statement_sql -%}
insert overwrite table {{ log }} partition (cdc_append{{ ' = ' ~ append if not reads_itself }}) by name
select
    *{{ ',\n    cast(' ~ append ~ ' as bigint) as cdc_append' if reads_itself }}
from (
{{ rows }}
) as written_rows
  {%- endset %}
  {% do afterimage.carry_out_fold('write the rows of the touched keys', statement_sql) %}
{% endmacro %}

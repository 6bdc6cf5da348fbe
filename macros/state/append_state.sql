{#
  Appends the touched rows to the log of a current state, where the format has no MERGE. An append is a partition, overwritten as one: what was
  left of one that was cut off goes, for no view reads it yet (see standing_rows).

  In: log (relation); state, a select; columns; touched, see touched_state; versions (relation); known, the log's properties.
  Out: the properties that tell of it: {append; whole, the append that holds all rows; replaced, how many rows later ones have; former, the
    append from which on older ones may go}.
#}
{% macro append_state(log, state, columns, touched, versions, known) %}
  {% set append = known.get('append', 0) | int + 1 %}
  {% do afterimage._drop_appends(log, range(known.get('former', 0) | int, known.get('whole', 0) | int) | list + [append, append + 1]) %}
  {% do afterimage._write_append(log, append, columns, afterimage.touched_rows(state, columns, touched, versions)) %}
  {% set told = {'append': append, 'whole': append, 'replaced': 0, 'former': known.get('whole', append)} %}
  {% if touched is not none %}
    {% set whole = known['whole'] | int %}
    {% set rows = run_query('select count_if(cdc_append = ' ~ whole ~ '), count_if(cdc_append > ' ~ whole ~ ') from ' ~ log
                            ~ ' where cdc_append >= ' ~ whole ~ ' and cdc_append <= ' ~ append).rows[0] %}
    {% if rows[1] <= rows[0] * afterimage.replaced_share() and append - whole < 50 %}
      {% do told.update({'whole': whole, 'replaced': rows[1]}) %}
    {% else %}
      {% set standing = afterimage.standing_rows(log, columns, whole, append, rows[1]) %}
      {% do afterimage._write_append(log, append + 1, columns, afterimage.touched_rows(standing, columns, none, versions)) %}
      {% do told.update({'append': append + 1, 'whole': append + 1}) %}
    {% endif %}
  {% endif %}
  {{ return(told) }}
{% endmacro %}


{#
  One partition of the log. Told by the rows and not by the statement, for Spark overwrites no table it reads from unless the rows tell it.
  In: append, its number; columns; rows, a select of them and _cdc_is_gone.
#}
{% macro _write_append(log, append, columns, rows) %}
  {% set statement_sql -%}
insert overwrite table {{ log }} partition (cdc_append) by name
select
    *,
    cast({{ append }} as bigint) as cdc_append
from (
{{ rows }}
) as written_rows
  {%- endset %}
  {% do afterimage.with_settings('append', statement_sql, dict(afterimage.light_planning(), **afterimage.dynamic_overwrite())) %}
{% endmacro %}


{#
  Drops appends: those that no view has read since the run before this one (who began to read then had until now), and what was left of one that
  was cut off, of which a partition that gets no row would stay.
#}
{% macro _drop_appends(log, appends) %}
  {% set partitions = [] %}
  {% for append in appends %}{% do partitions.append('partition (cdc_append = ' ~ append ~ ')') %}{% endfor %}
  {% do run_query('alter table ' ~ log ~ ' drop if exists ' ~ partitions | join(', ')) %}
{% endmacro %}

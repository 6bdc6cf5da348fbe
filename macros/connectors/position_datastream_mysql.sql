{#
  The place of a change in the binary log: number of the file, position in it: 0000000014.000000059424. As position_mysql, of which the row is
  not told here. In: SQL of the envelope's source. Out: SQL text, NULL when a part is missing or longer than its place.
#}
{% macro position_datastream_mysql(source) %}
  {% set number = "regexp_extract(" ~ source ~ ".log_file, '[.]([0-9]+)$', 1)" %}
  {{ return("case when " ~ number ~ " rlike '^[0-9]{1,10}$' and " ~ source ~ ".log_position rlike '^[0-9]{1,12}$' then concat_ws('.', lpad(" ~ number
            ~ ", 10, '0'), lpad(" ~ source ~ ".log_position, 12, '0')) end") }}
{% endmacro %}

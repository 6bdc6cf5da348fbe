{#
  The coordinates of a change in its source's log, from sort_keys: {field of source_metadata: SQL of the element, NULL when there is
  none}. In: contract; a step that has sort_keys, an array of texts.
  Seen: [milliseconds, file, position] for MySQL, [milliseconds, lsn] for PostgreSQL; [milliseconds, scn, rs_id, ssn] for Oracle. The leading
  timestamp orders nothing here: two changes within a second, or after a clock was set back, are ordered all the same.
  Source: fixtures google-datastream; Google's "Events and streams", sort_keys.
#}
{% macro datastream_coordinates(contract) %}
  {% set from_end = "get(sort_keys, size(sort_keys) - %d)" %}
  {% set of_form = "get(filter(sort_keys, e -> e rlike '%s'), 0)" %}
  {{ return({
    'datastream_mysql': {'log_file': from_end % 2, 'log_position': from_end % 1},
    'datastream_oracle': {'scn': 'if(size(sort_keys) < 3, ' ~ from_end % 1 ~ ', ' ~ from_end % 3 ~ ')',
                          'rs_id': 'if(size(sort_keys) < 3, null, ' ~ from_end % 2 ~ ')', 'ssn': 'if(size(sort_keys) < 3, null, ' ~ from_end % 1 ~ ')'},
    'datastream_postgresql': {'lsn': of_form % '^[0-9A-Fa-f]{1,8}/[0-9A-Fa-f]{1,8}$'},
    'datastream_sqlserver': {'lsn': of_form % '^[0-9A-Fa-f]{8}:[0-9A-Fa-f]{8}:[0-9A-Fa-f]{4}$'},
  }.get(contract['connector'], {})) }}
{% endmacro %}

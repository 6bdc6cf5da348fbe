{# Whether some row was born with values not sent and no word of where it came from, at the place of a delete: asked once a run, so that all others pay nothing. #}
{% macro any_unlinked_key_change(changes, contract) %}
  {% if not afterimage.connector(contract)['position_identifies_row'] %}{{ return(false) }}{% endif %}
  {% set seen = afterimage.seen_in_log(changes) %}
  {% if seen is none %}{{ return(true) }}{% endif %}
  {% if not seen['unlinked'] %}{{ return(false) }}{% endif %}
  {{ return(afterimage.ask('is a half of a key change without a word of the other',
    "select 1 from " ~ changes ~ " as born left semi join (select _cdc_position from " ~ changes ~ " where _cdc_op = 'd') as gone "
    ~ "on born._cdc_position = gone._cdc_position "
    ~ "where born._cdc_op = 'c' and born._cdc_unknown is not null and born._cdc_previous_key is null limit 1").rows | length > 0) }}
{% endmacro %}

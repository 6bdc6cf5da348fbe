{#
  Whether a row was created with values not sent and no reference to their source, at the position of a delete: a key-change pair.
  In: changes, contract.
#}
{% macro any_unlinked_key_change(changes, contract) %}
  {% if not afterimage.connector(contract)['position_identifies_row'] %}{{ return(false) }}{% endif %}
  {% set seen = afterimage.seen_in_log(changes) %}
  {{ return(seen['unlinked'] and (seen['moves'] is none or afterimage.unlinked_key_changes(changes) > 0)) }}
{% endmacro %}


{# How many such rows a change log has, counted once a run for the batches it has then. #}
{% macro unlinked_key_changes(changes) %}
  {% set counted, batches = afterimage.run_memory('unlinked'), changes ~ ' ' ~ afterimage.whole_batches(changes) %}
  {% if batches not in counted %}
    {% do counted.update({batches: afterimage.ask('count key-change pairs without a link',
      "select count(*) from " ~ changes ~ " as born left semi join (select _cdc_position from " ~ changes ~ " where _cdc_op = 'd') as gone "
      ~ "on born._cdc_position = gone._cdc_position "
      ~ "where born._cdc_op = 'c' and born._cdc_unknown is not null and born._cdc_previous_key is null").rows[0][0] | int}) %}
  {% endif %}
  {{ return(counted[batches]) }}
{% endmacro %}

{#
  How far a table that is fed from a change log has come, and what is waiting.

  In:  changes, the change log; built, the table fed from it (its property `applied` is the last batch taken in) or none.
  Out: none when everything must be read (first run, full refresh, unit test), else
    {applied, available, waiting (rows), oldest_truncate (order text of the first truncate among them, or none)}
#}
{% macro progress(changes, built) %}
  {% if built is none %}{{ return(none) }}{% endif %}
  {% set applied = afterimage.table_property(built, 'applied', 0) | int %}
  {% set available = afterimage.table_property(changes, 'batch', 0) | int %}
  {% if available <= applied %}
    {{ return({'applied': applied, 'available': available, 'waiting': 0, 'oldest_truncate': none}) }}
  {% endif %}
  {% set found = run_query(
    "select count(*), min(if(_cdc_op = 't', _cdc_order, null)) from " ~ changes
    ~ " where _cdc_batch > " ~ applied ~ " and _cdc_batch <= " ~ available).rows[0] %}
  {{ return({'applied': applied, 'available': available, 'waiting': found[0], 'oldest_truncate': found[1]}) }}
{% endmacro %}

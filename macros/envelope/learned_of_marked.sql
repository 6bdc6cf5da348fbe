{#
  What a batch teaches of which many records were marked: their form, which the connector may have changed; and where it is the one that was
  known, and most of a hundred and more were marked all the same, that under this contract the exact statement alone is quicker.
  In: batch; contract; form as known; marked, records in all; fingerprint. Out: properties to remember, see run_state.
#}
{% macro learned_of_marked(batch, contract, form, marked, records, fingerprint) %}
  {% if marked * 20 <= records %}{{ return({}) }}{% endif %}
  {% set learned = afterimage.sampled_form(
    "select _cdc_record_value as value from " ~ batch ~ " where _cdc_outcome = 'marked' order by _cdc_offset desc", contract) or {} %}
  {{ return(dict({'form': tojson(learned)}, **({'exact': fingerprint} if learned == form and records >= 100 and marked * 2 > records else {}))) }}
{% endmacro %}

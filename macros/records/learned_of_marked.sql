{#
  What a batch teaches of which many records were marked: their form, which the connector may have changed; and where it is the one that was
  known, and most of a hundred and more were marked all the same, that under this contract the exact statement alone is quicker.
  In: marked_records, the CTEs of them; contract; form as known; marked, records in all; fingerprint. Out: properties to remember, see run_state.
#}
{% macro learned_of_marked(marked_records, contract, form, marked, records, fingerprint) %}
  {% if marked * 20 <= records %}{{ return({}) }}{% endif %}
  {# the writers' schemas tell the form of records in Avro #}
  {% set learned = form if contract['avro_schemas'] else afterimage.sampled_form(
    'with ' ~ marked_records.strip().removesuffix(',') ~ ' select record_value as value from new_records order by offset desc', contract) or {} %}
  {{ return(dict({'form': tojson(learned)}, **({'exact': fingerprint} if learned == form and records >= 100 and marked * 2 > records else {}))) }}
{% endmacro %}

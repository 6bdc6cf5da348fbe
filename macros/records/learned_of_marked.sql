{#
  The properties to store after a batch with many marked records: their form, which the connector may have changed; and, if it is the known one and
  most of a hundred and more records were marked all the same, that the exact statement alone is quicker under this contract (see run_state).
  In: marked_records, the CTEs of them; contract; form as known; marked, records in all; fingerprint.
#}
{% macro learned_of_marked(marked_records, contract, form, marked, records, fingerprint) %}
  {% if marked * 20 <= records %}{{ return({}) }}{% endif %}
  {# for records in Avro the writers' schemas give the form #}
  {% set learned = form if contract['avro_schemas'] else afterimage.sampled_form(
    'with ' ~ marked_records.strip().removesuffix(',') ~ ' select record_value as value from new_records order by offset desc', contract) or {} %}
  {{ return(dict({'form': tojson(learned)}, **({'exact': fingerprint} if learned == form and records >= 100 and marked * 2 > records else {}))) }}
{% endmacro %}

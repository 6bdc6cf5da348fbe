{#
  Stores with a change log the kinds and epochs of a batch's operator events, before the batch is in it. Models built
  from the change log are rebuilt (another generation) if an event changes how its older rows are read: an epoch that
  began before some of them had landed, or the erasure of a row.

  In:  change_log, batch (tables).
#}
{% macro remember_operator_events(change_log, batch) %}
  {% set rows = afterimage.ask('store the operator events of the batch', "select _cdc_extra from " ~ batch ~ " where " ~ afterimage.is_of_operator() ~ " and _cdc_outcome = 'accepted' order by _cdc_event_id").rows %}
  {% if not rows %}{{ return(none) }}{% endif %}
  {% set known, events = afterimage.operator_state_of(change_log), [] %}
  {% for row in rows %}{% do events.append(fromjson(row[0])) %}{% endfor %}
  {% set begun = afterimage.epochs(events) | reject('in', known['epochs']) | list %}
  {% set kinds = (known['kinds'] + (events | map(attribute='kind') | list)) | unique(case_sensitive=true) | sort %}
  {% set properties = {'operator': tojson({'epochs': (known['epochs'] + begun) | unique(case_sensitive=true) | sort, 'kinds': kinds})} %}
  {% set staged_since = afterimage.ask('check for records that landed before their epoch was declared', "select 1 from " ~ change_log ~ " where _cdc_landed_ts >= timestamp '" ~ begun[0] ~ " UTC' limit 1").rows if begun else [] %}
  {% if staged_since | length or events | selectattr('kind', 'equalto', 'erase') | list %}
    {% do properties.update({'generation': invocation_id}) %}
  {% endif %}
  {% do afterimage.set_table_properties(change_log, properties) %}
{% endmacro %}

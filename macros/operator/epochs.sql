{#
  The epochs of a change log. A declared epoch begins with the first record that landed at or after its `landed_from`.

  In:  events (see operator_events). Out: list of the instants, as texts, in order of time; epoch 0 is before the
       first.
#}
{% macro epochs(events) %}
  {% set instants = [] %}
  {% for event in events if event['kind'] == 'epoch' %}{% do instants.append(event['landed_from'] | replace('T', ' ') | replace('Z', '')) %}{% endfor %}
  {{ return(instants | unique(case_sensitive=true) | sort) }}
{% endmacro %}


{# The same, as stored with the change log built so far; [] for a CTE, and where no table exists (unit tests). #}
{% macro epochs_of(change_log) %}
  {{ return(afterimage.operator_state_of(change_log)['epochs']) }}
{% endmacro %}


{#
  The state that a change log stores of the operator events it processed: {epochs, kinds}. Out: {epochs: [], kinds:
  []} without one.
#}
{% macro operator_state_of(change_log) %}
  {% set may_ask = afterimage.is_model_run() or (execute and model.resource_type == 'test' and not afterimage.is_only_compiled()) %}
  {% set is_there = may_ask and change_log is not none and change_log is not string and afterimage.listed_relation(change_log) is not none %}
  {{ return(afterimage.operator_state_in(afterimage.table_properties(change_log) if is_there else {})) }}
{% endmacro %}


{# The same in the properties of a change log. #}
{% macro operator_state_in(properties) %}
  {{ return(fromjson(properties.get('operator', '{"epochs": [], "kinds": []}'))) }}
{% endmacro %}


{#
  The epoch of a record as the prefix of a position in the log: e0001. and so on, empty for epoch 0, so that positions
  of a stream without epochs are unchanged and those of later epochs sort after them.
  In: SQL of the record's landing time; epochs (see epochs). Out: SQL text.
#}
{% macro epoch_prefix(landed, epochs) %}
  {% if not epochs %}{{ return("''") }}{% endif %}
  {% set parts = [] %}
  {% for instant in epochs | reverse %}
    {% do parts.append("when " ~ landed ~ " >= timestamp '" ~ instant ~ " UTC' then 'e" ~ '%04d' % (epochs | length - loop.index0) ~ ".'") %}
  {% endfor %}
  {{ return('case ' ~ parts | join(' ') ~ " else '' end") }}
{% endmacro %}


{#
  A position, order or identity within its epoch. In: SQL of the text, SQL of the landing time, epochs. Out: SQL; the
  text itself without epochs.
#}
{% macro in_epoch(text, landed, epochs) %}
  {{ return('concat(' ~ afterimage.epoch_prefix(landed, epochs) ~ ', ' ~ text ~ ')' if epochs else text) }}
{% endmacro %}

{#
  The operator events that a change log has not processed yet.
  In: built, the change log or none; events (see operator_events). Out: list of events.
  Raises when a processed event was changed or removed since: its effect remains, so the table of events must keep it.
#}
{% macro new_operator_events(built, events) %}
  {% if built is none %}{{ return(events) }}{% endif %}
  {% if not events and not afterimage.operator_state_of(built)['kinds'] %}{{ return([]) }}{% endif %}
  {% set taken, faults, said = {}, [], {} %}
  {% for row in afterimage.ask('read the processed operator events', "select _cdc_event_id, _cdc_extra from " ~ built ~ " where " ~ afterimage.is_of_operator()).rows %}{% do taken.update({row[0]: afterimage._effect(fromjson(row[1]))}) %}{% endfor %}
  {% for event in events %}{% do said.update({afterimage.operator_event_id(event): afterimage._effect(event)}) %}{% endfor %}
  {# an epoch that an interrupted run had already stored is known but not processed yet #}
  {% set known = afterimage.epochs_of(built) %}
  {% set last_epoch = (known or ['']) | last %}
  {% for event in events if event['kind'] == 'epoch' and afterimage.operator_event_id(event) not in taken
        and afterimage.epochs([event])[0] not in known and afterimage.epochs([event])[0] < last_epoch %}
    {% do faults.append(afterimage.operator_event_id(event) ~ ' begins before an epoch that was already processed (' ~ last_epoch ~ '). Declare epochs in order of time.') %}
  {% endfor %}
  {% for id, content in taken.items() if said.get(id) != content %}
    {% do faults.append(id ~ (' was changed. It was processed as ' ~ content if id in said else ' was removed. It was ' ~ content)) %}
  {% endfor %}
  {% if faults %}
    {% do exceptions.raise_compiler_error(
      '[afterimage] ' ~ model.name ~ ': operator events that were already processed must not change; nothing was run:\n  - ' ~ faults | join('\n  - ')
      ~ '\nRestore them. To withdraw one for good, rebuild the model and all models after it with --full-refresh.') %}
  {% endif %}
  {% set fresh = [] %}
  {% for event in events if afterimage.operator_event_id(event) not in taken %}{% do fresh.append(event) %}{% endfor %}
  {{ return(fresh) }}
{% endmacro %}


{# The part of an event that must stay as it was processed: all but its note. Out: JSON text. #}
{% macro _effect(event) %}
  {% set said = {} %}
  {% for name, value in event.items() if name != 'note' and value %}{% do said.update({name: value}) %}{% endfor %}
  {{ return(tojson(said, sort_keys=true)) }}
{% endmacro %}

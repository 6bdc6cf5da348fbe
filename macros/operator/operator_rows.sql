{#
  Operator events as rows of a change log: op `o`, with no values but the event's own; they sort after all changes at
  their position.

  In:  contract; events (see operator_events) that are not in the change log yet; names of the columns the select must
       have, in order.
  Out: a select of those rows. Kinds about one row have its _cdc_key; the others none.
#}
{% macro operator_rows(contract, events, columns) -%}
  {% set types = {} -%}
  {% for column in afterimage.contract_columns(contract) %}{% do types.update({column['name']: column['type']}) %}{% endfor -%}
  {% do types.update(afterimage.change_log_columns(contract)) -%}
  {% do types.update({'_cdc_outcome': 'string', '_cdc_kind': 'string', '_cdc_detail': 'string', '_cdc_record_key': 'string', '_cdc_record_value': 'string'}) -%}
  {% for event in events -%}
  {% set said = {
    '_cdc_op': "'o'",
    '_cdc_key': afterimage.literal(event['row_key']) if event['row_key'] else none,
    '_cdc_position': afterimage.literal(event['position']) if event['position'] else none,
    '_cdc_order': afterimage.operator_order(event),
    '_cdc_event_id': afterimage.literal(afterimage.operator_event_id(event)),
    '_cdc_source_ts': "timestamp '" ~ event['source_ts'] | replace('T', ' ') | replace('Z', '') ~ " UTC'" if event['source_ts'] else none,
    '_cdc_snapshot': "'none'",
    '_cdc_extra': afterimage.literal(tojson(event, sort_keys=true)),
    '_cdc_outcome': "'accepted'",
  } -%}
select
    {%- for name in columns %}
    cast({{ said.get(name) or 'null' }} as {{ types[name] }}) as {{ afterimage.identifier(name) }}{{ ',' if not loop.last }}
    {%- endfor %}
  {%- if not loop.last %}
union all
  {% endif -%}
  {%- endfor %}
{%- endmacro %}


{# Identity of an operator event in a change log: operator:<kind>:<event>. #}
{% macro operator_event_id(event) %}
  {{ return('operator:' ~ event['kind'] ~ ':' ~ event['event']) }}
{% endmacro %}


{#
  SQL of the order of an operator event: a complete snapshot sorts after its own rows (…0.…) and before the changes at
  its position (…1.…), all others after them. An epoch has none, only the time at which it begins.
#}
{% macro operator_order(event) %}
  {% set behind = {'snapshot_complete': '.0~' ~ event['event'], 'close': '.9.' ~ event['event'], 'erase': '.9.' ~ event['event']} %}
  {{ return(afterimage.literal(event['position'] ~ behind[event['kind']]) if event['position'] else none) }}
{% endmacro %}

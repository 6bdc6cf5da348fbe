{#
  The events of one type with typed payloads: a table per type of aggregate or event.

  In:  events, the ref() of a model of outbox_events; columns, {member of the payload: Spark type}; aggregate_type,
       event_type: texts to filter by, none for all. Types: string, boolean, tinyint, smallint, int, bigint, float,
       double, decimal(p,s), date, timestamp (without zone it is in UTC), timestamp_ntz; json, the member's own text;
       and array<…>, struct<…> of them.
  Out: a select of the columns, then _cdc_event_id, _cdc_event_type, _cdc_aggregate_type, _cdc_aggregate_id,
  _cdc_event_ts and _cdc_misfits, a JSON array of the columns with a value that does not fit its type (NULL when all
  do): those are NULL, and the payload is in outbox_events. An empty payload has NULLs.
  Raises for an unknown type, a name that Spark does not distinguish from another one, and one of ours.

      {{ afterimage.outbox_payload(ref('outbox_shop__events'), {'order_no': 'bigint', 'total': 'decimal(12,2)'},
      event_type='OrderPlaced') }}
#}
{% macro outbox_payload(events, columns, aggregate_type=none, event_type=none) -%}
{% set faults, names = [], [] -%}
{% for name, type in columns.items() -%}
  {% if not modules.re.match('(?i)^(string|boolean|tinyint|smallint|int|bigint|float|double|decimal[(][0-9]+, *[0-9]+[)]|date|timestamp|timestamp_ntz|json|(array|struct)<[^;]*>)\\Z', type) -%}
    {% do faults.append(name ~ ': ' ~ type ~ ' is not known here. Known: string, boolean, tinyint, smallint, int, bigint, float, double, decimal(p,s), date, timestamp, timestamp_ntz, json, array<…>, struct<…>') %}
  {% endif -%}
  {% if name | lower in names or (name | lower).startswith('_cdc_') or modules.re.search('[`\\x00-\\x1f]|[$][{]', name) -%}
    {% do faults.append(name ~ ': ' ~ ('differs from another column in capitals alone' if name | lower in names else 'the name cannot be carried, or is kept for afterimage')) %}
  {% endif -%}
  {% do names.append(name | lower) %}
{% endfor -%}
{% if faults or not columns -%}
  {% do exceptions.raise_compiler_error('[afterimage] outbox_payload of ' ~ events ~ ': ' ~ (faults | join('; ') or 'name at least one column') ~ '.') %}
{% endif -%}
{% set members, misfits, values = [], {}, {} -%}
{% for name, type in columns.items() -%}
  {% do members.append('`' ~ name ~ '` ' ~ ('string' if type | lower == 'json' else type)) -%}
  {% set value, member = 'document.`' ~ name ~ '`', 'member_' ~ loop.index -%}
  {% do values.update({name: afterimage._payload_value(value, member, type | lower)}) %}
  {% do misfits.update({name: afterimage._payload_misfits(value, member, type | lower)}) %}
{% endfor -%}
-- payloads of {{ events }}, made by afterimage.outbox_payload
with

events as (
    select
        event_id,
        event_type,
        aggregate_type,
        aggregate_id,
        event_ts,
        payload
    from {{ events }}
    {%- set conditions = [] %}
    {%- if aggregate_type is not none %}{% do conditions.append('aggregate_type = ' ~ afterimage.literal(aggregate_type)) %}{% endif %}
    {%- if event_type is not none %}{% do conditions.append('event_type = ' ~ afterimage.literal(event_type)) %}{% endif %}
    {%- if conditions %}
    where {{ conditions | join(' and ') }}
    {%- endif %}
),

parsed as (
    select
        events.*,
        document,
        {%- for name in columns %}
        {{ afterimage.json_member('payload', name) }} as member_{{ loop.index }}{{ ',' if not loop.last }}
        {%- endfor %}
    from events
        lateral view explode(array(from_json(payload, {{ afterimage.literal(members | join(', ')) }}, map('timeZone', 'UTC', 'allowNonNumericNumbers', 'false')))) as document
)

select
    {%- for name, value in values.items() %}
    {{ value }} as {{ afterimage.identifier(name) }},
    {%- endfor %}
    event_id as _cdc_event_id,
    event_type as _cdc_event_type,
    aggregate_type as _cdc_aggregate_type,
    aggregate_id as _cdc_aggregate_id,
    event_ts as _cdc_event_ts,
    {{ afterimage.json_names(misfits) }} as _cdc_misfits
from parsed
{%- endmacro %}


{#
  A member of the payload as a value of its type (SQL), from `document` or, verbatim, from its text. A decimal has
  every digit, or does not fit.
#}
{% macro _payload_value(value, member, type) %}
  {% if type == 'json' %}{{ return("nullif(" ~ member ~ ", 'null')") }}{% endif %}
  {% if type == 'string' %}{{ return("if(startswith(" ~ member ~ ", '\"'), " ~ value ~ ", nullif(" ~ member ~ ", 'null'))") }}{% endif %}
  {% if type.startswith('decimal') %}{{ return("if(" ~ afterimage._payload_misfits(value, member, type) ~ ", null, " ~ value ~ ")") }}{% endif %}
  {{ return(value) }}
{% endmacro %}


{# Whether (SQL) a value exists and is not of its type. #}
{% macro _payload_misfits(value, member, type) %}
  {% if type in ['string', 'json'] %}{{ return('false') }}{% endif %}
  {% set misfits = value ~ " is null" %}
  {% if type.startswith('decimal') %}
    {% set digits = modules.re.findall('[0-9]+', type) %}
    {% set misfits = "coalesce(" ~ value ~ " <> try_cast(trim('\"' from " ~ member ~ ") as decimal(38, " ~ (38 - (digits[0] | int - digits[1] | int)) ~ ")), true)" %}
  {% endif %}
  {{ return("(coalesce(" ~ member ~ ", 'null') <> 'null' and " ~ misfits ~ ")") }}
{% endmacro %}

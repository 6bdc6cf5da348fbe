{#
  The state of an existing change log. Raises where the contract no longer fits it.

  In:  built, the change log or none; contract.
  Out: {batch, begun, next, generation, late_columns, remembered}
    next          number of the coming batch: one never used, also after a run that was cut off
    late_columns  {name: first batch decoded with it} of the columns the contract gained after the table was created, including those of the
                  coming batch: rows of earlier batches do not know their value, which is not the same as NULL
    remembered    the properties that must be written before the batch is
  Raises when the contract now has another key, or reads a column in another way (masked, former_types, former_names, model_names): the existing
  rows are identified by the old one.
#}
{% macro change_log_state(built, contract) %}
  {% set key = tojson(contract['key']) ~ (' within each physical table' if contract['key_within'] == 'physical_table' else '') %}
  {% set names = afterimage.contract_columns(contract) | map(attribute='name') | list %}
  {% set reading = {'masked': contract['masked'] or {}, 'former_types': contract['former_types'] or {}} %}
  {% for name in ['former_names', 'model_names'] if contract[name] %}{% do reading.update({name: contract[name]}) %}{% endfor %}
  {% set reading = tojson(reading, sort_keys=true) %}
  {% if built is none %}
    {{ return({'batch': 0, 'begun': 0, 'next': 1, 'generation': invocation_id, 'late_columns': {},
               'remembered': {'key': key, 'columns': tojson(names), 'reading': reading, 'seen': afterimage.seen_at_first()}}) }}
  {% endif %}
  {% set known = afterimage.change_log_properties(built) %}
  {% if known['key'] != key %}
    {% do exceptions.raise_compiler_error(
      '[afterimage] ' ~ model.name ~ ': the key in ' ~ contract['origin'] ~ ' is ' ~ key ~ ' and was ' ~ known['key'] ~ ' when ' ~ built
      ~ ' was built. Nothing was written: a row known by two keys would be stored twice. Rebuild it with --full-refresh while landing still '
      ~ 'holds the start, or give the contract its old key.') %}
  {% endif %}
  {% if known['reading'] != reading %}
    {% do exceptions.raise_compiler_error(
      '[afterimage] ' ~ model.name ~ ': the keys in ' ~ contract['origin'] ~ ' by which columns are read are ' ~ reading ~ ' and were ' ~ known['reading'] ~ ' when ' ~ built
      ~ ' was built. Nothing was written: staged rows would keep their former values, unmasked, with another type or under another name, and a redelivered change would not '
      ~ 'be recognised. Rebuild it with --full-refresh while landing still holds the start, or restore the former keys of the contract.') %}
  {% endif %}
  {% set batch, begun = known.get('batch', 0) | int, known.get('begun', 0) | int %}
  {% set next = [batch, begun] | max + 1 %}
  {% set late_columns = fromjson(known.get('late_columns', '{}')) %}
  {% set had = fromjson(known['columns']) %}
  {% set gained = names | reject('in', had) | list %}
  {% for name in gained %}{% do late_columns.update({name: next}) %}{% endfor %}
  {% set remembered = {} %}
  {% if gained %}{% do remembered.update({'late_columns': tojson(late_columns), 'generation': invocation_id}) %}{% endif %}
  {% if had != names %}{% do remembered.update({'columns': tojson(names)}) %}{% endif %}
  {{ return({'batch': batch, 'begun': begun, 'next': next, 'generation': known['generation'], 'late_columns': late_columns,
             'remembered': remembered}) }}
{% endmacro %}


{#
  The stored properties of a change log, see table_properties. Raises where there are none: such a table was copied without its properties, or
  created in another way, and nobody has counted its rows.
#}
{% macro change_log_properties(change_log) %}
  {% set known = afterimage.table_properties(change_log) %}
  {% for name in ['key', 'columns', 'reading', 'seen', 'generation'] if name not in known %}
    {% do exceptions.raise_compiler_error(
      '[afterimage] ' ~ model.name ~ ': ' ~ change_log ~ ' lacks the table property afterimage.' ~ name ~ ', which records how it was built'
      ~ '. Nothing was written. A copy needs the properties of the table it was copied from; otherwise rebuild it with --full-refresh while landing '
      ~ 'still holds the start.') %}
  {% endfor %}
  {{ return(known) }}
{% endmacro %}


{#
  CTE `changes`: the rows of a change log as history reads them, one row per change:
    in rows of earlier batches, a column the contract gained later is unknown;
    positions have their epoch in front, where epochs were declared;
    rows that an operator erased are left out.
  In: change log (relation or CTE name); progress, none for all rows.
#}
{% macro known_changes(changes, progress) -%}
{% set late_columns = afterimage.late_columns_of(changes) -%}
{% set operator = afterimage.operator_state_of(changes) -%}
{% set epochs = operator['epochs'] -%}
{% set replaced = (['_cdc_unknown'] if late_columns else []) + (['_cdc_position', '_cdc_order', '_cdc_event_id', '_cdc_committed_after'] if epochs else []) -%}
{% set has_erased = 'erase' in operator['kinds'] -%}
changes{{ '_with_erased' if has_erased }} as (
    {%- if not replaced %}
    select * from {{ changes }}
    {%- else %}
    select
        * except ({{ replaced | join(', ') }})
        {%- if late_columns %},
        case
            when {{ afterimage.leaves_row() }} then nullif(to_json(array_distinct(concat(
                coalesce(from_json(_cdc_unknown, 'array<string>'), array()),
                {%- for name, batch in late_columns.items() %}
                if(_cdc_batch < {{ batch }} and {{ afterimage.identifier(name) }} is null, array({{ afterimage.literal(name) }}), array()){{ ',' if not loop.last }}
                {%- endfor %}
            ))), '[]')
            else _cdc_unknown
        end as _cdc_unknown
        {%- endif %}
        {%- for place in replaced if place != '_cdc_unknown' %},
        if({{ afterimage.is_of_operator() }}, {{ place }}, {{ afterimage.in_epoch(place, '_cdc_landed_ts', epochs) }}) as {{ place }}
        {%- endfor %}
    from {{ changes }}
    {%- endif %}
    {%- set through = progress['available'] if progress is not none else afterimage.whole_batches(changes) %}
    {%- if through is not none %}
    where _cdc_batch <= {{ through }}
    {%- endif %}
),
{%- if has_erased %}

changes as (
    select kept.*
    from changes_with_erased as kept
    left anti join (
        select _cdc_key, max(_cdc_position) as _cdc_through
        from changes_with_erased
        where {{ afterimage.is_operator_event(['erase']) }}
        group by _cdc_key
    ) as erased on kept._cdc_key = erased._cdc_key and kept._cdc_position <= erased._cdc_through
    -- also before the event that says so is among the changes
    where not coalesce({{ afterimage.is_erased_key('kept._cdc_key') }}, false)
),
{%- endif %}
{%- endmacro %}


{# The last complete batch of a change log; none where there is no information (a CTE, a unit test, a table that does not exist yet). #}
{% macro whole_batches(changes) %}
  {% if not afterimage.is_model_run() or changes is string or not afterimage.is_there(changes) %}{{ return(none) }}{% endif %}
  {{ return(afterimage.table_properties(changes).get('batch')) }}
{% endmacro %}


{# {name: first batch with it} of the columns a change log gained; empty in a unit test, where there is no table. #}
{% macro late_columns_of(changes) %}
  {% if not afterimage.is_model_run() or changes is string %}{{ return({}) }}{% endif %}
  {{ return(fromjson(afterimage.table_properties(changes).get('late_columns', '{}'))) }}
{% endmacro %}

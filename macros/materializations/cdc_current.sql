{#
  Writes a current state. Steps, each safe to repeat after a crash at any statement:

    0. <model>__batch      made, empty: while it stands it keeps other runs off
    1. <model>             dropped when what it is made of was built anew, or in another number of buckets
    2. <model>             the compiled SQL, the rows of the touched keys (the live ones or, with deletes: flag, the newest), in the place of what
                           stood there: by one MERGE; where the format has none, written to __batch first (those of all touched buckets), and
                           whole buckets overwritten from there; a table that was just made is filled at once
    3. property `applied`  how much of the history is in

  What stands after 2 depends on the history alone, so repeating it changes nothing.
#}
{% materialization cdc_current, adapter='spark' %}
  {% do afterimage.refuse_unsupported_config() %}
  {% set contract = afterimage.contract_of_model(model) %}
  {% set file_format = config.get('file_format', 'parquet') %}
  {% set can_merge = afterimage.can(file_format, 'merge') %}
  {% set versions = ref(model.refs[0].name) %}
  {% set target = this.incorporate(type='table') %}
  {% set batch = afterimage.beside(this, 'batch') %}
  {% set columns = afterimage.layer_columns(contract, afterimage.current_columns(contract)) %}

  {% do afterimage.check_format(target, file_format) %}

  {{ run_hooks(pre_hooks) }}

  {% set made_of = afterimage.made_of_versions(versions) %}
  {% set settled = afterimage.settled_append(versions) %}
  {% set available = afterimage.told_through(sql, made_of ~ afterimage.settled_note(versions)) %}
  {% set built = afterimage.current_state_so_far(this, versions) %}
  {% if built is none or available > afterimage.table_properties(built).get('applied', 0) | int %}
    {% do afterimage.hold_scratch(batch, columns | selectattr('name', 'equalto', '_cdc_key') | list if can_merge else columns, file_format) %}
  {% endif %}
  {% if built is none %}{% do afterimage.drop_if_there(target) %}{% endif %}
  {% set touched = afterimage.touched_state(versions, built, available) %}
  {% set properties = {'made_of': made_of} %}
  {% set bucket = [] if can_merge else [{'name': '_cdc_bucket', 'sql': '_cdc_bucket', 'type': 'int'}] %}
  {% set is_new = afterimage.ensure_table(target, columns + bucket, file_format, bucket | map(attribute='name') | list, properties,
                                          afterimage.merged_in_place(file_format)) %}
  {% set applied = afterimage.table_properties(target).get('applied', 0) | int %}

  {% if available <= applied or (touched is not none and touched['buckets'] == []) %}
    {% call statement('main') %}select 'nothing new'{% endcall %}
    {% if available > applied %}
      {% do afterimage.refuse_settled(versions, settled) %}
      {% do afterimage.set_table_properties(target, {'applied': available}) %}
    {% endif %}
    {% do afterimage.say(model.name ~ ': nothing new') %}
  {% else %}
    {% do afterimage.enforce_contract(sql) %}
    {% set settings = dict(afterimage.light_planning(), **({} if can_merge else afterimage.dynamic_overwrite())) %}
    {% if is_new %}
      {% do afterimage.with_settings('main', afterimage.fill_state(target, '(\n' ~ sql ~ '\n)', columns, can_merge), settings) %}
    {% elif can_merge %}
      {% do afterimage.with_settings('main', afterimage.merge_state(target, sql, columns, touched, versions, contract), settings) %}
    {% else %}
      {% do afterimage.fill_scratch(batch, columns, sql, file_format, 'state', settings) %}
      {% do afterimage.with_settings('main', afterimage.fill_state(target, batch, columns, can_merge), settings) %}
      {% do afterimage.drop_emptied_buckets(target, batch, touched) %}
    {% endif %}
    {% do afterimage.refuse_settled(versions, settled) %}
    {% do afterimage.set_table_properties(target, {'applied': available}) %}
    {% do afterimage.say(model.name ~ ': ' ~ ('filled' if is_new else 'replaced ' ~ (touched['buckets'] | length) ~ ' bucket(s)' if touched is not none and touched['buckets'] is not none
                         else 'merged' if can_merge else 'written') ~ ', read through ' ~ ('batch ' if afterimage.reads_change_log(model) else 'append ') ~ available) %}
  {% endif %}

  {% do afterimage.drop_scratch() %}
  {{ run_hooks(post_hooks) }}
  {{ return({'relations': [target]}) }}
{% endmaterialization %}


{# Rows into an empty table, or in the place of the buckets they are of. In: target; state, a relation or a select in parentheses; columns; can_merge. #}
{% macro fill_state(target, state, columns, can_merge) %}
{%- if can_merge -%}
insert into {{ target }} (
    {{ afterimage.column_names(columns) }}
)
select
    {{ afterimage.column_names(columns) }}
{%- else -%}
insert overwrite table {{ target }} partition (_cdc_bucket) by name
select
    {{ afterimage.column_names(columns) }},
    {{ afterimage.bucket_of_key() }} as _cdc_bucket
{%- endif %}
from {{ state }} as state
{%- endmacro %}


{#
  MERGE of the touched keys: rows of the state are updated or inserted, rows that stood there and are in it no more are deleted.
  In: target; state, a select; columns; touched, see touched_state; versions (relation); contract.
  Which rows may be gone is told without the target where it can be: a key that was touched has one row or none. Of a table without a key,
  and where nothing tells what was touched, the target is asked.
#}
{% macro merge_state(target, state, columns, touched, versions, contract) %}
{%- set is_touched = touched is not none -%}
{%- set knows_gone = is_touched and contract['key'] -%}
{%- set touched_keys = 'select distinct _cdc_key from ' ~ afterimage.beside(versions, 'log') ~ ' where ' ~ afterimage.is_touched(touched) if is_touched else none -%}
merge into {{ target }} as target
using (
    select
        {{ afterimage.column_names(columns | rejectattr('name', 'in', ['_cdc_key', '_cdc_copy']) | list, 'lives') | indent(8) }},
        coalesce(lives._cdc_key, candidates._cdc_key) as _cdc_key,
        coalesce(lives._cdc_copy, candidates._cdc_copy) as _cdc_copy,
        lives._cdc_key is null as _cdc_is_gone
    from (
        {%- if knows_gone %}
        select _cdc_key, cast(null as bigint) as _cdc_copy from ({{ touched_keys }}) as touched
        {%- else %}
        select _cdc_key, _cdc_copy from {{ target }}{{ ' where _cdc_key in (' ~ touched_keys ~ ')' if is_touched }}
        {%- endif %}
    ) as candidates
    {{ 'left' if knows_gone else 'full' }} join (
{{ state | indent(8, true) }}
    ) as lives
        on candidates._cdc_key = lives._cdc_key and candidates._cdc_copy <=> lives._cdc_copy
) as state
    on target._cdc_key = state._cdc_key and target._cdc_copy <=> state._cdc_copy
when matched and state._cdc_is_gone then delete
when matched then update set
    {%- for column in columns %}
    {{ column['sql'] }} = state.{{ column['sql'] }}{{ ',' if not loop.last }}
    {%- endfor %}
when not matched and not state._cdc_is_gone then insert (
    {{ afterimage.column_names(columns) }}
) values (
    {{ afterimage.column_names(columns, 'state') }}
)
{%- endmacro %}


{# A dynamic overwrite leaves a partition alone that gets no row: touched buckets in which nothing lives any more are dropped. #}
{% macro drop_emptied_buckets(target, batch, touched) %}
  {% set filled = run_query('select distinct ' ~ afterimage.bucket_of_key() ~ ' from ' ~ batch).columns[0].values() | list %}
  {% set replaced = touched['buckets'] if touched is not none else range(config.get('buckets', 8)) %}
  {% for bucket in replaced if bucket not in filled %}
    {% do run_query('alter table ' ~ target ~ ' drop if exists partition (_cdc_bucket = ' ~ bucket ~ ')') %}
  {% endfor %}
{% endmacro %}

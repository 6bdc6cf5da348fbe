{#
  MERGE of the touched keys: updates or inserts rows of the state, and deletes existing rows that are no longer in it.
  In: target; state, a select; columns; touched, see touched_state; versions (relation); contract.
  Rows that may be gone are found without the target where possible: a touched key has one row or none (see touched_rows). For a table
  without a key, and where it is not known what was touched, the target is read.
#}
{% macro merge_state(target, state, columns, touched, versions, contract) %}
merge into {{ target }} as target
using (
    {%- if touched is not none and contract['key'] %}
{{ afterimage.touched_rows(state, columns, touched, versions) | indent(4, true) }}
    {%- else %}
    select
        {{ afterimage.column_names(columns | rejectattr('name', 'in', ['_cdc_key', '_cdc_copy']) | list, 'lives') | indent(8) }},
        coalesce(lives._cdc_key, candidates._cdc_key) as _cdc_key,
        coalesce(lives._cdc_copy, candidates._cdc_copy) as _cdc_copy,
        lives._cdc_key is null as _cdc_is_gone
    from (
        select _cdc_key, _cdc_copy
        from {{ target }}
        {%- if touched is not none %}
        where _cdc_key in (select _cdc_key from {{ afterimage.log_of(versions) }} where {{ afterimage.is_touched(touched) }})
        {%- endif %}
    ) as candidates
    full join (
{{ state | indent(8, true) }}
    ) as lives
        on candidates._cdc_key = lives._cdc_key and candidates._cdc_copy <=> lives._cdc_copy
    {%- endif %}
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

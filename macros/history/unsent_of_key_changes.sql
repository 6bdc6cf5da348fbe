{#
  CTE `unsent_of_key_changes`: the changes, where values that the create of a key change leaves out are unknown, not NULL.

  Under binlog_row_image=MINIMAL the rows before and after a change have the values that the change set, and NULL for all else. A key change shows
  this in its delete, whose row before has the key alone (see key_alone_before). A row of nothing but NULLs looks alike; filled in with the known
  values, it stays what it is.

  In:  changes, a CTE; fold, see fold_rules. Out: the same columns, _cdc_unknown of such creates filled in.
#}
{% macro unsent_of_key_changes(changes, fold) -%}
{% set unsent = {} -%}
{% for column in fold['columns'] if not column['is_key'] -%}
  {% do unsent.update({column['name']: 'created.' ~ column['sql'] ~ ' is null'
                       ~ (' and ' ~ afterimage.special_text(column['name'], 'created._cdc_special') ~ ' is null' if column['decoder'].get('special') else '')}) %}
{%- endfor %}
deletes_by_key as (
    select distinct
        _cdc_position,
        _cdc_key as from_key,
        _cdc_previous_key as to_key
    from {{ changes }}
    where _cdc_op = 'd' and _cdc_previous_key is not null and _cdc_unknown is not null
),

unsent_of_key_changes as (
    select
        created.* except (_cdc_unknown),
        if(deletes_by_key.to_key is null, created._cdc_unknown, {{ afterimage.json_names(unsent) }}) as _cdc_unknown
    from {{ changes }} as created
    left join deletes_by_key
        on created._cdc_op = 'c'
        and created._cdc_position = deletes_by_key._cdc_position
        and created._cdc_key = deletes_by_key.to_key
        and created._cdc_previous_key = deletes_by_key.from_key
),
{%- endmacro %}

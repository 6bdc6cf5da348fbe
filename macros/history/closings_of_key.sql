{#
  CTE `closings_of_key`: each change with the table-wide endings (`truncates`) that end its key, where that depends on the key:
    a truncate of one physical table ends the rows whose newest change came from that table (contract: truncate_empties partition);
    a complete snapshot ends the rows it did not read, unless a transaction over the row was open while it read.

  In:  changes, a CTE with all changes of each key; fold, see fold_rules.
  Out: its columns and _cdc_closings, those that end the key, an array of structs as in `truncates`.
#}
{% macro closings_of_key(changes, fold) -%}
key_seen as (
    select
        *,
        collect_set(if(_cdc_op = 'r', {{ '_cdc_read_position' if 'snapshot_rows_placed' in fold['rules'] else '_cdc_position' }}, null)) over (partition by _cdc_key) as _cdc_read_at,
        collect_list(struct(_cdc_order, _cdc_source_table)) over (partition by _cdc_key) as _cdc_stood_in,
        collect_list(if(_cdc_op <> 'r' and _cdc_committed_after > _cdc_position, struct(_cdc_position, _cdc_committed_after), null)) over (
            partition by _cdc_key
        ) as _cdc_open_changes
    from {{ changes }}
),

closings_of_key as (
    select
        key_seen.* except (_cdc_read_at, _cdc_open_changes, _cdc_stood_in),
        filter(truncates.events, t -> {{ afterimage._ends_key(fold['contract']) }}) as _cdc_closings
    from key_seen
    cross join truncates
),
{%- endmacro %}


{# True (SQL) when the table-wide ending `t` ends the key. #}
{% macro _ends_key(contract) %}
  {% set by_truncate = "coalesce(array_max(filter(key_seen._cdc_stood_in, s -> s._cdc_order < t._cdc_order))._cdc_source_table = t._cdc_source_table, false)"
                       if contract['truncate_empties'] == 'partition' else 'true' %}
  {{ return("if(t._cdc_op = 't', " ~ by_truncate ~ ", not array_contains(key_seen._cdc_read_at, t._cdc_position)"
            ~ " and not exists(key_seen._cdc_open_changes, o -> o._cdc_position < t._cdc_position and o._cdc_committed_after >= t._cdc_position))") }}
{% endmacro %}

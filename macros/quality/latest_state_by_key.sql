{#
  The latest state of each row that a refused record is about, which shows whether the models are behind.

  In:  change_log; contract; refused (CTE with row_key). Out: a select, one row for each key:
    row_key         as in `refused`, see shown_key
    newest_change   position of its newest change that carries the full row, or of its end: values that such a change
                    does not send are carried forward
    newest_read     position where a snapshot last read it, without what was committed after that
    erased_through  position up to which an operator erased it
#}
{% macro latest_state_by_key(change_log, contract, refused) -%}
{% set place = afterimage.in_epoch('_cdc_position', '_cdc_landed_ts', afterimage.epochs_of(change_log)) -%}
select
        {{ afterimage.shown_key('_cdc_key', contract) }} as row_key,
        max(if({{ afterimage.ends_row() }} or (_cdc_op <> 'r' and _cdc_unknown is null), {{ place }}, null)) as newest_change,
        max(if(_cdc_op = 'r' and _cdc_unknown is null, {{ place }}, null)) as newest_read,
        max(if({{ afterimage.is_operator_event(['erase']) }}, _cdc_position, null)) as erased_through
    from {{ change_log }}
    where {{ afterimage.shown_key('_cdc_key', contract) }} in (select refused.row_key from {{ refused }} as refused)
    group by _cdc_key
{%- endmacro %}

{#
  The rows of a history at the last point at which all transactions read so far are there whole: several tables read so are those of one
  moment of the source, though their topics arrive apart from each other.

  In:  history; its change_log; transactions, a relation made by afterimage.transactions of all tables that are to be read together.
  Out: a select of the history's columns, one row per row that existed then. A change of a transaction that is not settled is not seen yet;
       those that have none (rows of snapshots, changes from before metadata was switched on) are.

      {{ afterimage.as_of_last_complete(ref('hist_shop__orders'), ref('stg_shop__orders'), ref('shop_transactions')) }}
#}
{% macro as_of_last_complete(history, change_log, transactions) -%}
  {% if not execute %}{{ return('') }}{% endif -%}
  {% set contract = afterimage.contract_of_change_log(change_log) -%}
with

unsettled as (
    select distinct transaction_id
    from {{ transactions }}
    where not is_settled
),

unsettled_changes as (
    select
        _cdc_key,
        _cdc_op,
        _cdc_position,
        _cdc_tx_order
    from {{ change_log }}
    where
        _cdc_tx_order is not null
        and {{ afterimage.transaction_id('_cdc_tx_id', contract) }} in (select unsettled.transaction_id from unsettled)
)

select history.*
from {{ history }} as history
where
    -- begun by then
    not exists (
        select 1
        from unsettled
        where history._cdc_tx_order is not null and unsettled.transaction_id = {{ afterimage.transaction_id('history._cdc_tx_id', contract) }}
    )
    -- and not ended: by no change, or by one that is not seen yet
    and (
        history._cdc_end_position is null
        or exists (
            select 1
            from unsettled_changes
            where
                unsettled_changes._cdc_position = history._cdc_end_position
                and (unsettled_changes._cdc_key = history._cdc_key or unsettled_changes._cdc_op = 't')
        )
    )
{%- endmacro %}

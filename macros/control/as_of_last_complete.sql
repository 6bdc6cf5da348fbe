{#
  The rows of a history at the last point at which all transactions read so far are complete: several tables read this
  way show one point in time of the source, though their topics arrive independently.

  In:  history; its change_log; transactions, a relation made by afterimage.transactions of all tables that are to be
       read together, with their histories.
  Out: a select of the history's columns, one row per row that existed then. It excludes changes of a transaction that
  is not settled, or that `transactions` did not know when it was built; it includes changes that belong to none (rows
  of snapshots, changes from before metadata was switched on).

      {{ afterimage.as_of_last_complete(ref('hist_shop__orders'), ref('stg_shop__orders'), ref('shop_transactions'))
      }}
#}
{% macro as_of_last_complete(history, change_log, transactions) -%}
  {% if not execute %}{{ return('') }}{% endif -%}
  {% set contract = afterimage.contract_of_change_log(change_log) -%}
with

settled as (
    select distinct transaction_id
    from {{ transactions }}
    where is_settled
),

unseen_changes as (
    select changes.*
    from {{ change_log }} as changes
    left anti join settled
        on settled.transaction_id = {{ afterimage.transaction_id('changes._cdc_tx_id', contract) }}
    where changes._cdc_tx_order is not null
)

select history.*
from {{ history }} as history
where
    -- begun in a complete transaction
    (
        history._cdc_tx_order is null
        or exists (
            select 1
            from settled
            where settled.transaction_id = {{ afterimage.transaction_id('history._cdc_tx_id', contract) }}
        )
    )
    -- and not ended, or ended by a change of a later transaction, which may have changed the row's key
    and (
        history._cdc_end_position is null
        or exists (
            select 1
            from unseen_changes
            where
                unseen_changes._cdc_position = history._cdc_end_position
                and (
                    unseen_changes._cdc_key = history._cdc_key
                    or unseen_changes._cdc_previous_key = history._cdc_key
                    or unseen_changes._cdc_op = 't'
                )
        )
    )
{%- endmacro %}

{#
  CTE `matched`: changes of a table with whole before images, those of another row than the key's own marked as _cdc_is_other_row.

  In a shift or swap of keys a row moves in before the one whose place it takes moves out: for a while, within one transaction, two rows
  have one key. What follows in that transaction, a delete or an update, may mean either; its before image tells which. In the end at most
  one is left. So from the place where they meet to the end of the transaction, the change is the key's own that made the image which is
  left; the others are of rows that were there in passing, or that were there before and have gone.

  In: CTE `key_changes`; columns; lobs, names of those whose values a before image does not have, which therefore tell no row from another.
  Out: its columns and _cdc_is_other_row; _cdc_first_order no later than where rows met in a transaction with news.
#}
{% macro rows_that_met(columns, lobs) -%}
{% set image = '_cdc_met_image' if lobs else '_cdc_image_hash' -%}
summed as (
    -- rows of a key: an insert adds one, a delete takes one, a read or an update shows that there is one
    select
        *,
        {%- if lobs %}
        {{ afterimage.image_hash(columns | rejectattr('name', 'in', lobs) | list, 'cast(null as string)') }} as _cdc_met_image,
        {%- endif %}
        sum(case _cdc_op when 'c' then 1 when 'd' then -1 when 'o' then -1 else 0 end) over so_far as _cdc_sum
    from key_changes
    window so_far as (
        partition by _cdc_key, _cdc_truncates_before order by _cdc_order rows between unbounded preceding and current row
    )
),

counted as (
    select
        *,
        {%- if lobs %}
        lag(_cdc_order) over (partition by _cdc_key order by _cdc_order) as _cdc_order_before,
        lag({{ image }}) over (partition by _cdc_key order by _cdc_order) as _cdc_image_before,
        {%- endif %}
        _cdc_sum + greatest(0, max(if(_cdc_op in ('r', 'u'), 1, 0) - _cdc_sum) over (
            partition by _cdc_key, _cdc_truncates_before order by _cdc_order rows between unbounded preceding and current row
        )) as _cdc_rows
    from summed
),

meeting as (
    select
        *,
        if(_cdc_op = 'c' and _cdc_tx_id is not null and _cdc_rows > 1, _cdc_order, null) as _cdc_met_here
    from counted
),

met as (
    -- from the meeting to the end of the transaction: its last change, and how many rows the key then has
    select
        *,
        min(_cdc_met_here) over in_transaction as _cdc_met_order,
        coalesce(_cdc_order >= min(_cdc_met_here) over in_transaction, false) as _cdc_has_met,
        max(_cdc_order) over in_transaction as _cdc_last_order,
        max_by(_cdc_rows, _cdc_order) over in_transaction as _cdc_rows_left,
        -- also behind a truncate: one that comes late parts what was told as a whole
        max(_cdc_order) over (partition by _cdc_key, _cdc_tx_id) as _cdc_transaction_end
    from meeting
    window in_transaction as (partition by _cdc_key, _cdc_truncates_before, _cdc_tx_id)
),

images as (
    -- what each change after a meeting makes and takes away
    select
        _cdc_key,
        _cdc_truncates_before,
        _cdc_tx_id,
        {{ 'coalesce(_cdc_effect.the_order, _cdc_order) as _cdc_order' if lobs else '_cdc_order' }},
        _cdc_effect.image as _cdc_image,
        _cdc_effect.made as _cdc_made
    from met
        lateral view explode(array(
            {%- if lobs %}
            -- the row that was there: of rows that are alike but for their LOBs, it is the first to go
            if(_cdc_met_here = _cdc_met_order, named_struct('image', _cdc_image_before, 'made', 1, 'the_order', _cdc_order_before), null),
            {%- endif %}
            named_struct('image', if(_cdc_op = 'u', _cdc_before_hash, {{ image }}), 'made', if(_cdc_op in ('u', 'd'), -1, 0){{ ", 'the_order', cast(null as string)" if lobs }}),
            named_struct('image', {{ image }}, 'made', if(_cdc_op in ('c', 'r', 'u'), 1, 0){{ ", 'the_order', cast(null as string)" if lobs }})
        )) as _cdc_effect
    where _cdc_has_met{{ ' and _cdc_effect is not null' if lobs }}
),

left_over as (
    -- the newest change of the transaction whose image nothing takes away afterwards
    select _cdc_key, _cdc_truncates_before, _cdc_tx_id, max(_cdc_order) as last_made
    from (
        select
            *,
            sum(_cdc_made) over (
                partition by _cdc_key, _cdc_truncates_before, _cdc_tx_id, _cdc_image
                {%- if not lobs %}
                order by _cdc_order desc, _cdc_made desc rows between unbounded preceding and current row
                {%- endif %}
            ) as _cdc_remaining
        from images
    ) as made
    where _cdc_made = 1 and _cdc_remaining > 0
    group by _cdc_key, _cdc_truncates_before, _cdc_tx_id
),

matched as (
    select
        met.* except (_cdc_first_order),
        -- what comes later in the transaction tells anew what all since the meeting was
        least(met._cdc_first_order, min(if(met._cdc_transaction_end >= met._cdc_first_order, met._cdc_met_order, null)) over (
            partition by met._cdc_key
        )) as _cdc_first_order,
        -- none is left: the last change ends the key's row; or the row that was there before is left, and nothing here is its own
        met._cdc_has_met
        and not met._cdc_order <=> coalesce(left_over.last_made, if(met._cdc_rows_left < 1, met._cdc_last_order, null)) as _cdc_is_other_row
    from met
    left join left_over
        on met._cdc_key = left_over._cdc_key and met._cdc_truncates_before = left_over._cdc_truncates_before and met._cdc_tx_id = left_over._cdc_tx_id
),
{%- endmacro %}

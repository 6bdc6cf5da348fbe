{#
  CTE `matched`: changes of a table with whole before images, those of another row than the key's own marked as _cdc_is_other_row.

  In a shift or swap of keys a row moves in before the one whose place it takes moves out: for a while, within one transaction, two rows
  have one key. What follows in that transaction, a delete or an update, may mean either; its before image tells which. In the end at most
  one is left. So from the place where they meet to the end of the transaction, the changes are the key's own that made the image which is
  left, and the images it was made of; the others are of rows that were there in passing, or that were there before and have gone.

  A contract that does not declare whole before images may have them all the same: then they decide where a transaction has one of them.
  PostgreSQL lets two rows have one key only where the key's constraint is deferrable, and such a key is no replica identity: without
  REPLICA IDENTITY FULL it takes no update of such a table.

  In: CTE `key_changes`; columns; lobs, names of those whose values a before image does not have, which therefore tell no row from another;
      is_declared, whether the contract says that before images are whole.
  Out: its columns, _cdc_is_other_row, and _cdc_is_first of the first of the key's own; _cdc_first_order no later than where rows met in a transaction with news.
#}
{% macro key_collisions(columns, lobs, is_declared=true) -%}
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
        _cdc_sum + greatest(0, max(if(_cdc_op in ('r', 'u'), 1, 0) - _cdc_sum) over (
            partition by _cdc_key, _cdc_truncates_before order by _cdc_order rows between unbounded preceding and current row
        )) as _cdc_rows
    from summed
),

meeting as (
    select
        *,
        if(
            _cdc_op = 'c' and _cdc_tx_id is not null and _cdc_rows > 1
            {%- if not is_declared %}
            and bool_or(_cdc_op = 'u' or _cdc_op = 'd' and _cdc_before_hash <> _cdc_image_hash) over (
                partition by _cdc_key, _cdc_truncates_before, _cdc_tx_id
            )
            {%- endif %},
            _cdc_order,
            null
        ) as _cdc_met_here
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

{% if lobs -%}
{{ afterimage._left_over('left_of_its_own', 'met', image) }},

stood as (
    -- the row a key has before a change: the newest that was left by the transaction it was made in
    select
        met.*,
        last(
            if(
                {{ afterimage.ends_row('met._cdc_op') }} or (met._cdc_has_met and not met._cdc_order <=> left_of_its_own.last_made),
                null,
                named_struct('image', met.{{ image }}, 'the_order', met._cdc_order)
            ),
            true
        ) over (
            partition by met._cdc_key, met._cdc_truncates_before order by met._cdc_order rows between unbounded preceding and 1 preceding
        ) as _cdc_row_before
    from met
    {{ afterimage._join_left_over('left_of_its_own') }}
),

{{ afterimage._left_over('left_over', 'stood', image, '_cdc_row_before') }},
{%- else -%}
{{ afterimage._left_over('left_over', 'met', image) }},
{%- endif %}

own_changes as (
    -- from the image that is left back through the updates that made it, to the change that moved its row in
    select
        _cdc_key,
        _cdc_truncates_before,
        _cdc_tx_id,
        aggregate(
            makers,
            named_struct('sought', cast(null as bigint), 'orders', cast(array() as array<string>)),
            (own, maker) -> if(
                maker.the_order = last_made
                or (maker.image = own.sought and not maker.image <=> image_before and size(filter(makers, other -> other.image = maker.image)) = 1),
                named_struct('sought', maker.before, 'orders', concat(own.orders, array(maker.the_order))),
                own
            ),
            own -> own.orders
        ) as orders
    from (
        select
            met._cdc_key,
            met._cdc_truncates_before,
            met._cdc_tx_id,
            left_over.last_made,
            {{ 'min_by(met._cdc_row_before.image, met._cdc_order)' if lobs else 'cast(null as bigint)' }} as image_before,
            reverse(array_sort(collect_list(if(
                met._cdc_op in ('c', 'r', 'u'),
                named_struct(
                    'the_order', met._cdc_order, 'image', met.{{ image }}, 'before', if(met._cdc_op = 'u', met._cdc_before_hash, null)
                ),
                null
            )))) as makers
        from {{ 'stood as met' if lobs else 'met' }}
        {{ afterimage._join_left_over('left_over', 'inner') | indent(4) }}
        where met._cdc_has_met
        group by met._cdc_key, met._cdc_truncates_before, met._cdc_tx_id, left_over.last_made
    ) as in_transactions
),

matched as (
    select
        met.* except (_cdc_first_order),
        -- what comes later in the transaction tells anew what all since the meeting was
        least(met._cdc_first_order, min(if(met._cdc_transaction_end >= met._cdc_first_order, met._cdc_met_order, null)) over (
            partition by met._cdc_key
        )) as _cdc_first_order,
        -- none is left: the last change ends the key's row; or the row that was there before is left, and nothing here is its own
        met._cdc_has_met and not coalesce(
            array_contains(own_changes.orders, met._cdc_order), met._cdc_rows_left < 1 and met._cdc_order = met._cdc_last_order
        ) as _cdc_is_other_row,
        coalesce(try_element_at(own_changes.orders, -1) = met._cdc_order, false) as _cdc_is_first
    from {{ 'stood as met' if lobs else 'met' }}
    {{ afterimage._join_left_over('own_changes') }}
),
{%- endmacro %}


{#
  CTE `name`: for each transaction in which rows met, last_made, the newest change whose image nothing takes away afterwards.
  In: name; CTE of the changes; the column of the image; the column of the row that was there before, as {image, the_order}: of rows that are alike
  but for their LOBs it is the first to go. Without it the newest goes first, which tells alike rows apart by their order alone.
#}
{% macro _left_over(name, changes, image, row_before=none) -%}
{{ name }}_images as (
    -- what each change after a meeting makes and takes away
    select
        _cdc_key,
        _cdc_truncates_before,
        _cdc_tx_id,
        {{ 'coalesce(_cdc_effect.the_order, _cdc_order) as _cdc_order' if row_before else '_cdc_order' }},
        _cdc_effect.image as _cdc_image,
        _cdc_effect.made as _cdc_made
    from {{ changes }}
        lateral view explode(array(
            {%- if row_before %}
            if(_cdc_met_here = _cdc_met_order and {{ row_before }} is not null, named_struct('image', {{ row_before }}.image, 'made', 1, 'the_order', {{ row_before }}.the_order), null),
            {%- endif %}
            named_struct('image', case _cdc_op when 'u' then _cdc_before_hash when 'd' then coalesce(_cdc_before_hash, {{ image }}) else {{ image }} end, 'made', if(_cdc_op in ('u', 'd'), -1, 0){{ ", 'the_order', cast(null as string)" if row_before }}),
            named_struct('image', {{ image }}, 'made', if(_cdc_op in ('c', 'r', 'u'), 1, 0){{ ", 'the_order', cast(null as string)" if row_before }})
        )) as _cdc_effect
    where _cdc_has_met{{ ' and _cdc_effect is not null' if row_before }}
),

{{ name }} as (
    select _cdc_key, _cdc_truncates_before, _cdc_tx_id, max(_cdc_order) as last_made
    from (
        select
            *,
            sum(_cdc_made) over (
                partition by _cdc_key, _cdc_truncates_before, _cdc_tx_id, _cdc_image
                {%- if not row_before %}
                order by _cdc_order desc, _cdc_made desc rows between unbounded preceding and current row
                {%- endif %}
            ) as _cdc_remaining
        from {{ name }}_images
    ) as made
    where _cdc_made = 1 and _cdc_remaining > 0
    group by _cdc_key, _cdc_truncates_before, _cdc_tx_id
)
{%- endmacro %}


{# SQL that joins such a CTE to `met`, the changes of its transactions. #}
{% macro _join_left_over(name, kind='left') -%}
{{ kind }} join {{ name }}
        on met._cdc_key = {{ name }}._cdc_key and met._cdc_truncates_before = {{ name }}._cdc_truncates_before and met._cdc_tx_id = {{ name }}._cdc_tx_id
{%- endmacro %}

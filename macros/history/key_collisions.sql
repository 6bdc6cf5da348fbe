{#
  CTE `key_collisions`: the changes of a table with full before images, where a change of another row than the key's own has _cdc_is_other_row.

  In a shift or swap of keys, a row takes over a key before the key's earlier row moves out: for a while, within one transaction, two rows
  hold one key. A delete or update that follows in that transaction may mean either; its before image says which. In the end at most
  one row is left. So from the collision to the end of the transaction, the key's own changes are the one that made the image which is
  left, and those that made the images before it; the others belong to rows that held the key in passing, or held it before and have gone.

  A contract that does not declare full before images may have them all the same: they decide if a transaction has one of them.
  PostgreSQL lets two rows hold one key only where the key's constraint is deferrable, and such a key is no replica identity: without
  REPLICA IDENTITY FULL it accepts no update of such a table.

  In: key_changes, a CTE; fold, see fold_rules.
  Out: its columns, _cdc_is_other_row, and _cdc_is_first for the first of the key's own; _cdc_first_order no later than the collision in a
       transaction with new changes.
#}
{% macro key_collisions(key_changes, fold) -%}
{#- a before image lacks the values of LOBs, so they do not tell rows apart -#}
{% set lobs, has_unknown = afterimage.lob_columns(fold['contract']), fold['unsent'] | length > 0 -%}
{#- before images are full by the contract, or as updates have shown: otherwise a delete may have invented values next to its key -#}
{% set is_declared, is_whole = fold['connector']['before_is_whole'], fold['seen']['whole_updates'] -%}
{% set image = '_cdc_met_image' if lobs or has_unknown else '_cdc_image_hash' -%}
{% set taken_or_made = "if(_cdc_op = 'd', coalesce(_cdc_before_hash, " ~ image ~ "), " ~ image ~ ")" -%}
{% set transaction = '_cdc_key, _cdc_truncates_before, _cdc_tx_id' -%}
summed as (
    -- number of rows per key: an insert adds one, a delete removes one, a read or an update shows that there is one
    select
        *,
        {%- if lobs or has_unknown %}
        -- hashed like a before image, which does not mark unknown values
        {{ afterimage.image_hash(fold['columns'] | rejectattr('name', 'in', lobs) | list, 'cast(null as string)') }} as _cdc_met_image,
        {%- endif %}
        sum(case _cdc_op when 'c' then 1 when 'd' then -1 when 'o' then -1 else 0 end) over so_far as _cdc_sum
    from {{ key_changes }}
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
        {%- if not is_declared %},
        -- a delete's before image is full if a row of the key had it{{ ', or it has more than the key' if is_whole }}
        _cdc_op = 'd' and ({{ '_cdc_before_hash <> ' ~ image ~ ' or ' if is_whole }}count_if(_cdc_op in ('c', 'r', 'u')) over (
            partition by _cdc_key, _cdc_truncates_before, {{ taken_or_made }} order by _cdc_order rows between unbounded preceding and 1 preceding
        ) > 0) as _cdc_has_full_image
        {%- endif %}
    from summed
),

colliding as (
    select
        *,
        if(
            _cdc_op = 'c' and _cdc_tx_id is not null and _cdc_rows > 1
            {%- if not is_declared %}
            and bool_or((_cdc_op = 'u' and _cdc_before_hash is not null) or _cdc_has_full_image) over (partition by {{ transaction }})
            {%- endif %},
            _cdc_order,
            null
        ) as _cdc_met_here
    from counted
),

met as (
    -- from the collision to the end of the transaction: its last change, and how many rows the key then has
    select
        *,
        min(_cdc_met_here) over in_transaction as _cdc_met_order,
        coalesce(_cdc_order >= min(_cdc_met_here) over in_transaction, false) as _cdc_has_met,
        max(_cdc_order) over in_transaction as _cdc_last_order,
        max_by(_cdc_rows, _cdc_order) over in_transaction as _cdc_rows_left,
        -- also after a truncate: one that arrives late divides what was one transaction
        max(_cdc_order) over (partition by _cdc_key, _cdc_tx_id) as _cdc_transaction_end
    from colliding
    window in_transaction as (partition by {{ transaction }})
),

steps as (
    -- at a collision, from the transaction's last change back: the image that each change makes and the one it removes
    select
        *,
        if(_cdc_order = _cdc_met_order, reverse(array_sort(collect_list(if(_cdc_has_met, named_struct(
            'the_order', _cdc_order,
            'made', if(_cdc_op in ('c', 'r', 'u'), {{ image }}, null),
            'taken', case _cdc_op when 'u' then _cdc_before_hash when 'd' then coalesce(_cdc_before_hash, {{ image }}) end
        ), null)) over in_transaction)), null) as _cdc_steps
    from met
    window in_transaction as (partition by {{ transaction }})
),

{% if lobs -%}
left_of_its_own as (
    select
        *,
        max({{ afterimage._newest_left() | indent(8) }}) over (partition by {{ transaction }}) as _cdc_left_of_its_own
    from steps
),

stood as (
    -- the row of a key before a change: the newest one left by the transaction that made it
    select
        *,
        last(
            if(
                {{ afterimage.ends_row() }} or (_cdc_has_met and not _cdc_order <=> _cdc_left_of_its_own),
                null,
                named_struct('image', {{ image }}, 'the_order', _cdc_order)
            ),
            true
        ) over (
            partition by _cdc_key, _cdc_truncates_before order by _cdc_order rows between unbounded preceding and 1 preceding
        ) as _cdc_row_before
    from left_of_its_own
),

images_left as (
    -- the earlier row counts too: of rows that are equal except for their LOBs it is the first to go
    select
        *,
        aggregate(
            filter(transform(_cdc_steps, step -> step.taken), taken -> taken is not null),
            concat(transform(_cdc_steps, step -> step.made), array(_cdc_row_before.image)),
            (still_there, taken) -> {{ afterimage._without_one('still_there', 'taken') | indent(12) }}
        ) as _cdc_images_left
    from stood
),

{% endif -%}
left_over as (
    -- the newest change whose image no later change removes
    select
        *,
        {% if lobs -%}
        array_max(transform(
            filter(
                concat(
                    transform(_cdc_steps, step -> named_struct('the_order', step.the_order, 'made', step.made)),
                    array(named_struct('the_order', _cdc_row_before.the_order, 'made', _cdc_row_before.image))
                ),
                maker -> array_contains(_cdc_images_left, maker.made)
            ),
            maker -> maker.the_order
        )) as _cdc_last_made
        {%- else -%}
        {{ afterimage._newest_left() | indent(8) }} as _cdc_last_made
        {%- endif %}
    from {{ 'images_left' if lobs else 'steps' }}
),

own_changes as (
    -- from the remaining image back through the updates that made it, to the change that moved its row in
    select
        *,
        first(if(_cdc_last_made is null, null, aggregate(
            filter(_cdc_steps, step -> step.made is not null),
            named_struct('sought', cast(null as bigint), 'orders', cast(array() as array<string>)),
            (own, step) -> if(
                step.the_order = _cdc_last_made
                or (
                    step.made = own.sought
                    {%- if lobs %}
                    and not step.made <=> _cdc_row_before.image
                    {%- endif %}
                    and size(filter(_cdc_steps, other -> other.made = step.made)) = 1
                ),
                named_struct('sought', step.taken, 'orders', concat(own.orders, array(step.the_order))),
                own
            ),
            own -> own.orders
        )), true) over (partition by {{ transaction }}) as _cdc_own_orders
    from left_over
),

key_collisions as (
    select
        * except (_cdc_first_order),
        -- later changes of the transaction may reassign all changes since the collision
        least(_cdc_first_order, min(if(_cdc_transaction_end >= _cdc_first_order, _cdc_met_order, null)) over (
            partition by _cdc_key
        )) as _cdc_first_order,
        -- no row is left, and the last change ends the key's row; or the earlier row is left, untouched by these changes
        _cdc_has_met and not coalesce(
            array_contains(_cdc_own_orders, _cdc_order), _cdc_rows_left < 1 and _cdc_order = _cdc_last_order
        ) as _cdc_is_other_row,
        coalesce(try_element_at(_cdc_own_orders, -1) = _cdc_order, false) as _cdc_is_first
    from own_changes
),
{%- endmacro %}


{#
  SQL of the order of the newest of _cdc_steps whose image nothing takes away afterwards: among equal rows the newest goes first. Steps are read
  from the last one back, and each image that was taken away is held until the change that made it.
#}
{% macro _newest_left() -%}
aggregate(
    _cdc_steps,
    named_struct('taken', cast(array() as array<bigint>), 'newest', cast(null as string)),
    (later, step) -> named_struct(
        'taken', concat(
            {{ afterimage._without_one('later.taken', 'step.made') | indent(12) }},
            if(step.taken is null, array(), array(step.taken))
        ),
        'newest', coalesce(later.newest, if(step.made is null or array_contains(later.taken, step.made), null, step.the_order))
    ),
    later -> later.newest
)
{%- endmacro %}


{# SQL of an array of images with one occurrence of an image removed. #}
{% macro _without_one(images, image) -%}
if(
    array_contains({{ images }}, {{ image }}),
    concat(
        slice({{ images }}, 1, cast(array_position({{ images }}, {{ image }}) as int) - 1),
        slice({{ images }}, cast(array_position({{ images }}, {{ image }}) as int) + 1, size({{ images }}))
    ),
    {{ images }}
)
{%- endmacro %}

{#
  CTE `key_moves_traced`: each change with the row it belongs to. When a key changes, the new key takes over the values of the old key: its life
  is followed back through __debezium.oldkey/newkey to the first key of the row.

  In:  lives, a CTE with _cdc_key, _cdc_order, _cdc_op, _cdc_previous_key, _cdc_begins_life and _cdc_unknown; fold, see fold_rules.
  Out: its columns, _cdc_life (a number within the key) and _cdc_row_of_source: the key and the number of the row's first life.
#}
{% macro key_moves_traced(lives, fold) -%}
{% set own_life, moves = "concat(numbered_lives._cdc_key, ' ', numbered_lives._cdc_life)", fold['moves'] -%}
numbered_lives as (
    select
        *,
        count_if(_cdc_begins_life) over (partition by _cdc_key order by _cdc_order rows between unbounded preceding and current row) as _cdc_life
    from {{ lives }}
),

key_moves as (
    -- a life that began with values not sent, and the life of the old key that ended at the same position
    select
        max(if(_cdc_op = 'c', concat(_cdc_key, ' ', _cdc_life), null)) as row_life,
        max(if(_cdc_op = 'd', concat(_cdc_key, ' ', _cdc_life), null)) as first_life
    from numbered_lives
    where _cdc_previous_key is not null and (_cdc_op = 'd' or (_cdc_op = 'c' and _cdc_unknown is not null))
    group by _cdc_position, if(_cdc_op = 'c', _cdc_previous_key, _cdc_key), if(_cdc_op = 'c', _cdc_key, _cdc_previous_key)
    having row_life is not null and first_life is not null
),

-- key changes are followed back to a row's first key; each round reaches twice as far
{% set followed = ['key_moves'] -%}
{% for round in range(afterimage._rounds_of(moves)) -%}
{{ afterimage._followed_back(followed[-1], 'followed_' ~ loop.index) }}

{% do followed.append('followed_' ~ loop.index) -%}
{% endfor -%}
key_moves_traced as (
    select{{ (' ' ~ afterimage.broadcast_hint('lineage', moves)).rstrip() }}
        numbered_lives.*,
        coalesce(lineage.first_life, {{ own_life }}) as _cdc_row_of_source
    from numbered_lives
    left join {{ followed[-1] }} as lineage on {{ own_life }} = lineage.row_life
),
{%- endmacro %}


{#
  CTE with each life that began with a key change and an earlier life of the same row, twice as far back as in the CTE before it (or the first
  one). A life meets the move that began it in the partition of that life, so no self-join is needed.
  In: names of the CTE before it and of its own, of columns row_life and first_life.
#}
{% macro _followed_back(before, name) -%}
{{ name }} as (
    select
        row_life,
        coalesce(life_before, first_life) as first_life
    from (
        select
            *,
            max(if(is_own, first_life, null)) over (partition by met_in) as life_before
        from (
            select
                row_life,
                first_life,
                inline(array(struct(true as is_own, row_life as met_in), struct(false as is_own, first_life as met_in)))
            from {{ before }}
        ) as twice
    ) as met
    where not is_own
),
{%- endmacro %}


{# How many rounds, each twice as far back, reach the first of as many moves; the rounds for 64 if their number is not known. #}
{% macro _rounds_of(moves) %}
  {{ return((([moves, 1] | max if moves is not none else 64) - 1).bit_length()) }}
{% endmacro %}

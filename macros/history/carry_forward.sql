{#
  CTE `carried`: values the source did not send filled in from the last known value of the same life of the same row.

  In:  lives, a CTE with _cdc_key, _cdc_order, _cdc_begins_life, _cdc_unknown, the contract's columns and, without moves, what known_so_far
       gives; fillable, names of columns that were ever not sent ([] leaves everything as it is); contract; moves, how many rows at most came
       from another key, none where nobody knows.
  Out: the same columns; _cdc_unknown now names only what could not be recovered. Unknown is not NULL: a NULL that was sent stays.
  A row that does not have a column at all says that it is not known from there on: an older value is one that nobody vouches for.
  When a key changes, the new key takes over what the old key had: its life is followed back through __debezium.oldkey/newkey.
#}
{% macro carry_forward(lives, fillable, contract, moves) -%}
  {% if not fillable -%}
carried as (
    -- what is named there still is of columns the contract no longer has
    select
        * except (_cdc_unknown),
        cast(null as string) as _cdc_unknown
    from {{ lives }}
),
  {%- else -%}
  {% set columns = afterimage.contract_columns(contract) -%}
  {% if moves != 0 -%}
  {% set own_life = "concat(numbered_lives._cdc_key, ' ', numbered_lives._cdc_life)" -%}
numbered_lives as (
    select
        *,
        count_if(_cdc_begins_life) over (partition by _cdc_key order by _cdc_order rows between unbounded preceding and current row) as _cdc_life
    from {{ lives }}
),

key_moves as (
    -- a life that began with values not sent, and the life of the old key that ended at the same place
    select
        max(if(_cdc_op = 'c', concat(_cdc_key, ' ', _cdc_life), null)) as row_life,
        max(if(_cdc_op = 'd', concat(_cdc_key, ' ', _cdc_life), null)) as first_life
    from numbered_lives
    where _cdc_previous_key is not null and (_cdc_op = 'd' or (_cdc_op = 'c' and _cdc_unknown is not null))
    group by _cdc_position, if(_cdc_op = 'c', _cdc_previous_key, _cdc_key), if(_cdc_op = 'c', _cdc_key, _cdc_previous_key)
    having row_life is not null and first_life is not null
),

-- key changes are followed back to the first key of a row; each round reaches twice as far
{% set followed = ['key_moves'] -%}
  {% for round in range(afterimage._rounds_of(moves)) -%}
{{ afterimage._followed_back(followed[-1], 'followed_' ~ loop.index) }}

{% do followed.append('followed_' ~ loop.index) -%}
  {% endfor -%}
traced as (
    select{{ (' ' ~ afterimage.broadcast_hint('lineage', moves)).rstrip() }}
        numbered_lives.*,
        coalesce(lineage.first_life, {{ own_life }}) as _cdc_row_of_source
    from numbered_lives
    left join {{ followed[-1] }} as lineage on {{ own_life }} = lineage.row_life
),

last_known as (
    select
        * except (_cdc_row_of_source, _cdc_life),
        {%- for column in columns if column['name'] in fillable %}
        {{ afterimage._last_known(column) }} over so_far as {{ afterimage.identifier('_cdc_last ' ~ column['name']) }}{{ ',' if not loop.last }}
        {%- endfor %}
    from traced
    window so_far as (partition by _cdc_row_of_source order by _cdc_order rows between unbounded preceding and current row)
),
  {%- else -%}
  {% set known = [] -%}
  {% for column in columns if column['name'] in fillable %}{% do known.append(afterimage.identifier('_cdc_last ' ~ column['name'])) %}{% endfor -%}
last_known as (
    -- what was known in an earlier life of the key is not known in this one
    select
        * except ({{ known | join(', ') }}, _cdc_born_order, _cdc_ended_order),
        {%- for one in known %}
        if(
            {{ one }}.the_order >= coalesce(_cdc_born_order, '')
            and {{ one }}.the_order > coalesce(_cdc_ended_order, '')
            and {{ one }}.truncates_before = _cdc_truncates_before,
            {{ one }},
            null
        ) as {{ one }}{{ ',' if not loop.last }}
        {%- endfor %}
    from {{ lives }}
),
  {%- endif %}

carried as (
    select
        {%- for column in columns %}
        {% if column['name'] in fillable -%}
        if({{ afterimage.ends_row() }}, {{ column['sql'] }}, {{ afterimage.identifier('_cdc_last ' ~ column['name']) }}.value) as {{ column['sql'] }},
        {%- else -%}
        {{ column['sql'] }},
        {%- endif %}
        {%- endfor %}
        case when _cdc_unknown is not null then {{ afterimage._still_unknown(columns, fillable) }} end as _cdc_unknown,
        {{ afterimage._carried_special(columns, fillable) }} as _cdc_special,
        last_known.* except (
            _cdc_unknown, _cdc_special
            {%- for column in columns %}, {{ column['sql'] }}{% endfor %}
            {%- for column in columns if column['name'] in fillable %}, {{ afterimage.identifier('_cdc_last ' ~ column['name']) }}{% endfor %}
        )
    from last_known
),
  {%- endif %}
{%- endmacro %}


{#
  CTE: each life that began with a key change, and an earlier one of the same row, twice as far back as in the CTE before it (or the first one).
  A life meets the move that began it in the partition of that life, so no join with itself is needed.
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


{# How often lives must be followed back, each time twice as far, to come to the first of as many moves; of 64 where nobody knows. #}
{% macro _rounds_of(moves) %}
  {{ return((([moves, 1] | max if moves is not none else 64) - 1).bit_length()) }}
{% endmacro %}


{#
  Columns to add to a select over the changes of each key in order, from which carry_forward fills in where no row came from another key: one
  pass over the key's changes finds these and its neighbours. In: fillable, columns (see carry_forward); the select's windows so_far and
  before_it, each of a key by _cdc_order; begins, SQL that is true where nothing of before is known any more. Out: SQL that begins with a comma, or nothing.
#}
{% macro known_so_far(fillable, columns, begins) %}
  {%- set parts = [] -%}
  {%- for column in columns if column['name'] in fillable -%}
    {%- do parts.append(afterimage._last_known(column, ["'the_order', _cdc_order", "'truncates_before', _cdc_truncates_before"])
                        ~ ' over so_far as ' ~ afterimage.identifier('_cdc_last ' ~ column['name'])) -%}
  {%- endfor -%}
  {%- if parts -%}
    {%- do parts.extend(["max(if(" ~ begins ~ ", _cdc_order, null)) over so_far as _cdc_born_order",
                         "max(if(" ~ afterimage.ends_row() ~ ", _cdc_order, null)) over before_it as _cdc_ended_order"]) -%}
    ,
        {{ parts | join(',\n        ') }}
  {%- endif -%}
{% endmacro %}


{#
  The last value that was sent, or that it is unknown, in a struct so that a NULL that was sent is told from nothing sent.
  In: column; more fields of the struct.
#}
{% macro _last_known(column, more=[]) %}
  {% set special = ", 'special', " ~ afterimage.special_text(column['name']) if column['decoder'].get('special') else '' %}
  {% set is_absent = afterimage.json_names_has('_cdc_absent', column['name']) %}
  {% set is_told = "(not " ~ afterimage.json_names_has('_cdc_unknown', column['name']) ~ " or " ~ is_absent ~ ")" %}
  {{ return("last(if(" ~ afterimage.ends_no_row() ~ " and " ~ is_told ~ ", named_struct('value', " ~ column['sql'] ~ ", 'is_absent', " ~ is_absent ~ special ~ (', ' ~ more | join(', ') if more else '') ~ "), null), true)") }}
{% endmacro %}


{# The names of the columns whose value no earlier change of the life told either. #}
{% macro _still_unknown(columns, fillable) %}
  {% set conditions = {} %}
  {% for column in columns if column['name'] in fillable %}
    {% set last = afterimage.identifier('_cdc_last ' ~ column['name']) %}
    {% do conditions.update({column['name']: afterimage.json_names_has('_cdc_unknown', column['name']) ~ ' and coalesce(' ~ last ~ '.is_absent, true)'}) %}
  {% endfor %}
  {{ return(afterimage.json_names(conditions)) }}
{% endmacro %}


{# The special values of a row after filling in: those of filled columns come along with them. #}
{% macro _carried_special(columns, fillable) %}
  {% set filled, values = [], {} %}
  {% for column in columns if column['decoder'].get('special') %}
    {% if column['name'] in fillable %}
      {% do filled.append(column['name']) %}
      {% do values.update({column['name']: afterimage.identifier('_cdc_last ' ~ column['name']) ~ '.special'}) %}
    {% else %}
      {% do values.update({column['name']: afterimage.special_text(column['name'])}) %}
    {% endif %}
  {% endfor %}
  {{ return("if(" ~ afterimage.ends_row() ~ ", _cdc_special, nullif(" ~ afterimage.json_texts(values) ~ ", '{}'))" if filled else '_cdc_special') }}
{% endmacro %}

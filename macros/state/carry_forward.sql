{#
  CTE `carried`: values the source did not send filled in from the last known value of the same life of the same row.

  In:  lives, a CTE with _cdc_key, _cdc_order, _cdc_life, _cdc_unknown and the contract's columns; fillable, names of columns that were
       ever not sent ([] leaves everything as it is); contract; has_moves, whether a row may have come from another key (see any_move).
  Out: the same columns; _cdc_unknown now names only what could not be recovered. Unknown is not NULL: a NULL that was sent stays.
  When a key changes, the new key takes over what the old key had: its life is followed back through __debezium.oldkey/newkey.
#}
{% macro carry_forward(lives, fillable, contract, has_moves=true) -%}
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
  {% set own_life = "concat(lives._cdc_key, ' ', lives._cdc_life)" -%}
  {% if has_moves -%}
key_moves as (
    -- a life that began with values not sent, and the life of the old key that ended at the same place
    select
        max(if(_cdc_op = 'c', concat(_cdc_key, ' ', _cdc_life), null)) as row_life,
        max(if(_cdc_op = 'd', concat(_cdc_key, ' ', _cdc_life), null)) as earlier_life,
        max(if(_cdc_op = 'c', _cdc_order, null)) as born_order
    from {{ lives }}
    where _cdc_previous_key is not null and (_cdc_op = 'd' or (_cdc_op = 'c' and _cdc_unknown is not null))
    group by _cdc_position, if(_cdc_op = 'c', _cdc_previous_key, _cdc_key), if(_cdc_op = 'c', _cdc_key, _cdc_previous_key)
    having row_life is not null and earlier_life is not null
),

lineage as (
    -- one row: each such life -> the first life of the same row, followed back move by move in the order of the log
    select
        aggregate(
            array_sort(collect_list(struct(born_order, row_life, earlier_life))),
            cast(map() as map<string, string>),
            (first_lives, move) -> map_concat(
                first_lives, map(move.row_life, coalesce(first_lives[move.earlier_life], move.earlier_life))
            )
        ) as first_lives
    from key_moves
),

{% endif -%}
traced as (
    select
        lives.*,
        {{ 'coalesce(lineage.first_lives[' ~ own_life ~ '], ' ~ own_life ~ ')' if has_moves else own_life }} as _cdc_row_of_source
    from {{ lives }} as lives
    {%- if has_moves %}
    cross join lineage
    {%- endif %}
),

last_known as (
    select
        *,
        {%- for column in columns if column['name'] in fillable %}
        {{ afterimage._last_known(column) }} over so_far as {{ afterimage.identifier('_cdc_last ' ~ column['name']) }}{{ ',' if not loop.last }}
        {%- endfor %}
    from traced
    window so_far as (partition by _cdc_row_of_source order by _cdc_order rows between unbounded preceding and current row)
),

carried as (
    select
        {%- for column in columns %}
        {% if column['name'] in fillable -%}
        if(_cdc_op in ('d', 'o'), {{ column['sql'] }}, {{ afterimage.identifier('_cdc_last ' ~ column['name']) }}.value) as {{ column['sql'] }},
        {%- else -%}
        {{ column['sql'] }},
        {%- endif %}
        {%- endfor %}
        case when _cdc_unknown is not null then {{ afterimage._still_unknown(columns, fillable) }} end as _cdc_unknown,
        {{ afterimage._carried_special(columns, fillable) }} as _cdc_special,
        last_known.* except (
            _cdc_row_of_source, _cdc_unknown, _cdc_special
            {%- for column in columns %}, {{ column['sql'] }}{% endfor %}
            {%- for column in columns if column['name'] in fillable %}, {{ afterimage.identifier('_cdc_last ' ~ column['name']) }}{% endfor %}
        )
    from last_known
),
  {%- endif %}
{%- endmacro %}


{# The last value that was sent, in a struct so that a NULL that was sent is told from nothing sent. #}
{% macro _last_known(column) %}
  {% set special = ", 'special', " ~ afterimage.special_text('_cdc_special', column['name']) if column['decoder'].get('special') else '' %}
  {{ return("last(if(_cdc_op not in ('d', 'o') and not " ~ afterimage.json_names_has('_cdc_unknown', column['name']) ~ ", named_struct('value', "
            ~ column['sql'] ~ special ~ "), null), true)") }}
{% endmacro %}


{# The names of the columns whose value no earlier change of the life told either. #}
{% macro _still_unknown(columns, fillable) %}
  {% set conditions = {} %}
  {% for column in columns if column['name'] in fillable %}
    {% do conditions.update({column['name']: afterimage.json_names_has('_cdc_unknown', column['name']) ~ ' and '
                             ~ afterimage.identifier('_cdc_last ' ~ column['name']) ~ ' is null'}) %}
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
      {% do values.update({column['name']: afterimage.special_text('_cdc_special', column['name'])}) %}
    {% endif %}
  {% endfor %}
  {{ return("if(_cdc_op in ('d', 'o'), _cdc_special, nullif(" ~ afterimage.json_texts(values) ~ ", '{}'))" if filled else '_cdc_special') }}
{% endmacro %}


{#
  Names of the columns that some change of a log did not send, in the contract's order: only they need filling in.
  Remembered with the table (see seen_in_batch), else asked of it; all columns when it cannot be asked (unit tests).
#}
{% macro columns_ever_unknown(changes, contract) %}
  {% set names = contract['columns'] | map(attribute='name') | list %}
  {% if model.resource_type != 'model' %}{{ return(names) }}{% endif %}
  {% set seen = afterimage.seen_in_log(changes) %}
  {% if seen is none %}
    {% set found = run_query(
      "select distinct explode(from_json(_cdc_unknown, 'array<string>')) from " ~ changes ~ " where _cdc_unknown is not null") %}
    {% set seen = {'unknown': found.columns[0].values() | list if found.rows | length else []} %}
  {% endif %}
  {{ return(names | select('in', seen['unknown'] + (afterimage.late_columns_of(changes) | list)) | list) }}
{% endmacro %}

{#
  CTE `carried`: values the source did not send filled in from the last known value of the same life of the same row.

  In:  lives, a CTE with _cdc_key, _cdc_order, _cdc_begins_life, _cdc_unknown, the contract's columns and, without moves, what known_so_far
       gives; fillable, names of columns that were ever not sent ([] leaves everything as it is); contract; has_moves, whether a row may have
       come from another key (see any_move).
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
  {% if has_moves -%}
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
        max(if(_cdc_op = 'd', concat(_cdc_key, ' ', _cdc_life), null)) as earlier_life,
        max(if(_cdc_op = 'c', _cdc_order, null)) as born_order
    from numbered_lives
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

traced as (
    select
        numbered_lives.*,
        coalesce(lineage.first_lives[{{ own_life }}], {{ own_life }}) as _cdc_row_of_source
    from numbered_lives
    cross join lineage
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
        if(_cdc_op in ('d', 'o'), {{ column['sql'] }}, {{ afterimage.identifier('_cdc_last ' ~ column['name']) }}.value) as {{ column['sql'] }},
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
  Columns to add to a select over the changes of each key in order, from which carry_forward fills in where no row came from another key: one
  pass over the key's changes finds these and its neighbours. In: fillable, columns (see carry_forward); the select's windows so_far and
  before_it, each of a key by _cdc_order; begins, SQL that is true where nothing of before is known any more. Out: SQL that begins with a comma, or nothing.
#}
{% macro known_so_far(fillable, columns, begins="_cdc_op = 'c'") %}
  {%- set parts = [] -%}
  {%- for column in columns if column['name'] in fillable -%}
    {%- do parts.append(afterimage._last_known(column, ["'the_order', _cdc_order", "'truncates_before', _cdc_truncates_before"])
                        ~ ' over so_far as ' ~ afterimage.identifier('_cdc_last ' ~ column['name'])) -%}
  {%- endfor -%}
  {%- if parts -%}
    {%- do parts.extend(["max(if(" ~ begins ~ ", _cdc_order, null)) over so_far as _cdc_born_order",
                         "max(if(_cdc_op in ('d', 'o'), _cdc_order, null)) over before_it as _cdc_ended_order"]) -%}
    ,
        {{ parts | join(',\n        ') }}
  {%- endif -%}
{% endmacro %}


{# The last value that was sent, in a struct so that a NULL that was sent is told from nothing sent. In: column; more fields of the struct. #}
{% macro _last_known(column, more=[]) %}
  {% set special = ", 'special', " ~ afterimage.special_text('_cdc_special', column['name']) if column['decoder'].get('special') else '' %}
  {{ return("last(if(_cdc_op not in ('d', 'o') and not " ~ afterimage.json_names_has('_cdc_unknown', column['name']) ~ ", named_struct('value', "
            ~ column['sql'] ~ special ~ (', ' ~ more | join(', ') if more else '') ~ "), null), true)") }}
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
  {% set names = (contract['columns'] | map(attribute='name') | list) + (['_cdc_document'] if afterimage.is_document(contract) else []) %}
  {% if model.resource_type != 'model' %}{{ return(names) }}{% endif %}
  {% set seen = afterimage.seen_in_log(changes) %}
  {% if seen is none %}
    {% set found = run_query(
      "select distinct explode(from_json(_cdc_unknown, 'array<string>')) from " ~ changes ~ " where _cdc_unknown is not null") %}
    {% set seen = {'unknown': found.columns[0].values() | list if found.rows | length else []} %}
  {% endif %}
  {{ return(names | select('in', seen['unknown'] + (afterimage.late_columns_of(changes) | list)) | list) }}
{% endmacro %}

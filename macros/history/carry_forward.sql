{#
  CTE `carry_forward`: values the source did not send, filled in from the last known value of the same life of the same row; one row per change.

  In:  lives, a CTE with _cdc_key, _cdc_order, _cdc_begins_life, _cdc_unknown, the contract's columns and, where rows changed their keys, what
       key_moves_traced adds; fold, see fold_rules.
  Out: the same columns; _cdc_unknown now names only what could not be recovered. Unknown is not NULL: a NULL that was sent stays.
  Where a row lacks a column entirely, the column is unknown from there on, because nothing confirms an older value.
#}
{% macro carry_forward(lives, fold) -%}
{% set columns, unsent, is_traced = fold['columns'], fold['unsent'], 'key_moves_traced' in fold['rules'] -%}
last_known as (
    select
        *{{ ' except (_cdc_row_of_source, _cdc_life)' if is_traced }},
        {%- for column in columns if column['name'] in unsent %}
        {{ afterimage._last_known(column, is_traced) }} over so_far as {{ afterimage.identifier('_cdc_last ' ~ column['name']) }}{{ ',' if not loop.last }}
        {%- endfor %}
    from {{ lives }}
    window so_far as (
        partition by {{ '_cdc_row_of_source' if is_traced else '_cdc_key' }} order by _cdc_order rows between unbounded preceding and current row
    )
),

carry_forward as (
    select
        {%- for column in columns %}
        {% if column['name'] in unsent -%}
        if({{ afterimage.ends_row() }}, {{ column['sql'] }}, {{ afterimage.identifier('_cdc_last ' ~ column['name']) }}.value) as {{ column['sql'] }},
        {%- else -%}
        {{ column['sql'] }},
        {%- endif %}
        {%- endfor %}
        case when _cdc_unknown is not null then {{ afterimage._still_unknown(columns, unsent) }} end as _cdc_unknown,
        {{ afterimage._carried_special(columns, unsent) }} as _cdc_special,
        last_known.* except (
            _cdc_unknown, _cdc_special
            {%- for column in columns %}, {{ column['sql'] }}{% endfor %}
            {%- for column in columns if column['name'] in unsent %}, {{ afterimage.identifier('_cdc_last ' ~ column['name']) }}{% endfor %}
        )
    from last_known
),
{%- endmacro %}


{# CTE `all_values_sent`: the rows of carry_forward where there is nothing to fill in. In and out: as carry_forward. #}
{% macro all_values_sent(lives, fold) -%}
all_values_sent as (
    -- the names left there belong to columns the contract no longer has
    select
        * except (_cdc_unknown),
        cast(null as string) as _cdc_unknown
    from {{ lives }}
),
{%- endmacro %}


{#
  The last value that was sent, or that it is unknown, in a struct that distinguishes a NULL that was sent from nothing sent.
  In: column; is_traced, whether rows are distinguished by more than their key: if not, a life that begins means that nothing is known.
#}
{% macro _last_known(column, is_traced) %}
  {% set is_unknown = afterimage.json_names_has('_cdc_unknown', column['name']) %}
  {% set is_sent = "(not " ~ is_unknown ~ " or " ~ afterimage.json_names_has('_cdc_absent', column['name']) ~ ("" if is_traced else " or _cdc_begins_life") ~ ")" %}
  {% set special = ", 'special', " ~ afterimage.special_text(column['name']) if column['decoder'].get('special') else '' %}
  {{ return("last(if(" ~ afterimage.ends_no_row() ~ " and " ~ is_sent ~ ", named_struct('value', " ~ column['sql'] ~ ", 'is_unknown', " ~ is_unknown ~ special ~ "), null), true)") }}
{% endmacro %}


{# The names of the columns whose value no earlier change of the life sent either. #}
{% macro _still_unknown(columns, unsent) %}
  {% set conditions = {} %}
  {% for column in columns if column['name'] in unsent %}
    {% set last = afterimage.identifier('_cdc_last ' ~ column['name']) %}
    {% do conditions.update({column['name']: afterimage.json_names_has('_cdc_unknown', column['name']) ~ ' and coalesce(' ~ last ~ '.is_unknown, true)'}) %}
  {% endfor %}
  {{ return(afterimage.json_names(conditions)) }}
{% endmacro %}


{# The special values of a row after filling in: filled columns bring theirs along. #}
{% macro _carried_special(columns, unsent) %}
  {% set filled, values = [], {} %}
  {% for column in columns if column['decoder'].get('special') %}
    {% if column['name'] in unsent %}
      {% do filled.append(column['name']) %}
      {% do values.update({column['name']: afterimage.identifier('_cdc_last ' ~ column['name']) ~ '.special'}) %}
    {% else %}
      {% do values.update({column['name']: afterimage.special_text(column['name'])}) %}
    {% endif %}
  {% endfor %}
  {{ return("if(" ~ afterimage.ends_row() ~ ", _cdc_special, nullif(" ~ afterimage.json_texts(values) ~ ", '{}'))" if filled else '_cdc_special') }}
{% endmacro %}

{#
  The rows of each touched key of a current state, or one row (with _cdc_is_gone) for a key that has none any more.

  In: state, the compiled SQL of the current state, the rows of the touched keys; columns; touched, see touched_state; versions (relation), the
      history: its log names every touched key. Where touched is none, the state is complete.
  Out: a select of the columns and _cdc_is_gone.
#}
{% macro touched_rows(state, columns, touched, versions) -%}
{%- if touched is none -%}
select
    {{ afterimage.column_names(columns, 'lives') }},
    false as _cdc_is_gone
from (
{{ state | indent(4, true) }}
) as lives
{%- else -%}
select
    {%- for column in columns %}
    {{ 'touched' if column['name'] == '_cdc_key' else 'lives' }}.{{ column['sql'] }},
    {%- endfor %}
    lives._cdc_key is null as _cdc_is_gone
from (select distinct _cdc_key from {{ afterimage.log_of(versions) }} where {{ afterimage.is_touched(touched) }}) as touched
left join (
{{ state | indent(4, true) }}
) as lives
    on touched._cdc_key = lives._cdc_key
{%- endif %}
{%- endmacro %}

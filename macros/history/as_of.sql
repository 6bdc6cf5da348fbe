{#
  The rows of a history at a position or an instant, one per row that existed then.
  In:  history (relation); position, a text of the log's form, or at, a SQL timestamp expression: exactly one of them.
  Untracked columns (contract) show the newest values within each version, which may be later.
  Out: a select of the history's columns.

      {{ afterimage.as_of(ref('hist_shop__orders'), at="timestamp '2026-01-31 00:00:00'") }}
#}
{% macro as_of(history, position=none, at=none) -%}
  {% if (position is none) == (at is none) %}
    {% do exceptions.raise_compiler_error('[afterimage] as_of: give exactly one of position (a text such as 00000000000034338672) and at (a SQL timestamp).') %}
  {% endif -%}
select *
from {{ history }}
  {%- if position is not none %}
where _cdc_position <= {{ afterimage.literal(position) }} and (_cdc_end_position is null or _cdc_end_position > {{ afterimage.literal(position) }})
  {%- else %}
where valid_from <= {{ at }} and (valid_to is null or valid_to > {{ at }})
  {%- endif %}
{%- endmacro %}

{#
  The active rows in a current state's log, as one select: one row per live row. (Where the format has no MERGE, a run appends to the log, and
  the current state is a view over it, see append_state.)

  Each append to the log replaces all rows of the keys it touches, and also marks keys that are gone.

  In: log (relation); columns; appends, which of them count, see state_appends; later_alone, only rows of the later appends, with keys that are gone.
  Out: the columns; with later_alone also _cdc_is_gone.
#}
{% macro active_rows(log, columns, appends, later_alone=false) -%}
{%- set has_later = appends['append'] >= appends['later'] -%}
select{{ (' ' ~ afterimage.broadcast_hint('later', appends['replaced'])).rstrip() if has_later }}
    {{ afterimage.column_names(columns + ([{'sql': '_cdc_is_gone'}] if later_alone else []), 'written') }}
from {{ log }} as written
{%- if has_later %}
left anti join (
    select _cdc_key, cdc_append
    from {{ log }}
    where cdc_append >= {{ appends['later'] }} and cdc_append <= {{ appends['append'] }}
) as later
    on written._cdc_key = later._cdc_key and written.cdc_append < later.cdc_append
{%- endif %}
where
    {%- if later_alone %}
    written.cdc_append >= {{ appends['later'] }}
    {%- else %}
    (written.cdc_append = {{ appends['whole'] }} or written.cdc_append >= {{ appends['later'] }})
    and not written._cdc_is_gone
    {%- endif %}
    and written.cdc_append <= {{ appends['append'] }}
{%- endmacro %}

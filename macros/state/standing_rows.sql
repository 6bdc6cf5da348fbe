{#
  The rows of a current state's log that stand, as one select. (Where the format has no MERGE the log is what a run appends to, and the current
  state a view over it, see append_state.)

  Each append to the log replaces, of the keys it touches, all rows there are, and says so of a key that is gone too.

  In: log (relation); columns; whole, the append that holds all rows there were; through, the last append that counts: a later one was cut off,
      or is being written; replaced, how many rows later appends than `whole` have, none where nobody counted.
  Out: the columns.
#}
{% macro standing_rows(log, columns, whole, through, replaced=none) -%}
select{{ (' ' ~ afterimage.broadcast_hint('later', replaced)).rstrip() if through > whole }}
    {%- for column in columns %}
    written.{{ column['sql'] }}{{ ',' if not loop.last }}
    {%- endfor %}
from {{ log }} as written
{%- if through > whole %}
left anti join (
    select _cdc_key, cdc_append
    from {{ log }}
    where cdc_append > {{ whole }} and cdc_append <= {{ through }}
) as later
    on written._cdc_key = later._cdc_key and written.cdc_append < later.cdc_append
{%- endif %}
where written.cdc_append >= {{ whole }} and written.cdc_append <= {{ through }} and not written._cdc_is_gone
{%- endmacro %}

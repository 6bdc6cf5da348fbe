{#
  The active versions in a history's log, as one select: one row per version.

  Each append to the log replaces, for the keys it touches, every version that reaches to the key's first new change or beyond it: for most
  keys that is the open one, which is appended again with its end. Replaced versions stay in the log until it is maintained.

  In:  log (relation); contract; through, the last append that counts: a later one was cut off, or is being written. (Rows that an earlier
       append left when it was cut off are replaced by the next one.) columns of the log to return as well; replaced, see replaced_in_log; since,
       an append: only versions of later ones are returned (0: all).
  Out: contract columns, history_columns() and those columns.
#}
{% macro active_versions(log, contract, through, columns=[], replaced={'clean': 0, 'rows': none}, since=0) -%}
{% set shown = afterimage.layer_columns(contract, afterimage.history_columns()) -%}
{% for column in columns %}{% do shown.append({'sql': column}) %}{% endfor -%}
{% set untouched = [replaced['clean'], since + 1 if since else 0] | max -%}
select{{ (' ' ~ afterimage.broadcast_hint('later', replaced['rows'])).rstrip() if through > untouched }}
    {{ afterimage.column_names(shown, 'written') }}
from {{ log }} as written
{%- if through > untouched %}
left anti join (
    select _cdc_key, _cdc_replaces_from, _cdc_append
    from {{ log }}
    where _cdc_replaces_from is not null{{ ' and _cdc_append > ' ~ untouched if untouched }} and _cdc_append <= {{ through }}
) as later
    on
        written._cdc_key = later._cdc_key
        and written._cdc_append < later._cdc_append
        and (written._cdc_end_order is null or written._cdc_end_order >= later._cdc_replaces_from)
{%- endif %}
where written._cdc_kind = 'version'{{ ' and written._cdc_append > ' ~ since if since }} and written._cdc_append <= {{ through }}
{%- endmacro %}

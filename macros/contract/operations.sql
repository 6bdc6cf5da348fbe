{#
  The letters of _cdc_op, and the conditions on them (SQL) that are used in more than one place.

    c  a row was created          r  read by a snapshot    u  updated           x  written, and the record does not say how (see written_row_op)
    d  a row was deleted          t  the table was emptied (its partition, where a contract covers several: truncate_empties)
    o  an operator event (see operator_rows); kind close ends a row, and snapshot_complete the rows it has not read
    m  a message, which is no change: a record may have it, a change log never does
  A condition on a single letter is written in place.

  In: op, the column. Out of all below the two lists of letters: SQL.
#}

{# The letters that a source writes for a change. #}
{% macro operations() %}
  {{ return(['c', 'r', 'u', 'd', 't']) }}
{% endmacro %}


{#
  The letters with which a record of a contract is accepted as a change. Documents are not truncated; `x` needs a key: without one, a row that was
  created and one that was read must be distinguished, or copies cannot be counted.
#}
{% macro accepted_operations(contract) %}
  {% set is_document = afterimage.is_document(contract) %}
  {% set may_be_unreported = contract['key'] and afterimage.record_format(contract['format'])['source_is_optional'] %}
  {{ return((afterimage.operations() | reject('equalto', 't' if is_document else none) | list) + (['x'] if may_be_unreported else [])) }}
{% endmacro %}


{# The row is there after it. #}
{% macro leaves_row(op='_cdc_op') %}
  {{ return(op ~ " in ('c', 'r', 'u', 'x')") }}
{% endmacro %}


{# The row it is about is gone after it. #}
{% macro ends_row(op='_cdc_op') %}
  {{ return(op ~ " in ('d', 'o')") }}
{% endmacro %}


{# The opposite, for the changes of a key. #}
{% macro ends_no_row() %}
  {{ return("_cdc_op not in ('d', 'o')") }}
{% endmacro %}


{# It comes with a row before or after it. #}
{% macro has_row() %}
  {{ return("_cdc_op not in ('t', 'o')") }}
{% endmacro %}


{# It landed as a record of the source. #}
{% macro is_of_source(op='_cdc_op') %}
  {{ return(op ~ " <> 'o'") }}
{% endmacro %}


{# The opposite: an operator declared it. #}
{% macro is_of_operator() %}
  {{ return("_cdc_op = 'o'") }}
{% endmacro %}


{# An operator declared it, and it has one of the kinds. #}
{% macro is_operator_event(kinds) %}
  {% set parts = [] %}
  {% for kind in kinds %}{% do parts.append("_cdc_event_id like 'operator:" ~ kind ~ ":%'") %}{% endfor %}
  {{ return("(" ~ afterimage.is_of_operator() ~ " and (" ~ parts | join(' or ') ~ "))") }}
{% endmacro %}


{# It concerns the full table: it ends all rows it applies to. #}
{% macro is_table_wide() %}
  {{ return("(_cdc_op = 't' or " ~ afterimage.is_operator_event(['snapshot_complete']) ~ ")") }}
{% endmacro %}

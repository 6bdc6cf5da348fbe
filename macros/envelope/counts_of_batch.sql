{#
  What is in a batch: rows of outcome, kind, number, lowest and highest position, what a fold must know before it reads (see seen_in_batch), and
  the number of different events: at most so many, for two may share a hash.
#}
{% macro counts_of_batch(batch) %}
  {{ return(afterimage.ask('what is in the batch',
    "select _cdc_outcome, _cdc_kind, count(*), coalesce(min(_cdc_position), ''), coalesce(max(_cdc_position), ''), "
    ~ afterimage.seen_in_batch() ~ ", count(distinct xxhash64(_cdc_event_id)) from " ~ batch ~ " group by _cdc_outcome, _cdc_kind order by 1, 2").rows | list) }}
{% endmacro %}

{#
  What is in a batch: rows of outcome, kind, number, lowest and highest position, what a fold must know before it reads (see seen_in_batch), and
  the number of different events among the accepted: at most so many, for two may share a hash.
  The events are counted beside the rest: Spark would keep all other figures for each of them too.
#}
{% macro counts_of_batch(batch) %}
  {{ return(afterimage.ask('what is in the batch',
    "select _cdc_outcome, _cdc_kind, count(*), coalesce(min(_cdc_position), ''), coalesce(max(_cdc_position), ''), " ~ afterimage.seen_in_batch()
    ~ ", (select count(*) from (select 1 from " ~ batch ~ " where _cdc_outcome = 'accepted' group by xxhash64(_cdc_event_id)) as events) from " ~ batch
    ~ " group by _cdc_outcome, _cdc_kind order by 1, 2").rows | list) }}
{% endmacro %}

{#
  The counts of a batch, one row per outcome and kind: {outcome, kind, records, lowest and highest (positions), what a fold must know before it
  reads (see seen_in_batch), and events, the number of distinct accepted events: an upper bound, because two may share a hash}.
  Events are counted apart from the rest: otherwise Spark would keep all other figures for each event too.
#}
{% macro counts_of_batch(batch) %}
  {% set figures = {'outcome': '_cdc_outcome', 'kind': '_cdc_kind', 'records': 'count(*)', 'lowest': "coalesce(min(_cdc_position), '')",
                    'highest': "coalesce(max(_cdc_position), '')"} %}
  {% do figures.update(afterimage.seen_in_batch()) %}
  {% do figures.update({
    'events': "(select count(*) from (select 1 from " ~ batch ~ " where _cdc_outcome = 'accepted' group by xxhash64(_cdc_event_id)) as events)"
  }) %}
  {% set counts = [] %}
  {% for row in afterimage.ask('count the batch', "select " ~ figures.values() | join(', ') ~ " from " ~ batch
                               ~ " group by _cdc_outcome, _cdc_kind order by 1, 2").rows %}
    {% do counts.append(dict(zip(figures, row))) %}
  {% endfor %}
  {{ return(counts) }}
{% endmacro %}

{#
  The counts of a batch, one row per outcome and kind: {outcome, kind, records, lowest and highest (positions), what a fold must know before it
  reads (see seen_in_batch); of the complete batch, in each row: events, the number of distinct accepted events (an upper bound, because two
  may share a hash), and places, JSON of what the batch adds to the region (see region_columns)}.
  Events are counted apart from the rest: otherwise Spark would keep all other figures for each event too.
#}
{% macro counts_of_batch(batch) %}
  {% set figures = {'outcome': '_cdc_outcome', 'kind': '_cdc_kind', 'records': 'count(*)', 'lowest': "coalesce(min(_cdc_position), '')",
                    'highest': "coalesce(max(_cdc_position), '')"} %}
  {% do figures.update(afterimage.seen_in_batch()) %}
  {% set coordinates = ['_cdc_topic', '_cdc_partition', '_cdc_offset'] %}
  {% do figures.update({
    'events': "(select count(*) from (select 1 from " ~ batch ~ " where _cdc_outcome = 'accepted' group by xxhash64(_cdc_event_id)) as events)",
    'places': "(select to_json(collect_list(struct(*))) from (select " ~ afterimage.region_columns(*coordinates) | join(', ') ~ " from " ~ batch
              ~ " where " ~ coordinates | join(' is not null and ') ~ " is not null and _cdc_outcome <> 'marked' group by _cdc_topic, _cdc_partition"
              ~ ") as places (topic, partition, upto, records, low, high))"
  }) %}
  {% set counts = [] %}
  {% for row in afterimage.ask('count the batch', "select " ~ figures.values() | join(', ') ~ " from " ~ batch
                               ~ " group by _cdc_outcome, _cdc_kind order by 1, 2").rows %}
    {% do counts.append(dict(zip(figures, row))) %}
  {% endfor %}
  {{ return(counts) }}
{% endmacro %}

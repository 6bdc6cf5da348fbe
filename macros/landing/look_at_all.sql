{#
  Searches landing once for all of its change logs in a run, so that none needs its own statement: what is below what
  each has processed, what is above, and how many rows the change logs and their ledgers have. Done once a run, by the
  first of them that looks; what lands later is left to the next run. A change log that has since processed something
  else searches by itself, and so does a model with a pre-hook, which may land records.

  In:  landing relation; contract and change_log, the one that looks; region, the part of landing it has processed
       (see region_read); read, SQL of what to search: landing, or the rows it gained (see landed_since), or none for
       the change logs alone; version of landing, queried before (see landing_version): another version needs another
       search, because the result may be stored as of that version.
  Out: {held: [rows, rows of its ledger]; below: [records, low, high] (see checksum); above: how many records; of:
  how many change logs the search covered}
#}
{% macro look_at_all(landing, contract, change_log, region, read=none, version={}) %}
  {% set known, is_shared = afterimage.run_memory('looks'), not model.config.get('pre-hook') %}
  {% set look, name = tojson([landing | string, read, version.get('id'), version.get('at')]), afterimage.relation_name(change_log) %}
  {% set found = known.get(look) if is_shared else none %}
  {% if not found or found['regions'].get(name) != region %}
    {% set logs = afterimage._change_logs_of_run(landing) if is_shared and not found else {} %}
    {% do logs.update({name: {'relation': change_log, 'topics': contract['topics'], 'region': region}}) %}
    {% set found = {'regions': {}, 'held': {}, 'topics': {}, 'looks': []} %}
    {# a hundred at a time: Spark plans the count of each as a separate query #}
    {% for some in logs.values() | batch(100) %}{% do afterimage._look(read, some, found) %}{% endfor %}
    {% if is_shared %}{% do known.setdefault(look, found) %}{% endif %}
  {% endif %}
  {# records, low, high and above, of all topics together #}
  {% set sums = [0, 0, 0, 0] %}
  {% for topic in contract['topics'] %}
    {% for number in found['topics'].get(afterimage._look_of(topic, region), []) %}{% do sums.append(sums.pop(0) + number | int) %}{% endfor %}
  {% endfor %}
  {{ return({'held': found['held'][name], 'below': sums[:3], 'above': sums[3], 'of': found['regions'] | length}) }}
{% endmacro %}


{# The existing change logs of a landing table that this run builds: {name: {relation, topics, region}}. #}
{% macro _change_logs_of_run(landing) %}
  {% set logs = {} %}
  {% for id in selected_resources if id in graph.nodes and graph.nodes[id].config.materialized == 'cdc_change_log' %}
    {% set node = graph.nodes[id] %}
    {% set contract = afterimage.contract_of_model(node) %}
    {% set there = afterimage.listed_relation(afterimage.relation_of(node)) %}
    {% if there and contract['landing'] == afterimage.landing_name(landing) and afterimage.is_there(afterimage.companion_table(there, 'ledger')) %}
      {% set region = afterimage.remembered_region(there) %}
      {% if region %}{% do logs.update({afterimage.relation_name(there): {'relation': there, 'topics': contract['topics'], 'region': region}}) %}{% endif %}
    {% endif %}
  {% endfor %}
  {{ return(logs) }}
{% endmacro %}


{#
  A topic and how far it is processed, as one text: several change logs may share both (tables routed into one topic).
#}
{% macro _look_of(topic, region) %}
  {{ return(tojson([topic, region['upto'] | selectattr(0, 'equalto', topic) | list])) }}
{% endmacro %}


{# One such search. In: read; logs, a list of {relation, topics, region}; found, to which it adds. #}
{% macro _look(read, logs, found) %}
  {% set looks, parts = [], [] %}
  {% for log in logs %}
    {% set name = afterimage.relation_name(log['relation']) %}
    {% do found['regions'].update({name: log['region']}) %}
    {% do parts.append('select ' ~ afterimage.literal(name) ~ ', ' ~ afterimage.counts_held(log['relation']) ~ ', 0, 0') %}
    {% for topic in log['topics'] %}{% do looks.append(afterimage._look_of(topic, log['region'])) %}{% endfor %}
  {% endfor %}
  {# earlier logs of this search may share a topic with these #}
  {% set looks = looks | unique(case_sensitive=true) | reject('in', found['looks']) | list %}
  {% do found['looks'].extend(looks) %}
  {% if read and looks %}{% do parts.append(afterimage._landed_by_look(read, looks)) %}{% endif %}
  {% for row in afterimage.ask('find new records for all change logs of this landing table', parts | join('\nunion all\n')).rows %}
    {% if row[0] in found['regions'] %}
      {% do found['held'].update({row[0]: [row[1] | int, row[2] | int]}) %}
    {% else %}
      {% do found['topics'].update({looks[row[0] | int]: row.values()[1:]}) %}
    {% endif %}
  {% endfor %}
{% endmacro %}


{#
  SQL of the search result for each topic: number of the look, checksum of what is below the processed offsets, number
  of records above. A record without a coordinate counts as above. In: read; looks, a list of _look_of.
#}
{% macro _landed_by_look(read, looks) -%}
{% set rows, topics = [], [] -%}
{% for look in looks -%}
  {% set topic, upto = fromjson(look) -%}
  {% set bounds = [] -%}
  {% for _, partition, offset in upto %}{% do bounds.append(partition ~ ', ' ~ offset) %}{% endfor -%}
  {% do topics.append(afterimage.literal(topic)) -%}
  {% do rows.append('(' ~ loop.index0 ~ ', ' ~ topics[-1] ~ ', cast(map(' ~ bounds | join(', ') ~ ') as map<bigint, bigint>))') -%}
{% endfor -%}
{% set columns = ['cast(look as string)'] + afterimage.checksum('topic', 'partition', 'offset', 'is_below') + ['count_if(not is_below)'] -%}
select
    {{ columns | join(',\n    ') }}
from (
    select
        looks.look,
        landed.topic,
        landed.partition,
        landed.offset,
        coalesce(landed.offset < try_element_at(looks.upto, cast(landed.partition as bigint)), false) as is_below
    from (select topic, partition, offset from {{ read }} where topic in ({{ topics | unique(case_sensitive=true) | join(', ') }})) as landed
    inner join (
        select * from values
            {{ rows | join(',\n            ') }}
        as looks (look, topic, upto)
    ) as looks on landed.topic = looks.topic
) as looked
group by look
{%- endmacro %}

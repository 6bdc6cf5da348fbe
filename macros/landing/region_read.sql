{#
  The processed region of landing: none of its records is looked at again while it has not changed.

  A change log stores (property `read`) how far it has read each partition, and a checksum of all coordinates below:
  their number and two sums over their hashes. If landing gives the same checksum below, no record came late there and
  none was removed, so new records are above, and neither change log nor ledger is queried. Otherwise (late records, a
  purge, another contract, an interrupted run) the exact anti-join decides, and a new region begins with what it finds
  processed. If landing has its own version (see landing_version) and it is the one that was read, not even the
  checksum is queried. See docs/decisions/0005-progress.md.

  A region: {fingerprint, version: of landing, all of it processed, upto: [[topic, partition, first offset above], …],
  records, low, high, held: see rows_held}.
  This macro returns the region that a change log stores; none when it stores none under this contract. Callers check
  whether it holds.
  In: change_log (relation or none), fingerprint.
#}
{% macro region_read(change_log, fingerprint) %}
  {% set region = afterimage.remembered_region(change_log) %}
  {{ return(region if region and region['fingerprint'] == fingerprint else none) }}
{% endmacro %}


{# The region as a change log stores it, whether it holds or not; none without one. #}
{% macro remembered_region(change_log) %}
  {{ return(fromjson(afterimage.table_properties(change_log).get('read', '') or 'null')) }}
{% endmacro %}


{#
  How many rows a change log and its ledger have: processed records count only while their rows are still there (a
  table may be restored, or lose files). Counted from file statistics, without reading a row. Out: list of two
  numbers.
#}
{% macro rows_held(change_log) %}
  {% set row = afterimage.ask('read the retained region of landing', 'select ' ~ afterimage.counts_held(change_log)).rows[0] %}
  {{ return([row[0] | int, row[1] | int]) }}
{% endmacro %}


{# The same as columns (SQL) for a query over something else. #}
{% macro counts_held(change_log) %}
  {{ return('(select count(*) from ' ~ change_log ~ '), (select count(*) from ' ~ afterimage.companion_table(change_log, 'ledger') ~ ')') }}
{% endmacro %}


{# An empty region. In: fingerprint; version of landing that is read, none before it is queried. #}
{% macro empty_region(fingerprint, version=none) %}
  {{ return({'fingerprint': fingerprint, 'version': version, 'upto': [], 'records': 0, 'low': 0, 'high': 0}) }}
{% endmacro %}


{#
  A region extended by rows. In: region; rows of [topic, partition, first offset above, records, low, high], such as
  region_columns() gives.
#}
{% macro region_with(region, rows) %}
  {% set upto, sums = {}, {'records': region['records'], 'low': region['low'], 'high': region['high']} %}
  {% for topic, partition, offset in region['upto'] %}{% do upto.update({(topic, partition): offset}) %}{% endfor %}
  {% for row in rows if row[1] is not none and row[2] is not none %}
    {% do upto.update({(row[0], row[1]): [row[2] | int, upto.get((row[0], row[1]), 0)] | max}) %}
    {% do sums.update({'records': sums['records'] + row[3] | int, 'low': sums['low'] + row[4] | int, 'high': sums['high'] + row[5] | int}) %}
  {% endfor %}
  {% set places = [] %}
  {% for place, offset in upto.items() %}{% do places.append([place[0], place[1] | int, offset]) %}{% endfor %}
  {{ return(dict(sums, fingerprint=region['fingerprint'], version=region['version'], upto=places | sort)) }}
{% endmacro %}


{#
  Columns (SQL) for region_with of a query over coordinates, grouped by topic and partition: topic, partition, first
  offset above, records, low, high. In: the columns' names in that order; conditions (SQL) on what must be below,
  landed or not, and on what counts.
  Each sum takes 28 bits of the hash, so that no sum of fewer than 30 billion records overflows.
#}
{% macro region_columns(topic='topic', partition='partition', offset='offset', is_below='true', counts='true') %}
  {{ return([topic, partition, 'max(if(' ~ is_below ~ ', ' ~ offset ~ ', null)) + 1'] + afterimage.checksum(topic, partition, offset, counts)) }}
{% endmacro %}


{# SQL of a checksum of coordinates: their number, and two sums over their hashes. In: their columns, a condition (SQL) on which count. #}
{% macro checksum(topic, partition, offset, condition) %}
  {# a hash of a number depends on its type, which differs between landing tables #}
  {% set hash = 'xxhash64(' ~ topic ~ ', cast(' ~ partition ~ ' as bigint), cast(' ~ offset ~ ' as bigint))' %}
  {{ return(['count_if(' ~ condition ~ ')', 'coalesce(sum(if(' ~ condition ~ ', ' ~ hash ~ ' & 268435455, 0)), 0)',
             'coalesce(sum(if(' ~ condition ~ ', shiftrightunsigned(' ~ hash ~ ', 36), 0)), 0)']) }}
{% endmacro %}


{#
  Condition (SQL) on landed records: above the region. Written so that file statistics prune: one bound for each
  partition, and for the partitions that did not exist yet. A record without a coordinate is never below.
#}
{% macro above_region(region, contract) %}
  {% set by_topic = {} %}
  {% for topic, partition, offset in region['upto'] %}{% do by_topic.setdefault(topic, []).append((partition, offset)) %}{% endfor %}
  {% set conditions = [] %}
  {% for topic in contract['topics'] %}
    {% set parts, known = [], by_topic.get(topic, []) | sort %}
    {% for partition, offset in known %}{% do parts.append('(partition = ' ~ partition ~ ' and offset >= ' ~ offset ~ ')') %}{% endfor %}
    {% if known %}
      {% do parts.extend(['partition < ' ~ known[0][0], 'partition > ' ~ known[-1][0], 'partition is null', 'offset is null']) %}
      {% for place in range(known | length - 1) if known[place + 1][0] > known[place][0] + 1 %}
        {% do parts.append('(partition > ' ~ known[place][0] ~ ' and partition < ' ~ known[place + 1][0] ~ ')') %}
      {% endfor %}
    {% endif %}
    {% if contract['topics'] | length == 1 %}
      {{ return('(' ~ (parts or ['true']) | join(' or ') ~ ')') }}
    {% endif %}
    {% do conditions.append('(topic = ' ~ afterimage.literal(topic) ~ (' and (' ~ parts | join(' or ') ~ ')' if parts else '') ~ ')') %}
  {% endfor %}
  {{ return('(' ~ conditions | join(' or ') ~ ')') }}
{% endmacro %}


{#
  The property `read` after a batch is written: JSON, empty without a region. The rows of change log and ledger are
  counted only if they were not known before the batch.
  In: region or none; places of the batch (see counts_of_batch); change_log (relation); entered, how many rows it and
  its ledger gained by the batch.
#}
{% macro region_with_batch(region, places, change_log, entered) %}
  {% if not region %}{{ return('') }}{% endif %}
  {% set held = [region['held'][0] + entered[0], region['held'][1] + entered[1]] if 'held' in region else afterimage.rows_held(change_log) %}
  {% set rows = [] %}
  {% for place in fromjson(places) %}{% do rows.append(place.values() | list) %}{% endfor %}
  {{ return(tojson(dict(afterimage.region_with(region, rows), held=held), sort_keys=true)) }}
{% endmacro %}

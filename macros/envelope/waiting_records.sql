{#
  What waits for a verdict, asked before anything is read so that a run with nothing new parses nothing, and a small batch is not paid for with
  a shuffle of all that landed. On a first run nothing is asked. On a later one the cheapest way is taken, and where it cannot
  tell the next: landing's version, the rows landing gained, a checksum of landing below what is decided, a join with all that is decided
  (docs/decisions/0005-progress.md). Where epochs are declared an offset may come again, and only a join can tell.

  In:  landing relation; contract; fingerprint (text); change_log, the table built so far or none; epochs.
  Out: {records: how many, or none for all of them; region: what of landing is decided, none where epochs are declared; is_above: whether all
       that waits lies above the region; way: in words, how it was looked for; added: where all that waits is among what landing gained, SQL of
       that, see landed_since}
#}
{% macro waiting_records(landing, contract, fingerprint, change_log, epochs=[]) %}
  {% if change_log is none %}
    {{ return({'records': none, 'region': none if epochs else afterimage.empty_region(fingerprint), 'is_above': false, 'way': 'in all of landing'}) }}
  {% elif epochs %}
    {{ return(afterimage._waiting_in_epochs(landing, contract, fingerprint, change_log, epochs)) }}
  {% endif %}
  {% set version = afterimage.landing_version(landing, contract) %}
  {% set region = afterimage.region_read(change_log, fingerprint) %}
  {% set waiting = region and (
    afterimage._waiting_by_version(region, version)
    or afterimage._waiting_among_added(landing, contract, region, version)
    or afterimage._waiting_above(landing, contract, region, version)
  ) %}
  {{ return(waiting or afterimage._waiting_by_join(landing, contract, fingerprint, change_log, version)) }}
{% endmacro %}


{#
  The ways. Each gives what waiting_records gives, or none where it cannot tell; a join always can.
  In: as for waiting_records; region, one that holds (see region_read); version of landing, empty where it has none (see landing_version).
#}


{# 0 records, where landing's version is the one that was read; none where it is another one, or landing has none. #}
{% macro _waiting_by_version(region, version) %}
  {% if version and version == region['version'] %}
    {{ return({'records': 0, 'region': region, 'is_above': true, 'way': 'by the version of landing'}) }}
  {% endif %}
  {{ return(none) }}
{% endmacro %}


{# What landing gained since it was read; none where that is not told, or some of it lies within the region: it came late, or landed again. #}
{% macro _waiting_among_added(landing, contract, region, version) %}
  {% set added = afterimage.landed_since(landing, region['version'], version) %}
  {% if not added %}{{ return(none) }}{% endif %}
  {% set above = afterimage.above_region(region, contract) %}
  {% set within, records = run_query(
    'select count_if(not ' ~ above ~ '), count_if(' ~ above ~ ') from ' ~ added ~ ' where ' ~ afterimage.has_topic('topic', contract)).rows[0] %}
  {% if within == 0 %}
    {{ return({'records': records, 'region': dict(region, version=version), 'is_above': true,
               'way': 'among what landing gained since it was read', 'added': added}) }}
  {% endif %}
  {{ return(none) }}
{% endmacro %}


{# What lies above the region; none where landing below no longer is what it was. #}
{% macro _waiting_above(landing, contract, region, version) %}
  {% set above = afterimage.above_region(region, contract) %}
  {% set below = afterimage._checksum('topic', 'partition', 'offset', 'not ' ~ above) %}
  {% set number, low, high, records = run_query(
    'select ' ~ below | join(', ') ~ ', count_if(' ~ above ~ ') from ' ~ landing ~ ' where ' ~ afterimage.has_topic('topic', contract)).rows[0] %}
  {% if [number, low, high] == [region['records'], region['low'], region['high']] %}
    {{ return({'records': records, 'region': dict(region, version=version), 'is_above': true, 'way': 'above what is decided'}) }}
  {% endif %}
  {{ return(none) }}
{% endmacro %}


{#
  What is decided nowhere, whatever landed when. The region begins anew with what is found decided; it is remembered with the next batch that
  is written, and until then each run joins.
#}
{% macro _waiting_by_join(landing, contract, fingerprint, change_log, version) %}
  {# each coordinate that is landed or decided, and which of them: one join tells what waits and what is decided #}
  {% set same_place = afterimage.same_place('landed', 'places', contract, []) %}
  {% set found = run_query(
    'with ' ~ afterimage.new_records(landing, contract, fingerprint, change_log) ~ ' looked_up as (select coalesce(landed.topic, places.topic) as topic, '
    ~ 'coalesce(landed.partition, places.partition) as partition, coalesce(landed.offset, places.offset) as offset, '
    ~ 'landed.offset is not null as is_landed, places.offset is not null as is_decided '
    ~ 'from landed full outer join (select distinct topic, partition, offset from decided) as places on ' ~ same_place
    ~ ') select ' ~ afterimage.region_columns(is_below='is_decided', counts='is_decided and is_landed') | join(', ')
    ~ ', count_if(not is_decided) from looked_up group by topic, partition').rows %}
  {{ return({'records': found | map(attribute=6) | sum, 'region': afterimage.region_with(afterimage.empty_region(fingerprint, version), found),
             'is_above': false, 'way': 'by a join with all that is decided'}) }}
{% endmacro %}


{# As _waiting_by_join, where an offset may stand for another record in each epoch; there is no region then. #}
{% macro _waiting_in_epochs(landing, contract, fingerprint, change_log, epochs) %}
  {% set found = run_query(
    'with ' ~ afterimage.new_records(landing, contract, fingerprint, change_log, none, epochs) ~ ' asked as (select 1) select count(*) from undecided').rows %}
  {{ return({'records': found[0][0], 'region': none, 'is_above': false, 'way': 'by a join with all that is decided, for epochs are declared'}) }}
{% endmacro %}

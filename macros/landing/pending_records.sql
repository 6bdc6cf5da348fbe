{#
  The landed records that are pending, asked before any is read so that a run with nothing new parses nothing, and a small batch is not paid for
  with a shuffle of all that landed. On a first run nothing is asked. On a later one the cheapest way is taken, and where it cannot tell the next:
  landing's version, one look for all change logs of the run (at the rows landing gained, or at all it holds), a join with all that is processed
  (docs/decisions/0005-progress.md). Where epochs are declared an offset may come again, and only a join can tell.

  In:  landing relation; contract; fingerprint (text); change_log, the table built so far or none; epochs.
  Out: {records: how many, or none for all of them; region: what of landing is processed, none where epochs are declared; is_above: whether all
       that waits lies above the region; way: in words, how it was looked for; where all that waits is among what landing gained, added: SQL of
       that, see landed_since, and gained: rows of region_columns of what waits}
#}
{% macro pending_records(landing, contract, fingerprint, change_log, epochs) %}
  {% if change_log is none %}
    {{ return({'records': none, 'region': none if epochs else afterimage.empty_region(fingerprint), 'is_above': false, 'way': 'in all of landing'}) }}
  {% endif %}
  {% set version = afterimage.landing_version(landing, contract) if not epochs else none %}
  {% set region = afterimage.region_read(change_log, fingerprint) if not epochs else none %}
  {{ return((afterimage._pending_by_look(landing, contract, region, version, change_log) if region else none)
            or afterimage._pending_by_join(landing, contract, fingerprint, change_log, version, epochs)) }}
{% endmacro %}


{#
  The ways. Each gives what pending_records gives, or none where it cannot tell; a join always can.
  In: as for pending_records; region, see region_read; version of landing, empty where it has none (see landing_version).
  What is processed must still be there to be so (see rows_held): else the region does not hold, and only the join can tell.
#}


{#
  What lies above the region: nothing where landing's version is the one that was read; else of what landing gained since, where that is told, else of
  all that it holds. None where some of that came late or landed again, or what lies below no longer is what it was.
#}
{% macro _pending_by_look(landing, contract, region, version, change_log) %}
  {% set is_as_read = version and version == region['version'] %}
  {% set added = afterimage.landed_since(landing, region['version'], version) if not is_as_read else none %}
  {% set read = none if is_as_read else added or landing | string %}
  {% set found = afterimage.look_at_all(landing, contract, change_log, region, read, version) %}
  {% set below = [0, 0, 0] if added or is_as_read else [region['records'], region['low'], region['high']] %}
  {% if found['held'] != region['held'] or found['below'] != below %}{{ return(none) }}{% endif %}
  {# of many without news, none remembers that landing has another version: that is a write for each, where not to is one look for all #}
  {% set is_remembered = found['above'] or added or found['of'] == 1 %}
  {% set pending = {'records': found['above'], 'region': dict(region, version=version) if is_remembered else region, 'is_above': true,
                    'way': 'by the version of landing' if is_as_read else 'above the processed region'} %}
  {# it lies between two versions, and stays as it was looked at #}
  {% if added %}{% do pending.update({'added': added, 'gained': found['gained'], 'way': 'among the records that landing gained since it was read'}) %}{% endif %}
  {{ return(pending) }}
{% endmacro %}


{#
  Every record that is processed nowhere, whatever landed when. A new region begins with what is found processed; it is remembered with the next batch that
  is written, and until then each run joins. Where an offset may stand for another record in each epoch there is no region.
#}
{% macro _pending_by_join(landing, contract, fingerprint, change_log, version, epochs) %}
  {# each coordinate that is landed or processed, and which of them: one join tells what waits and what is processed #}
  {% set same_place = afterimage.same_place('landed', 'places', contract, epochs) %}
  {% set found = afterimage.ask('which records have no verdict',
    'with ' ~ afterimage.new_records(landing, contract, fingerprint, change_log, none, epochs) ~ ' looked_up as (select coalesce(landed.topic, places.topic) as topic, '
    ~ 'coalesce(landed.partition, places.partition) as partition, coalesce(landed.offset, places.offset) as offset, '
    ~ 'landed.offset is not null as is_landed, places.offset is not null as is_processed '
    ~ 'from landed full outer join (select distinct topic, partition, offset' ~ (', timestamp' if epochs else '') ~ ' from processed) as places on ' ~ same_place
    ~ ') select ' ~ afterimage.region_columns(is_below='is_processed', counts='is_processed and is_landed') | join(', ')
    ~ ', count_if(not is_processed) from looked_up group by topic, partition').rows %}
  {{ return({'records': found | map(attribute=6) | sum, 'region': afterimage.region_with(afterimage.empty_region(fingerprint, version), found) if not epochs else none,
             'is_above': false, 'way': 'by a join with all processed records' ~ (', because epochs are declared' if epochs else '')}) }}
{% endmacro %}

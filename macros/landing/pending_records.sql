{#
  The landed records that are pending. They are counted before any is read, so that a run with nothing new parses
  nothing, and a small batch does not shuffle all that landed. A first run queries nothing. A later one tries the
  cheapest way, and if that is inconclusive the next: landing's version, one search for all change logs of the run (of
  the rows landing gained, or of all it holds), a join with all processed records (docs/decisions/0005-progress.md).
  Where epochs are declared an offset may come again, and only a join is conclusive.

  In:  landing relation; contract; fingerprint (text); change_log, the table built so far or none; epochs.
  Out: {records: how many, or none for all of them; region: the processed part of landing, none where epochs are
  declared; is_above: whether all pending records are above the region; way: in words, how they were searched for; and
  where landing gained all pending records: added, SQL of what it gained, see landed_since}
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
  The ways. Each returns what pending_records returns, or none if inconclusive; a join never is.
  In: as for pending_records; region, see region_read; version of landing, empty where it has none (see
  landing_version).
  Processed records count only while their rows are still there (see rows_held): otherwise the region does not hold,
  and only the join is conclusive.
#}


{#
  The records above the region: 0 if landing's version is the one that was read; otherwise from what landing gained
  since, if that is known, or from all that it holds. Returns none if some of that came late or landed again, or the
  part below has changed.
#}
{% macro _pending_by_look(landing, contract, region, version, change_log) %}
  {% set is_as_read = version and version == region['version'] %}
  {% set added = afterimage.landed_since(landing, region['version'], version) if not is_as_read else none %}
  {% set read = none if is_as_read else added or landing | string %}
  {% set found = afterimage.look_at_all(landing, contract, change_log, region, read, version) %}
  {% set below = [0, 0, 0] if added or is_as_read else [region['records'], region['low'], region['high']] %}
  {% if found['held'] != region['held'] or found['below'] != below %}{{ return(none) }}{% endif %}
  {# if many change logs find nothing new, none stores the new version of landing: storing it is a write for each,
     and not storing it costs one search for all #}
  {% set is_remembered = found['above'] or added or found['of'] == 1 %}
  {% set pending = {'records': found['above'], 'region': dict(region, version=version) if is_remembered else region, 'is_above': true,
                    'way': 'by the version of landing' if is_as_read else 'above the processed region'} %}
  {# what is between two versions stays as it was searched #}
  {% if added %}{% do pending.update({'added': added, 'way': 'among the records that landing gained since it was read'}) %}{% endif %}
  {{ return(pending) }}
{% endmacro %}


{#
  Every record that is processed nowhere, whenever it landed. A new region begins with what is found processed; it is
  stored with the next batch that is written, and until then each run joins. Where an offset may mean another record
  in each epoch there is no region.
#}
{% macro _pending_by_join(landing, contract, fingerprint, change_log, version, epochs) %}
  {# each coordinate that is landed or processed, and which of the two: one join finds both pending and processed
     records #}
  {% set same_place = afterimage.same_place('landed', 'places', contract, epochs) %}
  {% set found = afterimage.ask('find records without a verdict',
    'with ' ~ afterimage.new_records(landing, contract, fingerprint, change_log, none, epochs) ~ ' looked_up as (select coalesce(landed.topic, places.topic) as topic, '
    ~ 'coalesce(landed.partition, places.partition) as partition, coalesce(landed.offset, places.offset) as offset, '
    ~ 'landed.offset is not null as is_landed, places.offset is not null as is_processed '
    ~ 'from landed full outer join (select distinct topic, partition, offset' ~ (', timestamp' if epochs else '') ~ ' from processed) as places on ' ~ same_place
    ~ ') select ' ~ afterimage.region_columns(is_below='is_processed', counts='is_processed and is_landed') | join(', ')
    ~ ', count_if(not is_processed) from looked_up group by topic, partition').rows %}
  {{ return({'records': found | map(attribute=6) | sum, 'region': afterimage.region_with(afterimage.empty_region(fingerprint, version), found) if not epochs else none,
             'is_above': false, 'way': 'by a join with all processed records' ~ (', because epochs are declared' if epochs else '')}) }}
{% endmacro %}

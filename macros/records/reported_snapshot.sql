{# The values by which a row of a first snapshot gives its place in the snapshot. Out: SQL, a list of literals. #}
{% macro initial_snapshot_words() %}
  {{ return(afterimage.literals(['true', 'first', 'first_in_data_collection', 'last_in_data_collection', 'last'])) }}
{% endmacro %}


{# The snapshot a record belongs to, as in _cdc_snapshot (SQL), in a step that has `source` and `op` of the envelope. #}
{% macro reported_snapshot() -%}
case
            when source.snapshot is null or source.snapshot = 'false' then if(op = 'r', 'unknown', 'none')
            when source.snapshot in ('incremental', 'blocking', 'backfill') then source.snapshot
            when source.snapshot in ({{ afterimage.initial_snapshot_words() }}) then 'initial'
            else 'unknown'
        end
{%- endmacro %}

{# The words by which a row of a first snapshot says where in it it is read. Out: SQL, a list of literals. #}
{% macro initial_snapshot_words() %}
  {{ return(afterimage.literals(['true', 'first', 'first_in_data_collection', 'last_in_data_collection', 'last'])) }}
{% endmacro %}


{# What a record says of the snapshot it is of, as _cdc_snapshot has it (SQL), in a step that has `source` and `op` of the envelope. #}
{% macro snapshot_told() -%}
case
            when source.snapshot is null or source.snapshot = 'false' then if(op = 'r', 'unknown', 'none')
            when source.snapshot in ('incremental', 'blocking', 'backfill') then source.snapshot
            when source.snapshot in ({{ afterimage.initial_snapshot_words() }}) then 'initial'
            else 'unknown'
        end
{%- endmacro %}

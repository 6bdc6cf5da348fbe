{# What a record says of the snapshot it is of, as _cdc_snapshot has it (SQL), in a step that has `source` and `op` of the envelope. #}
{% macro snapshot_told() -%}
case
            when source.snapshot is null or source.snapshot = 'false' then if(op = 'r', 'unknown', 'none')
            when source.snapshot in ('incremental', 'blocking', 'backfill') then source.snapshot
            when source.snapshot in ('true', 'first', 'first_in_data_collection', 'last_in_data_collection', 'last') then 'initial'
            else 'unknown'
        end
{%- endmacro %}

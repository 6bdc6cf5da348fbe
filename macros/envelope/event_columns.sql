{#
  The columns of a change log that an envelope gives whatever its row is, as a part of a select. The routine and the exact statement share it.
  In: contract, in a step that has the CTE `images` of either (op, position, snapshot, source, transaction, processed_us, the landing columns).
#}
{% macro event_columns(contract) -%}
{% set connector = afterimage.connector(contract) -%}
op as _cdc_op,
        position as _cdc_position,
        timestamp_micros(
            coalesce(try_cast(source.ts_us as bigint), try_multiply(try_cast(source.ts_ms as bigint), 1000))
        ) as _cdc_source_ts,
        try_cast(source.ts_ns as bigint) as _cdc_source_ts_ns,
        timestamp_micros(processed_us) as _cdc_processed_ts,
        timestamp as _cdc_landed_ts,
        topic as _cdc_topic,
        partition as _cdc_partition,
        offset as _cdc_offset,
        {{ connector['source_table'] }} as _cdc_source_table,
        {{ connector['tx_id'] }} as _cdc_tx_id,
        try_cast({{ connector.get('tx_order', 'transaction.total_order') }} as bigint) as _cdc_tx_order,
        {{ connector['committed_after'] or 'cast(null as string)' }} as _cdc_committed_after,
        snapshot as _cdc_snapshot,
        {{ afterimage.kafka_header_text('__debezium.context.runId') }} as _cdc_connector_run,
        {%- for name in afterimage.source_fields(contract) %}
        source.{{ afterimage.identifier(name) }} as {{ afterimage.identifier('_cdc_source_' ~ name) }},
        {%- endfor %}
{%- endmacro %}

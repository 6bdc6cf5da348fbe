{#
  The columns of a change log that come from the envelope, whatever the row, as a part of a select. The routine and the exact statement share it.
  In: contract, in a step that has the CTE `images` of either (op, position, snapshot, source, transaction, processed_us, the landing columns).
#}
{% macro event_columns(contract) -%}
{% set connector = afterimage.connector(contract) -%}
op as _cdc_op,
        position as _cdc_position,
        -- 0 is not a time: a MySQL snapshot writes it when it has none
        timestamp_micros(coalesce(
            nullif(try_cast(source.ts_us as bigint), 0),
            nullif(try_multiply(try_cast(source.ts_ms as bigint), 1000), 0),
            nullif(processed_us, 0),
            unix_micros(timestamp)
        )) as _cdc_source_ts,
        nullif(try_cast(source.ts_ns as bigint), 0) as _cdc_source_ts_ns,
        timestamp_micros(nullif(processed_us, 0)) as _cdc_processed_ts,
        timestamp as _cdc_landed_ts,
        topic as _cdc_topic,
        partition as _cdc_partition,
        offset as _cdc_offset,
        {{ connector['source_table'] }} as _cdc_source_table,
        {{ connector['tx_id'] }} as _cdc_tx_id,
        try_cast({{ connector.get('tx_order', 'transaction.total_order') }} as bigint) as _cdc_tx_order,
        {{ connector['committed_after'] or 'cast(null as string)' }} as _cdc_committed_after,
        snapshot as _cdc_snapshot,
        {{ afterimage.kafka_header_by_lambda('__debezium.context.runId') }} as _cdc_connector_run,
        {%- for name in afterimage.source_fields(contract) %}
        source.{{ afterimage.identifier(name) }} as {{ afterimage.identifier('_cdc_source_' ~ name) }},
        {%- endfor %}
        {%- for column, header in afterimage.header_columns(contract).items() %}
        {{ afterimage.header_value(header) }} as {{ column }},
        {%- endfor %}
{%- endmacro %}

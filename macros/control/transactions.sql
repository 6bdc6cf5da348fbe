{#
  The transactions of a source and whether the change logs hold all of their changes, from the transaction topic
  (provide.transaction.metadata).

  In:  change_logs, list of ref() of the source's change logs; landings, list of the landing relations they read;
       histories, list of ref() of their histories, if these are to be read together (as_of_last_complete): then
       changes that a history has not processed do not count; abandoned, relation that people maintain (a seed) with the
       columns transaction_id (as below) and note: transactions whose missing changes are no longer expected.
  Out: a select, one row for each transaction and table, and one for each unreadable record: source_name, topic (of
  transactions),
    transaction_id    as in _cdc_tx_id; NULL for an unreadable record
    data_collection   the table as the connector names it; NULL while it is unknown which tables the transaction
                      changed
    table_name        the table of the source that has its changes, NULL for one that no contract declares
    began_at, ended_at   by the source's clock (for MongoDB the record's, if the source's is missing), NULL if the
                         record is missing
    changed_at        its newest change in the change log, by the source's clock
    ended_order       text that sorts in commit order: the offset of the END (of the BEGIN, if the END never came), or
                      its position in the source's log if the transaction topic has several partitions
    reported, staged  changes of the table that the END reports; its changes in the change log
    state             complete, missing (fewer are staged than reported), abandoned (the same for a transaction
                      in abandoned), more, extra (the END reports none), not declared (no contract has the table), open
                      (no END yet), ended without END (the connector has begun and ended others since; nothing but
                      what is staged is known), unbounded (changes without BEGIN and END: their topic lags behind),
                      earlier (the same, from before the first BEGIN and END that landed), fault
    is_settled        it ended, and it and all transactions committed before it miss nothing; state earlier is settled
                      too. If the transaction topic has several partitions, only up to where all of them have been
                      read: one partition is better
    fault             why a record could not be read, and its coordinate: no value, broken JSON, no boundary
  Changes that a contract skips or a filter removed on the way are missing: the END counts what the connector sent.
  Declare such a transaction abandoned, or nothing after it ever settles.
  Source: Debezium documentation, "transaction metadata" of each connector; captures mariadb-inventory (ENDs that
  never come), pg-unwrap.
#}
{% macro transactions(change_logs, landings, histories=[], abandoned=none) -%}
  {% if not execute %}{{ return('') }}{% endif -%}
  {% set contracts = afterimage.contracts_of_logs(change_logs) -%}
  {% set contract = contracts[0] -%}
  {% set connector = afterimage.connector(contract) -%}
  {% set topics = afterimage.side_topics_of(contracts, 'transaction') -%}
  {% if topics | length != 1 -%}
    {% do exceptions.raise_compiler_error(
      '[afterimage] transactions of ' ~ contract['source_name'] ~ ': ' ~ ('no topic of transactions is known: say topic_prefix, or name it under side_topics as `transaction`.'
      if not topics else 'several topics of transactions (' ~ topics | join(', ') ~ '): give the change logs of one connector.')) %}
  {% endif -%}
  {% set taken_in = afterimage._taken_in(change_logs, contracts, histories) -%}
-- transactions of {{ contract['source_name'] }}, made by afterimage.transactions
with

{{ afterimage.control_records(landings, contract, topics) }}

in_lives as (
    -- in a re-created topic offsets repeat: a record at the same coordinates, but later, and all that came since
    select
        partition,
        offset,
        timestamp,
        record_value,
        offset + 1000000000000000 * (max(life) over (partition by partition order by timestamp) - 1) as landed_order
    from (
        select
            *,
            dense_rank() over (partition by partition, offset order by timestamp) as life
        from control_records
    ) as lives
),

reported_records as (
    select
        *,
        case
            when record_value is null then 'no value'
            when json_object_keys(record_value) is null then 'broken JSON'
            when coalesce(boundary.id, '') = '' or not coalesce(boundary.status in ('BEGIN', 'END'), false) then 'no boundary'
        end as fault
    from (
        select
            *,
            from_json(
                record_value,
                'status string, id string, ts_ms bigint, data_collections array<struct<data_collection: string, event_count: bigint>>'
            ) as boundary
        from in_lives
    ) as parsed
),

boundaries as (
    select
        partition,
        landed_order,
        lpad(landed_order, 20, '0') as place_by_offset,
        coalesce({{ afterimage.fill(connector['transaction_place'] or 'cast(null as string)', 'boundary.id') }}, lpad(coalesce(nullif(boundary.ts_ms, 0), unix_millis(timestamp)), 20, '0')) as place_in_log,
        if(fault is null, {{ afterimage.transaction_id('boundary.id', contract) }}, null) as transaction_id,
        if(fault is null, boundary.status, null) as status,
        boundary.data_collections,
        if(fault is null, coalesce({{ afterimage.moment_of_millis('nullif(boundary.ts_ms, 0)') }}, timestamp), null) as reported_at,
        concat(fault, ', partition ', partition, ', offset ', offset) as fault,
        -- one may be repeated after a restart
        row_number() over (partition by boundary.status, {{ afterimage.transaction_id('boundary.id', contract) }} order by landed_order) = 1 as is_first
    from reported_records
),

topic_read as (
    -- partitions are in order: none is outstanding up to the least of their newest ENDs; one without an END holds all
    select
        count(*) = 1 as is_one_partition,
        if(count(*) = 1, min(newest_by_offset), min(newest_in_log)) as read_by_all,
        min(first_at) as first_at
    from (
        select
            partition,
            coalesce(max(place_by_offset) filter (where status = 'END'), '') as newest_by_offset,
            coalesce(max(place_in_log) filter (where status = 'END'), '') as newest_in_log,
            min(reported_at) as first_at
        from boundaries
        group by partition
    ) as partitions
),

passed as (
    -- the last END of each partition that all have reached; a repeated END proves nothing about interrupted ones
    select
        any_value(is_one_partition) as is_one_partition,
        any_value(read_by_all) as read_by_all,
        map_from_entries(collect_list(struct(partition, newest_end))) as newest_ends
    from (
        select
            boundaries.partition,
            any_value(topic_read.is_one_partition) as is_one_partition,
            any_value(topic_read.read_by_all) as read_by_all,
            max(boundaries.landed_order) as newest_end
        from boundaries
        cross join topic_read
        where
            boundaries.status = 'END'
            and boundaries.is_first
            and if(topic_read.is_one_partition, boundaries.place_by_offset, boundaries.place_in_log) <= topic_read.read_by_all
        group by boundaries.partition
    ) as partitions
),

spans as (
    select
        transaction_id,
        fault,
        min(reported_at) filter (where status = 'BEGIN') as began_at,
        min(reported_at) filter (where status = 'END') as ended_at,
        coalesce(bool_or(status = 'END'), false) as has_ended,
        max_by(struct(partition, landed_order, place_by_offset, place_in_log), landed_order) filter (where status = 'BEGIN') as began,
        min_by(struct(place_by_offset, place_in_log), landed_order) filter (where status = 'END') as ended,
        min_by(data_collections, landed_order) filter (where status = 'END') as data_collections
    from boundaries
    group by transaction_id, fault
),

ordered as (
    select
        *,
        -- the connector completes one transaction before the next: one that began before another's END will have no END
        if(
            has_ended or began.landed_order < try_element_at(newest_ends, began.partition),
            coalesce(ended_order, began_order),
            null
        ) as committed_order
    from (
        select
            spans.*,
            passed.read_by_all,
            passed.newest_ends,
            if(passed.is_one_partition, spans.began.place_by_offset, spans.began.place_in_log) as began_order,
            if(passed.is_one_partition, spans.ended.place_by_offset, spans.ended.place_in_log) as ended_order
        from spans
        cross join passed
    ) as in_place
),

changes as (
    {%- for change_log in change_logs %}
    select
        {{ afterimage.literal(contracts[loop.index0]['table_name']) }} as table_name,
        {{ afterimage._names_in_source(contracts[loop.index0]) }} as names,
        _cdc_source_table as source_table,
        {{ afterimage.transaction_id('_cdc_tx_id', contract) }} as transaction_id,
        count(distinct _cdc_tx_order) as staged,
        max(_cdc_source_ts) as changed_at
    from {{ change_log }}
    where _cdc_tx_order is not null{{ taken_in[loop.index0] }}
    group by _cdc_source_table, {{ afterimage.transaction_id('_cdc_tx_id', contract) }}
    {{- '\n    union all' if not loop.last }}
    {%- endfor %}
),

declared as (
{{ afterimage._declared_tables([], contracts) | trim | indent(4, true) }}
),

names as (
    -- the name of a table: from its changes, or from its contract while there are none
    select
        name,
        min_by(struct(table_name, source_table), preference) as of_table
    from (
        select distinct
            table_name,
            source_table,
            preference,
            name
        from changes
            lateral view posexplode(names) as preference, name
        union all
        select
            table_name,
            null,
            9,
            substr(suffix, 2)
        from declared
    ) as called
    group by name
),

known as (
    select map_from_entries(collect_list(struct(name, of_table))) as tables
    from names
),

reported_counts as (
    select
        *,
        -- a full name, or else the one table of which either name ends with the other; one part alone is too ambiguous
        coalesce(
            try_element_at(tables, get(names, 0)),
            try_element_at(tables, get(names, 1)),
            if(
                size(names) = 0,
                null,
                get(filter(
                    array(array_distinct(transform(
                        filter(
                            map_entries(tables),
                            entry -> locate('.', entry.key) > 0 and exists(
                                names, each -> endswith(concat('.', each), concat('.', entry.key)) or endswith(concat('.', entry.key), concat('.', each))
                            )
                        ),
                        entry -> entry.value
                    ))),
                    found -> size(found) = 1
                ), 0)[0]
            )
        ) as of_table
    from (
        select
            ordered.*,
            known.tables,
            collection.data_collection,
            collection.event_count,
            if(collection.data_collection is null, array(), {{ afterimage.fill(connector['collection_names'], 'collection.data_collection') }}) as names
        from ordered
        cross join known
            lateral view outer explode(ordered.data_collections) as collection
    ) as in_collections
),

counted as (
    select
        transaction_id,
        fault,
        counted_in,
        min(data_collection) as data_collection,
        min(table_name) as table_name,
        sum(reported) as reported,
        coalesce(sum(staged), 0) as staged,
        max(changed_at) as changed_at,
        max(began_at) as began_at,
        max(ended_at) as ended_at,
        max(committed_order) as committed_order,
        max(read_by_all) as read_by_all,
        max(has_ended) as has_ended
    from (
        select
            transaction_id,
            fault,
            coalesce(concat(of_table.table_name, ' ', of_table.source_table), data_collection) as counted_in,
            data_collection,
            of_table.table_name as table_name,
            event_count as reported,
            null as staged,
            null as changed_at,
            began_at,
            ended_at,
            committed_order,
            read_by_all,
            has_ended
        from reported_counts
        union all
        select
            transaction_id,
            null,
            concat(table_name, ' ', source_table),
            null,
            table_name,
            null,
            staged,
            changed_at,
            null,
            null,
            null,
            null,
            null
        from changes
    ) as entries
    group by transaction_id, fault, counted_in
),

of_transactions as (
    select
        transaction_id,
        fault,
        counted_in,
        data_collection,
        table_name,
        reported,
        staged,
        changed_at,
        max(began_at) over of_transaction as began_at,
        max(ended_at) over of_transaction as ended_at,
        max(committed_order) over of_transaction as ended_order,
        max(read_by_all) over of_transaction as read_by_all,
        max(has_ended) over of_transaction as has_ended,
        max(changed_at) over of_transaction as last_changed_at,
        count(counted_in) over of_transaction as tables
    from counted
    window of_transaction as (partition by transaction_id, fault)
),

states as (
    select
        *,
        case
            when fault is not null then 'fault'
            when has_ended is null and last_changed_at < (select topic_read.first_at from topic_read) then 'earlier'
            when has_ended is null then 'unbounded'
            when ended_order is null then 'open'
            when not has_ended then 'ended without END'
            when reported is null and staged > 0 then 'extra'
            when reported is not null and table_name is null then 'not declared'
            {%- if abandoned is not none %}
            when
                staged < reported
                and transaction_id in (select cast(abandoned.transaction_id as string) from {{ abandoned }} as abandoned)
                then 'abandoned'
            {%- endif %}
            when staged < reported then 'missing'
            when staged > reported then 'more'
            else 'complete'
        end as state
    from of_transactions
    where counted_in is not null or tables = 0
),

first_missing as (
    select min(ended_order) as place
    from states
    where state = 'missing'
)

select
    {{ afterimage.literal(contract['source_name']) }} as source_name,
    {{ afterimage.literal(topics[0]) }} as topic,
    states.transaction_id,
    states.data_collection,
    states.table_name,
    states.began_at,
    states.ended_at,
    states.changed_at,
    states.ended_order,
    states.reported,
    states.staged,
    states.state,
    coalesce(
        states.ended_order <= states.read_by_all and (first_missing.place is null or states.ended_order < first_missing.place),
        false
    )
    or states.state = 'earlier' as is_settled,
    states.fault
from states
cross join first_missing
{%- endmacro %}


{#
  The names that a change's table may have in the transaction topic (SQL, array): its name in the change, with and
  without the connector's prefix (a row without envelope need not have it), and the name from its topic.
#}
{% macro _names_in_source(contract) %}
  {% set first_part = "'^[^.]+[.]'" %}
  {% set prefix = afterimage.literal('^\\Q' ~ contract['topic_prefix'] ~ '\\E[.]') if contract['topic_prefix'] else first_part %}
  {% set server = 'if(_cdc_source_table rlike ' ~ prefix ~ ', ' ~ prefix ~ ', ' ~ first_part ~ ')' if contract['topic_prefix'] else first_part %}
  {{ return("array(regexp_replace(_cdc_source_table, " ~ server ~ ", ''), _cdc_source_table, regexp_replace(max(_cdc_topic), " ~ prefix ~ ", ''))") }}
{% endmacro %}


{#
  The part of each change log that its history has processed: conditions (SQL) after `where …`, in the order of the
  change logs; empty without a history. A run that ended between two histories shows a transaction in only one of
  them, whatever the change logs hold.
#}
{% macro _taken_in(change_logs, contracts, histories) %}
  {% set of_table = {} %}
  {% for history in histories %}
    {% set contract = afterimage.contract_of_change_log(history) %}
    {% do of_table.update({contract['source_name'] ~ '.' ~ contract['table_name']: history}) %}
  {% endfor %}
  {% set conditions = [] %}
  {% for change_log in change_logs %}
    {% set contract = contracts[loop.index0] %}
    {% set history = of_table.pop(contract['source_name'] ~ '.' ~ contract['table_name'], none) %}
    {% if history is none %}
      {% do conditions.append('') %}
    {% else %}
      {% set log = afterimage.log_of(history) %}
      {% set is_there = afterimage.is_model_run() and afterimage.is_there(log) and afterimage.is_there(change_log) %}
      {% set is_of_it = is_there and afterimage.is_made_of(log, afterimage.made_of_changes(change_log, contract)) %}
      {% do conditions.append(' and _cdc_batch <= ' ~ (afterimage.table_properties(log).get('applied', 0) if is_of_it else 0)) %}
    {% endif %}
  {% endfor %}
  {% if of_table %}
    {% do exceptions.raise_compiler_error('[afterimage] transactions of ' ~ contracts[0]['source_name'] ~ ': the histories of ' ~ of_table | join(', ')
                                          ~ ' are given without their change logs, which show whether their transactions are complete.') %}
  {% endif %}
  {{ return(conditions) }}
{% endmacro %}

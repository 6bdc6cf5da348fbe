{#
  The transactions of a source and whether the change logs hold all of their changes, from the topic of transactions
  (provide.transaction.metadata).

  In:  change_logs, list of ref() of the source's change logs; landings, list of the landing relations they read; given_up, ids of
       transactions whose missing changes nobody waits for any more.
  Out: a select, one row a transaction and table: source_name, topic (of transactions), transaction_id (as _cdc_tx_id has it),
    data_collection   the table as the connector names it; NULL while nothing tells which tables the transaction changed
    table_name        the table of the source that has its changes, NULL for one that no contract declares
    began_at, ended_at   by the source's clock, NULL where the record is not there
    ended_order       text that sorts as the transactions were committed: the offset of the END, or its place in the source's log where the topic
                      of transactions has several partitions
    told, staged      changes of the table the END tells of; changes of it in the change log
    state             complete, missing (fewer are staged than told), given up (the same of a transaction in given_up), more,
                      not declared (no contract has the table),
                      open (no END yet), unbounded (changes without BEGIN and END: their topic lags behind), earlier (the same, from before the
                      first BEGIN and END that landed)
    is_settled        it ended, and it and all that were committed before it miss nothing; what is earlier is settled too. Where the topic of
                      transactions has several partitions, what none of them is behind with: one partition is better
  What a contract skips or a filter took out on the way is missing: the END counts what the connector sent. Such a transaction is given up, or
  nothing behind it ever settles.
  Source: Debezium documentation, "transaction metadata" of each connector.
#}
{% macro transactions(change_logs, landings, given_up=[]) -%}
  {% if not execute %}{{ return('') }}{% endif -%}
  {% set contracts = [] -%}
  {% for change_log in change_logs %}{% do contracts.append(afterimage.contract_of_change_log(change_log)) %}{% endfor -%}
  {% set contract = contracts[0] -%}
  {% set topics = afterimage.side_topics_of(contracts, 'transaction') -%}
  {% if topics | length != 1 -%}
    {% do exceptions.raise_compiler_error(
      '[afterimage] transactions of ' ~ contract['source_name'] ~ ': ' ~ ('no topic of transactions is known: say topic_prefix, or name it under side_topics as `transaction`.'
      if not topics else 'several topics of transactions (' ~ topics | join(', ') ~ '): give the change logs of one connector.')) %}
  {% endif -%}
  {# SQL Server names its database twice; a collection of MongoDB stands behind its replica set, which is in no topic #}
  {% set name = 'collection.data_collection' -%}
  {% set suffix = "concat('.', array_join(array_distinct(split(" ~ name ~ ", '[.]')), '.'))" if contract['connector'] == 'sqlserver' else "concat('.', " ~ name ~ ")" -%}
  {% set topic_suffix = "substring(" ~ name ~ ", locate('.', " ~ name ~ "))" if afterimage.is_document(contract) else suffix -%}
-- transactions of {{ contract['source_name'] }}, made by afterimage.transactions
with

{{ afterimage.control_records(landings, contract, topics) }}

boundaries as (
    select
        partition,
        offset,
        if(
            (select count(distinct control_records.partition) from control_records) = 1,
            lpad(offset, 20, '0'),
            coalesce({{ afterimage.transaction_place('told.id', contract) }}, lpad(told.ts_ms, 20, '0'))
        ) as place,
        {{ afterimage.transaction_id('told.id', contract) }} as transaction_id,
        told.status,
        told.data_collections,
        timestamp_millis(told.ts_ms) as told_at
    from (
        select
            partition,
            offset,
            from_json(
                record_value,
                'status string, id string, ts_ms bigint, data_collections array<struct<data_collection: string, event_count: bigint>>'
            ) as told
        from control_records
    ) as parsed
    where told.id is not null
),

spans as (
    -- a boundary may come again after a restart
    select
        transaction_id,
        min(told_at) filter (where status = 'BEGIN') as began_at,
        min(told_at) filter (where status = 'END') as ended_at,
        min(place) filter (where status = 'END') as ended_order,
        min_by(data_collections, place) filter (where status = 'END') as data_collections
    from boundaries
    group by transaction_id
),

told as (
    select
        transaction_id,
        began_at,
        ended_at,
        ended_order,
        collection.data_collection,
        collection.event_count as told,
        {{ suffix }} as suffix,
        {{ topic_suffix }} as topic_suffix
    from spans
        lateral view outer explode(data_collections) as collection
),

changes as (
    {%- for change_log in change_logs %}
    select
        {{ afterimage.literal(contracts[loop.index0]['table_name']) }} as table_name,
        concat('.', _cdc_source_table) as source_table,
        {{ afterimage.transaction_id('_cdc_tx_id', contract) }} as transaction_id,
        count(distinct _cdc_tx_order) as staged,
        max(_cdc_source_ts) as changed_at
    from {{ change_log }}
    where _cdc_tx_order is not null
    group by _cdc_source_table, {{ afterimage.transaction_id('_cdc_tx_id', contract) }}
    {%- if not loop.last %}
    union all
    {%- endif %}
    {%- endfor %}
),

declared as (
    -- by what the changes say of their table, and before there are any by the topic
    select distinct
        table_name,
        source_table
    from changes
    {%- for contract in contracts %}
    {%- for topic in contract['topics'] %}
    union
    select
        {{ afterimage.literal(contract['table_name']) }},
        {{ afterimage.literal('.' ~ topic) }}
    {%- endfor %}
    {%- endfor %}
),

counted as (
    select
        coalesce(told.transaction_id, changes.transaction_id) as transaction_id,
        told.began_at,
        told.ended_at,
        told.ended_order,
        told.data_collection,
        changes.table_name,
        told.told,
        changes.staged,
        changes.changed_at,
        told.topic_suffix
    from told
    full outer join changes
        on
            told.transaction_id = changes.transaction_id
            and (told.suffix is null or endswith(changes.source_table, told.suffix))
),

judged as (
    select
        transaction_id,
        began_at,
        ended_at,
        ended_order,
        data_collection,
        coalesce(table_name, (select min(declared.table_name) from declared where endswith(declared.source_table, counted.topic_suffix))) as table_name,
        told,
        coalesce(staged, 0) as staged,
        changed_at
    from counted
),

states as (
    select
        *,
        case
            when began_at is null and ended_at is null and changed_at < (select min(boundaries.told_at) from boundaries) then 'earlier'
            when began_at is null and ended_at is null then 'unbounded'
            when ended_at is null then 'open'
            when table_name is null then 'not declared'
            {%- if given_up %}
            when
                staged < told
                and transaction_id in ({% for id in given_up %}{{ afterimage.literal(id | string) }}{{ ', ' if not loop.last }}{% endfor %})
                then 'given up'
            {%- endif %}
            when staged < told then 'missing'
            when staged > told then 'more'
            else 'complete'
        end as state
    from judged
),

read_by_all as (
    -- each partition is in order by itself: up to here no END is still to come
    select min(newest) as place
    from (
        select max(place) filter (where status = 'END') as newest
        from boundaries
        group by partition
    ) as partitions
),

settled as (
    select
        transaction_id,
        sum(count_if(state = 'missing')) over (order by ended_order) = 0
        and ended_order <= (select read_by_all.place from read_by_all) as is_settled
    from states
    where ended_order is not null
    group by transaction_id, ended_order
)

select
    {{ afterimage.literal(contract['source_name']) }} as source_name,
    {{ afterimage.literal(topics[0]) }} as topic,
    states.transaction_id,
    states.data_collection,
    states.table_name,
    states.began_at,
    states.ended_at,
    states.ended_order,
    states.told,
    states.staged,
    states.state,
    coalesce(settled.is_settled, states.state = 'earlier') as is_settled
from states
left join settled
    on states.transaction_id = settled.transaction_id
{%- endmacro %}

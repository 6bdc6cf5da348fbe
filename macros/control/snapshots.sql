{#
  The snapshots of connectors, table by table: how far each came, which of its rows landed, and what this is evidence
  of.

  In:  change_logs, list of ref() of the source's change logs; notifications, signals: relations made by
       afterimage.notifications and afterimage.signals (signals may be none: filters are then unknown).
  Out: a select, one row for each run and table:
    source_name, connector_name
    run                 id of the signal that requested it, or of the notification that began it. An id may be
                        requested again: run_started_at distinguishes such runs
    snapshot            initial, incremental, blocking (Debezium's `Initial Snapshot` if a signal requested it)
    collection          the table, as the connector names it; NULL for a run that names none
    table_name          the table of the contract, NULL if no contract has it
    asked_at            by the signal, in the source's clock
    started_at, ended_at, newest_at   of the table's own part if known, otherwise of the run; run_started_at,
    run_ended_at
    paused_seconds      of the run
    state               completed, failed (scan_status says why), aborted, paused, in progress, waiting, skipped
    chunks              progress notifications; in an incremental snapshot one for each chunk
    chunk_from, last_processed_key   the keys that bound the newest chunk; maximum_key, rows_scanned, scan_status
    rows_landed         rows read (op r) of this kind of snapshot in the change log between begin and end;
                        incremental: at most rows_scanned, because a row that changed within its chunk's window is not
                        sent
    is_filtered, conditions   by the signal, or true by the contract (settings.snapshot_select_statement_overrides,
                              which incremental snapshots ignore); NULL where neither is known for it: then it is
                              unknown
    evidence            none (not completed), presence (the rows that landed existed: incremental, filtered, filter
                        unknown, or neither a scan reported nor a row landed), absence (rows that did not land did not
                        exist; still only an operator's event snapshot_complete declares this)
  Each notification may have its own id: then a run is the interval from STARTED to COMPLETED or ABORTED. Which of the
  two applies is decided for each such interval separately. Notifications delivered again are ignored.
  Source: Debezium documentation, "notifications", "signaling", "incremental snapshots"; capture
  pg-incremental-snapshot.
#}
{% macro snapshots(change_logs, notifications, signals=none) -%}
  {% if not execute %}{{ return('') }}{% endif -%}
  {% set contracts = afterimage.contracts_of_logs(change_logs) -%}
  {# tables whose contracts declare that snapshots read only some of the rows #}
  {% set filtered = contracts | selectattr('settings.snapshot_select_statement_overrides') | map(attribute='table_name') | list -%}
-- snapshots of {{ contracts[0]['source_name'] }}, made by afterimage.snapshots
with

valid_notifications as (
    select
        *,
        concat_ws('.', lpad(unix_micros(notified_at), 20, '0'), lpad(partition, 6, '0'), lpad(offset, 20, '0')) as place
    from {{ notifications }}
    where fault is null and not is_repeat
),

begun as (
    -- nothing is reported of a run after its end; before 2.4 an initial one reports only its end
    select
        *,
        status = 'STARTED'
        or coalesce(lag(status) over (partition by connector_name, snapshot order by place) in ('COMPLETED', 'SKIPPED'), true) as is_begin
    from valid_notifications
),

spans as (
    select
        *,
        max(if(is_begin, place, null)) over (partition by connector_name, snapshot order by place) as began,
        coalesce(
            max(if(status = 'STARTED', place, null)) over (partition by connector_name, snapshot, id order by place),
            min(place) over (partition by connector_name, snapshot, id)
        ) as id_began
    from begun
),

counted as (
    select
        *,
        count(*) over (partition by connector_name, snapshot, id, id_began) as with_this_id
    from spans
),

runs as (
    -- an id that several share identifies the run; otherwise each has its own
    select
        *,
        if(shares_id, id, first_value(id) over (partition by connector_name, snapshot, began order by place)) as run,
        if(shares_id, id_began, began) as run_began
    from (
        select
            *,
            max(with_this_id) over (partition by connector_name, snapshot, began) > 1 as shares_id
        from counted
    ) as with_habit
),

in_order as (
    select
        *,
        if(
            status = 'PAUSED',
            timestampdiff(second, notified_at, lead(notified_at) over (partition by connector_name, snapshot, run, run_began order by place)),
            0
        ) as paused_seconds,
        if(
            status = 'IN_PROGRESS',
            lag(last_processed_key) over (partition by connector_name, snapshot, run, run_began, collection, status order by place),
            null
        ) as key_before
    from runs
),

of_runs as (
    select
        source_name,
        connector_name,
        snapshot,
        run,
        run_began,
        min(notified_at) as started_at,
        max(notified_at) filter (where status in ('COMPLETED', 'ABORTED', 'SKIPPED')) as ended_at,
        max(notified_at) as newest_at,
        max_by(status, place) filter (where status in ('COMPLETED', 'ABORTED', 'SKIPPED')) as ending,
        max_by(status, place) filter (where status in ('PAUSED', 'RESUMED', 'STARTED', 'IN_PROGRESS')) as last_status,
        sum(paused_seconds) as paused_seconds,
        array_distinct(flatten(collect_list(concat(coalesce(data_collections, array()), if(collection is null, array(), array(collection)))))) as collections
    from in_order
    group by source_name, connector_name, snapshot, run, run_began
),

of_tables as (
    select
        connector_name,
        snapshot,
        run,
        run_began,
        collection,
        min(notified_at) as started_at,
        max(notified_at) filter (where status = 'TABLE_SCAN_COMPLETED') as scanned_at,
        max(notified_at) as newest_at,
        count_if(status = 'IN_PROGRESS') as chunks,
        max_by(last_processed_key, place) filter (where last_processed_key is not null) as last_processed_key,
        max_by(key_before, place) filter (where status = 'IN_PROGRESS') as chunk_from,
        max_by(maximum_key, place) filter (where maximum_key is not null) as maximum_key,
        max_by(total_rows_scanned, place) filter (where total_rows_scanned is not null) as rows_scanned,
        max_by(scan_status, place) filter (where scan_status is not null) as scan_status
    from in_order
    where collection is not null
    group by connector_name, snapshot, run, run_began, collection
),

asked as (
    {%- if signals %}
    select
        id,
        max(snapshot) as snapshot,
        min(signalled_at) as asked_at,
        bool_or(is_filtered) as is_filtered,
        max(conditions) as conditions
    from {{ signals }}
    where action = 'execute-snapshot' and fault is null and coalesce(op, 'c') <> 'd' and id is not null
    group by id
    {%- else %}
    select
        cast(null as string) as id,
        cast(null as string) as snapshot,
        cast(null as timestamp) as asked_at,
        cast(null as boolean) as is_filtered,
        cast(null as string) as conditions
    where false
    {%- endif %}
),

declared as (
{{ afterimage._declared_tables(change_logs, contracts) | trim | indent(4, true) }}
),

known_names as (
    -- one table, whichever of its names is used
    select distinct
        reported_names.collection,
        declared.table_name
    from (select distinct explode(collections) as collection from of_runs) as reported_names
    inner join declared
        on endswith(concat('.', reported_names.collection), declared.suffix) or endswith(declared.suffix, concat('.', reported_names.collection))
),

run_tables as (
    select
        of_runs.*,
        collection
    from of_runs
        lateral view outer explode(collections) as collection
),

described as (
    select
        run_tables.source_name,
        run_tables.connector_name,
        run_tables.run,
        run_tables.run_began,
        if(asked.snapshot = 'blocking' and run_tables.snapshot = 'initial', 'blocking', run_tables.snapshot) as snapshot,
        run_tables.collection,
        known_names.table_name,
        asked.asked_at,
        coalesce(of_tables.started_at, run_tables.started_at) as started_at,
        coalesce(of_tables.scanned_at, run_tables.ended_at) as ended_at,
        coalesce(of_tables.newest_at, run_tables.newest_at) as newest_at,
        run_tables.started_at as run_started_at,
        run_tables.ended_at as run_ended_at,
        run_tables.paused_seconds,
        case
            when of_tables.scan_status in ('SUCCEEDED', 'EMPTY') then 'completed'
            when of_tables.scan_status is not null then 'failed'
            when run_tables.ending = 'ABORTED' then 'aborted'
            when run_tables.ending = 'SKIPPED' then 'skipped'
            when run_tables.ending = 'COMPLETED' then 'completed'
            when run_tables.last_status = 'PAUSED' then 'paused'
            when run_tables.collection is not null and of_tables.collection is null then 'waiting'
            else 'in progress'
        end as state,
        coalesce(of_tables.chunks, 0) as chunks,
        of_tables.chunk_from,
        of_tables.last_processed_key,
        of_tables.maximum_key,
        of_tables.rows_scanned,
        of_tables.scan_status,
        if(run_tables.snapshot = 'initial' and known_names.table_name in ({{ afterimage.literals(filtered) or "''" }}), true, asked.is_filtered) as is_filtered,
        asked.conditions
    from run_tables
    left join of_tables
        on
            run_tables.connector_name <=> of_tables.connector_name
            and run_tables.snapshot = of_tables.snapshot
            and run_tables.run = of_tables.run
            and run_tables.run_began = of_tables.run_began
            and run_tables.collection = of_tables.collection
    left join asked on run_tables.run = asked.id
    left join known_names on run_tables.collection = known_names.collection
),

read_rows as (
    {%- for change_log in change_logs %}
    select
        {{ afterimage.literal(contracts[loop.index0]['table_name']) }} as table_name,
        _cdc_snapshot as snapshot,
        coalesce(_cdc_processed_ts, _cdc_source_ts) as read_at,
        count(*) as rows_read
    from {{ change_log }}
    where _cdc_op = 'r'
    group by _cdc_snapshot, coalesce(_cdc_processed_ts, _cdc_source_ts)
    {{- '\n    union all' if not loop.last }}
    {%- endfor %}
),

landed as (
    -- runs are few, rows read are many
    select /*+ broadcast(described) */
        described.connector_name,
        described.run,
        described.run_began,
        described.collection,
        described.snapshot,
        sum(read_rows.rows_read) as rows_landed
    from described
    inner join read_rows
        on
            described.table_name = read_rows.table_name
            and described.snapshot = read_rows.snapshot
            and described.run_started_at <= read_rows.read_at
            and coalesce(described.run_ended_at, read_rows.read_at) >= read_rows.read_at
    group by described.connector_name, described.run, described.run_began, described.collection, described.snapshot
)

select
    described.source_name,
    described.connector_name,
    described.run,
    described.snapshot,
    described.collection,
    described.table_name,
    described.asked_at,
    described.started_at,
    described.ended_at,
    described.newest_at,
    described.run_started_at,
    described.run_ended_at,
    described.paused_seconds,
    described.state,
    described.chunks,
    described.chunk_from,
    described.last_processed_key,
    described.maximum_key,
    described.rows_scanned,
    described.scan_status,
    if(described.table_name is null, null, coalesce(landed.rows_landed, 0)) as rows_landed,
    described.is_filtered,
    described.conditions,
    case
        when described.state <> 'completed' then 'none'
        when described.snapshot = 'incremental' or described.is_filtered then 'presence'
        when described.snapshot = 'blocking' and described.is_filtered is null then 'presence'
        -- a schema-only snapshot completes as well
        when coalesce(described.scan_status, '') not in ('SUCCEEDED', 'EMPTY') and coalesce(landed.rows_landed, 0) = 0 then 'presence'
        else 'absence'
    end as evidence
from described
left join landed
    on
        described.connector_name <=> landed.connector_name
        and described.run = landed.run
        and described.run_began = landed.run_began
        and described.snapshot = landed.snapshot
        and described.collection <=> landed.collection
{%- endmacro %}

{#
  No row is left that a later snapshot of the complete table did not read. Put on a change log of a table with a key.
  Returns the rows from before the newest such snapshot that neither it nor a later change contains: their deletes may
  have been lost. An operator event `close` ends such a row, `snapshot_complete` all of them. `hours`: a snapshot with
  a record landed within them may still go on.
  Not for a table whose snapshots read a part (snapshot.select.statement.overrides).

      data_tests:
        - afterimage.cdc_no_row_unread: {arguments: {hours: 24}}
#}
{% test cdc_no_row_unread(model, hours=24) %}
{% set epochs = afterimage.epochs_of(model) %}
with

changes as (
    select
        _cdc_key,
        _cdc_previous_key,
        _cdc_op,
        _cdc_snapshot,
        _cdc_landed_ts,
        {{ afterimage.in_epoch('_cdc_position', '_cdc_landed_ts', epochs) }} as position,
        {{ afterimage.in_epoch('_cdc_order', '_cdc_landed_ts', epochs) }} as place,
        {{ afterimage.is_table_wide() }} as is_table_wide,
        -- a key within a physical table begins with the table's name
        if(startswith(_cdc_key, concat(_cdc_source_table, ' ')), _cdc_source_table, '') as shard
    from {{ model }}
),

reads as (
    select shard, max(position) as read_at
    from changes
    where _cdc_op = 'r' and _cdc_snapshot = 'initial'
    group by shard
    having max(_cdc_landed_ts) < current_timestamp() - interval '{{ hours | int }}' hour
),

emptied as (
    select max(position) as emptied_at
    from changes
    where is_table_wide
),

newest as (
    select _cdc_key, shard, max(position) as position, max_by(_cdc_op, place) as op
    from (
        select _cdc_key, shard, position, place, _cdc_op from changes
        union all
        -- an update may have moved the row to another key
        select _cdc_previous_key, shard, position, place, 'd' from changes
        where _cdc_op = 'u'
    ) as of_keys
    where _cdc_key is not null
    group by _cdc_key, shard
)

select
    newest._cdc_key,
    newest.position,
    reads.read_at,
    'a later snapshot of the table did not read this row, and no change tells that it went: was its delete lost?' as failure_reason
from newest
inner join reads on newest.shard = reads.shard
cross join emptied
where
    {{ afterimage.leaves_row('newest.op') }}
    and newest.position < reads.read_at
    and coalesce(newest.position > emptied.emptied_at, true)
{% endtest %}

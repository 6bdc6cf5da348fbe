{#
  No snapshot ended incomplete. Put on a model of snapshots. Returns the tables of runs that failed or were aborted
  and that no later run read completely, and those in progress for more than `hours`.

      data_tests:
        - afterimage.cdc_snapshots_whole: {arguments: {hours: 24}}
#}
{% test cdc_snapshots_whole(model, hours=24) %}
select
    snapshots.run,
    snapshots.snapshot,
    snapshots.collection,
    snapshots.state,
    snapshots.scan_status,
    snapshots.newest_at,
    concat('the snapshot is ', snapshots.state, coalesce(concat(' (', snapshots.scan_status, ')'), '')) as failure_reason
from {{ model }} as snapshots
left anti join {{ model }} as later
    on
        snapshots.connector_name <=> later.connector_name
        and snapshots.collection <=> later.collection
        and later.state = 'completed'
        and snapshots.newest_at < later.ended_at
        and not coalesce(later.is_filtered, false)
where
    snapshots.state in ('failed', 'aborted')
    or (
        snapshots.state in ('in progress', 'paused', 'waiting')
        and snapshots.newest_at < current_timestamp() - interval '{{ hours | int }}' hour
    )
{% endtest %}

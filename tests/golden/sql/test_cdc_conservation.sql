select
    *,
    case
        when outcome = 'pending' and records > 0 then 'landed, but no run has read it yet'
        when outcome = 'pending' then 'counted more often than landed'
        when kind = 'two_records_at_one_place'
            then 'two different records have one topic, partition and offset: was the topic made anew? Declare an epoch'
        when kind = 'complete_snapshot_read_nothing'
            then
                'a snapshot was declared complete at a position where none of the source read a row: is the position right?'
        when kind = 'several_source_tables'
            then
                'changes of more than one table of the source: do they belong to this one? Say source_tables in the contract'
        when kind = 'position_went_back'
            then
                'changes committed before others that were read before them: restored, or another server? Declare an epoch'
        else 'no table of the contract declares this topic'
    end as failure_reason
from afterimage.dq_shop__accounting
where outcome in ('pending', 'alarm') or kind = 'unknown_topic'

select
    *,
    case
        when outcome = 'pending' and records > 0 then 'landed, but no run has read it yet'
        when outcome = 'pending' then 'counted more often than landed'
        when kind = 'two_records_at_one_place'
            then 'two different records have one topic, partition and offset: was the topic recreated? Declare an epoch'
        when kind = 'complete_snapshot_read_nothing'
            then
                'a snapshot was declared complete at a position where none of the source read a row: is the position right?'
        when kind = 'several_source_tables'
            then
                'changes of more than one table of the source: do they belong to this one? Say source_tables, or key_within: physical_table'
        when kind = 'position_went_back'
            then
                'changes committed before others that were read before them: restored, or another server? Declare an epoch'
        when kind = 'clock_went_back'
            then
                'changes made more than a day before others that were read before them: was the clock of the source set back? Their valid_from is that of the others'
        when kind = 'made_in_the_future'
            then 'changes made more than a day from now, by the clock of the source: their valid_from is wrong'
        when kind = 'key_change_unpaired'
            then
                'one record of a key change came, the delete of the old key or the create of the new one, and not the other: land it, or read the table again'
        when kind = 'row_never_seen'
            then
                'deletes and updates of rows that no change brought, of a table without a key, whose rows are known by all columns: does the stream leave one out (generated), or has the table gained one with a default? Leave it out of the contract, and rebuild the models'
        when kind = 'row_created_twice'
            then
                'creates of a key whose row stands and is another: do several rows of the source have one key of the contract? Give the key their other columns (key), or their table (key_within: physical_table), and rebuild the models. Or did the delete between them never come?'
        when kind = 'skipped_operations'
            then
                'changes of operations that the contract says the connector leaves out, which are taken in: correct settings.skipped_operations'
        when kind = 'replica_identity'
            then
                'updates whose row before is not told as the contract\'s replica_identity has it: say the one that the table has'
        when kind = 'binlog_row_image'
            then
                'updates that tell the row before by its key alone, and of the row after what was set: set binlog_row_image to FULL, and read the table again'
        when kind = 'delete_tombstone_handling_mode'
            then
                'tombstones where the contract says that none come, or that each follows a deleted row rewritten: say the mode that the transformation has, and rebuild the models'
        when kind = 'order_by_landing'
            then
                'changes of one key at one place in the log, put in order by where they landed alone: set provide.transaction.metadata. Of rows that one snapshot read: has the key of the contract all its columns?'
        when kind = 'equal_changes'
            then
                'equal changes at one place in the log, counted by how often they were delivered alone: set provide.transaction.metadata'
        when kind = 'transaction_order_restarted'
            then
                'changes of one key at one place in the log whose order within the transaction is another than that of their delivery: did the connector start again within it? What came later may lie before, and what came again be there twice. Compare the row with the source'
        when kind = 'unknown_topic' then 'no table of the contract declares this topic'
    end as failure_reason
from afterimage.dq_shop__accounting
where outcome in ('pending', 'alarm', 'contradiction', 'ambiguous') or kind = 'unknown_topic'

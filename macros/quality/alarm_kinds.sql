{#
  What accounting says beside where records went, and cdc_conservation fails for: {outcome: {kind: what it means and what to do}}. The one list of
  them: the failing test and `afterimage report` say these words, docs/reference/outcomes.md has a row for each, and
  tests/functional/test_alarm_kinds.py shows each in all three.
    alarm          something that nobody declared
    contradiction  the contract says that it does not come
    ambiguous      only the delivery says in which order changes were made, or how many there were
#}
{% macro alarm_kinds() %}
  {{ return({
    'alarm': {
      'two_records_at_one_place': 'two different records have one topic, partition and offset: was the topic recreated? Declare an epoch',
      'complete_snapshot_read_nothing': 'a snapshot was declared complete at a position where none of the source read a row: is the position right?',
      'several_source_tables': 'changes of more than one table of the source: do they belong to this one? Say source_tables, or key_within: physical_table',
      'position_went_back': 'changes committed before others that were read before them: restored, or another server? Declare an epoch',
      'clock_went_back': 'changes made more than a day before others that were read before them: was the clock of the source set back? Their valid_from is that of the others',
      'made_in_the_future': 'changes made more than a day from now, by the clock of the source: their valid_from is wrong',
      'key_change_unpaired': 'one record of a key change came, the delete of the old key or the create of the new one, and not the other: land it, or read the table again',
      'row_never_seen': 'deletes and updates of rows that no change brought, of a table without a key, whose rows are known by all columns: does the stream leave one out (generated), or has the table gained one with a default? Leave it out of the contract, and rebuild the models',
      'row_created_twice': 'creates of a key whose row stands and is another: do several rows of the source have one key of the contract? Give the key their other columns (key), or their table (key_within: physical_table), and rebuild the models. Or did the delete between them never come?',
    },
    'contradiction': {
      'skipped_operations': 'changes of operations that the contract says the connector leaves out, which are taken in: correct settings.skipped_operations',
      'replica_identity': 'updates whose row before is not told as the contract\'s replica_identity has it: say the one that the table has',
      'binlog_row_image': 'updates that tell the row before by its key alone, and of the row after what was set: set binlog_row_image to FULL, and read the table again',
      'delete_tombstone_handling_mode': 'tombstones where the contract says that none come, or that each follows a deleted row rewritten: say the mode that the transformation has, and rebuild the models',
    },
    'ambiguous': {
      'order_by_landing': 'changes of one key at one place in the log, put in order by where they landed alone: set provide.transaction.metadata. Of rows that one snapshot read: has the key of the contract all its columns?',
      'equal_changes': 'equal changes at one place in the log, counted by how often they were delivered alone: set provide.transaction.metadata',
      'transaction_order_restarted': 'changes of one key at one place in the log whose order within the transaction is another than that of their delivery: did the connector start again within it? What came later may lie before, and what came again be there twice. Compare the row with the source',
    },
  }) }}
{% endmacro %}

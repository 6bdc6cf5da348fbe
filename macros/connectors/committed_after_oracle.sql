{#
  An SCN at which the change's transaction was not yet committed: the one before commit_scn. From 3.x that is the transaction's own
  commit; before, on all but its last event, an earlier one of the same redo thread, which the transaction's own follows. Either way the
  change is newer than a snapshot row that was read as of such an SCN.
  The connector's own offsets may hold several commits (324567897: 0x2832343233323:1); an event has one number.
  In: SQL of a source struct with a text field commit_scn. Out: SQL text of 20 digits; NULL where there is none (olr, snapshots).
#}
{% macro committed_after_oracle(source) %}
  {% set scn = source ~ ".commit_scn" %}
  {{ return("case when " ~ scn ~ " rlike '^0*[1-9][0-9]{0,19}$' then lpad(cast(cast(" ~ scn ~ " as decimal(20,0)) - 1 as string), 20, '0') end") }}
{% endmacro %}

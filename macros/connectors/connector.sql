{#
  What is peculiar to the system the changes come from; one file per family, all else of this package knows none by name.

  In:  contract (its `connector` is read).
  Out: dict
    source_fields      names of the fields of the envelope's `source` that the family needs beside ts_ms, ts_us, ts_ns and snapshot
    position_fields    those of source_fields without which there is no position
    position           SQL text: place of the change in the source's log, sorts as text within its scope; no colon in it, which parts event_id
    position_form      regular expression of such a text
    source_table       SQL text: the physical table the change was made in
    table_in_source    SQL text: the same without the name of the connector, as the source's own people write it
    committed_after    SQL text: the last commit read before the change's transaction; none where the log is in commit order
    place_is_of_a_row  whether a delete and a create at one place in the log are the halves of one row's key change
    tx_id              SQL text: transaction of the change
    tx_order           SQL text: its place among the changes of the transaction, where not transaction.total_order alone tells; may be left out
    before_is_whole    whether the before image of an update or delete holds the whole row
    two_rows_may_meet  whether, within a transaction, two rows may have one key for a while
    types              {family: [type names]}, a family being a macro decode_<family>
    type_aliases       {name: name in types}
    type_arguments     {name: arguments where the contract gives none}
    type_attributes    regular expression of words behind a type that say nothing of how its values are written; may be left out
    largest            {type: the largest first argument it has}, digits of a number or behind a second
    has_arrays         whether a column may be an array; may be left out
    types_with_words   names of types whose arguments may be words; may be left out
    wrapped_nanoseconds  {number: text} of moments beyond what a long holds in nanoseconds that are common enough to be known by the number
                       they become; may be left out
    floating_intervals  whether an interval may come as a floating number; may be left out
    lobs               names of types of which a before image may not have the value; may be left out
    lobs_may_be_off    whether lob.enabled switches them off; may be left out
    lob_parts          field of source of an event that may hold a part of one; may be left out
    longest            {type: size} above which a value is a LOB too; there where lobs are, else it may be left out
    names_events       field of source that names an event, see datastream_connector; may be left out
    goes_first         SQL: a change that goes before others at its place, see there; may be left out
    may_tell_key_alone   whether a row before its change may be told by its key alone, see there; may be left out
    has_backfills      whether snapshot rows are at no place of the log, see there; may be left out
    updates_name_no_row  whether an update of a table without a key does not say which row it means, see there; may be left out
    is_document        whether a row is a document, whose columns are paths into it (see macros/document); may be left out
    has_bare_values    of documents, whether their values come without their types, as ExtractNewDocumentState writes them; may be left out
    zero_dates         whether a date may hold 0 as year, month or day; may be left out
  SQL stands in a step that has `source` and `transaction` of the envelope (see debezium_json).
#}
{% macro connector(contract) %}
  {% set family = {'mariadb': 'mysql'}.get(contract['connector'], contract['connector']) %}
  {% set found = context['afterimage']['connector_' ~ family](contract) %}
  {% if contract['format'] == 'unwrapped' %}{% do found.update(afterimage.unwrapped_connector(contract, found)) %}{% endif %}
  {{ return(found) }}
{% endmacro %}

{#
  The traits of the system the changes come from; one file per family. Elsewhere a system is known by name only where a contract is read
  (contract_of), to is_document, to the form datastream_json and to logical_decoding_messages, which only PostgreSQL has.

  In:  contract (its `connector` is read).
  Out: dict
    source_fields      names of the fields of the envelope's `source` that the family needs besides ts_ms, ts_us, ts_ns and snapshot
    position_fields    those of source_fields without which there is no position
    position           SQL text: the change's position in the source's log, sorts as text within its scope; no colon, which separates event_id
    position_form      regular expression of such a text
    table_names        SQL, a list: the parts of the name of the table the change was made in, as used in the source itself
    server_names       SQL, a list: the parts in front of them for the server, most often the name of the connector
    table_in_source    SQL text: table_names with points between them
    source_table       SQL text: server_names and table_names, the physical table
    committed_after    SQL text: the last commit read before the change's transaction; none where the log is in commit order
    position_identifies_row  whether a delete and a create at one position in the log are the key-change pair of one row
    only_rows_in_order  whether positions give the order of a row's own changes but not that of others; may be left out
    place_is_offset    whether the position is the landing coordinate, so that no two changes share one; may be left out
    tx_id              SQL text: transaction of the change
    transaction_id     template of SQL: the id ({raw}) in the record of a transaction's END, as changes have it in _cdc_tx_id. Source of this and the
                       next two: Debezium documentation, "transaction metadata" of each connector; sample of SQL Server 001:21024
    transaction_place  template of SQL: a text from that id that sorts in commit order (a position in the log, the number of a GTID of
                       one server or file and position, the LSN of the commit); none where the id gives no order
    collection_names   template of SQL: the names, an array, that a table of that topic (`data_collection`) may have in changes, without
                       the server. SQL Server and Db2 have the database twice (testDB.dbo.testDB.orders); in MongoDB the replica set is in front,
                       which newer connectors leave out (a collection may have points in its name); for others unchanged: shop.orders
    tx_order           SQL text: the change's number within the transaction, if not only from transaction.total_order; may be left out
    before_is_whole    whether the before image of an update or delete holds the full row
    has_replica_identity  whether replica_identity of a contract says what the row before a change has; may be left out
    allows_key_collisions  whether, within a transaction, two rows may have one key for a while
    types              {family: [type names]}, a family being a macro decode_<family>
    type_aliases       {name: name in types}
    type_arguments     {name: arguments where the contract gives none}
    type_attributes    regular expression of words after a type that do not affect how its values are written; may be left out
    largest            {type: the largest first argument it has}, digits of a number or of a fraction of a second
    reported_numbers       {names of types, joined by |: numbers}, those of length and scale in a table change that follow the name in a contract
                       (see reported_type); for all other types they are widths of display or of storage
    reported_boolean      the type that the source itself makes of bool; may be left out
    ddl_is_of_mysql    whether DDL is MySQL's: texts with \, comments from # on, comments /*! … */ that are run, no schemas; may be left out
    names_are_capitals  whether names without quotes become capitals; may be left out
    topics_without_database  whether topics name a table without its database; may be left out
    position_metrics   metrics of the connector that are the parts of a position, in their order; may be left out
    placeholder_may_be_hex  whether unavailable.value.placeholder may be bytes, spelled hex:…; may be left out
    null_when_not_sent_types  {alone, elements: names of types} for which an update writes NULL for a long value that it left alone: columns of the
                       types themselves, and arrays except of elements (see columns_null_when_not_sent); may be left out
    has_arrays         whether a column may be an array; may be left out
    types_with_words   names of types whose arguments may be words; may be left out
    wrapped_nanoseconds  {number: text} of moments beyond what a long holds in nanoseconds that are common enough to be recognised by the
                       number they become; may be left out
    floating_intervals  whether an interval may come as a floating number; may be left out
    lobs               names of types whose values a before image may lack; may be left out
    lobs_may_be_off    whether lob.enabled switches them off; may be left out
    lob_parts          field of source of an event that may hold a part of one; may be left out
    longest            {type: size} above which a value is a LOB too; required with lobs, else may be left out
    names_events       field of source that names an event, see datastream_connector; may be left out
    tie_break         SQL: a change that goes before others at its position; with it snapshot rows have no position, see there; may be left out
    after_of_pair     SQL: the after record of a before/after pair of an update, see there; may be left out
    may_tell_key_alone   whether a row before its change may have only its key (see there, and key_alone_before); may be left out
    updates_name_no_row  whether an update of a table without a key does not say which row it means, see there; may be left out
    has_bare_values    for documents, whether their values come without their types, as ExtractNewDocumentState writes them; may be left out
    zero_dates         whether a date may hold 0 as year, month or day; may be left out
  The SQL is used in a step that has `source` and `transaction` of the envelope (see debezium_json).
#}
{% macro connector(contract) %}
  {% set format = afterimage.record_format(contract['format']) %}
  {# the defaults, true for most #}
  {% set found = dict({
    'committed_after': none, 'position_identifies_row': false, 'transaction_id': '{raw}', 'transaction_place': none, 'collection_names': 'array({raw})',
    'before_is_whole': true, 'allows_key_collisions': false, 'type_arguments': {}, 'reported_numbers': {}, 'server_names': ['source.name'],
  }, **context['afterimage']['connector_' ~ afterimage.connector_family(contract['connector'])](contract)) %}
  {% set names = found['table_names'] | join(', ') %}
  {% set source_table = "concat_ws('.', " ~ found['server_names'] | join(', ') ~ ", " ~ names ~ ")" %}
  {% set is_in_key = format['source_is_optional'] and not afterimage.is_document(contract) %}
  {% do found.update({'table_in_source': "concat_ws('.', " ~ names ~ ")", 'source_table': afterimage.table_in_key(source_table) if is_in_key else source_table}) %}
  {% if not format['has_envelope'] %}{% do found.update(afterimage.unwrapped_connector(contract, found)) %}{% endif %}
  {{ return(found) }}
{% endmacro %}

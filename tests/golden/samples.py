"""The samples rendered in addition to the example's models: branches that no model of the example
shows, or that only run when there is work. Each is a template, by its name."""

# What the samples below share. `bag` is the contract of a table without a key.
SETUP = """{% set contract = afterimage.contract_of_model(model) -%}
{% set bag = dict(contract, key=[], replica_identity='full') -%}
{% set pending = {
    'applied': 3, 'available': 4, 'pending': 9, 'oldest_truncate': '07.1'} -%}
{% set accepted = {'records': 9, 'lowest': '01', 'highest': '09', 'events': 9} -%}
"""
BATCH = """{% set log = ref('stg_shop__carts') -%}
{% set batch = afterimage.companion_table(log, 'batch') -%}
{% set ledger = afterimage.companion_table(log, 'ledger') -%}
{% set columns = afterimage.layer_columns(contract, afterimage.change_log_columns()) -%}
"""
LEDGER = (
    BATCH
    + """{{ afterimage.ledger_insert(
    ledger, batch, 'few', true, contract, 4, 'f') }}"""
)
NEW_CHANGES = BATCH + "{{ afterimage.new_changes_of_batch(batch, columns, 'few', 4) }}"
EXCEPTIONAL = BATCH + "{{ afterimage.recognised_changes(batch, log, accepted, BAG, BAG, 4) }}"
STATE = """{% set log = ref('hist_shop__carts') -%}
{% set columns = afterimage.layer_columns(contract, afterimage.current_columns(contract)) -%}
{% set touched = {'applied': 2, 'available': 3} -%}
{% set appends = {'whole': 5, 'later': 7, 'append': 9, 'replaced': 4} -%}
"""
OF_LOGS = """{% set log = ref('stg_shop__carts') -%}
{% set bag_of_mysql = dict(bag, connector='mysql') -%}
{% set contracts = TABLES -%}
{% set logs = [log] * (contracts | length) -%}
with

changes_of_logs as (
{{ afterimage.changes_of_logs(logs, contracts) | indent(4, true) }}
),

changes as (
    select *, {{ afterimage.record_named() }} as named from changes_of_logs
)DELIVERED

"""
DELIVERED = """,

decisions as (
{{ afterimage.decisions_of_logs(logs, contracts) | indent(4, true) }}
),

delivered as (
{{ afterimage.changes_delivered() | indent(4, true) }}
)"""
AMBIGUOUS = OF_LOGS + "{{ afterimage.ambiguous_changes(contracts) }}"
AMBIGUOUS_IN_ORDER = AMBIGUOUS.replace("DELIVERED", "")
AMBIGUOUS = AMBIGUOUS.replace("DELIVERED", DELIVERED)
WENT_BACK = (
    OF_LOGS.replace("DELIVERED", DELIVERED) + "{{ afterimage.changes_that_went_back(contracts) }}"
)
OF_SOURCE = """{{ afterimage.MACRO(
    [ref('stg_shop__carts'), ref('stg_shop__orders')], [source('shop', 'carts')]) }}"""
DATASTREAM = """{% set files = dict(contract, connector='datastream_postgresql',
    format='datastream_json', place_from='coordinates') -%}
"""


def change_log(contract: str, source: str = "stock_slots", new: str = "", more: str = "") -> str:
    """The exact statement of a contract. new, more: additional arguments of new_records and of
    it."""
    return f"""{{% set read = {contract} -%}}
{{{{ afterimage.judged_records(read, afterimage.new_records(
    source('shop', '{source}'), read, 'f'{new}){more}) }}}}"""


def routine(contract: str, block: str = "none") -> str:
    """The routine statement of a contract, its fields in the contract's order. block: the text
    before a payload."""
    return f"""{{% set read = {contract} -%}}
{{% set form = dict(afterimage.declared_form(read), block={block}) -%}}
{{{{ afterimage.routine_records(read, form, afterimage.new_records(
    source('shop', 'stock_slots'), read, 'f', as_landed=true)) }}}}"""


COLUMNS = """{% set columns = [] -%}
{% for type in [TYPES] %}{% do columns.append({
    'name': 'c' ~ loop.index, 'field': 'c' ~ loop.index, 'source_type': type}) %}{% endfor -%}
"""
OF_CONNECTOR = "dict(contract, connector='CONNECTOR', key=['c1'], columns=columns)"
EXACT_OF_CONNECTOR = COLUMNS + change_log(OF_CONNECTOR)
ROUTINE_OF_CONNECTOR = COLUMNS + routine(OF_CONNECTOR)
DOCUMENTS = """{% set documents = dict(contract, connector='mongodb', key=['_id'], columns=[
    {'name': '_id', 'field': '_id', 'source_type': 'objectid'},
    {'name': 'address_city', 'field': 'address.city', 'source_type': 'string'}]) -%}
"""
AVRO = """{% set schema = '{"type": "record", "name": "Envelope", "fields": []}' -%}
{% set schemas = [
    {'id': '1', 'of': 'value', 'schema': schema}, {'id': '2', 'of': 'key', 'schema': schema}] -%}
with

new_records as (
    select
        topic,
        headers,
        key as key_bytes,
        value as value_bytes
    from {{ source('shop', 'carts') }}
),

{{ afterimage.avro_records(dict(contract, avro_framing='FRAMING', format='FORMAT'), schemas) }}

found as (
    select * from LAST
)

select * from found"""
OUTBOX = """{% set given = GIVEN -%}
{% set outbox = afterimage.outbox_from(given, 'shop', 'outbox', 'f.yml', 'landing.events') -%}
{% set schemas = [{'id': '1', 'of': 'both', 'schema': '{"type": "string"}'}] -%}
"""
OUTBOX_RECORDS = (
    OUTBOX
    + """{{ afterimage._outbox_records(
    source('shop', 'carts'), outbox, schemas, 'f', false, BUILT) }}"""
)
SAMPLES = {
    "change_log_of_rows_without_envelopes": change_log(
        "dict(contract, format='unwrapped', add_fields=['op', 'lsn', 'source.ts_ms'])"
    ),
    "change_log_of_rows_without_places": change_log(
        "dict(contract, format='unwrapped', add_headers=['op'],"
        " delete_tombstone_handling_mode='rewrite')"
    ),
    "change_log_of_cloudevents": change_log("dict(contract, format='cloudevents')"),
    "change_log_of_datastream": DATASTREAM + change_log("files"),
    "change_log_of_datastream_by_sort_keys": DATASTREAM
    + change_log("dict(files, place_from='sort_keys')"),
    "history_log_of_datastream": DATASTREAM
    + "{{ afterimage.versions(ref('stg_shop__carts'), files, pending) }}",
    "changes_that_went_back_datastream": DATASTREAM + WENT_BACK.replace("TABLES", "[files, bag]"),
    "ambiguous_changes_datastream": DATASTREAM
    + AMBIGUOUS_IN_ORDER.replace("TABLES", "[files, bag]"),
    "change_log_of_mysql": EXACT_OF_CONNECTOR.replace("CONNECTOR", "mysql").replace(
        "TYPES",
        "'int unsigned', 'decimal(12,2)', 'datetime(6)', 'json', \"enum('a','b')\", 'bit(3)'",
    ),
    "change_log_of_mariadb": EXACT_OF_CONNECTOR.replace("CONNECTOR", "mariadb").replace(
        "TYPES", "'bigint unsigned', 'year', 'time', 'varbinary(8)', \"set('a','b')\""
    ),
    "change_log_of_oracle": EXACT_OF_CONNECTOR.replace("CONNECTOR", "oracle").replace(
        "TYPES", "'number(10,2)', 'varchar2(20)', 'timestamp(6)'"
    ),
    "change_log_of_sqlserver": EXACT_OF_CONNECTOR.replace("CONNECTOR", "sqlserver").replace(
        "TYPES", "'int', 'money', 'datetime2', 'datetimeoffset', 'uniqueidentifier', 'bit'"
    ),
    "change_log_of_db2": EXACT_OF_CONNECTOR.replace("CONNECTOR", "db2").replace(
        "TYPES", "'int', 'decimal(9,2)', 'timestamp', 'varchar(20)', 'blob'"
    ),
    "change_log_of_documents": DOCUMENTS + change_log("documents"),
    "change_log_of_documents_alone": DOCUMENTS
    + change_log(
        "dict(documents, format='unwrapped', capture_mode='change_streams', add_headers=['op'],"
        " add_fields=['updateDescription.removedFields', 'updateDescription.truncatedArrays',"
        " 'updateDescription.updatedFields'])"
    ),
    "history_log_of_documents": DOCUMENTS
    + "{{ afterimage.versions(ref('stg_shop__carts'), documents, pending) }}",
    "records_in_avro": AVRO.replace("FRAMING", "headers")
    .replace("FORMAT", "debezium_json")
    .replace("LAST", "read_records"),
    "records_in_avro_of_cloudevents": AVRO.replace("FRAMING", "confluent")
    .replace("FORMAT", "cloudevents")
    .replace("LAST", "read_data"),
    "change_log_exact": change_log("contract"),
    "change_log_of_marked": """{{ afterimage.judged_records(contract, afterimage.marked_records(
        source('shop', 'carts'), contract,
        afterimage.companion_table(ref('stg_shop__carts'), 'batch'), 3)) }}""",
    "change_log_later": change_log("contract", new=", ref('stg_shop__stock_slots')"),
    "change_log_above_a_region": """{% set known = {
        'fingerprint': 'f', 'upto': [['shop.public.carts', 0, 12], ['shop.public.carts', 2, 7]],
        'records': 19, 'low': 4, 'high': 5} %}"""
    + change_log("contract", "carts", ", ref('stg_shop__carts'), 3, region=known"),
    "change_log_keyless": change_log("bag"),
    "change_log_of_partitions": change_log(
        "dict(contract, topics=['a', 'b'], truncate_empties='partition',"
        " key_within='physical_table')",
        "carts",
        ", ref('stg_shop__carts'), none, ['2026-01-01 00:00:00']",
    )
    + """
union all
-- what an operator declared
{{ afterimage.operator_rows(read, [{'event': '1', 'kind': 'close', 'row_key': '7', 'position': '1',
 'source_ts': '2026-01-01 00:00:00'}], afterimage._judged_columns(read)) }}""",
    "change_log_routine_keyless": routine("bag"),
    "change_log_routine_behind_a_block": routine("contract", "{'length': 4711, 'hash': -42}"),
    "change_log_routine_of_rows_without_envelopes": routine(
        "dict(contract, format='unwrapped', add_fields=['op', 'lsn', 'source.ts_ms'])"
    ),
    "change_log_routine_of_mysql": ROUTINE_OF_CONNECTOR.replace("CONNECTOR", "mysql").replace(
        "TYPES",
        "'int unsigned', 'decimal(12,2)', 'datetime(6)', 'json', \"enum('a','b')\", 'bit(3)'",
    ),
    "change_log_routine_of_sqlserver": ROUTINE_OF_CONNECTOR.replace(
        "CONNECTOR", "sqlserver"
    ).replace("TYPES", "'int', 'money', 'datetime2', 'varchar(20)', 'bit'"),
    "change_log_routine_of_oracle": ROUTINE_OF_CONNECTOR.replace("CONNECTOR", "oracle").replace(
        "TYPES", "'number(9)', 'number(10,2)', 'number', 'varchar2(20)', 'timestamp(6)'"
    ),
    "changes_that_went_back": WENT_BACK.replace("TABLES", "[contract, bag_of_mysql]"),
    "changes_that_went_back_mongodb": DOCUMENTS
    + WENT_BACK.replace("TABLES", "[documents, contract]"),
    "changes_that_went_back_mysql": WENT_BACK.replace("TABLES", "[bag_of_mysql]"),
    "history_log_of_partitions": """{% set parts = dict(contract, truncate_empties='partition') %}
{{ afterimage.versions(ref('stg_shop__carts'), parts, pending) }}""",
    "ledger": LEDGER,
    "new_changes": NEW_CHANGES,
    "exceptional_changes": EXCEPTIONAL.replace("BAG", "false"),
    "exceptional_changes_keyless": EXCEPTIONAL.replace("BAG", "true"),
    "history_log": "{{ afterimage.versions(ref('stg_shop__carts'), contract) }}",
    "history_log_later": "{{ afterimage.versions(ref('stg_shop__customers'), contract, pending) }}",
    "history_log_full": """{{ afterimage.versions(
        ref('stg_shop__stock_slots'), contract, pending) }}""",
    "history_log_keyless": "{{ afterimage.versions(ref('stg_shop__stock_slots'), bag, pending) }}",
    "history_log_nothing_new": """{{ afterimage.versions(
        ref('stg_shop__carts'), contract, {'applied': 1, 'pending': 0}) }}""",
    "history_view": "{{ afterimage.active_versions(ref('stg_shop__carts'), contract, 4) }}",
    "ambiguous_changes": AMBIGUOUS.replace("TABLES", "[contract, bag_of_mysql]"),
    "rows_never_seen": OF_LOGS.replace("TABLES", "[bag]").replace("DELIVERED", "")
    + "{{ afterimage.rows_never_seen() }}",
    "ambiguous_changes_keyless": AMBIGUOUS_IN_ORDER.replace("TABLES", "[bag]"),
    "history_view_one_append": """{{ afterimage.active_versions(
        ref('stg_shop__carts'), contract, 4, [], {'clean': 4, 'rows': 0}) }}""",
    "history_view_few_replaced": """{{ afterimage.active_versions(
        ref('stg_shop__carts'), contract, 4, [], {'clean': 2, 'rows': 9}) }}""",
    "history_view_since": """{{ afterimage.active_versions(
        ref('stg_shop__carts'), contract, 4, ['_cdc_append'], {'clean': 0, 'rows': 9}, 2) }}""",
    "history_log_untracked": """{% set some = dict(contract, untracked=['product']) %}
{{ afterimage.versions(ref('stg_shop__carts'), some, pending) }}""",
    "state_view": STATE + "{{ afterimage.active_rows(log, columns, appends) }}",
    "state_view_whole": STATE
    + "{{ afterimage.active_rows(log, columns, dict(appends, later=10)) }}",
    "state_of_later_appends": STATE + "{{ afterimage.active_rows(log, columns, appends, true) }}",
    "state_touched": STATE
    + "{{ afterimage.touched_rows('select * from lives', columns, touched, log) }}",
    "state_whole": STATE
    + "{{ afterimage.touched_rows('select * from lives', columns, none, log) }}",
    "newest_versions": "{{ afterimage.newest_versions(ref('hist_shop__carts'), ['1 = 1']) }}",
    "current_state_of_change_log": "{{ afterimage.current_state(ref('stg_shop__carts')) }}",
    "as_of_position": "{{ afterimage.as_of(ref('hist_shop__carts'), position='7') }}",
    "as_of_instant": "{{ afterimage.as_of(ref('hist_shop__carts'), at='current_timestamp()') }}",
    "transactions": """{{ afterimage.transactions(
        [ref('stg_shop__carts'), ref('stg_shop__orders')], [source('shop', 'carts')],
        [ref('hist_shop__carts')]) }}""",
    "transactions_abandoned": """{{ afterimage.transactions(
        [ref('stg_shop__carts')], [source('shop', 'carts')],
        abandoned=ref('stg_shop__orders')) }}""",
    "as_of_last_complete": """{{ afterimage.as_of_last_complete(
        ref('hist_shop__carts'), ref('stg_shop__carts'), ref('stg_shop__orders')) }}""",
    "outbox_records": OUTBOX_RECORDS.replace("BUILT", "none").replace(
        "GIVEN",
        """{
    'fields_additional_placement': 'type:header:kind,aggregateid:envelope', 'sensitive': true}""",
    ),
    "outbox_records_in_avro_later": OUTBOX_RECORDS.replace("BUILT", "this").replace(
        "GIVEN", "{'payload': 'avro', 'value_converter': 'binary', 'topic': ['a', 'b.${x}.c']}"
    ),
    "outbox_records_of_bytes_within": OUTBOX_RECORDS.replace("BUILT", "none").replace(
        "GIVEN", "{'payload': 'avro', 'event_type': 'header:kind'}"
    ),
    "outbox_records_of_rows": OUTBOX_RECORDS.replace("BUILT", "none").replace(
        "GIVEN",
        """{
    'captured': 'rows', 'topic': 'a', 'field_event_timestamp': 'at', 'payload': 'binary'}""",
    ),
    "outbox_events": "{{ afterimage.outbox_events(ref('stg_shop__carts')) }}",
    "outbox_quarantine": OUTBOX.replace("GIVEN", "{}")
    + "{{ afterimage._outbox_quarantine(ref('stg_shop__carts'), outbox) }}",
    "outbox_accounting": OUTBOX.replace("GIVEN", "{}")
    + """{{ afterimage._outbox_accounting(
        ref('stg_shop__carts'), source('shop', 'carts'), outbox, false) }}""",
    "outbox_payload": """{{ afterimage.outbox_payload(ref('stg_shop__carts'), {
        'no': 'bigint', 'total': 'decimal(12,2)', 'note': 'string', 'raw': 'json'}, 'Order') }}""",
    "outbox_state": "{{ afterimage.outbox_state(ref('stg_shop__carts')) }}",
    "test_outbox_one_form": "{{ afterimage.test_outbox_one_form(ref('stg_shop__carts')) }}",
    "schema_changes": OF_SOURCE.replace("MACRO", "schema_changes"),
    "signals": OF_SOURCE.replace("MACRO", "signals"),
    "logical_decoding_messages": OF_SOURCE.replace("MACRO", "logical_decoding_messages"),
    "freshness": OF_SOURCE.replace("MACRO", "freshness"),
    "notifications": """{{ afterimage._notifications(
        [source('shop', 'carts')], [contract], ['n']) }}""",
    "table_structures": "{{ afterimage.table_structures(ref('stg_shop__carts')) }}",
    "structure_changes": "{{ afterimage.structure_changes(ref('stg_shop__carts')) }}",
    "contract_drift": """{{ afterimage.contract_drift([ref('stg_shop__carts')],
        [source('shop', 'carts')], ref('stg_shop__orders')) }}""",
    "snapshots": """{{ afterimage.snapshots([ref('stg_shop__carts')], ref('stg_shop__orders'),
        ref('stg_shop__products')) }}""",
    "metrics": """{{ afterimage.metrics([ref('stg_shop__carts'), ref('stg_shop__orders')],
        [source('shop', 'carts')], ref('stg_shop__orders'), ref('stg_shop__products'),
        ref('stg_shop__customers')) }}""",
    "change_log_beside_helpers": change_log(
        "dict(contract, source_tables=['shop.carts'], helper_tables={'shop.sig': 'signal'})",
        "carts",
    ),
    "test_cdc_connector_alive": """{{ afterimage.test_cdc_connector_alive(
        ref('stg_shop__carts'), 2) }}""",
    "test_cdc_no_end_by_ddl": "{{ afterimage.test_cdc_no_end_by_ddl(ref('stg_shop__carts')) }}",
    "test_cdc_contract_fits": "{{ afterimage.test_cdc_contract_fits(ref('stg_shop__carts')) }}",
    "test_cdc_snapshots_whole": "{{ afterimage.test_cdc_snapshots_whole(ref('stg_shop__carts')) }}",
    "test_cdc_transactions_whole": """{{ afterimage.test_cdc_transactions_whole(
        ref('stg_shop__carts'), 2) }}""",
    "test_cdc_agreement": """{{ afterimage.test_cdc_agreement(
        ref('cur_shop__carts'), ref('hist_shop__carts')) }}""",
    "reconcile": "{{ afterimage.reconcile(ref('cur_shop__orders'), 'copy.orders') }}",
    "reconcile_at_a_time": """{{ afterimage.reconcile(ref('hist_shop__products'), 'copy.products',
        taken_from='current_timestamp()', exclude_columns=['tags']) }}""",
    "test_cdc_conservation": "{{ afterimage.test_cdc_conservation(ref('dq_shop__accounting')) }}",
    "test_cdc_runs_add_up": """{{ afterimage.test_cdc_runs_add_up(
        ref('dq_shop__runs'), ref('dq_shop__accounting')) }}""",
    "test_cdc_intervals": "{{ afterimage.test_cdc_intervals(ref('hist_shop__carts')) }}",
    "test_cdc_refused_at_most": """{{ afterimage.test_cdc_refused_at_most(
        ref('dq_shop__quarantine')) }}""",
    "test_cdc_no_row_behind": "{{ afterimage.test_cdc_no_row_behind(ref('dq_shop__quarantine')) }}",
    "test_cdc_still_arrives": "{{ afterimage.test_cdc_still_arrives(ref('stg_shop__carts'), 24) }}",
    "test_cdc_no_row_unread": """{{ afterimage.test_cdc_no_row_unread(
        ref('stg_shop__carts')) }}""",
    "test_cdc_order_unique": "{{ afterimage.test_cdc_order_unique(ref('stg_shop__carts')) }}",
}

{#
  Leaves the values of erased rows out of a table's change log, its ledger (all other internal tables follow from these, or exist within one run) and,
  if it is named, landing. `afterimage erase` calls it, and writes the operator events first: see docs/decisions/0040-erase.md.

  In:  table, as source.table; rows, [row_key, position] to erase besides those whose events are processed: keyed hashes (see keyed_hash), or keys in
       clear; landing, schema.table to rewrite too, or none; write, else rows are only counted.
  Prints one line of JSON unless it writes: {tables: [{table, content, rows}]; keys, those of rows with values, as events name them; unknown, the number of
  refused records whose row is not known; other_keys, SQL of the keys that the same rows had before or after; working, the tables that it reads, which the
  caller drops}.
  Order of the statements, each safe to repeat: state of the change log (so that history is rebuilt), change log, ledger, landing, which is found by
  both; what reconcile keeps is dropped. The lock of the change log keeps runs out, and others that count.
  Raises for a table that is unknown, has not run or has no key; for a landing table that cannot be rewritten.
#}
{% macro erase_rows(table, rows=[], landing=none, write=false) %}
  {% set nodes = afterimage.models_of_table(table, 'erase') %}
  {% set node, built, contract = afterimage._change_log_to_erase(nodes, table) %}
  {% set ledger, lock = afterimage.companion_table(built, 'ledger'), afterimage.companion_table(built, 'batch') %}
  {% set keys, records = afterimage.companion_table(built, 'erased_keys'), afterimage.companion_table(built, 'erased_records') %}
  {% set file_format = afterimage.file_format_of(node) %}
  {% set landed = afterimage._landing_to_erase(landing, contract) if landing else none %}
  {% do afterimage.lock(lock, [{'sql': '_cdc_key', 'type': 'string'}], file_format, node.name) %}

  {% set operator = afterimage.operator_state_in(afterimage.properties_unchecked(built)) %}
  {% set epochs = operator['epochs'] %}
  {% set erasure = {'keys': keys, 'secret': afterimage.companion_table(built, 'secret')} %}
  {% do afterimage._keep_erased_keys(keys, built, rows, erasure['secret'], file_format) %}
  {% set entries = afterimage._ledger_erased(ledger, records, erasure, epochs) %}
  {% do afterimage._keep_erased_records(records, built, entries, erasure, epochs, file_format) %}
  {% set with_values = {} %}
  {% for row in run_query('select content, count(*) from ' ~ records ~ ' where has_values group by content').rows %}{% do with_values.update({row[0]: row[1]}) %}{% endfor %}
  {% set found = [] %}
  {% for content, name in {'changes': built, 'refused records and duplicates': ledger}.items() %}
    {% do found.append({'table': name | string, 'content': content, 'rows': with_values.get(content, 0)}) %}
  {% endfor %}
  {% set landed_records = afterimage._landed_to_erase(ledger, records, landed, epochs) if landed else none %}
  {% if landed %}
    {% do found.append({'table': landed | string, 'content': 'records', 'rows': run_query(
      'select count(*) from ' ~ landed ~ ' as landed left semi join (\n' ~ landed_records ~ '\n) as erased on ' ~ afterimage._is_at('landed', 'erased', epochs)
      ~ ' where landed.key is not null or landed.value is not null').rows[0][0]}) %}
  {% endif %}

  {% if write %}
    {% if found[0]['rows'] %}
      {% do operator.update({'kinds': (operator['kinds'] + ['erase']) | unique | sort}) %}
      {% do afterimage.set_table_properties(built, {'operator': tojson(operator), 'generation': invocation_id}) %}
      {% set names = adapter.get_columns_in_relation(built) | map(attribute='name') | list %}
      {% do afterimage._rewrite(built, node, afterimage.values_erased('select * from ' ~ built, names, erasure, epochs), lock) %}
    {% endif %}
    {% if found[1]['rows'] %}
      {% do afterimage._rewrite(ledger, node, 'select * except (_cdc_identity, _cdc_is_erased, _cdc_has_values) from (\n' ~ entries ~ '\n) as entries', lock) %}
    {% endif %}
    {% if landed and found[2]['rows'] %}{% do afterimage._erase_landing(landed, landed_records, epochs, lock) %}{% endif %}
    {% for each in nodes.values() %}{% do afterimage.drop_if_there(afterimage.companion_table(afterimage.relation_of(each), 'reconciled')) %}{% endfor %}
    {% for working in [records, keys] %}{% do run_query('drop table if exists ' ~ working) %}{% endfor %}
  {% else %}
    {% do print(tojson({
      'tables': found,
      'keys': run_query('select distinct row_key from ' ~ records ~ ' where has_values and row_key is not null').rows | map(attribute=0) | list,
      'unknown': run_query("select count(*) from " ~ ledger ~ " where outcome = 'refused' and row_key is null").rows[0][0],
      'other_keys': 'select distinct if(own._cdc_erased_key is null, rows_hashed._cdc_key, rows_hashed._cdc_previous_key) ' ~ afterimage.rows_with_erasure('select * from ' ~ built, erasure, epochs)
        ~ '\nwhere if(own._cdc_erased_key is null, previous._cdc_erased_key is not null, previous._cdc_erased_key is null and rows_hashed._cdc_previous_key is not null)',
      'working': [records | string, keys | string],
    })) %}
  {% endif %}
  {% do run_query('drop table if exists ' ~ lock) %}
{% endmacro %}


{# A table of the keys to erase (see erased_keys): those of processed events, and the ones given. #}
{% macro _keep_erased_keys(keys, built, rows, secret, file_format) %}
  {% set events, given = ['select _cdc_key, _cdc_position from ' ~ built ~ ' where ' ~ afterimage.is_operator_event(['erase'])], [] %}
  {% for row in rows %}{% do given.append('(' ~ afterimage.literals(row) ~ ')') %}{% endfor %}
  {% if given %}{% do events.append('values ' ~ given | join(', ')) %}{% endif %}
  {% set columns = {'_cdc_erased_hash': 'string', '_cdc_erased_key': 'string', '_cdc_erased_through': 'string'} %}
  {% do afterimage._make_working_table(keys, columns, file_format) %}
  {% do run_query('insert into ' ~ keys ~ ' ' ~ afterimage.erased_keys('select * from (' ~ events | join(' union all ') ~ ') as events (row_key, position)', secret)) %}
{% endmacro %}


{#
  A table of what is found of erased rows: {content; topic, partition, offset, landed_at, of the landed record; row_key, as events name it, NULL for a change
  that only came from or went to an erased row; identity, of the change; has_values, whether any is there to erase}.
#}
{% macro _keep_erased_records(records, built, entries, erasure, epochs, file_format) %}
  {% set columns = {'content': 'string', 'topic': 'string', 'partition': 'int', 'offset': 'bigint', 'landed_at': 'timestamp',
                    'row_key': 'string', 'identity': 'string', 'has_values': 'boolean'} %}
  {% do afterimage._make_working_table(records, columns, file_format) %}
  {% set changes -%}
select
    'changes' as content,
    _cdc_topic as topic,
    _cdc_partition as partition,
    _cdc_offset as offset,
    _cdc_landed_ts as landed_at,
    own._cdc_erased_key as row_key,
    substring_index({{ afterimage.event_id_hashed('rows_hashed._cdc_event_id', erasure['secret']) }}, ':', 4) as identity,
    (own._cdc_erased_key is not null and _cdc_image_hash is not null)
    or coalesce(previous._cdc_erased_key <> rows_hashed._cdc_previous_key, false) as has_values
{{ afterimage.rows_with_erasure('select * from ' ~ built, erasure, epochs) }}
where own._cdc_erased_key is not null or previous._cdc_erased_key is not null
  {%- endset %}
  {% set entry_columns = "'refused records and duplicates', topic, partition, offset, landed_at, row_key, _cdc_identity, _cdc_has_values" %}
  {% for rows in [changes, 'select ' ~ entry_columns ~ ' from (\n' ~ entries ~ '\n) as entries where _cdc_is_erased'] %}
    {% do run_query('insert into ' ~ records ~ ' ' ~ rows) %}
  {% endfor %}
{% endmacro %}


{# Empty; a run that was cut off may have left it. In: {column: type}. #}
{% macro _make_working_table(relation, columns, file_format) %}
  {% set definitions = [] %}
  {% for name, type in columns.items() %}{% do definitions.append({'sql': name, 'type': type}) %}{% endfor %}
  {% do run_query('drop table if exists ' ~ relation) %}
  {% do run_query(afterimage.create_working_table(relation, definitions, file_format)) %}
{% endmacro %}


{# Replaces the rows of a table of a model: Delta and Iceberg in one commit, Parquet by a copy (see replace_by_copy). In: rows, a select in the order of its columns. #}
{% macro _rewrite(relation, node, rows, lock) %}
  {% set known = afterimage.properties_unchecked(relation) %}
  {% if afterimage.file_format_of(node) == 'parquet' %}
    {% do afterimage.replace_by_copy('erase', relation, rows, known, known, node.config.get('tblproperties') or {}, lock) %}
  {% else %}
    {% do run_query('insert overwrite table ' ~ relation ~ ' ' ~ rows) %}
  {% endif %}
{% endmacro %}


{#
  The ledger without the values of erased rows; _cdc_identity, the identity of an erased change whose duplicate an entry is; _cdc_is_erased, whether it is of
  an erased row; _cdc_has_values, whether it had values. A refused record of an erased key loses raw text and detail; the duplicate of an erased change gets
  the identity that the change has now. In: ledger; records, see _keep_erased_records. Out: a select.
#}
{% macro _ledger_erased(ledger, records, erasure, epochs) -%}
{%- set columns = [] -%}
{%- for name in afterimage.ledger_columns() -%}
  {%- if name == 'row_key' -%}{% do columns.append('coalesce(own._cdc_erased_key, row_key) as row_key') %}
  {%- elif name == 'event_id' -%}{% do columns.append('coalesce(if(delivered.identity is null, null, entries._cdc_event_id_hash), event_id) as event_id') %}
  {%- elif name in ['detail', 'record_key', 'record_value'] -%}{% do columns.append('if(own._cdc_erased_key is null, ' ~ name ~ ', null) as ' ~ name) %}
  {%- else -%}{% do columns.append(name) %}
  {%- endif -%}
{%- endfor -%}
select
    {{ columns | join(',\n    ') }},
    delivered.identity as _cdc_identity,
    own._cdc_erased_key is not null or delivered.identity is not null as _cdc_is_erased,
    coalesce(row_key <> own._cdc_erased_key, false)
    or (own._cdc_erased_key is not null and coalesce(detail, record_key, record_value) is not null)
    or (delivered.identity is not null and event_id <> entries._cdc_event_id_hash) as _cdc_has_values
from (
    select
        *,
        {{ afterimage.keyed_hash('row_key', erasure['secret']) }} as _cdc_key_hash,
        {{ afterimage.event_id_hashed('event_id', erasure['secret']) }} as _cdc_event_id_hash,
        {{ afterimage.in_epoch('position', 'landed_at', epochs) }} as _cdc_place
    from {{ ledger }}
) as entries
left join {{ erasure['keys'] }} as own
    on entries._cdc_key_hash = own._cdc_erased_hash and coalesce(entries._cdc_place <= own._cdc_erased_through, true)
left join (
    select distinct identity
    from {{ records }}
    where content = 'changes' and row_key is not null
) as delivered
    on substring_index(entries._cdc_event_id_hash, ':', 4) = delivered.identity
{%- endmacro %}

{#
  The possible outcomes of a record, as a list: the first whose condition holds applies, and if none does the record is accepted. A record that the
  routine statement accepts never comes here: that statement must mark every record a new outcome concerns (see routine_records).

  A detail locates the fault of a refused record: the column, the field or the position that its reason leaves open. It holds names and numbers,
  and values only if a column that is not sensitive did not accept them.

  In:  contract; columns, keys (see judged_records, whose `keyed` the conditions read, and whose `judged` the details).
  Out: a list of {outcome; kind, or kind_sql where a column gives it; when, detail: SQL text}, the detail only where the kind does not say all.
       Two of one kind have one detail. The kinds are those of docs/reference/outcomes.md.
#}
{% macro verdicts(contract, columns, keys) %}
  {% set format, is_document = afterimage.record_format(contract['format']), afterimage.is_document(contract) %}
  {% set may_look_alike = not keys and format['source_is_optional'] %}
  {% set rules = [{'outcome': 'ignored', 'kind': 'tombstone', 'when': '_cdc_is_tombstone'}] %}
  {% if contract['avro_schemas'] %}
    {% do rules.append({'outcome': 'refused', 'kind_sql': "substring_index(_cdc_unreadable, ' ', 1)", 'when': '_cdc_unreadable is not null',
                        'detail': "concat('schema: ', substring_index(_cdc_unreadable, ' ', -1))"}) %}
  {% endif %}
  {% do rules.extend([
    {'outcome': 'refused', 'kind': 'not_utf8', 'when': 'not is_valid_utf8(_cdc_record_value)'},
    {'outcome': 'refused', 'kind': 'broken_json', 'when': 'not _cdc_is_object', 'detail': afterimage._broken_json()},
    {'outcome': 'refused', 'kind': 'duplicate_json_key', 'when': '_cdc_repeats_key', 'detail': "if(_cdc_repeats_key, 'a key of the envelope stands twice', concat('fields: ', to_json(_cdc_fields)))"},
    {'outcome': 'ignored', 'kind_sql': '_cdc_record_of_connector', 'when': '_cdc_record_of_connector is not null'},
    {'outcome': 'refused', 'kind': 'wrong_envelope', 'when': '_cdc_op is null or not _cdc_has_source or _cdc_fault is not null',
     'detail': "coalesce(_cdc_fault, concat(if(_cdc_op is null, 'no op', 'no source'), ' among its fields ', to_json(slice(json_object_keys(_cdc_record_value), 1, 20))))"},
  ]) %}
  {% if is_document %}
    {% do rules.append({'outcome': 'refused', 'kind': 'broken_document', 'when': '_cdc_document_fault is not null', 'detail': '_cdc_document_fault'}) %}
  {% endif %}
  {% do rules.extend([
    {'outcome': 'ignored', 'kind': 'message', 'when': "_cdc_op = 'm'"},
    {'outcome': 'refused', 'kind': 'unknown_op', 'when': '_cdc_op not in (' ~ afterimage.literals(afterimage.accepted_operations(contract)) ~ ')',
     'detail': "concat('op: ', _cdc_op" ~ (", if(_cdc_op = 'x', ' (without attributes a created row and one that a snapshot read look alike, and a table without a key has to tell them apart)', '')" if may_look_alike else '') ~ ')'},
  ]) %}
  {% do rules.extend(afterimage._verdicts_by_table(contract, format)) %}
  {% do rules.extend([
    {'outcome': 'refused', 'kind': 'missing_position', 'when': '_cdc_position is null', 'detail': '_cdc_reported_place'},
    {'outcome': 'accepted', 'when': "_cdc_op = 't'"},
    {'outcome': 'refused', 'kind': 'missing_image', 'when': '_cdc_image is null',
     'detail': "concat('no ', if(_cdc_op = 'd', 'before', 'after'), ', op: ', _cdc_op)" if format['has_before'] and not is_document else none},
    {'outcome': 'refused', 'kind': 'duplicate_json_key', 'when': 'size(_cdc_fields) <> size(array_distinct(_cdc_fields))'},
    {'outcome': 'refused', 'kind': 'value_does_not_fit', 'when': '_cdc_is_corrupt or _cdc_misfits is not null',
     'detail': 'coalesce(_cdc_misfits, ' ~ afterimage._mistyped(columns) ~ ')'},
    {'outcome': 'refused', 'kind': 'missing_key', 'when': '_cdc_key is null', 'detail': afterimage._missing_key(contract, format, [] if is_document else keys)},
  ]) %}
  {{ return(rules) }}
{% endmacro %}


{# The part of the list about which table a record is of, for a topic with more than the contract's table. In: contract; format, its traits. #}
{% macro _verdicts_by_table(contract, format) %}
  {% set rules, other_tables = [], afterimage.tables_sharing_topics(contract) %}
  {% if contract['source_tables'] or contract['helper_tables'] %}
    {% set helper = afterimage.helper_kind_declared('_cdc_table_in_source', contract) %}
    {% for kind, title in afterimage.helper_kinds().items() %}
      {% do rules.append({'outcome': 'ignored', 'kind': title | lower | replace(' ', '_'), 'when': helper ~ " = '" ~ kind ~ "'"}) %}
    {% endfor %}
  {% endif %}
  {% if other_tables %}
    {% do rules.append({'outcome': 'ignored', 'kind': 'other_table', 'when': '_cdc_table_in_source in (' ~ afterimage.literals(other_tables) ~ ')'}) %}
  {% endif %}
  {% if contract['source_tables'] %}
    {% set without_value = '' if format['has_envelope'] else ", if(_cdc_record_value is null, ' (the topic: no header of this tombstone tells its table)', '')" %}
    {% do rules.append({'outcome': 'refused', 'kind': 'other_table',
                        'when': 'not coalesce(_cdc_table_in_source in (' ~ afterimage.literals(contract['source_tables']) ~ '), false)',
                        'detail': "concat('table: ', _cdc_table_in_source" ~ without_value ~ ')'}) %}
  {% endif %}
  {{ return(rules) }}
{% endmacro %}


{# The detail of broken JSON. Out: SQL text. #}
{% macro _broken_json() %}
  {% set begins, ends = afterimage.literal('\\A\\s*[{]'), afterimage.literal('[}]\\s*\\z') %}
  {{ return("concat(case when not _cdc_record_value rlike " ~ begins ~ " then 'begins without {' when not _cdc_record_value rlike " ~ ends
            ~ " then 'ends without }' else 'no single object between { and }' end, ', ', octet_length(_cdc_record_value), ' bytes')") }}
{% endmacro %}


{# The key columns without a value, and the fields of the row; or that its shard is not given anywhere. Out: SQL text. #}
{% macro _missing_key(contract, format, keys) %}
  {% set missing = [] %}
  {% for key in keys %}{% do missing.append('if(' ~ key['sql'] ~ ' is null, ' ~ afterimage.literal(key['name']) ~ ', null)') %}{% endfor %}
  {% set of_key = "concat('no value: ', concat_ws(', ', " ~ missing | join(', ') ~ "), '; fields of the row: ', coalesce(to_json(slice(_cdc_fields, 1, 20)), 'none'))" if keys else none %}
  {% set of_shard = "'its physical table is given neither by its source nor by __dbz__physicalTableIdentifier in its key (key_within: physical_table)'" %}
  {% set may_lack_shard = contract['key_within'] == 'physical_table' and format['source_is_optional'] %}
  {{ return('if(_cdc_source_table is null, ' ~ of_shard ~ ', ' ~ (of_key or 'null') ~ ')' if may_lack_shard else of_key) }}
{% endmacro %}

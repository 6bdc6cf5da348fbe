{#
  Decoded rows, one per landed record, each with an outcome: the exact statement of a change log, which decides any possible record. Where a form
  has a routine statement (see routine_records) it reads the records that one has marked.

  In:  contract; new_records, the CTEs up to that name with the records to decide (see new_records); late_columns, names of
       columns the contract gained after the change log was created; has_schemas, whether records are read by their own schema (see
       decoder_by_schema), else those whose schema differs are refused.
  Out: contract columns, the _cdc_ columns of a change log but _cdc_batch, and
    _cdc_outcome       accepted, ignored, refused
    _cdc_kind          of ignored: tombstone, message, other_table, other records the connector writes (see record_of_connector), and those of helper
                       tables (see helper_kind_declared); of refused: the reason, one of docs/reference/outcomes.md
    _cdc_detail        what exactly is wrong with a refused record
    _cdc_record_key, _cdc_record_value   the raw record, of refused ones only
#}
{% macro judged_records(contract, new_records, late_columns=[], has_schemas=false) -%}
  {% set columns = afterimage.contract_columns(contract, by_schema=has_schemas) -%}
  {% set keys = afterimage.key_columns(contract, by_schema=has_schemas) -%}
  {% set connector = afterimage.connector(contract) -%}
  {% set is_document = afterimage.is_document(contract) -%}
  {#- a document before a delete is complete or missing -#}
  {% set is_full = connector['before_is_whole'] or is_document -%}
  {% set added = afterimage.added_fields(contract) -%}
  {% set schemas = afterimage.avro_schemas(contract) -%}
  {% set fields_sent = contract['columns'] + added -%}
  {#- an update is identified by what it changed: its document may differ when it is looked up again -#}
  {% set of_image = afterimage.identity_hash(columns, late_columns) -%}
  {% set identity = "coalesce(xxhash64(_cdc_update), " ~ of_image ~ ")" if is_document else of_image -%}
  {% set has_key_before = keys and afterimage.sends_row_before(contract) -%}
  {% set key_alone = afterimage.key_alone_before(columns, connector, contract, true) -%}
  {% set has_before_records = keys and not is_document and not connector['position_identifies_row'] and not connector.get('tie_break') -%}
  {% set is_routed = contract['source_tables'] or contract['helper_tables'] -%}
  {% set verdicts = afterimage.verdicts(contract, columns, keys) -%}
-- change log of {{ contract['source_name'] }}.{{ contract['table_name'] }}, made by afterimage.change_log
-- contract: {{ contract['origin'] }} (connector {{ contract['connector'] }}, format {{ contract['format'] }})
with

{{ new_records }}

{% if contract['avro_schemas'] -%}
{{ afterimage.avro_records(contract, schemas) }}

{% endif -%}
{{ context['afterimage'][contract['format']](contract, columns) }}

{% if is_document -%}
{{ afterimage.document_envelope(contract) if afterimage.record_format(contract['format'])['has_envelope'] else afterimage.document_rows(contract) }}

{{ afterimage.document_images(contract, columns, connector) }}
{%- else -%}
images as (
    -- the row image of a record: the before image of a delete, otherwise the after image
    select
        *,
        -- other parts that describe the row: the record key, and the schemas by which values may be read
        {%- if keys %}
        {{ afterimage.key_document('record_key', keys) }} as key_document,
        {%- endif %}
        {{ afterimage.schema_fields(contract['format'], with_key=keys) }} as schema_fields,
        case when op = 'd' then {{ afterimage._image_before_delete(columns, keys, is_full, added) }} when {{ afterimage.leaves_row('op') }} then {{ afterimage._image_after(columns, contract) }} end as image,
        {{ afterimage._fields_sent_by('image_text', columns) }} as fields,
        {{ afterimage._key_in_record(keys) }} as key_in_record,
        {%- if key_alone is not none %}
        {{ key_alone }} as has_changes_alone,
        {%- endif %}
        coalesce({{ afterimage._fields_sent_by('image_text', columns) }} = {{ afterimage._declared_fields(fields_sent) }}, false) as is_whole,
        {{ afterimage.position_of_record(contract, connector) }} as position,
        {{ afterimage.reported_snapshot() }} as snapshot,
        {{ afterimage._header_key(keys, '__debezium.oldkey') }} as old_key,
        {{ afterimage._header_key(keys, '__debezium.newkey') }} as new_key
    from envelope
),
{%- endif %}

decoded as (
    -- from here on business columns and ours share one row, so all of ours begin with _cdc_
    select
        {%- for column in columns %}
        {{ afterimage._decoded_value(column, 'image', is_full) }} as {{ column['sql'] }},
        {%- endfor %}
        {{ afterimage._unknown_columns(columns, connector['before_is_whole'], key_alone is not none) }} as _cdc_unknown,
        {{ 'cast(null as string)' if is_document or contract['drop_fields_header_name'] else afterimage._absent_columns(columns) }} as _cdc_absent,
        {{ afterimage.special_values(columns, is_full) }} as _cdc_special,
        {{ 'cast(null as string)' if is_document else afterimage._extra_fields(fields_sent, afterimage.image_text(contract['format'], is_exact=true) if afterimage.has_long_numbers(contract) else 'image_text') }} as _cdc_extra,
        {{ 'cast(null as string)' if is_document else afterimage._misfits(columns, is_full, contract['format'], schemas) }} as _cdc_misfits,
        {{ afterimage.event_columns(contract) }}
        {% if keys -%}
        {{ afterimage.scoped_key('coalesce(old_key, new_key)', connector['source_table'], contract) }} as _cdc_previous_key,
        {%- else -%}
        {{ afterimage._before_row_text(columns) }} as _cdc_previous_key,
        {%- endif %}
        {% if has_key_before -%}
        {{ afterimage.scoped_key(afterimage._key_before_update(keys, is_full), connector['source_table'], contract) }} as _cdc_key_before,
        {% endif -%}
        {{ afterimage._before_hash(columns | rejectattr('name', 'in', afterimage.lob_columns(contract)) | list, is_full) if keys and connector['allows_key_collisions'] else 'cast(null as bigint)' }} as _cdc_before_hash,
        case when position is null then {{ afterimage._reported_place(connector) }} end as _cdc_reported_place,
        {% if is_routed -%}
        {{ connector['table_in_source'] }} as _cdc_table_in_source,
        {% endif -%}
        {% if has_before_records -%}
        -- one row under two record keys: Debezium writes the delete first, but the two may be in different partitions
        op = 'd' and new_key is null and {{ afterimage.kafka_header('__debezium.newkey') }} is not null as _cdc_is_before_record,
        {% endif -%}
        {% if is_document -%}
        {{ afterimage.bare_doubles('update_document') }} as _cdc_update,
        identity as _cdc_identity,
        document_fault as _cdc_document_fault,
        {% endif -%}
        image as _cdc_image,
        image_text as _cdc_image_text,
        fields as _cdc_fields,
        {%- if keys | length > 1 %}
        {{ afterimage._key_is_sent(keys) }} as _cdc_key_is_sent,
        {%- endif %}
        is_object as _cdc_is_object,
        is_corrupt as _cdc_is_corrupt,
        is_tombstone as _cdc_is_tombstone,
        repeats_key as _cdc_repeats_key,
        fault as _cdc_fault,
        source is not null as _cdc_has_source,
        case when op is null or source is null or fault is not null then {{ afterimage.landed_record_of_connector(contract) }} end as _cdc_record_of_connector,
        record_key as _cdc_record_key,
        {%- if contract['avro_schemas'] %}
        unreadable as _cdc_unreadable,
        {%- endif %}
        record_value as _cdc_record_value
    from images
),

keyed as (
    select
        *{{ ' except (_cdc_previous_key)' if has_key_before }},
        {{ afterimage.scoped_key('_cdc_identity' if is_document else afterimage.key_text(keys, is_sent='_cdc_key_is_sent'), '_cdc_source_table', contract) if keys else 'case when _cdc_image is not null then ' ~ afterimage.row_text(columns) ~ ' end' }} as _cdc_key,
        {%- if has_key_before %}
        coalesce(_cdc_previous_key, nullif(_cdc_key_before, _cdc_key)) as _cdc_previous_key,
        {%- endif %}
        {{ afterimage.image_hash(columns) }} as _cdc_image_hash
    from decoded
),

judged as (
    select
        *,
        case
            {%- for rule in verdicts %}
            when {{ rule['when'] }} then {{ "concat('" ~ rule['outcome'] ~ " ', " ~ rule['kind_sql'] ~ ")" if rule['kind_sql'] else "'" ~ [rule['outcome'], rule['kind']] | select | join(' ') ~ "'" }}
            {%- endfor %}
            else 'accepted'
        end as _cdc_verdict
    from keyed
)

select
    {%- for name in afterimage._carried_columns(contract) %}
    {{ afterimage.identifier(name) }},
    {%- endfor %}
    {{ afterimage.change_order(contract, '_cdc_is_before_record' if has_before_records else none) }} as _cdc_order,
    {{ afterimage.event_id(contract, identity) }} as _cdc_event_id,
    substring_index(_cdc_verdict, ' ', 1) as _cdc_outcome,
    nullif(substring_index(_cdc_verdict, ' ', -1), 'accepted') as _cdc_kind,
    case
        {%- for rule in verdicts if rule['detail'] %}
        when {{ "_cdc_verdict = '" ~ rule['outcome'] ~ ' ' ~ rule['kind'] ~ "'" if rule['kind'] else rule['when'] }} then {{ rule['detail'] }}
        {%- endfor %}
    end as _cdc_detail,
    if(_cdc_verdict like 'refused%', _cdc_record_key, null) as _cdc_record_key,
    if(_cdc_verdict like 'refused%', _cdc_record_value, null) as _cdc_record_value
from judged
{%- endmacro %}


{# Names of the columns of judged_records that its final select takes unchanged. #}
{% macro _carried_columns(contract) %}
  {% set named_last = ['_cdc_order', '_cdc_event_id', '_cdc_batch'] %}
  {{ return((afterimage.contract_columns(contract) | map(attribute='name') | list) + (afterimage.change_log_columns(contract) | reject('in', named_last) | list)) }}
{% endmacro %}


{# Names of the columns judged_records returns, in order. #}
{% macro _judged_columns(contract) %}
  {{ return(afterimage._carried_columns(contract) + ['_cdc_order', '_cdc_event_id', '_cdc_outcome', '_cdc_kind', '_cdc_detail', '_cdc_record_key', '_cdc_record_value']) }}
{% endmacro %}


{#
  The columns of the working table that judged_records and routine_records fill, in order, followed by a number for each row.
  In: contract; columns of the change log. Out: a list of {name, sql, type}.
#}
{% macro judged_columns(contract, columns) %}
  {% set types = {'_cdc_batch_row': 'bigint'} %}
  {% for column in columns %}{% do types.update({column['name']: column['type']}) %}{% endfor %}
  {% set judged = [] %}
  {% for name in afterimage._judged_columns(contract) + ['_cdc_batch_row'] %}
    {% do judged.append({'name': name, 'sql': afterimage.identifier(name), 'type': types.get(name, 'string')}) %}
  {% endfor %}
  {{ return(judged) }}
{% endmacro %}


{# The position fields of a record that has no position: {"commit_lsn":"00000027:0:7"}, {} where it has none of them. Out: SQL text. #}
{% macro _reported_place(connector) %}
  {% set fields = [] %}
  {% for name in connector['position_fields'] %}{% do fields.append("'" ~ name ~ "', source." ~ name) %}{% endfor %}
  {{ return('to_json(named_struct(' ~ fields | join(', ') ~ '))') }}
{% endmacro %}

{#
  Format datastream_json: events of Google Datastream, as in its JSON files and as `afterimage land files --format datastream` converts its
  Avro files: one JSON object with stream_name, read_method, object, uuid, read_timestamp, source_timestamp, sort_keys, source_metadata and
  payload. In, Out: as debezium_json.

  op      a row that a backfill read is r, whatever its change_type; else by change_type: INSERT is c, UPDATE and UPDATE-INSERT are u, DELETE
          and UPDATE-DELETE are d. Events from oracle-supplementation (the inverse of work that was rolled back) are ordinary changes.
  image   payload is the full row: after the change, for a delete before it.
  times   ISO text with or without zone (UTC) and fraction, or milliseconds since 1970.
  place   from the fields of source_metadata, or the same coordinates in sort_keys (see datastream_coordinates); both have to agree.
  Source: Google's "Events and streams"; files that Google captured (fixtures google-datastream).
#}
{% macro datastream_json(contract, columns) -%}
{% set source = {} -%}
{% for name in afterimage.source_names(contract) %}{% do source.update({name: afterimage._datastream_source_text(name, contract)}) %}{% endfor -%}
{{ afterimage.parsed_document(afterimage._datastream_type(contract, columns), 'record_value', afterimage.records_read(contract), columns) }}

envelope as (
    select
        {{ afterimage.landed_and_parsed(contract, 'record_value is null') }}
        record.document.source_metadata as metadata,
        record.document.sort_keys as sort_keys,
        case
            when record.document.read_method rlike 'backfill|_dump$' then 'backfill'
            when record.document.read_method rlike '(^|-)cdc(-|$)|-supplementation$' then 'stream'
        end as phase,
        {{ afterimage._datastream_micros('record.document.source_timestamp') }} as changed_us,
        {{ afterimage._datastream_micros('record.document.read_timestamp') }} as read_us,
        false as has_schema,
        {{ afterimage.any_key_twice(['record_value', "get_json_object(record_value, '$.source_metadata')"]) }} as repeats_key,
        {{ afterimage._datastream_fault(contract) }} as fault,
        case
            when phase = 'backfill' then 'r'
            when metadata.change_type = 'INSERT' then 'c'
            when metadata.change_type in ('UPDATE', 'UPDATE-INSERT') then 'u'
            when metadata.change_type in ('DELETE', 'UPDATE-DELETE') then 'd'
            else concat('change_type ', coalesce(left(metadata.change_type, 100), 'null'))
        end as op,
        {{ afterimage.source_structs(source, "nullif(metadata.tx_id, '')", 'cast(null as string)') }},
        read_us as processed_us,
        record.document.payload as before,
        record.document.payload as after,
        get_json_object(record_value, '$.payload') as image_text
    from parsed
),
{%- endmacro %}


{# SQL type of the event as from_json reads it. #}
{% macro _datastream_type(contract, columns) %}
  {% set metadata = [] %}
  {# the fields of any source that are read here; rowid is the documentation's name for the row_id of its samples #}
  {% set read = ['database', 'schema', 'table', 'change_type', 'is_deleted', 'tx_id', 'log_file', 'log_position', 'scn', 'rs_id', 'ssn', 'lsn', 'row_id', 'rowid'] %}
  {% for name in (read + afterimage.source_fields(contract)) | unique if name not in afterimage._datastream_generic() %}
    {% do metadata.append(afterimage.identifier(name) ~ ': string') %}
  {% endfor %}
  {{ return('struct<' ~ afterimage._datastream_generic() | join(': string, ') ~ ': string, sort_keys: array<string>, source_metadata: struct<'
            ~ metadata | join(', ') ~ ', primary_keys: array<string>, replication_index: array<string>>, payload: ' ~ afterimage.row_image_type(columns) ~ '>') }}
{% endmacro %}


{# Fields that every event has besides its source. #}
{% macro _datastream_generic() %}
  {{ return(['stream_name', 'read_method', 'object', 'schema_key', 'uuid', 'read_timestamp', 'source_timestamp']) }}
{% endmacro %}


{# Microseconds since 1970 (SQL) of a time: ISO text, in UTC where it has no zone, or milliseconds. NULL where it is neither. #}
{% macro _datastream_micros(text) %}
  {% set in_utc = "if(" ~ text ~ " rlike '(Z|[-+][0-9]{2}:?[0-9]{2})$', " ~ text ~ ", concat(" ~ text ~ ", 'Z'))" %}
  {{ return("case when " ~ text ~ " rlike '^-?[0-9]{1,15}$' then cast(" ~ text ~ " as bigint) * 1000 when " ~ text
            ~ " rlike '^[0-9]{4}-' then unix_micros(try_cast(" ~ in_utc ~ " as timestamp)) end") }}
{% endmacro %}


{# The reason why a record is no event of the contract's table, as text (SQL), NULL when it is one. #}
{% macro _datastream_fault(contract) %}
  {% set system = contract['connector'].removeprefix('datastream_') %}
  {% set others = [] %}
  {% for name in ['mysql', 'oracle', 'postgres', 'postgresql', 'sqlserver', 'salesforce', 'mongodb'] if not system.startswith(name) %}{% do others.append(name) %}{% endfor %}
  {% set fields = [] %}
  {% for name in contract['key'] %}
    {% for column in contract['columns'] if column['name'] == name %}
      {% do fields.extend(afterimage.names_in_events(column)) %}
    {% endfor %}
  {% endfor %}
  {% set fields = 'array(' ~ afterimage.literals(fields) ~ ')' if fields else 'cast(array() as array<string>)' %}
  {% set says_deleted, says_there = "metadata.change_type in ('DELETE', 'UPDATE-DELETE')", "metadata.change_type in ('INSERT', 'UPDATE', 'UPDATE-INSERT')" %}
  {% set key = "if(size(metadata.primary_keys) > 0, metadata.primary_keys, metadata.replication_index)" %}
  {% set faults = [
    ("record.document.read_method is null or metadata is null", "concat('no ', if(metadata is null, 'source_metadata', 'read_method'))"),
    ("phase is null", "concat('read_method ', left(record.document.read_method, 100), ': neither a backfill nor a change stream')"),
    ("split_part(translate(record.document.read_method, '_', '-'), '-', 1) in ('" ~ others | join("', '") ~ "')",
     "concat('read_method ', left(record.document.read_method, 100), ': of another system than connector " ~ contract['connector'] ~ "')"),
    ("metadata.is_deleted not in ('true', 'false')", "concat('is_deleted: ', left(metadata.is_deleted, 100))"),
    ("phase = 'stream' and metadata.change_type is null", "'no change_type'"),
    ("(metadata.is_deleted = 'true' and (phase = 'backfill' or " ~ says_there ~ ")) or (metadata.is_deleted = 'false' and metadata.change_type = 'DELETE') or (phase = 'backfill' and " ~ says_deleted ~ ")",
     "concat('is_deleted ', coalesce(metadata.is_deleted, 'null'), ' contradicts ', if(phase = 'backfill', 'the backfill', concat('change_type ', metadata.change_type)))"),
    ("size(array_except(" ~ key ~ ", " ~ fields ~ ")) > 0", "concat('the key of the source is ', to_json(" ~ key ~ "), ', that of the contract ', to_json(" ~ fields ~ "))"),
  ] %}
  {% set told_twice = [] %}
  {% for name, in_keys in afterimage.datastream_coordinates(contract).items() %}
    {# LogMiner writes a blank before rs_id #}
    {% set of_number = "ltrim('0', trim(" ~ in_keys ~ ")) <> ltrim('0', trim(metadata." ~ name ~ "))" %}
    {% do told_twice.append("nullif(metadata." ~ name ~ ", '') is not null and nullif(" ~ in_keys ~ ", '') is not null and " ~ of_number) %}
  {% endfor %}
  {% do faults.append(("phase = 'stream' and ((" ~ told_twice | join(') or (') ~ "))", "concat('sort_keys ', to_json(sort_keys), ' contradict the coordinates in source_metadata')")) %}
  {% if not contract['key'] %}
    {% do faults.append(("record.document.uuid is null", "'no uuid, without which equal rows of a table without a key cannot be distinguished from one delivered twice'")) %}
  {% endif %}
  {% set cases = [] %}
  {% for condition, text in faults %}{% do cases.append('when ' ~ condition ~ ' then ' ~ text) %}{% endfor %}
  {{ return('case when record.document is null then null ' ~ cases | join(' ') ~ ' end') }}
{% endmacro %}


{# sort_keys (SQL); if an event has none, built from its time and its coordinates in source_metadata, as Datastream builds them. #}
{% macro _datastream_sort_keys(contract) %}
  {% set coordinates = [] %}
  {% for name in afterimage.datastream_coordinates(contract) %}{% do coordinates.append('metadata.' ~ name) %}{% endfor %}
  {{ return('if(size(sort_keys) > 0, sort_keys, array(cast(changed_us div 1000 as string), ' ~ coordinates | join(', ') ~ '))') }}
{% endmacro %}


{# A field of the envelope's source, as text (SQL). #}
{% macro _datastream_source_text(name, contract) %}
  {% set fields = {
    'ts_us': 'cast(changed_us as string)',
    'snapshot': "if(phase = 'backfill', 'backfill', 'false')",
    'stream': "regexp_extract(record.document.stream_name, '[^/]+$', 0)",
    'row_id': 'coalesce(metadata.row_id, metadata.rowid)',
    'rowid': 'coalesce(metadata.rowid, metadata.row_id)',
  } %}
  {% if name in ['ts_ms', 'ts_ns'] %}{{ return('cast(null as string)') }}{% endif %}
  {% if name == 'sort_keys' %}{{ return('to_json(sort_keys)') }}{% endif %}
  {% if name == 'place' %}{{ return(afterimage.sort_keys_text(afterimage._datastream_sort_keys(contract))) }}{% endif %}
  {% set in_keys = afterimage.datastream_coordinates(contract).get(name) %}
  {% set reported_in = 'record.document.' ~ name if name in afterimage._datastream_generic() else 'metadata.' ~ afterimage.identifier(name) %}
  {{ return(fields.get(name, "coalesce(nullif(" ~ reported_in ~ ", ''), " ~ in_keys ~ ")" if in_keys else reported_in)) }}
{% endmacro %}

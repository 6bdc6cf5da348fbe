{#
  The differences between contracts and streams, with the contract change that each requires.

  In:  change_logs, list of ref() of the source's change logs; landings, list of the landing relations they read;
       schema_changes, a relation made by afterimage.schema_changes, for connectors that write them (none for
       PostgreSQL and MongoDB).
  Out: a select, one row for each column (or table, then column_name is NULL) that does not fit:
    source_name, table_name, topic
    drift               not declared (the stream has it, the contract does not), gone (the contract has it, the source
                        no longer), kept in _cdc_extra (declared since: earlier changes have it there until a full refresh),
                        type differs, key differs, table not declared, table gone
    column_name         field of the events
    reported_by         schema changes; schema block (of a record that has the field); registry (the newest schema of
                        the topic has it); observed (known only from records: that they have the field, and its JSON
                        kind; for documents, whose top-level fields are checked unless a declared path begins with
                        them, the type of the newest). For a key observed and registry mean that the records' own key
                        has the contract's columns and more: the models treat rows that differ only in these as one
                        row
    reported            what the source reports: a type as contracts write it; for schema blocks and registries
                        Connect's name or type, for observed the JSON kind; for a key its columns
    declared            the contract's value
    since_position, since   where it begins; NULL where only a registry reports it
    records             changes that have the field (not declared, kept in _cdc_extra) or lack it (gone), as far
                        as change logs know
    contract_change     lines of YAML for the table's contract, or the command that finds the type
  A column is gone when newly written rows lack it: an update may omit a value (unchanged TOAST), a created or read
  row has all.
  Source: Debezium documentation, "schema change topic"; decision 8 (presence and drift).
#}
{% macro contract_drift(change_logs, landings, schema_changes=none) -%}
{{ afterimage.refuse_long_view(afterimage._contract_drift(change_logs, landings, schema_changes)) if execute }}
{%- endmacro %}


{% macro _contract_drift(change_logs, landings, schema_changes) -%}
  {% set contracts = afterimage.contracts_of_logs(change_logs) -%}
  {% set topics = contracts | sum(attribute='topics', start=[]) | unique(case_sensitive=true) | list -%}
  {% set wider_keys = afterimage._wider_keys(contracts, landings) -%}
  {% set fields_of_schema = 'array<struct<field: string, type: string, name: string, parameters: map<string, string>>>' -%}
-- contract drift of {{ contracts[0]['source_name'] }}, made by afterimage.contract_drift
with

declared as (
    {%- set rows = [] %}
    {%- for contract in contracts %}
    {%- for column in contract['columns'] %}
    {%- set parsed = afterimage.parsed_type(column['source_type'], contract) or {'name': column['source_type'], 'arguments': [], 'is_unsigned': false} %}
    {%- set name = afterimage._names_of_types(contract).get(parsed['name'], parsed['name']) %}
    {%- do rows.append({
      'table_name': contract['table_name'], 'column_name': column['field'], 'declared_type': column['source_type'],
      'type_name': name ~ (' unsigned' if parsed['is_unsigned'] and name != 'text' else ''), 'type_arguments': parsed['arguments'] | join(',')}) %}
    {%- endfor %}
    {%- endfor %}
    {{ afterimage._rows_of(rows) }}
),

tables as (
    {%- set rows = [] %}
    {%- for contract in contracts %}
    {%- set key = [] %}
    {%- for column in afterimage.key_columns(contract) %}{% do key.append(column.get('source_name', column['name'])) %}{% endfor %}
    {%- do rows.append({
      'table_name': contract['table_name'], 'topic': contract['topics'] | first, 'declared_key': key | join(', '),
      'declared_topics': contract['topics'] | join(', ')}) %}
    {%- endfor %}
    {{ afterimage._rows_of(rows) }}
),

{% if schema_changes -%}
{{ afterimage._drift_of_structures(contracts, schema_changes) }}

{% endif -%}
fields_beyond as (
    -- fields that records have and contracts do not
    {%- for change_log in change_logs %}
    {%- set contract = contracts[loop.index0] %}
    {%- set is_document = afterimage.is_document(contract) %}
    {%- set beyond = '_cdc_document' if is_document else '_cdc_extra' %}
    select
        {{ afterimage.literal(contract['table_name']) }} as table_name,
        extra.key as column_name,
        max_by({{ afterimage._kind_of_bson('extra.value') if is_document else "regexp_extract(schema_of_variant(extra.value), '^[A-Z]+', 0)" }}, struct(_cdc_position, _cdc_landed_ts, _cdc_offset)) as json_kind,
        {{ 'true' if is_document else 'false' }} as is_of_document,
        min(_cdc_position) as since_position,
        min(_cdc_source_ts) as since,
        count(*) as records,
        max_by(struct(_cdc_topic as topic, _cdc_partition as partition, _cdc_offset as offset, _cdc_landed_ts as timestamp), struct(_cdc_position, _cdc_landed_ts, _cdc_offset)) as newest
    from {{ change_log }}
        lateral view explode(from_json({{ beyond }}, 'map<string, variant>')) extra as key, value
    where {{ beyond }} is not null{{ ' and extra.key not in (' ~ afterimage._tops_of_paths(contract) ~ ')' if is_document }}
    group by extra.key
    {{- '\n    union all' if not loop.last }}
    {%- endfor %}
),

in_schema_blocks as (
    -- the newest record that has the field may come with a schema
    select /*+ broadcast(fields_beyond) */
        fields_beyond.table_name,
        fields_beyond.column_name,
        max(coalesce(field.name, field.parameters['__debezium.source.column.type'], field.type)) as reported
    from fields_beyond
    inner join (
        {%- for landing in landings %}
        select
            topic,
            partition,
            offset,
            timestamp,
            cast(value as string) as record_value
        from {{ landing }}
        where {{ afterimage.has_topic('topic', dict(topics=topics)) }}
        {{- '\n        union all' if not loop.last }}
        {%- endfor %}
    ) as landed
        on
            fields_beyond.newest.topic = landed.topic
            and fields_beyond.newest.partition = landed.partition
            and fields_beyond.newest.offset = landed.offset
            and fields_beyond.newest.timestamp <=> landed.timestamp
        lateral view explode(
            concat(
                coalesce(flatten(from_json(get_json_object(record_value, '$.schema.fields'), 'array<struct<fields: {{ fields_of_schema }}>>').fields), array()),
                coalesce(from_json(get_json_object(record_value, '$.schema.fields'), '{{ fields_of_schema }}'), array())
            )
        ) as field
    where field.field = fields_beyond.column_name
    group by fields_beyond.table_name, fields_beyond.column_name
),

in_registry as (
    {%- set fields = afterimage._fields_of_registry(contracts) %}
    {{ afterimage._rows_of(fields) if fields else 'select cast(null as string) as table_name, cast(null as string) as column_name, cast(null as string) as reported where false' }}
),

columns_seen as (
    -- the last row that has a column
    {%- for change_log in change_logs %}
    {%- set contract = contracts[loop.index0] %}
    {%- set parts = [] %}
    {%- for column in contract['columns'] %}
    {%- do parts.append("struct(" ~ afterimage.literal(column['field']) ~ " as column_name, " ~ afterimage.literal(column['name']) ~ " as own_name, max(if("
                        ~ afterimage.json_names_has('_cdc_absent', column['name']) ~ ", null, newest_position)) as last_there)") %}
    {%- endfor %}
    select
        {{ afterimage.literal(contract['table_name']) }} as table_name,
        reported_column.column_name,
        reported_column.own_name,
        coalesce(reported_column.last_there, '') as last_there
    from (
        select array({{ parts | join(', ') }}) as reported_columns
        from (
            -- most records lack the same columns
            select
                _cdc_absent,
                max(_cdc_position) as newest_position
            from {{ change_log }}
            where {{ afterimage.leaves_row() }}
            group by _cdc_absent
        ) as lacking
    ) as seen
        lateral view explode(reported_columns) as reported_column
    {{- '\n    union all' if not loop.last }}
    {%- endfor %}
),

columns_left_out as (
    {%- for change_log in change_logs %}
    select
        columns_seen.table_name,
        columns_seen.column_name,
        min(left_out.position) as since_position,
        min(left_out.moment) as since,
        count(*) as records
    from (
        select
            _cdc_position as position,
            _cdc_source_ts as moment,
            own_name
        from {{ change_log }}
            lateral view explode(from_json(_cdc_absent, 'array<string>')) as own_name
        where _cdc_absent is not null
    ) as left_out
    inner join columns_seen
        on left_out.own_name = columns_seen.own_name and left_out.position > columns_seen.last_there
    where columns_seen.table_name = {{ afterimage.literal(contracts[loop.index0]['table_name']) }}
    group by columns_seen.table_name, columns_seen.column_name
    {{- '\n    union all' if not loop.last }}
    {%- endfor %}
),

{% if wider_keys -%}
{{ wider_keys }}

{% endif -%}
all_drift as (
    {%- if schema_changes %}
    select * from drift_of_structures
    union all
    {%- endif %}
    {%- if wider_keys %}
    select * from wider_keys
    union all
    {%- endif %}
    select
        fields_beyond.table_name,
        if(declared.column_name is null, 'not declared', 'kept in _cdc_extra') as drift,
        fields_beyond.column_name,
        case when in_registry.reported is not null then 'registry' when in_schema_blocks.reported is not null then 'schema block' else 'observed' end as reported_by,
        coalesce(in_registry.reported, in_schema_blocks.reported, fields_beyond.json_kind) as reported,
        declared.declared_type as declared,
        fields_beyond.since_position,
        fields_beyond.since,
        fields_beyond.records,
        if(
            fields_beyond.is_of_document and declared.column_name is null,
            concat('columns: {', {{ afterimage._yaml_word('fields_beyond.column_name') }}, ': ', fields_beyond.json_kind, '}'),
            null
        ) as contract_change
    from fields_beyond
    left join in_schema_blocks
        on fields_beyond.table_name = in_schema_blocks.table_name and fields_beyond.column_name = in_schema_blocks.column_name
    left join in_registry
        on fields_beyond.table_name = in_registry.table_name and fields_beyond.column_name = in_registry.column_name
    left join declared
        on fields_beyond.table_name = declared.table_name and fields_beyond.column_name = declared.column_name
    union all
    select
        in_registry.table_name,
        'not declared',
        in_registry.column_name,
        'registry',
        in_registry.reported,
        null,
        null,
        null,
        0,
        null
    from in_registry
    left anti join declared on in_registry.table_name = declared.table_name and in_registry.column_name = declared.column_name
    left anti join fields_beyond on in_registry.table_name = fields_beyond.table_name and in_registry.column_name = fields_beyond.column_name
    union all
    select
        columns_left_out.table_name,
        'gone',
        columns_left_out.column_name,
        'observed',
        null,
        declared.declared_type,
        columns_left_out.since_position,
        columns_left_out.since,
        columns_left_out.records,
        null
    from columns_left_out
    inner join declared on columns_left_out.table_name = declared.table_name and columns_left_out.column_name = declared.column_name
),

best_reported as (
    select
        *,
        max(records) over (partition by table_name, drift, column_name) as seen_in,
        row_number() over (
            partition by table_name, drift, column_name
            order by case reported_by when 'schema changes' then 1 when 'registry' then 2 when 'schema block' then 3 else 4 end, since_position nulls last
        ) as recency
    from all_drift
)

select
    {{ afterimage.literal(contracts[0]['source_name']) }} as source_name,
    best_reported.table_name,
    tables.topic,
    best_reported.drift,
    best_reported.column_name,
    best_reported.reported_by,
    best_reported.reported,
    best_reported.declared,
    best_reported.since_position,
    best_reported.since,
    best_reported.seen_in as records,
    case
        when best_reported.contract_change is not null then best_reported.contract_change
        when best_reported.drift = 'not declared' then concat('afterimage drift --table ', {{ afterimage.literal(contracts[0]['source_name'] ~ '.') }}, best_reported.table_name)
        when best_reported.drift = 'kept in _cdc_extra'
            then concat('# ', {{ afterimage._yaml_word('best_reported.column_name') }}, ' is declared; earlier changes keep it in _cdc_extra until a full refresh')
        when best_reported.drift = 'gone' then concat('# ', {{ afterimage._yaml_word('best_reported.column_name') }}, ' stays in columns while history is to show it; a full refresh without it forgets it')
    end as contract_change
from best_reported
left join tables
    on best_reported.table_name = tables.table_name
where best_reported.recency = 1
{%- endmacro %}


{# CTE `drift_of_structures`: the newest structure of each table compared with its contract. #}
{% macro _drift_of_structures(contracts, schema_changes) -%}
{% set aliases = afterimage._names_of_types(contracts[0]) -%}
{% set defaults = afterimage.connector(contracts[0])['type_arguments'] -%}
{% set prefix = afterimage._prefix_of(contracts[0]) -%}
structures as (
{{ afterimage.table_structures(schema_changes) | indent(4, true) }}
),

newest_structures as (
    select
        *,
        coalesce({{ afterimage._map_of(aliases) }}[{{ afterimage._type_name('type') }}], {{ afterimage._type_name('type') }}) as type_name,
        replace(regexp_extract(type, '[(]([^)]*)[)]', 1), ' ', '') as reported_arguments
    from structures
    where is_current
),

reported_types as (
    select
        *,
        coalesce(nullif(reported_arguments, ''), {{ afterimage._map_of(defaults) }}[regexp_replace(type_name, ' unsigned$', '')], '') as type_arguments
    from newest_structures
),

unbroken as (
    -- consecutive versions that define the column in the same way
    select
        table_in_source,
        column_name,
        type,
        version,
        position,
        changed_at,
        version - row_number() over (partition by table_in_source, column_name, type order by version) as run
    from structures
),

since_when as (
    -- the first version of the run that reaches the newest
    select
        table_in_source,
        column_name,
        type,
        max_by(since_position, run) as since_position,
        max_by(since, run) as since,
        max_by(since_version, run) as since_version
    from (
        select
            table_in_source,
            column_name,
            type,
            run,
            min_by(position, version) as since_position,
            min_by(changed_at, version) as since,
            min(version) as since_version
        from unbroken
        group by table_in_source, column_name, type, run
    ) as runs
    group by table_in_source, column_name, type
),

last_seen as (
    select
        table_name,
        column_name,
        max_by(end_position, version) as end_position,
        max_by(ended_at, version) as ended_at
    from structures
    where table_name is not null
    group by table_name, column_name
),

gone_tables as (
    select
        table_name,
        max_by(table_in_source, struct(end_position, version)) as table_in_source,
        max_by(end_position, struct(end_position, version)) as end_position,
        max_by(ended_at, struct(end_position, version)) as ended_at
    from structures
    where table_name is not null
    group by table_name
    having not bool_or(is_current)
),

given_names as (
    select
        former_table,
        max_by(table_in_source, struct(concat(epoch, coalesce(position, '')), landed_at, partition, offset, change_number)) as table_in_source
    from {{ schema_changes }}
    where change = 'rename' and not is_repeat
    group by former_table
),

newest_keys as (
    -- a contract may cover several tables
    select
        table_name,
        table_in_source,
        max(position) as position,
        max(changed_at) as changed_at,
        concat_ws(', ', transform(array_sort(collect_list(if(is_key, struct(key_place, column_name), null))), each -> each.column_name)) as reported_key
    from reported_types
    where table_name is not null
    group by table_name, table_in_source
),

newest_of_table as (
    select
        table_name,
        max(position) as position,
        max(changed_at) as changed_at
    from newest_keys
    group by table_name
),

drift_of_structures as (
    select
        reported_types.table_name,
        'not declared' as drift,
        reported_types.column_name,
        'schema changes' as reported_by,
        reported_types.type as reported,
        cast(null as string) as declared,
        since_when.since_position,
        since_when.since,
        cast(null as bigint) as records,
        concat('columns: {', {{ afterimage._yaml_word('reported_types.column_name') }}, ': ', {{ afterimage._yaml_word('reported_types.type') }}, '}') as contract_change
    from reported_types
    inner join since_when
        on
            reported_types.table_in_source = since_when.table_in_source
            and reported_types.column_name = since_when.column_name
            and reported_types.type = since_when.type
    left anti join declared on reported_types.table_name = declared.table_name and reported_types.column_name = declared.column_name
    where reported_types.table_name is not null
    union all
    select
        declared.table_name,
        'gone',
        declared.column_name,
        'schema changes',
        null,
        declared.declared_type,
        coalesce(last_seen.end_position, newest_of_table.position),
        coalesce(last_seen.ended_at, newest_of_table.changed_at),
        null,
        null
    from declared
    inner join newest_of_table on declared.table_name = newest_of_table.table_name
    left join last_seen on declared.table_name = last_seen.table_name and declared.column_name = last_seen.column_name
    left anti join reported_types on declared.table_name = reported_types.table_name and declared.column_name = reported_types.column_name
    union all
    select
        declared.table_name,
        'type differs',
        declared.column_name,
        'schema changes',
        reported_types.type,
        declared.declared_type,
        since_when.since_position,
        since_when.since,
        null,
        concat(
            'columns: {', {{ afterimage._yaml_word('declared.column_name') }}, ': ', {{ afterimage._yaml_word('reported_types.type') }}, '}',
            if(
                reported_types.type_name in ('text', 'binary', 'varbinary', 'blob', 'raw') or since_when.since_version = 1, '',
                concat('\nformer_types: {', {{ afterimage._yaml_word('declared.column_name') }}, ': {"', since_when.since_position, '": ', {{ afterimage._yaml_word('declared.declared_type') }}, '}}')
            )
        )
    from declared
    inner join reported_types on declared.table_name = reported_types.table_name and declared.column_name = reported_types.column_name
    inner join since_when
        on
            reported_types.table_in_source = since_when.table_in_source
            and reported_types.column_name = since_when.column_name
            and reported_types.type = since_when.type
    where
        declared.type_name <> reported_types.type_name
        or (declared.type_arguments <> '' and reported_types.type_arguments <> '' and declared.type_arguments <> reported_types.type_arguments)
    union all
    select
        tables.table_name,
        'key differs',
        null,
        'schema changes',
        newest_keys.reported_key,
        tables.declared_key,
        newest_keys.position,
        newest_keys.changed_at,
        null,
        concat('key: [', newest_keys.reported_key, ']')
    from tables
    inner join newest_keys on tables.table_name = newest_keys.table_name
    -- a contract may declare another key than the primary key; a table without one has nothing to compare
    where newest_keys.reported_key <> '' and newest_keys.reported_key <> tables.declared_key
    union all
    select
        gone_tables.table_name,
        'table gone',
        null,
        'schema changes',
        given_names.table_in_source,
        null,
        gone_tables.end_position,
        gone_tables.ended_at,
        null,
        if(
            given_names.table_in_source is null,
            '# dropped: an operator event closes its rows (dbt_packages/afterimage/docs/concepts/operator-events.md)',
            concat('topic: [', tables.declared_topics, ', ', {{ afterimage.literal(prefix ~ '.') }}, {{ afterimage._name_in_topic('given_names.table_in_source', contracts[0]) }}, ']')
        )
    from gone_tables
    inner join tables on gone_tables.table_name = tables.table_name
    left join given_names on gone_tables.table_in_source = given_names.former_table
    union all
    select distinct
        reported_types.table_in_source,
        'table not declared',
        cast(null as string),
        'schema changes',
        cast(null as string),
        cast(null as string),
        first_value(reported_types.position) over (partition by reported_types.table_in_source order by reported_types.place),
        first_value(reported_types.changed_at) over (partition by reported_types.table_in_source order by reported_types.place),
        cast(null as bigint),
        concat('afterimage scaffold --topic ', {{ afterimage.literal(prefix ~ '.') }}, {{ afterimage._name_in_topic('reported_types.table_in_source', contracts[0]) }}, {{ afterimage.literal(' --landing ' ~ contracts[0]['landing']) }})
    from reported_types
    where reported_types.table_name is null and not {{ afterimage.is_helper_table('reported_types.table_in_source', contracts) }}
),
{%- endmacro %}


{#
  CTE `wider_keys`: tables whose newest record has its own key with the columns of the contract's key and more; where
  records carry no row before the change, also with other columns, because nothing else shows then that a row's key
  has changed. Topics of several tables are excluded, because each table may have another key; so are documents, which
  have only one.
  In: contracts; landings. Out: SQL text, none if there is no table to check.
#}
{% macro _wider_keys(contracts, landings) -%}
  {% set rows, topics = [], [] -%}
  {% for contract in contracts if contract['key'] and contract['key'] != [afterimage.row_id_column()] and not afterimage.is_document(contract) and not contract['source_tables'] -%}
    {% set names_of_columns = [] -%}
    {% for column in afterimage.key_columns(contract) -%}
      {% do names_of_columns.append('array(' ~ afterimage.literals(afterimage.names_in_events(column)) ~ ')') -%}
    {% endfor -%}
    {% for topic in contract['topics'] -%}
      {% do topics.append(topic) -%}
      {% set in_registry = afterimage._newest_key_in_registry(contract) -%}
      {% do rows.append('(' ~ [afterimage.literal(contract['table_name']), afterimage.literal(topic), 'array(' ~ names_of_columns | join(', ') ~ ')',
                               'array(' ~ in_registry ~ ')' if in_registry else 'null',
                               'true' if afterimage.sends_row_before(contract) else 'false'] | join(', ') ~ ')') -%}
    {% endfor -%}
  {% endfor -%}
  {% if not rows %}{{ return(none) }}{% endif -%}
declared_keys as (
    -- a key may name a column by a former name
    select
        *,
        array_append(flatten(names_of_columns), '__dbz__physicalTableIdentifier') as known
    from values
        {{ rows | join(',\n        ') }}
            as key_of_table (table_name, topic, names_of_columns, in_registry, sends_row_before)
),

keys_of_records as (
    -- the key columns in the newest record of each topic
    select topic, {{ afterimage.columns_of_key('record_key') }} as key_columns
    from (
        select topic, max_by(cast(key as string), struct(timestamp, offset)) as record_key
        from (
            {%- for landing in landings %}
            select topic, key, timestamp, offset
            from {{ landing }}
            where key is not null and {{ afterimage.has_topic('topic', dict(topics=topics)) }}
            {{- '\n            union all' if not loop.last }}
            {%- endfor %}
        ) as landed
        group by topic
    ) as newest
),

wider_keys as (
    select distinct
        table_name,
        'key differs' as drift,
        cast(null as string) as column_name,
        reported_by,
        array_join(key_columns, ', ') as reported,
        array_join(transform(names_of_columns, names -> names[0]), ', ') as declared,
        cast(null as string) as since_position,
        cast(null as timestamp) as since,
        cast(null as bigint) as records,
        concat('key: [', array_join(transform(
            transform(
                key_columns,
                name -> coalesce(get(filter(names_of_columns, names -> array_contains(names, name)), 0)[0], name)
            ),
            name -> {{ afterimage._yaml_word('name') }}
        ), ', '), ']') as contract_change
    from (
        select
            declared_keys.table_name,
            declared_keys.names_of_columns,
            declared_keys.known,
            declared_keys.sends_row_before,
            if(declared_keys.in_registry is null, 'observed', 'registry') as reported_by,
            coalesce(declared_keys.in_registry, keys_of_records.key_columns) as key_columns
        from declared_keys
        left join keys_of_records on declared_keys.topic = keys_of_records.topic
    ) as known_keys
    where
        size(array_except(key_columns, known)) > 0
        and (not sends_row_before or forall(names_of_columns, names -> arrays_overlap(names, key_columns)))
),
{%- endmacro %}


{#
  The columns of the newest key that a registry has for the topics of a contract, as a list of literals; empty without
  one.
#}
{% macro _newest_key_in_registry(contract) %}
  {% set newest = {} %}
  {% for entry in afterimage.avro_schemas(contract) if entry['of'] == 'key' %}
    {% if not newest or entry['id'] | int > newest['id'] %}{% do newest.update({'id': entry['id'] | int, 'schema': fromjson(entry['schema'])}) %}{% endif %}
  {% endfor %}
  {{ return(afterimage.literals(afterimage.fields_in_avro(newest.get('schema')) | map(attribute='name'))) }}
{% endmacro %}


{# The top-level names of the declared document paths, as a list of literals. #}
{% macro _tops_of_paths(contract) %}
  {% set names = [] %}
  {% for column in contract['columns'] %}{% do names.append(column['field'].split('.')[0]) %}{% endfor %}
  {{ return(afterimage.literals(names | unique(case_sensitive=true))) }}
{% endmacro %}


{#
  The type, as contracts write it, of a value of a document (SQL): from its wrapper in Extended JSON, otherwise its
  JSON kind. In: SQL of a variant.
#}
{% macro _kind_of_bson(value) %}
  {% set kinds = {'$oid': 'objectid', '$numberLong': 'long', '$numberDouble': 'double', '$numberDecimal': 'decimal', '$date': 'date', '$timestamp': 'timestamp',
                  '$binary': 'bindata', '$uuid': 'uuid'} %}
  {% set wrapper = "regexp_extract(to_json(" ~ value ~ "), '^[{]\"([$][A-Za-z]+)\"', 1)" %}
  {% set json_kind = "regexp_extract(schema_of_variant(" ~ value ~ "), '^[A-Z]+', 0)" %}
  {% set of_json = {'STRING': 'string', 'BOOLEAN': 'bool', 'BIGINT': 'int', 'DECIMAL': 'double', 'DOUBLE': 'double', 'OBJECT': 'object', 'ARRAY': 'array'} %}
  {{ return("coalesce(try_element_at(" ~ afterimage._map_of(kinds) ~ ", " ~ wrapper ~ "), if(" ~ wrapper ~ " <> '', 'any', try_element_at(" ~ afterimage._map_of(of_json) ~ ", " ~ json_kind ~ ")), 'any')") }}
{% endmacro %}


{# The other names of a connector's types: those of the text family, which are read alike, are all `text`. #}
{% macro _names_of_types(contract) %}
  {% set connector = afterimage.connector(contract) %}
  {% set found = {} %}
  {% for name in connector['types']['text'] %}{% do found.update({name: 'text'}) %}{% endfor %}
  {% for alias, name in connector['type_aliases'].items() %}{% do found.update({alias: found.get(name, name)}) %}{% endfor %}
  {{ return(found) }}
{% endmacro %}


{# A table of the source, named as in topics (SQL), see connector. #}
{% macro _name_in_topic(name, contract) %}
  {% if afterimage.connector(contract).get('topics_without_database') %}{{ return("substring_index(" ~ name ~ ", '.', -2)") }}{% endif %}
  {{ return(name) }}
{% endmacro %}


{# A map of texts (SQL) from a dict. #}
{% macro _map_of(values) %}
  {% set parts = [] %}
  {% for name, value in values.items() %}
    {% do parts.append(afterimage.literal(name) ~ ', ' ~ afterimage.literal(value if value is string else value | join(','))) %}
  {% endfor %}
  {{ return('map(' ~ parts | join(', ') ~ ')' if parts else 'cast(map() as map<string, string>)') }}
{% endmacro %}


{# A text (SQL) as a YAML word, quoted where YAML would read it as something else. #}
{% macro _yaml_word(text) %}
  {{ return("if(" ~ text ~ " rlike '^[A-Za-z_][A-Za-z0-9_ ()]*$' and not " ~ text ~ " rlike '(?i)^(y|n|yes|no|on|off|true|false|null)$', " ~ text
            ~ ", concat('\"', replace(replace(" ~ text ~ ", '\\\\', '\\\\\\\\'), '\"', '\\\\\"'), '\"'))") }}
{% endmacro %}


{# Rows of texts (SQL) from a list of dicts with the same names. #}
{% macro _rows_of(rows) %}
  {% set selects = [] %}
  {% for row in rows %}
    {% set first = loop.first %}
    {% set parts = [] %}
    {% for name, value in row.items() %}{% do parts.append(afterimage.literal(value) ~ (' as ' ~ name if first else '')) %}{% endfor %}
    {% do selects.append('select ' ~ parts | join(', ')) %}
  {% endfor %}
  {{ return(selects | join('\n    union all\n    ')) }}
{% endmacro %}


{#
  The row fields in the newest registry schema of each contract's topics. Out: list of {table_name, column_name,
  reported}.
#}
{% macro _fields_of_registry(contracts) %}
  {% set found = [] %}
  {# no schema lists the fields of a document #}
  {% for contract in contracts if contract['avro_schemas'] and not afterimage.is_document(contract) %}
    {% set newest = {} %}
    {% for entry in afterimage.avro_schemas(contract) if entry['of'] != 'key' %}
      {% set schema = fromjson(entry['schema']) %}
      {% if schema is mapping and schema.get('fields') and (not newest or entry['id'] | int > newest['id'] | int) %}{% do newest.update({'id': entry['id'], 'schema': schema}) %}{% endif %}
    {% endfor %}
    {% for field in afterimage.row_in_avro(newest.get('schema'), contract['format']) %}
      {% set kinds = field['type'] if field['type'] is iterable and field['type'] is not string and field['type'] is not mapping else [field['type']] %}
      {% set types = [] %}
      {% for kind in kinds if kind != 'null' %}
        {% do types.append((kind.get('connect.name') or kind.get('logicalType') or kind.get('type')) if kind is mapping else kind) %}
      {% endfor %}
      {% do found.append({'table_name': contract['table_name'], 'column_name': field['name'], 'reported': types | join(' or ')}) %}
    {% endfor %}
  {% endfor %}
  {{ return(found) }}
{% endmacro %}

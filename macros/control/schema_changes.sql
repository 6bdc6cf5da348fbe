{#
  The changes of a source's table structures, from the connector's schema change topic (include.schema.changes) and
  from signals `schema-changes`.

  In:  change_logs, list of ref() of the source's change logs; landings, list of the landing relations they read.
  Out: a select, one row for each change of a table; a message that changes none has one row, and so does an
  unreadable record:
    source_name, topic, partition, offset, landed_at   the record
    reported_by         topic, signal
    change_number       its ordinal among the changes of the message
    change              create, alter, drop, rename, truncate, drop database, partition emptied (truncated, dropped,
                        exchanged, …), replaced (create or replace table); other (changes no table), NULL for a fault
    table_in_source     the table's name in the source, after the change; former_table, of a rename: before
    table_name          the table of the contract, NULL if no contract has it
    database_name, schema_name, ddl   as in the message; ddl is NULL for Db2 and SQL Server, and may hold several
    statements
    position            position in the source's log, as in _cdc_position; NULL where the message has none
    epoch               prefix of positions of a later epoch (e0001.) that an operator declared; empty before the
                        first
    changed_at, processed_at   by the source's clock, by the connector's
    is_snapshot         the connector wrote what it found, nothing changed: DROP … IF EXISTS, CREATE, USE, SET at the
                        start of a snapshot
    is_repeat           the same was delivered before, after a restart
    structure           of the table after it: struct<key: array<string>, columns: array<struct<name, type,
                        is_nullable, is_generated, default_value, charset, comment, place>>>, types as contracts write
                        them; NULL where the message has none
    is_alarm            a declared table was emptied, even partly, or dropped, or another table took its name by
                        RENAME (except a table of an online schema change tool, which holds the same rows), and
                        neither its stream has a truncate nor an operator an event at that position or later: history
                        and current state still show its rows
    fault               why the record could not be read
  Source: Debezium documentation, "schema change topic" of each connector; captures mysql9-full, mariadb-inventory,
  mysql-types.
#}
{% macro schema_changes(change_logs, landings) -%}
{{ afterimage.refuse_long_view(afterimage._schema_changes(change_logs, landings)) if execute }}
{%- endmacro %}


{% macro _schema_changes(change_logs, landings) -%}
  {% set contracts = afterimage.contracts_of_logs(change_logs) -%}
  {% set contract = contracts[0] -%}
  {% set kafka_signals = afterimage.side_topics_of(contracts, 'signal') -%}
  {% set table_signals = afterimage.side_topics_of(contracts, 'signal table') -%}
  {% set topics = afterimage.topics_around(contracts, ['schema change'], 'schema changes', 'say topic_prefix, or name the topic under side_topics as `schema change`.') -%}
  {% set connector = afterimage.connector(contract) -%}
  {% set name_spoken = afterimage._name_spoken() -%}
{% set record = ['topic', 'partition', 'offset', 'timestamp'] -%}
-- schema changes of {{ contract['source_name'] }}, made by afterimage.schema_changes
with

{{ afterimage.control_records(landings, contract, (topics + kafka_signals + table_signals) | unique(case_sensitive=true) | list) }}

{{ afterimage.signal_records(kafka_signals, table_signals) }}

messages as (
    select
        {{ record | join(',\n        ') }},
        'topic' as reported_by,
        from_json(get_json_object(record_value, '$.source'), '{{ afterimage._source_texts(contract) }}') as source,
        get_json_object(record_value, '$.databaseName') as database_name,
        get_json_object(record_value, '$.schemaName') as schema_name,
        get_json_object(record_value, '$.ddl') as ddl,
        get_json_object(record_value, '$.tableChanges') as changes_text,
        try_cast(get_json_object(record_value, '$.ts_ms') as bigint) as processed_ms,
        case
            when record_value is null then 'no value'
            when json_object_keys(record_value) is null then 'broken JSON'
            when get_json_object(record_value, '$.source') is null or not array_contains(json_object_keys(record_value), 'tableChanges') then 'no schema change'
        end as fault
    from control_records
    where {{ afterimage.has_topic('topic', dict(topics=topics)) }}
    union all
    select
        {{ record | join(',\n        ') }},
        'signal',
        from_json(source_text, '{{ afterimage._source_texts(contract) }}'),
        get_json_object(data, '$.database'),
        get_json_object(data, '$.schema'),
        cast(null as string),
        get_json_object(data, '$.changes'),
        cast(null as bigint),
        if(get_json_object(data, '$.changes') is null, 'no schema change', null)
    from signal_records
    where type = 'schema-changes' and coalesce(op, 'c') <> 'd'
),

placed as (
    select
        *,
        {{ connector['position'] }} as position,
        {{ afterimage.epoch_prefix('timestamp', afterimage.epochs_of(change_logs[0])) }} as epoch,
        coalesce(source.snapshot not in ('false', ''), false) as is_snapshot,
        -- 0 is not a time: tables found by a snapshot have none
        timestamp_micros(nullif(coalesce(try_cast(source.ts_us as bigint), try_multiply(try_cast(source.ts_ms as bigint), 1000)), 0)) as changed_at,
        from_json(changes_text, '{{ afterimage._table_changes_type() }}') as table_changes,
        {{ afterimage._statements_of('ddl', connector) }} as statements
    from (
        select
            *,
            cast(null as struct<id: string, total_order: string>) as transaction
        from messages
    ) as with_transaction
),

changed_tables as (
    -- the structures in the message
    select
        {{ record | join(',\n        ') }},
        change_number,
        change.type as type,
        -- "db"."old","db"."new"
        {{ afterimage._table_of_id("regexp_extract(change.id, '" ~ afterimage._quoted_id() ~ "$', 1)") }} as table_in_source,
        nullif({{ afterimage._table_of_id("regexp_extract(change.id, '^" ~ afterimage._quoted_id() ~ ",.', 1)") }}, '') as former_table,
        change.table as reported_table
    from placed
        lateral view posexplode(table_changes) as change_number, change
),

spoken as (
    -- what only the statements say
    select
        {{ record | join(',\n        ') }},
        statement_number,
        statement,
        case
            {%- for verb, pattern in afterimage._verbs().items() %}
            when statement rlike {{ afterimage.literal(pattern[0]) }} then {{ afterimage.literal(verb) }}
            {%- endfor %}
        end as verb,
        database_name,
        schema_name
    from placed
        lateral view posexplode(statements) as statement_number, statement
),

pairs as (
    select
        {{ record | join(',\n        ') }},
        1000 * (1 + statement_number) + pair_number as change_number,
        verb,
        database_name,
        schema_name,
        regexp_extract(pair, {{ afterimage.literal('^(' ~ name_spoken ~ ')') }}, 1) as first_name,
        regexp_extract(pair, {{ afterimage.literal('^' ~ name_spoken ~ ' (?i:to) (' ~ name_spoken ~ ')$') }}, 1) as second_name
    from (
        select
            *,
            case verb
                {%- for verb, pattern in afterimage._verbs().items() %}
                when {{ afterimage.literal(verb) }} then regexp_replace(statement, {{ afterimage.literal(pattern[0]) }}, {{ afterimage.literal(pattern[1]) }})
                {%- endfor %}
            end as objects
        from spoken
        where verb is not null
    ) as with_objects
        lateral view posexplode(
            regexp_extract_all(objects, {{ afterimage.literal(name_spoken ~ '(?: (?i:to) ' ~ name_spoken ~ ')?') }}, 0)
        ) as pair_number, pair
),

named as (
    select
        {{ record | join(',\n        ') }},
        change_number,
        case verb when 'rename one' then 'rename' when 'partition exchanged' then 'partition emptied' else verb end as verb,
        {{ afterimage._table_as_id('first_name', connector) }} as first_table,
        nullif({{ afterimage._table_as_id('second_name', connector) }}, '') as second_table
    from pairs
),

all_changes as (
    select
        changed_tables.topic,
        changed_tables.partition,
        changed_tables.offset,
        changed_tables.timestamp,
        changed_tables.change_number,
        case
            when coalesce(changed_tables.former_table, named.first_table) is not null then 'rename'
            when changed_tables.type = 'CREATE' then 'create'
            when changed_tables.type = 'ALTER' then 'alter'
            when changed_tables.type = 'DROP' then 'drop'
            when changed_tables.type = 'TRUNCATE' then 'truncate'
            else 'other'
        end as change,
        changed_tables.table_in_source,
        coalesce(changed_tables.former_table, named.first_table) as former_table,
        changed_tables.reported_table
    from changed_tables
    left join named
        on
            {{ afterimage._same_record('changed_tables', 'named') }}
            and named.verb = 'rename'
            and changed_tables.table_in_source = named.second_table
            and changed_tables.table_in_source <> named.first_table
    union all
    select
        named.topic,
        named.partition,
        named.offset,
        named.timestamp,
        named.change_number,
        named.verb,
        coalesce(named.second_table, named.first_table),
        if(named.second_table is not null, named.first_table, null),
        null
    from named
    left anti join changed_tables
        on
            {{ afterimage._same_record('named', 'changed_tables') }}
            and coalesce(named.second_table, named.first_table) = changed_tables.table_in_source
            and (
                named.second_table is not null
                or changed_tables.type = case named.verb when 'drop' then 'DROP' when 'truncate' then 'TRUNCATE' end
            )
),

declared as (
{{ afterimage._declared_tables(change_logs, contracts) | trim | indent(4, true) }}
),

emptied as (
    -- the last position at which a stream or an operator accounts for all rows, and the first one with any
    {%- for change_log in change_logs %}
    select
        {{ afterimage.literal(contracts[loop.index0]['table_name']) }} as table_name,
        {%- set place = afterimage.in_epoch('_cdc_position', '_cdc_landed_ts', afterimage.epochs_of(change_log)) %}
        max(if({{ afterimage.is_table_wide() }}, if({{ afterimage.is_of_operator() }}, _cdc_position, {{ place }}), null)) as position,
        max(if({{ afterimage.is_table_wide() }}, _cdc_source_ts, null)) as emptied_at,
        min(if({{ afterimage.leaves_row() }}, {{ place }}, null)) as filled_from
    from {{ change_log }}
    {{- '\n    union all' if not loop.last }}
    {%- endfor %}
),

reported_changes as (
    select
        placed.topic,
        placed.partition,
        placed.offset,
        placed.timestamp,
        placed.reported_by,
        all_changes.change_number,
        if(placed.fault is null, coalesce(all_changes.change, 'other'), null) as change,
        all_changes.table_in_source,
        all_changes.former_table,
        placed.database_name,
        placed.schema_name,
        placed.ddl,
        placed.position,
        placed.epoch,
        placed.changed_at,
        {{ afterimage.moment_of_millis('nullif(placed.processed_ms, 0)') }} as processed_at,
        placed.is_snapshot,
        all_changes.reported_table,
        placed.changes_text,
        placed.fault
    from placed
    left join all_changes
        on
            {{ afterimage._same_record('placed', 'all_changes') }}
),

known_names as (
    -- one row per table, whichever of its names is used
    select collect_set(named_struct('table_name', table_name, 'suffix', suffix)) as tables
    from declared
),

with_tables as (
    select
        reported_changes.*,
        {{ afterimage._tables_known('reported_changes.table_in_source', "reported_changes.change = 'drop database'") }} as tables_known,
        {{ afterimage._tables_known('reported_changes.former_table', 'false') }} as formerly_known
    from reported_changes
    cross join known_names
),

matched as (
    select
        *,
        not is_snapshot and position is not null and row_number() over (
            partition by topic, position, is_snapshot, ddl, changes_text, change_number, table_name
            order by timestamp, partition, offset
        ) > 1 as is_repeat
    from with_tables
        lateral view outer explode(tables_known) as table_name
)

select
    {{ afterimage.literal(contract['source_name']) }} as source_name,
    matched.topic,
    matched.partition,
    matched.offset,
    matched.timestamp as landed_at,
    matched.reported_by,
    matched.change_number,
    matched.change,
    matched.table_in_source,
    matched.former_table,
    matched.table_name,
    matched.database_name,
    matched.schema_name,
    matched.ddl,
    matched.position,
    matched.epoch,
    matched.changed_at,
    matched.processed_at,
    matched.is_snapshot,
    matched.is_repeat,
    {{ afterimage._structure_of('matched.reported_table', contract) }} as structure,
    (
        matched.change in ('drop', 'truncate', 'drop database', 'partition emptied', 'replaced')
        or (
            matched.change = 'rename'
            and not array_contains(matched.formerly_known, matched.table_name)
            and not {{ afterimage.is_helper_table('matched.former_table', contracts) }}
            and coalesce(emptied.filled_from < concat(matched.epoch, matched.position), false)
        )
    )
    and not matched.is_snapshot
    and matched.table_name is not null
    -- a message without a position is compared by time
    and coalesce(emptied.position < concat(matched.epoch, matched.position), emptied.emptied_at < coalesce(matched.changed_at, matched.timestamp), true) as is_alarm,
    matched.fault
from matched
left join emptied
    on matched.table_name = emptied.table_name
{%- endmacro %}


{# SQL join condition for the same record. In: names of relations. #}
{% macro _same_record(one, other) -%}
{{ one }}.topic = {{ other }}.topic
            and {{ one }}.partition = {{ other }}.partition
            and {{ one }}.offset = {{ other }}.offset
            and {{ one }}.timestamp <=> {{ other }}.timestamp
{%- endmacro %}


{# The fields of source that a contract's connector needs, all as texts, for from_json. #}
{% macro _source_texts(contract) %}
  {% set fields = [] %}
  {% for name in afterimage.source_names(contract) %}{% do fields.append('`' ~ name ~ '` string') %}{% endfor %}
  {{ return(fields | join(', ')) }}
{% endmacro %}


{% macro _table_changes_type() %}
  {% set column = 'name: string, typeName: string, typeExpression: string, charsetName: string, length: int, scale: int, `position`: int, optional: boolean, '
    ~ 'autoIncremented: boolean, generated: boolean, comment: string, defaultValueExpression: string, enumValues: array<string>' %}
  {{ return('array<struct<type: string, id: string, `table`: struct<primaryKeyColumnNames: array<string>, columns: array<struct<' ~ column ~ '>>, comment: string>>>') }}
{% endmacro %}


{#
  The statements of a DDL text, each on one line (SQL): split at semicolons outside of quotes, without comments and
  string literals. Text in double quotes or backticks is kept, because it may be a name. In: SQL of the text;
  connector, its dict.
#}
{% macro _statements_of(ddl, connector) %}
  {% set is_of_mysql = connector.get('ddl_is_of_mysql') %}
  {% set quoted = "'(?:[^'\\\\]++|\\\\.)*+'|\"(?:[^\"\\\\]++|\\\\.)*+\"" if is_of_mysql else "'[^']*+'|\"[^\"]*+\"" %}
  {% set comments = '/[*]M?![0-9]*+|/[*].*?[*]/|[*]/|--(?=\\s|$)[^\\n]*+|#[^\\n]*+' if is_of_mysql else '/[*].*?[*]/|--[^\\n]*+' %}
  {% set token = '(?s)' ~ quoted ~ '|`[^`]*+`|' ~ comments ~ '|[^;\'"`/*#-]++|.' %}
  {% set is_no_statement = "^(?:'|/[*]|[*]/|--" ~ ('|#' if is_of_mysql else '') ~ ')' %}
  {{ return("transform(split(array_join(transform(regexp_extract_all(" ~ ddl ~ ", " ~ afterimage.literal(token) ~ ", 0), token -> case when token = ';' then chr(1) when token rlike "
    ~ afterimage.literal(is_no_statement) ~ " then ' ' else token end), ''), chr(1)), each -> trim(regexp_replace(regexp_replace(each, " ~ afterimage.literal('\\s+') ~ ", ' '), "
    ~ afterimage.literal('(?i) (?:wait [0-9]+|nowait)\\b') ~ ", '')))") }}
{% endmacro %}


{#
  Statements to search for: verb -> [regular expression, the groups that are table names, a list]. `drop temporary
  table` affects only its own session.
#}
{% macro _verbs() %}
  {% set name = afterimage._name_spoken() %}
  {% set names = name ~ '(?: ?, ?' ~ name ~ ')*' %}
  {% set alter = '(?i)^alter (?:online |ignore )*table (?:if exists )?(' ~ name ~ ') ' %}
  {{ return({
    'truncate': ['(?i)^truncate (?:table )?(?:only )?(' ~ names ~ ').*$', '$1'],
    'drop': ['(?i)^drop tables? (?:if exists )?(' ~ names ~ ').*$', '$1'],
    'drop database': ['(?i)^drop (?:database|schema) (?:if exists )?(' ~ name ~ ').*$', '$1'],
    'replaced': ['(?i)^create or replace table (?:if not exists )?(' ~ name ~ ').*$', '$1'],
    'rename': ['(?i)^rename (?!(?:user|index|tablespace|stogroup) (?!to ))(?:tables? )?(?:if exists )?(' ~ name ~ ' to ' ~ name ~ '(?: ?, ?' ~ name ~ ' to ' ~ name ~ ')*)$', '$1'],
    'rename one': [alter ~ '(?:.*, ?)?rename (?!(?:column|index|key|constraint|(?:sub)?partition) )(?:to |as |= ?)?(' ~ name ~ ')(?: ?,.*)?$', '$1 to $2'],
    'partition exchanged': [alter ~ 'exchange (?:sub)?partition .* with table (' ~ name ~ ').*$', '$1,$2'],
    'partition emptied': [alter ~ '(?:(?:truncate|drop|discard|detach) (?:sub)?partitions?|convert partition) .*$', '$1'],
  }) }}
{% endmacro %}


{# A table's name in a statement (regular expression): words and quoted names, joined by dots. #}
{% macro _name_spoken() %}
  {{ return('(?:"[^"]*+"|`[^`]*+`|\\[[^\\]]*+\\]|[^\\s,;()"`\\[\\]])++') }}
{% endmacro %}


{# Regular expression with one group: names in double quotes, joined by dots. #}
{% macro _quoted_id() %}
  {{ return('((?:"(?:[^"]|"")*"|[^",.]+)(?:[.](?:"(?:[^"]|"")*"|[^",.]+))*)') }}
{% endmacro %}


{# "shop"."orders" as shop.orders (SQL). #}
{% macro _table_of_id(id) %}
  {{ return("replace(regexp_replace(" ~ id ~ ", '\"((?:[^\"]|\"\")*)\"', '$1'), '\"\"', '\"')") }}
{% endmacro %}


{#
  A table's name in a statement, in the form of ids (SQL): without quotes, prefixed with the database and schema of
  the message where the statement omits them; unquoted names in the case their database stores.
#}
{% macro _table_as_id(name, connector) %}
  {% set kept = "if(" ~ name ~ " rlike '[\"`\\\\[]', " ~ name ~ ", translate(" ~ name ~ ", 'abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'))"
     if connector.get('names_are_capitals') else name %}
  {% set bare = "regexp_replace(" ~ kept ~ ", '[\"`\\\\[\\\\]]', '')" %}
  {% if connector.get('ddl_is_of_mysql') %}
    {{ return("if(verb = 'drop database' or " ~ name ~ " = '' or " ~ name ~ " like '%.%', " ~ bare ~ ", concat_ws('.', nullif(database_name, ''), " ~ bare ~ "))") }}
  {% endif %}
  {{ return("case when verb = 'drop database' or " ~ name ~ " = '' or " ~ name ~ " like '%.%.%' then " ~ bare ~ " when " ~ name ~ " like '%.%' then concat_ws('.', nullif(database_name, ''), "
            ~ bare ~ ") else concat_ws('.', nullif(database_name, ''), nullif(schema_name, ''), " ~ bare ~ ") end") }}
{% endmacro %}


{#
  The tables of contracts by their names in the source: a select of table_name and suffix, `.shop.orders`, with which
  a full name ends: from the source table in their changes, from source_tables, and before there are any from their
  topics. A table of Oracle or Db2 may have two, `.PDB.SHOP.ORDERS` and `.SHOP.ORDERS`, and a full name may end with
  both: take distinct tables.
#}
{% macro _declared_tables(change_logs, contracts) -%}
  {%- for change_log in change_logs -%}
    {%- set contract = contracts[loop.index0] -%}
    {%- if contract['format'] == 'debezium_json' or contract['source_tables'] %}
select distinct
    {{ afterimage.literal(contract['table_name']) }} as table_name,
    concat('.', substring_index(_cdc_source_table, '.', 1 - size(split(_cdc_source_table, '[.]')))) as suffix
from {{ change_log }}
where _cdc_source_table like '%.%'
union
    {%- endif -%}
  {%- endfor -%}
  {%- set named = [] -%}
  {%- for contract in contracts -%}
    {%- for name in contract['source_tables'] or [] -%}{%- do named.append((contract['table_name'], '.' ~ name)) -%}{%- endfor -%}
    {%- if not contract['source_tables'] -%}
      {%- for topic in contract['topics'] -%}
        {%- set prefix = (contract['topic_prefix'] or topic.split('.')[0]) ~ '.' -%}
        {%- do named.append((contract['table_name'], '.' ~ topic.removeprefix(prefix))) -%}
      {%- endfor -%}
    {%- endif -%}
  {%- endfor -%}
  {%- for table_name, suffix in named %}
select
    {{ afterimage.literal(table_name) }}{{ ' as table_name' if loop.first }},
    {{ afterimage.literal(suffix) }}{{ ' as suffix' if loop.first }}
  {%- if not loop.last %}
union
  {%- endif -%}
  {%- endfor %}
{%- endmacro %}


{#
  The contracts' tables (SQL) that a name of the source means; is_database, SQL that is true where it names a
  database.
#}
{% macro _tables_known(name, is_database) -%}
array_distinct(transform(
            filter(
                known_names.tables,
                one -> endswith(concat('.', {{ name }}), one.suffix)
                {%- if is_database != 'false' %}
                or ({{ is_database }} and startswith(one.suffix, concat('.', {{ name }}, '.')))
                {%- endif %}
            ),
            one -> one.table_name
        ))
{%- endmacro %}


{# The structure in a table change, see schema_changes. In: SQL of the struct `table`, contract. Out: SQL. #}
{% macro _structure_of(table, contract) %}
  {{ return("if(" ~ table ~ ".columns is null, null, named_struct('key', " ~ table ~ ".primaryKeyColumnNames, 'columns', transform(array_sort(" ~ table
    ~ ".columns, (a, b) -> coalesce(a.position, 0) - coalesce(b.position, 0)), c -> named_struct('name', c.name, 'type', " ~ afterimage.reported_type('c', contract)
    ~ ", 'is_nullable', c.optional, 'is_generated', c.autoIncremented or c.generated, 'default_value', c.defaultValueExpression, 'charset', c.charsetName, 'comment', c.comment, "
    ~ "'labels', c.enumValues, 'place', c.position))))") }}
{% endmacro %}

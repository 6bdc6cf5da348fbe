{#
  Decoded rows of the new landed records that are proven to be exactly what the contract expects, one per record: short, and quick to plan and run.
  For every other record it gives only its coordinate, with outcome `marked`; the exact statement (judged_records) reads and decides those again,
  and is planned only if there are any.

  A record is routine where, byte for byte,
    the text before its payload, if any, is a schema block that was checked (see expected_form);
    it equals its rows written again, so that no field of a row is missing, unknown, duplicate or of another kind;
    the text after them is JSON in the form that Debezium gives it;
    it is an insert, update, delete or snapshot row of this table, with its image, its key and its position;
    each of its values is plainly of its type (see plain_value), or the placeholder of one not sent.
  A tombstone is routine too, where it has no meaning. The conditions are sufficient, not necessary: a record that fails one is no worse, only
  slower. tests/truth/test_routine.py holds the two statements together.

  A landing form has a file of its own, <format>_routine.sql, with the CTE `parsed` and the regular expression of the text after the rows.

  In:  contract; form, what a record looks like (see expected_form); new_records, the CTEs up to that name with the records as they landed;
       late_columns (see judged_records).
  Out: as judged_records; _cdc_detail of a marked record is the hash by which it is found again (landed_hash, see new_records), and _cdc_kind
       says whether its key or its value may have a schema block, where the form has none and a column may be read by one.
#}
{% macro routine_records(contract, form, new_records, late_columns=[]) -%}
  {% set columns = afterimage.contract_columns(contract) -%}
  {% set keys = afterimage.key_columns(contract) -%}
  {% set connector = afterimage.connector(contract) -%}
  {% set is_full = connector['before_is_whole'] -%}
  {% set reads_before = not keys or connector['allows_key_collisions'] -%}
  {#- for a delete it is the image, where images are full -#}
  {% set has_before = "op = 'u'" if is_full or not keys else "op in ('u', 'd')" -%}
  {% set is_routed = contract['source_tables'] or contract['helper_tables'] -%}
  {% set tables = afterimage.literals((contract['source_tables'] or []) | reject('in', afterimage.tables_sharing_topics(contract))) -%}
  {#- a record without value deletes a row without an envelope, unless deletes are rewritten -#}
  {% set tombstones_are_ignored = afterimage.record_format(contract['format'])['has_envelope'] or contract['delete_tombstone_handling_mode'].startswith('rewrite') -%}
  {% set hashed = columns | rejectattr('name', 'in', afterimage.lob_columns(contract)) | list -%}
  {#- the texts that are checked for a schema block, where the form has none: one could declare another unit than the contract -#}
  {% set blocks = {} -%}
  {% for part, of_part in [('key', keys), ('value', columns)] if not afterimage.may_have_schemas(form) and afterimage.is_any_read_by_schema(of_part) -%}
    {% do blocks.update({part: 'when ' ~ afterimage._routine_has_block('record_' ~ part) ~ " then '" ~ part ~ "'"}) -%}
  {% endfor -%}
-- change log of {{ contract['source_name'] }}.{{ contract['table_name'] }}, made by afterimage.change_log: the routine statement
-- records that match the contract byte for byte are decoded here; the exact statement decodes the marked others
-- contract: {{ contract['origin'] }} (connector {{ contract['connector'] }}, format {{ contract['format'] }})
with

{{ new_records }}

{{ context['afterimage'][contract['format'] ~ '_routine'](contract, form) }}

images as (
    -- the row image of a record: the before image of a delete, otherwise the after image
    select
        *,
        if(op = 'd', before, after) as image,
        {{ afterimage.position_of_record(contract, connector) }} as position,
        {%- if keys %}
        coalesce(
            {{ afterimage.kafka_header('__debezium.oldkey') }},
            {{ afterimage.kafka_header('__debezium.newkey') }}
        ) as other_key_text,
        from_json(other_key_text, {{ afterimage.literal(afterimage._plain_key_type(keys)) }}) as other_key,
        {%- endif %}
        {%- if contract['null_when_not_sent'] %}
        {{ afterimage.kafka_header('__debezium.oldkey') if keys else 'cast(null as string)' }} as old_key,
        {%- endif %}
        {{ afterimage.reported_snapshot() }} as snapshot
    from parsed
),

decoded as (
    -- from here on business columns and ours share one row, so all of ours begin with _cdc_
    select
        {%- for column in columns %}
        {{ afterimage._routine_value(column, is_full) }} as {{ column['sql'] }},
        {%- endfor %}
        {{ afterimage._routine_unknown(columns, is_full) }} as _cdc_unknown,
        cast(null as string) as _cdc_absent,
        cast(null as string) as _cdc_special,
        cast(null as string) as _cdc_extra,
        {{ afterimage.event_columns(contract) }}
        image as _cdc_image,
        after as _cdc_after,
        {%- if keys %}
        other_key_text as _cdc_other_key_text,
        if(to_json(other_key) = other_key_text, {{ afterimage._routine_other_key(keys) }}, null) as _cdc_other_key,
        {%- endif %}
        {%- if reads_before %}
        if({{ has_before }}, before, null) as _cdc_before,
        if({{ has_before }} and before is not null, named_struct(
            {%- for column in columns %}
            {{ afterimage.literal(column['name']) }}, {{ afterimage.fill(afterimage.plain_value(column['decoder']), afterimage._routine_raw(column, 'before')) }}{{ ',' if not loop.last }}
            {%- endfor %}
        ), null) as _cdc_before_row,
        {%- endif %}
        {%- if is_routed %}
        {{ connector['table_in_source'] }} as _cdc_table_in_source,
        {%- endif %}
        -- serialized again, the images equal the record's text: no field is missing, unknown, repeated or mistyped
        startswith(document, beginning)
        and substr(document, length(beginning) + 1) rlike concat(
            {%- for part in context['afterimage'][contract['format'] ~ '_routine_ending'](contract) %}
            {{ afterimage.literal(part) }}{{ ',' if not loop.last }}
            {%- endfor %}
        )
        and is_valid_utf8(document)
        and corrupt is null
        {%- if keys and afterimage.sends_row_before(contract) %}
        and {{ afterimage._routine_same_key(keys) }}
        {%- set key_alone = afterimage.key_alone_before(columns, connector, contract) %}
        {%- if key_alone is not none %}
        and not {{ key_alone }}
        {%- endif %}
        {%- endif %}
        and op in ({{ afterimage.literals(afterimage.accepted_operations(contract) | reject('equalto', 't')) }})
        and (op = 'd') = (after is null) as _cdc_is_expected,
        {%- if blocks %}
        case {{ blocks.values() | join(' ') }} end as _cdc_block,
        {%- endif %}
        record_value is null as _cdc_is_tombstone,
        landed_hash as _cdc_landed_hash
    from images
),

keyed as (
    select
        *,
        {{ afterimage.scoped_key(afterimage.key_text(keys, has_special=false), '_cdc_source_table', contract) if keys else 'case when _cdc_image is not null then ' ~ afterimage.row_text(columns) ~ ' end' }} as _cdc_key,
        {% if keys -%}
        {{ afterimage.scoped_key('_cdc_other_key', '_cdc_source_table', contract) }} as _cdc_previous_key,
        {%- else -%}
        {{ afterimage._routine_before_text(columns) }} as _cdc_previous_key,
        {%- endif %}
        {{ afterimage.image_hash(columns) }} as _cdc_image_hash,
        {{ afterimage._routine_before_hash(hashed) if keys and reads_before else 'cast(null as bigint)' }} as _cdc_before_hash
    from decoded
),

judged as (
    select
        *,
        case
            {%- if keys %}
            when _cdc_other_key_text is not null and _cdc_previous_key is null then 'marked'
            {%- endif %}
            {%- if tombstones_are_ignored %}
            when _cdc_is_tombstone then 'ignored'
            {%- endif %}
            when
                _cdc_is_expected
                {%- if 'key' in blocks %}
                -- the schema of a key defines how the same column of a value without a schema is read
                and not _cdc_block <=> 'key'
                {%- endif %}
                {%- if contract['source_tables'] %}
                and _cdc_table_in_source in ({{ tables or 'null' }})
                {%- endif %}
                {%- if is_routed %}
                and {{ afterimage.helper_kind_declared('_cdc_table_in_source', contract) }} is null
                {%- endif %}
                and _cdc_position is not null
                and _cdc_key is not null
                {%- if afterimage.unsent_is_in_before(contract) %}
                and (_cdc_op <> 'u' or _cdc_unknown is null)
                {%- endif %}
                {%- for condition in afterimage._routine_conditions(columns, is_full, reads_before) %}
                and {{ condition }}
                {%- endfor %}
                then 'accepted'
            else 'marked'
        end as _cdc_outcome
    from keyed
)

select
    {%- for name in afterimage._carried_columns(contract) %}
    {{ afterimage.identifier(name) }},
    {%- endfor %}
    {{ afterimage.change_order(contract) }} as _cdc_order,
    {{ afterimage.event_id(contract, afterimage.identity_hash(columns, late_columns)) }} as _cdc_event_id,
    _cdc_outcome,
    if(_cdc_outcome = 'ignored', 'tombstone', {{ "if(_cdc_outcome = 'marked', _cdc_block, null)" if blocks else 'null' }}) as _cdc_kind,
    if(_cdc_outcome = 'marked', cast(_cdc_landed_hash as string), null) as _cdc_detail,
    cast(null as string) as _cdc_record_key,
    cast(null as string) as _cdc_record_value
from judged
{%- endmacro %}


{# The literal of a column in an image. #}
{% macro _routine_raw(column, image) %}
  {{ return(image ~ '.`' ~ column['field'] ~ '`') }}
{% endmacro %}


{#
  The image to read a column from. Where before images are not full, the image of a delete has only the key, and the connector fills the rest with
  invented values: columns outside the key are read from the row after, which a delete does not have.
#}
{% macro _routine_image(column, is_full, image='image', after='after') %}
  {{ return(image if is_full or column['is_key'] else after) }}
{% endmacro %}


{% macro _routine_value(column, is_full) %}
  {% set raw = afterimage._routine_raw(column, afterimage._routine_image(column, is_full)) %}
  {% set value = afterimage.fill(afterimage.plain_value(column['decoder']), raw) %}
  {% if not column['decoder'].get('unknown') %}{{ return(value) }}{% endif %}
  {{ return('if(' ~ afterimage.fill(column['decoder']['unknown'], raw) ~ ', null, ' ~ value ~ ')') }}
{% endmacro %}


{# JSON array of the names of columns not sent, NULL when all were. #}
{% macro _routine_unknown(columns, is_full) %}
  {% set unsent = {} %}
  {% for column in columns if column['decoder'].get('unknown') and not column['is_key'] %}
    {% do unsent.update({column['name']: afterimage.fill(column['decoder']['unknown'], afterimage._routine_raw(column, afterimage._routine_image(column, is_full)))}) %}
  {% endfor %}
  {% if not unsent %}{{ return('cast(null as string)') }}{% endif %}
  {{ return("case when " ~ ("op <> 'd' and " if not is_full) ~ "(" ~ unsent.values() | join(' or ') ~ ") then " ~ afterimage.json_names(unsent) ~ " end") }}
{% endmacro %}


{# True (SQL) where the row before an update, if it is sent, has the key of the row after. #}
{% macro _routine_same_key(keys) %}
  {% set same_key = [] %}
  {% for column in keys %}{% do same_key.append(afterimage._routine_raw(column, 'before') ~ ' = ' ~ afterimage._routine_raw(column, 'after')) %}{% endfor %}
  {{ return("coalesce(op <> 'u' or (" ~ same_key | join(' and ') ~ "), true)") }}
{% endmacro %}


{# The type of a key as a header has it. #}
{% macro _plain_key_type(keys) %}
  {% set fields = [] %}
  {% for column in keys %}{% do fields.append('`' ~ column['field'] ~ '`: ' ~ afterimage.plain_literal(column['decoder'])) %}{% endfor %}
  {{ return('struct<' ~ fields | join(', ') ~ '>') }}
{% endmacro %}


{# The key of the other event of a key-change pair, as `other_key` has it. #}
{% macro _routine_other_key(keys) %}
  {% set texts = [] %}
  {% for column in keys %}
    {% do texts.append(afterimage.key_part(afterimage.fill(afterimage.plain_value(column['decoder']), afterimage._routine_raw(column, 'other_key')), column['type'])) %}
  {% endfor %}
  {{ return(afterimage.joined_key(texts)) }}
{% endmacro %}


{# Row text of the row before an update of a table without a key. #}
{% macro _routine_before_text(columns) %}
  {% set values = {} %}
  {% for column in columns %}{% do values.update({column['name']: '_cdc_before_row.' ~ column['sql']}) %}{% endfor %}
  {{ return('case when _cdc_before_row is not null then ' ~ afterimage.row_text(columns, values, 'cast(null as string)') ~ ' end') }}
{% endmacro %}


{# Hash of the row before an update, as image_hash makes it; NULL where that row lacks the key. #}
{% macro _routine_before_hash(columns) %}
  {% set befores, has_key = [], [] %}
  {% for column in columns %}
    {% do befores.append({'sql': '_cdc_before_row.' ~ column['sql'], 'type': column['type']}) %}
    {% if column['is_key'] %}{% do has_key.append(afterimage._routine_raw(column, '_cdc_before') ~ ' is not null') %}{% endif %}
  {% endfor %}
  {{ return('case when ' ~ has_key | join(' and ') ~ ' then ' ~ afterimage.image_hash(befores, 'cast(null as string)', 'cast(null as string)') ~ ' end') }}
{% endmacro %}


{# The conditions under which the values of a record are plainly of their types: a list of SQL. #}
{% macro _routine_conditions(columns, is_full, reads_before) %}
  {% set conditions = [] %}
  {% for column in columns if afterimage.plain_value(column['decoder']) != '{raw}' %}
    {% set image = afterimage._routine_image(column, is_full, '_cdc_image', '_cdc_after') %}
    {% set parts = [afterimage._routine_raw(column, image) ~ ' is null', column['sql'] ~ ' is not null'] %}
    {% if column['decoder'].get('unknown') %}{% do parts.append(afterimage.json_names_has('_cdc_unknown', column['name'])) %}{% endif %}
    {% do conditions.append('(' ~ parts | join(' or ') ~ ')') %}
    {% if reads_before %}
      {% do conditions.append('(' ~ afterimage._routine_raw(column, '_cdc_before') ~ ' is null or _cdc_before_row.' ~ column['sql'] ~ ' is not null)') %}
    {% endif %}
  {% endfor %}
  {{ return(conditions) }}
{% endmacro %}


{#
  True (SQL) where a key or a value may have a schema block: before or after its payload, with spaces, within a JSON string. A row
  without an envelope that begins with a column of such a name matches too.
#}
{% macro _routine_has_block(text) %}
  {{ return('left(' ~ text ~ ', 24) rlike ' ~ afterimage.literal('\\A\\W*(schema|payload)\\W')) }}
{% endmacro %}

{#
  The rows of a model next to the source's own rows, for a table with a key: one row per key, with its status.

  In:  versions, the ref() of a current state or a history; source_rows, what the source holds: a relation, or a query in parentheses, with the
       columns as the source names them and either values of the contract's types or the text that the database prints (see printed_value).
       taken_from, taken_until: SQL timestamps between which the source was read. With them versions is a history, and a row is identical if it
       equals a version that was active in between, or if the key was absent in between and the source lacks it.
       reached: SQL timestamp up to which all changes are staged, by default the newest change of the history that no snapshot read.
       buckets: only rows of these buckets of keys are compared (see _key_bucket), and source_rows has no others.
       exclude_columns, names in the model of columns that are not compared. Masked columns never are, and at a past time untracked ones are
       not: a version shows their newest values.
  Out: a select of
       row_key           as shown_key has it
       status            identical; modified; added (only the source has it); removed (only the model has it); unknown (modified, but only in
                         columns whose value no record carried); pending (different, but the source was read after `reached`)
       differing_columns, unknown_columns    names in the model
       source_values, model_values           map of column and text, of the columns that differ; a sensitive column is left out
       position, source_ts                   of the model's version
  Raises for a table without a key, a column that source_rows lacks, and a type that cannot be compared with a text; for taken_from without a history.

      {{ afterimage.reconcile(ref('cur_shop__orders'), source('shop_copy', 'orders')) }}
#}
{% macro reconcile(versions, source_rows, taken_from=none, taken_until=none, reached=none, exclude_columns=[], buckets=none) -%}
  {% if not execute %}{{ return('') }}{% endif -%}
  {% set node = afterimage.node_of(versions, 'a current state or a history') -%}
  {% set contract = afterimage.contract_of_model(node) -%}
  {% if taken_from and node.config.materialized != 'cdc_history' %}
    {% do exceptions.raise_compiler_error('[afterimage] reconcile: ' ~ versions ~ ' is no history, which comparing with a past time needs.') %}
  {% endif -%}
  {% set columns = afterimage._columns_to_compare(contract, source_rows, exclude_columns, contract['untracked'] if taken_from else []) -%}
  {% set keys = [] -%}
  {% for column in afterimage.key_columns(contract) %}{% do keys.append('source_rows.' ~ column['sql']) %}{% endfor -%}
  {% set until = taken_until or taken_from -%}
  {% set in_time = 'valid_from <= ' ~ until ~ ' and coalesce(valid_to >= ' ~ taken_from ~ ', true)' -%}
  {% set in_buckets = afterimage._key_bucket(contract) ~ ' in (' ~ afterimage.literals(buckets or ['none']) ~ ')' if buckets is not none -%}
  {% set conditions = [in_time if taken_from else afterimage._is_row_now(node, contract), in_buckets] | select | list -%}
-- {{ versions.identifier }} and the rows of its source, made by afterimage.reconcile
with

source_values as (
    select
        struct(*) as _cdc_printed,
        {%- for column in columns %}
        {{ afterimage._as(column['value'], column['sql']) }}{{ ',' if not loop.last }}
        {%- endfor %}
    from {{ source_rows }}
),

-- values as text, so that both sides also show those that no type of Spark holds
source_rows as (
    select
        {%- for column in columns %}
        {{ afterimage._as(column['text'] if column['value'] == column['sql'] else 'coalesce(' ~ column['text'] ~ ', cast(' ~ column['printed'] ~ ' as string))', column['sql']) }},
        {%- endfor %}
        {{ 'monotonically_increasing_id()' if taken_from else 'true' }} as _cdc_source_row
    from source_values
),

model_rows as (
    select
        _cdc_key,
        _cdc_position,
        _cdc_source_ts,
        coalesce(from_json(_cdc_unknown, 'array<string>'), array()) as _cdc_unknown,
        {%- if taken_from %}
        valid_from,
        valid_to,
        {%- endif %}
        {%- for column in columns %}
        {%- set special = afterimage.special_text(column['name']) if column['decoder'].get('special') %}
        {{ afterimage._as('coalesce(' ~ column['text'] ~ ', ' ~ special ~ ')' if special else column['text'], column['sql']) }}{{ ',' if not loop.last }}
        {%- endfor %}
    from {{ versions }}
    {%- if conditions %}
    where {{ conditions | join('\n        and ') }}
    {%- endif %}
),

compared as (
    select
        coalesce(model_rows._cdc_key, {{ afterimage.joined_key(keys, is_sent='true') }}) as _cdc_key,
        model_rows._cdc_position,
        model_rows._cdc_source_ts,
        {%- if taken_from %}
        model_rows.valid_from,
        model_rows.valid_to,
        source_rows._cdc_source_row,
        {%- endif %}
        source_rows._cdc_source_row is not null as is_in_source,
        model_rows._cdc_key is not null as is_in_model,
        array_compact(array(
            {%- for column in columns %}
            if(model_rows.{{ column['sql'] }} <=> source_rows.{{ column['sql'] }}, null, {{ afterimage.literal(column['name']) }}){{ ',' if not loop.last }}
            {%- endfor %}
        )) as differing_columns,
        model_rows._cdc_unknown,
        {%- for side in ['source', 'model'] %}
        map(
            {%- for column in columns if not column['is_sensitive'] %}
            {{ afterimage.literal(column['name']) }}, {{ side }}_rows.{{ column['sql'] }}{{ ',' if not loop.last }}
            {%- endfor %}
        ) as {{ side }}_values{{ ',' if not loop.last }}
        {%- endfor %}
    from model_rows
    full outer join source_rows
        on {% for column in columns if column['is_key'] %}model_rows.{{ column['sql'] }} <=> source_rows.{{ column['sql'] }}{{ ' and ' if not loop.last }}{% endfor %}
),
{%- if taken_from %}

-- of the versions active while the source was read, the one that is most like its row
closest as (
    select
        *,
        row_number() over (
            partition by _cdc_key, _cdc_source_row
            order by if(is_in_source, size(differing_columns), 0), _cdc_position desc
        ) as likeness,
        not coalesce(
            max(coalesce(valid_to > {{ until }}, true)) over (partition by _cdc_key)
            and min(valid_from) over (partition by _cdc_key) < {{ taken_from }}
            and sum(
                unix_micros(least(valid_to, {{ until }})) - unix_micros(greatest(valid_from, {{ taken_from }}))
            ) over (partition by _cdc_key) >= unix_micros({{ until }}) - unix_micros({{ taken_from }}),
            false
        ) as was_absent
    from compared
),
{%- endif %}

judged as (
    select
        *,
        case
            when is_in_source and is_in_model and size(differing_columns) = 0 then 'identical'
            {%- if taken_from %}
            when not is_in_source and was_absent then 'identical'
            when {{ reached or "(select max(history._cdc_source_ts) from " ~ versions ~ " as history where history._cdc_op <> 'r')" }} >= {{ until }} is not true then 'pending'
            {%- endif %}
            when not is_in_model then 'added'
            when not is_in_source then 'removed'
            when size(array_except(differing_columns, _cdc_unknown)) = 0 then 'unknown'
            else 'modified'
        end as status
    from {{ 'closest' if taken_from else 'compared' }}
    {%- if taken_from %}
    where likeness = 1
    {%- endif %}
)

select
    {{ afterimage.shown_key('_cdc_key', contract) }} as row_key,
    status,
    if(is_in_source and is_in_model, differing_columns, array()) as differing_columns,
    array_intersect(differing_columns, _cdc_unknown) as unknown_columns,
    {%- for side in ['source', 'model'] %}
    if(is_in_{{ side }}, map_filter({{ side }}_values, (name, value) -> array_contains(differing_columns, name)), null) as {{ side }}_values,
    {%- endfor %}
    _cdc_position as position,
    _cdc_source_ts as source_ts
from judged
{%- endmacro %}


{#
  The columns to compare, as contract_columns has them, each with `printed`, SQL of the source's value; `value`, SQL of the same in the column's
  type; `text`, SQL of the text by which a value of the column is compared.
#}
{% macro _columns_to_compare(contract, source_rows, exclude_columns, untracked) %}
  {% set where = '[afterimage] reconcile: ' ~ contract['source_name'] ~ '.' ~ contract['table_name'] %}
  {% if not contract['key'] or contract['key'] == [afterimage.row_id_column()] or contract['key_within'] == 'physical_table' %}
    {% do exceptions.raise_compiler_error(where ~ ' has no key by which a row of the model finds its row in the source.') %}
  {% endif %}
  {% set known = afterimage.contract_columns(contract) %}
  {% set unknown = exclude_columns | reject('in', known | map(attribute='name') | list) | list %}
  {% if unknown %}{% do exceptions.raise_compiler_error(where ~ ' has no column ' ~ unknown | join(', ') ~ ' to exclude.') %}{% endif %}
  {% set left_out = exclude_columns + (contract['masked'] or {}) | list + (untracked or []) | list %}
  {% set keys_left_out = contract['key'] | select('in', left_out) | list %}
  {% if keys_left_out %}{% do exceptions.raise_compiler_error(where ~ ': its rows are matched by ' ~ keys_left_out | join(', ') ~ ', which is masked or excluded.') %}{% endif %}
  {% set types = afterimage._types_there(source_rows) %}
  {% set found, missing, texts = [], [], [] %}
  {% for column in known if column['name'] not in left_out and not column['name'].startswith('_cdc_') %}
    {% set own = column.get('source_name', column['name']) %}
    {% set type, printed = types.get(own | lower, 'string'), afterimage.identifier(own) %}
    {% do missing.append(own) if types and own | lower not in types %}
    {% if modules.re.match('string|varchar|char|void', type) %}
      {% set value = afterimage.printed_value(column, printed, contract) %}
    {% elif type == column['type'] %}
      {% set value = printed %}
    {% elif type == 'timestamp_ntz' and column['type'] == 'timestamp' %}
      {% set value = afterimage.printed_value(column, 'cast(' ~ printed ~ ' as string)', contract) %}
    {% else %}
      {# NULL where the type of the column would lose something #}
      {% set cast = 'try_cast(' ~ printed ~ ' as ' ~ column['type'] ~ ')' %}
      {% set value = 'if(try_cast(' ~ cast ~ ' as ' ~ type ~ ') <=> ' ~ printed ~ ', ' ~ cast ~ ', null)' %}
    {% endif %}
    {% do texts.append(column['name'] ~ ' (' ~ column['type'] ~ ')') if value is none %}
    {% do found.append(dict(column, printed='_cdc_printed.' ~ afterimage.identifier(own), value=value, text=afterimage.compared_text(column, column['sql'], contract))) %}
  {% endfor %}
  {% if missing %}
    {% do exceptions.raise_compiler_error(where ~ ': the rows of the source lack ' ~ missing | join(', ') ~ '. Add them, or name them in exclude_columns as the model does.') %}
  {% endif %}
  {% if texts %}
    {% do exceptions.raise_compiler_error(where ~ ': a text of the source cannot be compared with ' ~ texts | join(', ') ~ '. Give the rows of the source a column of the type in parentheses, or name it in exclude_columns.') %}
  {% endif %}
  {{ return(found) }}
{% endmacro %}


{# Column in lower case -> type, of a relation or a query in parentheses; {} where nothing may be queried. #}
{% macro _types_there(rows) %}
  {% set types = {} %}
  {% if execute and not afterimage.is_only_compiled() %}
    {% for row in afterimage.ask('read the columns of the source rows', 'describe query select * from ' ~ rows).rows %}{% do types.update({row[0] | lower: row[1]}) %}{% endfor %}
  {% endif %}
  {{ return(types) }}
{% endmacro %}


{# The condition (SQL) of the rows of a history or current state that exist now; none if all do. #}
{% macro _is_row_now(node, contract) %}
  {{ return('is_current' if node.config.materialized == 'cdc_history' else 'not _cdc_is_deleted' if afterimage.keeps_deleted(contract) else none) }}
{% endmacro %}


{# A value under a column's name. In and out: SQL. #}
{% macro _as(value, name) %}
  {{ return(value if value == name else value ~ ' as ' ~ name) }}
{% endmacro %}

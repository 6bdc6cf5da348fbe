{#
  The versions of single rows, newest last, as `afterimage report` shows them; columns declared sensitive are omitted,
  and a key with such a column is shown as its hash (see shown_key).

  In:  rows, list of {table, key, named_by}: source.table, the key as in _cdc_key or as it may be shown, and key
       (requested by `--key`), finding (of accounting), refused (the row is behind a refused change) or unknown (it has
       values that no record has sent); tables, see _tables_with_history.
  Out: list of {source_name, table_name, key, named_by, versions}: the newest hundred versions, and the one before, to
  show what changed:
    row_key, valid_from, valid_to, op, position, end_reason, previous_key, snapshot, unknown   see history_columns
    row_values, special   its columns, and those of their values that no Spark type holds
    versions_there        how many versions the row has
  Raises for a requested key that does not exist.
#}
{% macro row_timelines(rows, tables) %}
  {% set timelines, by_table = [], {} %}
  {# a history is read once for all its rows #}
  {% for id, of_table in rows | groupby('table') %}
    {% set versions_of = {} %}
    {% for version in afterimage.rows_as_json(afterimage._versions_of_rows(tables[id]['history'], tables[id]['contract'], of_table | map(attribute='key') | list)) %}
      {% do versions_of.setdefault(version.pop('named_as'), []).append(version) %}
    {% endfor %}
    {% do by_table.update({id: versions_of}) %}
  {% endfor %}
  {% for row in rows %}
    {% set table = tables[row['table']] %}
    {% set contract = table['contract'] %}
    {% set versions = by_table[row['table']].get(row['key']) %}
    {% if versions %}
      {% do timelines.append({'source_name': contract['source_name'], 'table_name': contract['table_name'], 'key': versions[0]['row_key'],
                              'named_by': row['named_by'], 'versions': versions}) %}
    {% elif row['named_by'] == 'key' %}
      {% set names = contract['key'] %}
      {% do exceptions.raise_compiler_error(
        '[afterimage] --key ' ~ row['table'] ~ '=' ~ row['key'] ~ ': no such row in ' ~ table['history'] ~ '. The key is ' ~ names | join(', ') ~ '; give it as '
        ~ ('JSON, {"' ~ names | join('": …, "') ~ '": …}, or as ' if names | length > 1 else '') ~ 'the column _cdc_key there has it.') %}
    {% endif %}
  {% endfor %}
  {{ return(timelines) }}
{% endmacro %}


{#
  The requested rows, for row_timelines. In: keys, list of {table, key}, a key of several columns also as JSON. Raises
  for a table without them.
#}
{% macro _rows_asked_for(keys, tables) %}
  {% set rows = [] %}
  {% for each in keys %}
    {% set table = tables.get(each['table']) %}
    {% set wrong = '[afterimage] --key ' ~ each['table'] ~ '=' ~ each['key'] ~ ': ' %}
    {% if not table %}
      {% do exceptions.raise_compiler_error(wrong ~ 'no model of the history of ' ~ each['table'] ~ '. There are histories of: '
                                            ~ (tables | sort | join(', ') or 'no table')) %}
    {% elif not table['contract']['key'] %}
      {% do exceptions.raise_compiler_error(wrong ~ 'the table has no key, so none of its rows can be named.') %}
    {% elif table['history'] is none %}
      {% do exceptions.raise_compiler_error(wrong ~ table['name'] ~ ' has not run yet: `dbt run` makes it.') %}
    {% endif %}
    {% do rows.append({'table': each['table'], 'key': afterimage._key_as_stored(each['key'], table['contract']), 'named_by': 'key'}) %}
  {% endfor %}
  {{ return(rows) }}
{% endmacro %}


{#
  The first ten rows that are behind refused records, that findings name, or that have unknown values, for
  row_timelines. In: found, see report_rows.
#}
{% macro _rows_named_by(found, tables) %}
  {% set rows = [] %}
  {% for id, table in tables.items() if table['contract']['key'] and table['history'] is not none %}
    {% do rows.extend(afterimage._rows_named(id, table, found)) %}
  {% endfor %}
  {% for row in found['unknown'] %}
    {% set id = row['source_name'] ~ '.' ~ row['table_name'] %}
    {% if row['key'] is not none and id in tables and tables[id]['history'] is not none %}{% do rows.append({'table': id, 'key': row['key'], 'named_by': 'unknown'}) %}{% endif %}
  {% endfor %}
  {{ return(rows[:10]) }}
{% endmacro %}


{#
  {source.table: {name, contract, history, change_log}}: the model of its history, and the relations, none where they
  have not run.
#}
{% macro _tables_with_history() %}
  {% set tables, change_logs = {}, {} %}
  {% for node in graph.nodes.values() | selectattr('resource_type', 'equalto', 'model') | sort(attribute='name') if node.config.materialized in ['cdc_change_log', 'cdc_history'] %}
    {% set contract = afterimage.contract_of_model(node) %}
    {% set id = contract['source_name'] ~ '.' ~ contract['table_name'] %}
    {% if node.config.materialized == 'cdc_change_log' %}
      {% do change_logs.update({id: afterimage._relation_there(node)}) %}
    {% else %}
      {% do tables.update({id: {'name': node.name, 'contract': contract, 'history': afterimage._relation_there(node)}}) %}
    {% endif %}
  {% endfor %}
  {% for id, table in tables.items() %}{% do table.update({'change_log': change_logs.get(id)}) %}{% endfor %}
  {{ return(tables) }}
{% endmacro %}


{#
  A key as in _cdc_key. In: key, its text, for several columns also JSON, an array in their order or an object by
  name; contract.
#}
{% macro _key_as_stored(key, contract) %}
  {% set given = fromjson(key) if contract['key'] | length > 1 else none %}
  {% if given is mapping %}
    {% set by_name = given %}
    {% set given = [] %}
    {% for name in contract['key'] %}{% do given.append(by_name.get(name)) %}{% endfor %}
  {% endif %}
  {% if given is not iterable or given is string %}{{ return(key) }}{% endif %}
  {% set texts = [] %}
  {% for value in given %}{% do texts.append('null' if value is none else afterimage.json_text(value if value is string else tojson(value))) %}{% endfor %}
  {{ return('[' ~ texts | join(',') ~ ']') }}
{% endmacro %}


{#
  The rows of a table that are behind refused records, and those of the records that findings name, as {table, key,
  named_by}: at most ten of each. A finding names a record by its coordinate (see record_named), by which the change
  log finds the row.
#}
{% macro _rows_named(id, table, found) %}
  {% set contract, rows, places = table['contract'], [], [] %}
  {% for quarantine in found['quarantines'] %}
    {% for behind in quarantine.get('rows_behind', []) if behind['source_name'] ~ '.' ~ behind['table_name'] == id %}
      {% do rows.append({'table': id, 'key': behind['row_key'], 'named_by': 'refused'}) %}
    {% endfor %}
  {% endfor %}
  {% for accounting in found['accountings'] %}
    {% for finding in accounting['rows'] or [] if finding['examples'] and finding['topic'] and finding['source_name'] ~ '.' ~ finding['table_name'] == id %}
      {% for example in finding['examples'] %}
        {% set place = modules.re.match('^(?:[a-z] )?(\\d+):(\\d+)(?: |$)', example) %}
        {% if place %}{% do places.append('(' ~ afterimage.literal(finding['topic']) ~ ', ' ~ place.group(1) ~ ', ' ~ place.group(2) ~ 'L)') %}{% endif %}
      {% endfor %}
    {% endfor %}
  {% endfor %}
  {% if places and table['change_log'] is not none %}
    {% set known = rows | map(attribute='key') | list %}
    {% for row in afterimage.rows_as_json(afterimage._keys_at_places(table['change_log'], contract, places)) if row['row_key'] not in known %}
      {% do rows.append({'table': id, 'key': row['row_key'], 'named_by': 'finding'}) %}
    {% endfor %}
  {% endif %}
  {{ return(rows) }}
{% endmacro %}


{# The keys of the changes at landing coordinates. In: places, SQL of (topic, partition, offset). #}
{% macro _keys_at_places(change_log, contract, places) -%}
select distinct {{ afterimage.shown_key('row_key', contract) }} as row_key
from {{ change_log }}
    lateral view explode(array(_cdc_key, _cdc_previous_key)) as row_key
where (_cdc_topic, _cdc_partition, _cdc_offset) in ({{ places | join(', ') }}) and row_key is not null
order by row_key
limit 10
{%- endmacro %}


{# The versions of rows, of each the newest 101. In: keys, as in _cdc_key or as they may be shown; named_as is that of the row. #}
{% macro _versions_of_rows(history, contract, keys) -%}
{% set shown_key = afterimage.shown_key('_cdc_key', contract) -%}
{% set values, special = [], {} -%}
{% for column in afterimage.contract_columns(contract) if not column['is_sensitive'] -%}
  {% do values.append(column['sql']) -%}
  {% if column['decoder'].get('special') %}{% do special.update({column['name']: afterimage.special_text(column['name'])}) %}{% endif -%}
{% endfor -%}
select * except (recency, _cdc_order)
from (
    select
        if(_cdc_key in ({{ afterimage.literals(keys) }}), _cdc_key, {{ shown_key }}) as named_as,
        {{ shown_key }} as row_key,
        valid_from,
        valid_to,
        _cdc_op as op,
        _cdc_position as position,
        _cdc_order,
        _cdc_end_reason as end_reason,
        {{ afterimage.shown_key('_cdc_previous_key', contract) }} as previous_key,
        _cdc_snapshot as snapshot,
        {{ 'struct(' ~ values | join(', ') ~ ')' if values else "map()" }} as row_values,
        from_json(_cdc_unknown, 'array<string>') as unknown,
        {{ "from_json(" ~ afterimage.json_texts(special) ~ ", 'map<string, string>')" if special else 'map()' }} as special,
        count(*) over (partition by _cdc_key) as versions_there,
        row_number() over (partition by _cdc_key order by _cdc_position desc, _cdc_order desc) as recency
    from {{ history }}
    where _cdc_key in ({{ afterimage.literals(keys) }}){{ ' or ' ~ shown_key ~ ' in (' ~ afterimage.literals(keys) ~ ')' if shown_key != '_cdc_key' }}
) as versions
where recency <= 101
order by position, _cdc_order
{%- endmacro %}

{#
  The content of `afterimage report`, as one line of JSON: read from the quality models through dbt's own connection,
  so that it works on every target.

      dbt run-operation afterimage.report_rows

  In:  newest, how many rows of each quarantine, and incomplete transactions, to show; keys, list of {table, key}:
       rows whose versions are shown (see row_timelines). Prints lists of
    accountings   {name, rows}: source_name, table_name, topic, outcome, kind, records, examples; rows is none for a
                  model that has not run
    quarantines   {name, reasons, behind, rows_behind, unknown, newest}: the count of each reason, how many rows are
                  behind by table, the first ten of them, for how many it is unknown, and the newest in full; reasons
                  is none for a model that has not run
    runs          {name, rows}: table_name, run, outcome, records, landed_until
    ended         tables whose rows are shown though a statement emptied or dropped them (schema_changes)
    change_logs   {source_name, table_name, changes, last_change, last_landed} of each that has run
    drifts        {name, rows} of each model of contract_drift that has run, its columns
    transactions  {name, states, first} of each model of transactions: how many are in each incomplete state, and the
                  first of them in order of their end
    unread        {source_name, table_name, snapshot, run, run_started_at, records, rows}: rows that the newest
                  complete snapshot of a table did not read (see rows_not_in_snapshot), how many, and the first ten
    unknown       {source_name, table_name, columns, records, key}: rows of a current state with values that no record
                  has sent, how many by these columns (JSON), and the key of one
    timelines     versions of single rows, see row_timelines
#}
{% macro report_rows(newest=10, keys=[]) %}
  {% set found = {'accountings': [], 'quarantines': [], 'runs': [], 'ended': [], 'change_logs': [], 'drifts': [], 'transactions': [], 'unread': [], 'unknown': []} %}
  {% set tables = afterimage._tables_with_history() %}
  {% set timelines = afterimage.row_timelines(afterimage._rows_asked_for(keys, tables), tables) %}
  {% for node in graph.nodes.values() | selectattr('resource_type', 'equalto', 'model') | sort(attribute='name') %}
    {% set made_by, relation = node.depends_on.macros, afterimage._relation_there(node) %}
    {% if 'macro.afterimage.accounting' in made_by %}
      {% do found['accountings'].append({'name': node.name, 'rows': none if relation is none else afterimage.rows_as_json(
        'select source_name, table_name, topic, outcome, kind, sum(records) as records, max(examples) as examples from ' ~ relation
        ~ ' group by source_name, table_name, topic, outcome, kind having sum(records) <> 0 order by table_name, outcome, records desc, kind, topic')}) %}
    {% elif 'macro.afterimage.quarantine' in made_by %}
      {% do found['quarantines'].append(dict({'name': node.name}, **afterimage._report_of_quarantine(relation, newest))) %}
    {% elif relation is none %}{# all others are left out until they have run #}
    {% elif 'macro.afterimage.accounting_by_run' in made_by %}
      {% do found['runs'].append({'name': node.name, 'rows': afterimage.rows_as_json(
        'select table_name, run, outcome, sum(records) as records, max(landed_until) as landed_until from ' ~ relation
        ~ ' group by table_name, run, outcome order by table_name, run, outcome')}) %}
    {% elif 'macro.afterimage.schema_changes' in made_by %}
      {% do found['ended'].extend(afterimage.rows_as_json(
        'select table_name, change, ddl, changed_at, former_table from ' ~ relation ~ ' where is_alarm and not is_repeat order by changed_at')) %}
    {% elif 'macro.afterimage.contract_drift' in made_by %}
      {% do found['drifts'].append({'name': node.name, 'rows': afterimage.rows_as_json('select * from ' ~ relation ~ ' order by table_name, drift, column_name')}) %}
    {% elif 'macro.afterimage.transactions' in made_by %}
      {% do found['transactions'].append(dict({'name': node.name}, **afterimage._incomplete_transactions(relation, newest))) %}
    {% elif 'macro.afterimage.snapshots' in made_by %}
      {% do found['unread'].extend(afterimage._rows_unread(relation, tables)) %}
    {% elif node.config.materialized == 'cdc_change_log' %}
      {% set contract = afterimage.contract_of_model(node) %}
      {% do found['change_logs'].append('select ' ~ afterimage.literal(contract['source_name']) ~ ' as source_name, ' ~ afterimage.literal(contract['table_name']) ~ " as table_name, count(*) as changes, max(_cdc_source_ts) as last_change, max(_cdc_landed_ts) as last_landed from " ~ relation) %}
    {% elif node.config.materialized == 'cdc_current' %}
      {% do found['unknown'].append(afterimage._rows_with_unknown_values(relation, afterimage.contract_of_model(node))) %}
    {% endif %}
  {% endfor %}
  {# a query for all tables #}
  {% for name, order in {'change_logs': 'source_name, table_name', 'unknown': 'source_name, table_name, columns'}.items() if found[name] %}
    {% do found.update({name: afterimage.rows_as_json(found[name] | join(' union all ') ~ ' order by ' ~ order)}) %}
  {% endfor %}
  {% do timelines.extend(afterimage.row_timelines(afterimage._rows_named_by(found, tables), tables)) %}
  {% do found.update({'timelines': timelines}) %}
  {% do print(tojson(found)) %}
{% endmacro %}


{# SQL of the rows of a current state that have unknown values. In: relation; contract. #}
{% macro _rows_with_unknown_values(relation, contract) -%}
select
    {{ afterimage.literal(contract['source_name']) }} as source_name,
    {{ afterimage.literal(contract['table_name']) }} as table_name,
    _cdc_unknown as columns,
    count(*) as records,
    min({{ afterimage.shown_key('_cdc_key', contract) }}) as key
from {{ relation }}
where _cdc_unknown is not null
group by _cdc_unknown
{%- endmacro %}


{# The table or view of a model; none when it has not run. #}
{% macro _relation_there(node) %}
  {% set relation = afterimage.relation_of(node) %}
  {{ return(relation if afterimage.listed_relation(relation) is not none else none) }}
{% endmacro %}


{% macro _report_of_quarantine(relation, newest) %}
  {% if relation is none %}{{ return({'reasons': none}) }}{% endif %}
  {{ return({
    'reasons': afterimage.rows_as_json('select reason, count(*) as records from ' ~ relation ~ ' group by reason order by records desc, reason'),
    'behind': afterimage.rows_as_json('select table_name, count(distinct row_key) as keys from ' ~ relation ~ ' where row_is_behind group by table_name order by table_name'),
    'rows_behind': afterimage.rows_as_json('select distinct source_name, table_name, row_key from ' ~ relation ~ ' where row_is_behind order by table_name, row_key limit 10'),
    'unknown': afterimage.rows_as_json('select count(*) as records from ' ~ relation ~ ' where row_is_behind is null')[0]['records'],
    'newest': afterimage.rows_as_json(
      'select topic, partition, offset, file, line, reason, detail, record_value from ' ~ relation
      ~ ' order by refused_at desc, topic, partition, offset, file, line limit ' ~ newest | int),
  }) }}
{% endmacro %}


{#
  The states of transactions that are incomplete, or may be. In: relation, a model of transactions; newest, how many
  to list in full.
#}
{% macro _incomplete_transactions(relation, newest) %}
  {% set incomplete = ' from ' ~ relation ~ " where state in ('missing', 'open', 'unbounded', 'more', 'extra', 'fault')" %}
  {{ return({
    'states': afterimage.rows_as_json('select state, count(distinct coalesce(transaction_id, fault)) as transactions' ~ incomplete ~ ' group by state order by state'),
    'first': afterimage.rows_as_json(
      'select transaction_id, data_collection, table_name, state, reported, staged, began_at, ended_at, changed_at, fault' ~ incomplete
      ~ ' order by ended_order nulls last, began_at, transaction_id, data_collection limit ' ~ newest | int),
  }) }}
{% endmacro %}


{#
  For each table with a key and a history, the rows that its newest complete snapshot did not read. In: relation, a
  model of snapshots; tables, see _tables_with_history.
#}
{% macro _rows_unread(relation, tables) %}
  {% set found = [] %}
  {% set runs = afterimage.rows_as_json(
    'select source_name, table_name, max_by(struct(snapshot, run, run_started_at), run_started_at) as newest from ' ~ relation
    ~ " where evidence = 'absence' and table_name is not null and coalesce(rows_landed >= rows_scanned, true) group by source_name, table_name order by source_name, table_name") %}
  {% for each in runs %}
    {% set table = tables.get(each['source_name'] ~ '.' ~ each['table_name'], {}) %}
    {% if table.get('history') and table['change_log'] and table['contract']['key'] %}
      {% set unread = afterimage.rows_not_in_snapshot(
        table['history'], table['change_log'], table['contract'], 'timestamp ' ~ afterimage.literal(each['newest']['run_started_at'])) %}
      {% set rows = afterimage.rows_as_json('select *, count(*) over () as records from (' ~ unread ~ ') as unread order by position, row_key limit 10') %}
      {% if rows %}
        {% do found.append(dict({'source_name': each['source_name'], 'table_name': each['table_name'], 'records': rows[0]['records'], 'rows': rows}, **each['newest'])) %}
      {% endif %}
    {% endif %}
  {% endfor %}
  {{ return(found) }}
{% endmacro %}

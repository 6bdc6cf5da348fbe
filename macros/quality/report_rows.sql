{#
  What `afterimage report` shows, as one line of JSON: asked of the quality models by dbt's own connection, so that it works on every target.

      dbt run-operation afterimage.report_rows

  In:  newest, how many rows of each quarantine. Prints lists of
    accountings   {name, rows}: source_name, table_name, topic, outcome, kind, records, examples; rows is none for a model that has not run
    quarantines   {name, reasons, behind, unknown, newest}: how many of each reason, how many rows stand behind by table, of how many it is not known, and
                  the newest whole; reasons is none for a model that has not run
    runs          {name, rows}: table_name, run, outcome, records, landed_until
    ended         tables whose rows are shown though a statement emptied or dropped them (schema_changes)
    change_logs   {source_name, table_name, changes, last_change, last_landed} of each that has run
#}
{% macro report_rows(newest=10) %}
  {% set found = {'accountings': [], 'quarantines': [], 'runs': [], 'ended': [], 'change_logs': []} %}
  {% for node in graph.nodes.values() | selectattr('resource_type', 'equalto', 'model') | sort(attribute='name') %}
    {% set made_by, relation = node.depends_on.macros, afterimage._relation_there(node) %}
    {% if 'macro.afterimage.accounting' in made_by %}
      {% do found['accountings'].append({'name': node.name, 'rows': none if relation is none else afterimage._rows_as_json(
        'select source_name, table_name, topic, outcome, kind, sum(records) as records, max(examples) as examples from ' ~ relation
        ~ ' group by source_name, table_name, topic, outcome, kind having sum(records) <> 0 order by table_name, outcome, records desc, kind, topic')}) %}
    {% elif 'macro.afterimage.quarantine' in made_by %}
      {% do found['quarantines'].append(dict({'name': node.name}, **afterimage._report_of_quarantine(relation, newest))) %}
    {% elif 'macro.afterimage.accounting_by_run' in made_by and relation is not none %}
      {% do found['runs'].append({'name': node.name, 'rows': afterimage._rows_as_json(
        'select table_name, run, outcome, sum(records) as records, max(landed_until) as landed_until from ' ~ relation
        ~ ' group by table_name, run, outcome order by table_name, run, outcome')}) %}
    {% elif 'macro.afterimage.schema_changes' in made_by and relation is not none %}
      {% do found['ended'].extend(afterimage._rows_as_json(
        'select table_name, change, ddl, changed_at, former_table from ' ~ relation ~ ' where is_alarm and not is_repeat order by changed_at')) %}
    {% elif node.config.materialized == 'cdc_change_log' and relation is not none %}
      {% set contract = afterimage.contract_of_model(node) %}
      {% do found['change_logs'].append('select ' ~ afterimage.literal(contract['source_name']) ~ ' as source_name, ' ~ afterimage.literal(contract['table_name']) ~ " as table_name, count(*) as changes, max(_cdc_source_ts) as last_change, max(_cdc_landed_ts) as last_landed from " ~ relation) %}
    {% endif %}
  {% endfor %}
  {% if found['change_logs'] %}
    {% do found.update({'change_logs': afterimage._rows_as_json(found['change_logs'] | join(' union all ') ~ ' order by source_name, table_name')}) %}
  {% endif %}
  {% do print(tojson(found)) %}
{% endmacro %}


{# The table or view of a model; none when it has not run. #}
{% macro _relation_there(node) %}
  {% if afterimage.listed_relation(node.schema, node.alias, node.database) is none %}{{ return(none) }}{% endif %}
  {{ return(api.Relation.create(schema=node.schema, identifier=node.alias)) }}
{% endmacro %}


{% macro _report_of_quarantine(relation, newest) %}
  {% if relation is none %}{{ return({'reasons': none}) }}{% endif %}
  {{ return({
    'reasons': afterimage._rows_as_json('select reason, count(*) as records from ' ~ relation ~ ' group by reason order by records desc, reason'),
    'behind': afterimage._rows_as_json('select table_name, count(distinct row_key) as keys from ' ~ relation ~ ' where row_is_behind group by table_name order by table_name'),
    'unknown': afterimage._rows_as_json('select count(*) as records from ' ~ relation ~ ' where row_is_behind is null')[0]['records'],
    'newest': afterimage._rows_as_json(
      'select topic, partition, offset, file, line, reason, detail, record_value from ' ~ relation
      ~ ' order by refused_at desc, topic, partition, offset, file, line limit ' ~ newest | int),
  }) }}
{% endmacro %}


{# Rows of a select as a list of dicts: as JSON they come alike from every driver. #}
{% macro _rows_as_json(select_sql) %}
  {% set rows = [] %}
  {% for row in run_query("select to_json(struct(*), map('ignoreNullFields', 'false')) as row_json from (" ~ select_sql ~ ') as asked').rows %}{% do rows.append(fromjson(row[0])) %}{% endfor %}
  {{ return(rows) }}
{% endmacro %}

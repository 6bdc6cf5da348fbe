{#
  Makes the next run try refused records again: gives the ledgers of change logs a new stamp, which is part of the fingerprint of each outcome.

      dbt run-operation afterimage.retry
      dbt run-operation afterimage.retry --args '{models: [stg_shop__orders]}'

  In: models, names of change logs, all by default. Prints how many records of each are pending. `afterimage retry` calls it.
#}
{% macro retry(models=none) %}
  {% set nodes = {} %}
  {% for node in graph.nodes.values() if node.config.materialized == 'cdc_change_log' %}{% do nodes.update({node.name: node}) %}{% endfor %}
  {% set unknown = (models or []) | reject('in', nodes) | list %}
  {% if unknown %}
    {% do exceptions.raise_compiler_error('[afterimage] no change log: ' ~ unknown | join(', ') ~ '. The project has: ' ~ nodes | sort | join(', ')) %}
  {% endif %}
  {% for name in models or (nodes | sort) %}
    {% set ledger = afterimage.companion_table(afterimage.relation_of(nodes[name]), 'ledger') %}
    {% if afterimage.listed_relation(ledger) is none %}
      {% do print(name ~ ': has not run yet') %}
    {% else %}
      {% set pending = run_query(afterimage._refused_records(ledger)).rows[0][0] %}
      {% do run_query('alter table ' ~ ledger ~ ' set tblproperties (' ~ afterimage.property_assignment('retry', invocation_id) ~ ')') %}
      {% do print(name ~ ': ' ~ pending ~ ' refused ' ~ ('record' if pending == 1 else 'records') ~ ' pending for the next run') %}
    {% endif %}
  {% endfor %}
{% endmacro %}


{# SQL of how many records were refused when they were last read. #}
{% macro _refused_records(ledger) %}
select count(*)
from (
    select
        outcome,
        row_number() over (partition by topic, partition, offset order by batch desc) as recency
    from {{ ledger }}
) as verdicts
where recency = 1 and outcome = 'refused'
{% endmacro %}

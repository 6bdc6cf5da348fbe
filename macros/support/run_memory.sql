{#
  What this dbt run has learned, kept in memory across models, so that nothing is queried twice: a dict for each
  subject.
    properties   table -> our properties, or none where the table must be queried (see table_properties)
    contracts    source table -> its contract, see contract_of_source
    driver_identity  see driver_identity
    attempt_id   set_for, the connection that has it, see set_attempt_id
    landing      relation -> its version, see landing_version
    described    relation of landing -> true, once it is known to have the required columns (see refuse_landing)
    looks        landing and the part of it that was searched -> see look_at_all
    schemas      table of schemas and topics -> see avro_schemas
    operator_events  table of operator events -> its rows
    landed       landing and two of its versions -> see landed_since
    views        schema -> its views that dbt does not list, see existing_view
    settings     session setting -> its value before the run, see carry_out_fold
    companions   schemas of companion tables, and which of them exist, see companion_table
    unlinked     change log and its last complete batch -> how many key changes do not name their other half
    catalog      name, that of the session's catalog, see listed_relation
    sessions     table format -> true, once the session is known to create such tables (see check_format)
    batches      change log -> {number, changes, table_wide} of the batch this run wrote: number of changes, and
                 whether some are about all rows; log of a history -> {number} of the append
  It is stored in dbt's graph, which every model of a run shares; a program that runs dbt twice on one graph gets a
  memory for each run.
#}
{% macro run_memory(subject) %}
  {{ return(graph.setdefault('afterimage', {}).setdefault(invocation_id, {}).setdefault(subject, {})) }}
{% endmacro %}

{#
  What this run of dbt has learned, kept in its own memory from model to model, so that nothing is asked twice: a dict for each subject.
    properties   table -> the properties of ours, or none where they must be asked (see table_properties)
    contracts    source table -> its contract, see contract_of_source
    driver_identity  see driver_identity
    landing      relation -> its version, see landing_version
    described    relation of landing -> true, once it is known to have the columns that are read (see refuse_landing)
    looks        landing and what of it was looked through -> see look_at_all
    schemas      table of schemas and topics -> see avro_schemas
    landed       landing and two of its versions -> see landed_since
    views        schema -> the views in it that dbt does not list, see existing_view
    settings     setting of the session -> its value before the run, see carry_out_fold
    companions   schemas of the tables beside models, and which of them stand, see companion_table
    unlinked     change log and its last whole batch -> how many key changes do not name their other half
    catalog      name, that of the session's catalog, see listed_relation
    sessions     table format -> true, once the session is known to make such tables (see check_format)
    batches      change log -> {number, changes, table_wide} of the batch this run wrote: how many changes, and whether some are about all rows
  It lives in dbt's graph, which every model of a run sees; a program that runs dbt twice on one graph gets a memory for each.
#}
{% macro run_memory(subject) %}
  {{ return(graph.setdefault('afterimage', {}).setdefault(invocation_id, {}).setdefault(subject, {})) }}
{% endmacro %}

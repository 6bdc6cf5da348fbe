{#
  Keys of a source table's config.meta that declare something other than a contract (cdc). Each key has macros of its own, named after it:
    <key>_faults   In: source node. Out: list of text, empty when there is no fault or nothing is declared under the key.
    <key>_topics   In: topic (SQL); landings, names schema.table. Out: list of SQL conditions, true for a topic that a declaration on them claims.
#}
{% macro other_declarations() %}
  {{ return(['outbox']) }}
{% endmacro %}

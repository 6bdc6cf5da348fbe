{#
  MongoDB: the place of a change in the oplog: its cluster time, in milliseconds as `ts_ms` has it (whole seconds), and `ord`, which counts
  within the second: 000001719800101000.0000000002. Numbers, so each is padded.
  Changes of one transaction share a cluster time; total_order or the landing coordinate tells which came first. Cluster times are of a
  replica set; in a sharded cluster they are gossiped, so what a client saw happen after another change has a later one.
  Snapshot rows have the cluster time at which the reading began.
  In: SQL of the envelope's source. Out: SQL text, NULL when a part is missing or longer than its place.
#}
{% macro position_mongodb(source) %}
  {{ return(
    "case when " ~ source ~ ".ts_ms rlike '^[0-9]{1,18}$' and " ~ source ~ ".ord rlike '^[0-9]{1,10}$'"
    ~ " then concat_ws('.', lpad(" ~ source ~ ".ts_ms, 18, '0'), lpad(" ~ source ~ ".ord, 10, '0')) end") }}
{% endmacro %}

{#
  Properties of a table that is MERGEd into run by run: what a MERGE replaces is noted beside the files it lies in, which are not written
  anew (decision 4). `afterimage.maintain` folds the notes into the files.
  In: file_format. Out: {name: text}, {} where the format knows of none.
    Delta    deletion vectors: https://docs.delta.io/latest/delta-deletion-vectors.html
    Iceberg  merge-on-read: https://iceberg.apache.org/docs/latest/configuration/#write-properties
#}
{% macro merged_in_place(file_format) %}
  {{ return({
    'delta': {'delta.enableDeletionVectors': 'true'},
    'iceberg': {'write.merge.mode': 'merge-on-read'},
  }.get(file_format, {})) }}
{% endmacro %}

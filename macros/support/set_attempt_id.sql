{#
  Gives this run's inserts into Parquet tables a folder of their own for the files of finished tasks. By default Hadoop's committer uses `_temporary/0`
  for every insert: after Spark is killed within one, the next insert into the table also publishes what that one's finished tasks wrote, and the rows
  are there twice. Deletes the other one's files at its end.
  Set once a run, or once a model where each has its own connection. In: the model's file format.
#}
{% macro set_attempt_id(file_format) %}
  {% if file_format != 'parquet' %}{{ return(none) }}{% endif %}
  {% set known, connection = afterimage.run_memory('attempt_id'), 'all' if afterimage.driver_identity()['is_embedded'] else model.unique_id %}
  {% if known.get('set_for') == connection %}{{ return(none) }}{% endif %}
  {% do known.update({'set_for': connection}) %}
  {# an int that is not 0 #}
  {% do afterimage.ask('separate its files from those of killed runs', 'set mapreduce.job.application.attempt.id = ' ~ (invocation_id[:7] | int(base=16) + 1)) %}
{% endmacro %}

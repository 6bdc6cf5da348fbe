{#
  Raises where a landing table does not exist, or lacks columns of a Kafka record. Checked before a change log is
  first built, once a run, instead of Spark's own message in the middle of it.

  Not checked for a part of landing (dbt's --empty and --sample), nor for files by their path, which Spark does not
  describe.
  In: landing relation.
#}
{% macro refuse_landing(landing) %}
  {% if landing.limit is not none or landing.event_time_filter or '/' in landing | string %}{{ return(none) }}{% endif %}
  {% set known = afterimage.run_memory('described') %}
  {% if landing | string in known %}{{ return(none) }}{% endif %}
  {% set needed = ['topic', 'partition', 'offset', 'timestamp', 'key', 'value', 'headers'] %}
  {% set there = adapter.get_columns_in_relation(landing) | map(attribute='name') | map('lower') | list %}
  {% set missing, said = needed | reject('in', there) | list, '[afterimage] ' ~ model.name ~ ': the landing table ' ~ landing %}
  {% if not there %}
    {% do exceptions.raise_compiler_error(
      said ~ ' is not there. Nothing was written. Land records into it first (afterimage land, or a job of yours), or correct schema and '
      ~ 'identifier of the source in its YAML.') %}
  {% elif missing %}
    {% do exceptions.raise_compiler_error(
      said ~ ' has no column ' ~ missing | join(', ') ~ '. Nothing was written. The models read the columns of a Kafka record: ' ~ needed | join(', ')
      ~ '. Where yours have other names, make a view over the table that has these, and name the view in the YAML of the source.') %}
  {% endif %}
  {% do known.update({landing | string: true}) %}
{% endmacro %}

{#
  Refuses a table format that lacks a capability, before anything is written.
  In: relation to be written; file format; capability; what it is needed for and what can be done instead, each a sentence's part.
#}
{% macro require_capability(relation, file_format, capability, purpose, instead) %}
  {% if not afterimage.can(file_format, capability) %}
    {% set since = afterimage._capability_since(file_format, capability) %}
    {% set version = afterimage.spark_version() %}
    {% do exceptions.raise_compiler_error(
      '[afterimage] ' ~ model.name ~ ': ' ~ relation ~ ' is a table of ' ~ file_format ~ ', which lacks the capability ' ~ capability
      ~ ('' if since is none else ' before Spark ' ~ since | join('.') ~ ' (this one is ' ~ version | join('.') ~ ')') ~ '; it is needed to ' ~ purpose
      ~ '. Nothing was written. Instead: ' ~ instead ~ '.') %}
  {% endif %}
{% endmacro %}

{# Refuses model configs that open-source Spark does not support. Raises with the reason and the alternative. #}
{% macro refuse_unsupported_config() %}
  {% if config.get('grants') %}
    {% do exceptions.raise_compiler_error(
      '[afterimage] ' ~ model.name ~ ': grants cannot work on open-source Spark (SHOW GRANTS does not parse) and would fail after the data '
      ~ 'was written. Remove `grants` and manage access in your catalog.') %}
  {% endif %}
{% endmacro %}

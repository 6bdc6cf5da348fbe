{#
  Enforces the contract of a model: compares names and types of a select with the model's YAML. The YAML may have the
  small integers of the source where the table format has int instead.
#}
{% macro enforce_contract(sql) %}
  {% if config.get('contract') and config.get('contract').enforced %}
    {% set format, said = afterimage.table_format(afterimage.file_format_of()), {} %}
    {% for name, column in model.columns.items() if not format['small_integers'] %}
      {% do said.update({name: column['data_type']}) %}
      {# not a field's name, which a colon follows #}
      {% do column.update({'data_type': modules.re.sub('(?i)\\b(tinyint|smallint)\\b(?!`?\\s*:)', 'int', column['data_type'])}) %}
    {% endfor %}
    {% do get_assert_columns_equivalent(sql) %}
    {% for name, type in said.items() %}{% do model.columns[name].update({'data_type': type}) %}{% endfor %}
  {% endif %}
{% endmacro %}

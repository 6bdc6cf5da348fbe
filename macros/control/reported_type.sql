{#
  The type of a column as a contract writes it, from a table change. In: column, SQL of a struct with texts typeName,
  typeExpression and numbers length, scale; contract. Out: SQL text, e.g. decimal(12,4), int unsigned, varchar(200).
  Connectors write the name in upper or lower case, with modifiers after it ("BIGINT UNSIGNED", "int identity"),
  lengths separately. The type is the one by which the connector writes values: it treats a text of character set
  binary that was added mid-stream as a text (capture mysql-types).
  Source: Debezium documentation, "schema change topic" of each connector; captures mysql9-full, mariadb-inventory,
  mysql-types.
#}
{% macro reported_type(column, contract) %}
  {% set connector = afterimage.connector(contract) %}
  {% set capitals, small = "'ABCDEFGHIJKLMNOPQRSTUVWXYZ'", "'abcdefghijklmnopqrstuvwxyz'" %}
  {% set name = "trim(translate(coalesce(" ~ column ~ ".typeExpression, " ~ column ~ ".typeName), " ~ capitals ~ ", " ~ small ~ "))" %}
  {% set name = "regexp_replace(" ~ name ~ ", ' (?:identity|zerofill)(?: ?[(][^)]*[)])?', '')" %}
  {% if connector.get('reported_boolean') %}{% set name = "regexp_replace(" ~ name ~ ", '^bool(?:ean)?$', '" ~ connector['reported_boolean'] ~ "')" %}{% endif %}
  {% set arguments = [] %}
  {% for names, numbers in connector['reported_numbers'].items() %}
    {% set parts = [] %}
    {% for number in numbers %}{% do parts.append(column ~ '.' ~ number) %}{% endfor %}
    {% do arguments.append("when " ~ name ~ " rlike '^(?:" ~ names ~ ")(?: unsigned)?$' and " ~ parts[0] ~ " is not null then concat('(', concat_ws(',', " ~ parts | join(', ') ~ "), ')')") %}
  {% endfor %}
  {% if not arguments %}{{ return(name) }}{% endif %}
  {% set in_parentheses = "case when " ~ name ~ " like '%(%' then '' " ~ arguments | join(' ') ~ " else '' end" %}
  {{ return("replace(regexp_replace(" ~ name ~ ", '^(.*?)( unsigned)?$', concat('$1', " ~ in_parentheses ~ ", '$2')), '(2147483647)', '(max)')") }}
{% endmacro %}

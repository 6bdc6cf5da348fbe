{#
  The JSON of a key or value without its wrapper: the schema block of schemas.enable, or the id of Apicurio's JSON converter.
  In: SQL text. Out: SQL text, the same where there is no wrapper.
#}
{% macro without_schema(text) %}
  {% set kind = "get_json_object(" ~ text ~ ", '$.schema.type')" %}
  {% set has_none = text ~ " rlike " ~ afterimage.literal('\\A\\{(?:"schemaId":[0-9]+|"schema":null),"payload":') %}
  {{ return("if(" ~ kind ~ " is not null or " ~ has_none ~ ", get_json_object(" ~ text ~ ", '$.payload'), " ~ text ~ ")") }}
{% endmacro %}

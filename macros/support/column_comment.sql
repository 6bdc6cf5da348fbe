{#
  The comment of a column, from its description in the model's YAML, as a clause after the type: " comment 'Who
  ordered'"; '' without a description. It is no longer than a Hive metastore holds (COLUMNS_V2.COMMENT): the metastore
  would retry a longer one ten times, for twenty seconds, and then store the table in a form that Hive cannot read.
  The docs site shows the full text.
  In: name of a column of the model. Out: SQL.
#}
{% macro column_comment(name) %}
  {% set described = ((model.columns.get(name) or {}).get('description') or '') | replace('\n', ' ') | trim %}
  {% set longest = 256 %}
  {% set shown = described if described | length <= longest else described[:longest - 1] ~ '…' %}
  {{ return(" comment " ~ afterimage.literal(shown) if shown else '') }}
{% endmacro %}

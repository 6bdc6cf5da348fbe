{#
  The comment of a column, from its description in the model's YAML, as a definition has it behind the type: " comment 'Who ordered'"; ''
  where there is none. No longer than a Hive metastore holds (COLUMNS_V2.COMMENT); one that is longer it would try to write ten times over, for
  twenty seconds, and then keep the table in a form that Hive cannot read. The docs site shows all of it.
  In: name of a column of the model. Out: SQL.
#}
{% macro column_comment(name) %}
  {% set described = ((model.columns.get(name) or {}).get('description') or '') | replace('\n', ' ') | trim %}
  {% set longest = 256 %}
  {% set shown = described if described | length <= longest else described[:longest - 1] ~ '…' %}
  {{ return(" comment " ~ afterimage.literal(shown) if shown else '') }}
{% endmacro %}

{#
  The model's config `replaced_share`, a number from 0 on: once later appends hold more rows than this share of the last full append, all rows are
  rewritten. Readers leave out less where it is small, runs write less where it is large.
#}
{% macro replaced_share() %}
  {% set share = config.get('replaced_share', 0.2) %}
  {% if share is not number or share is boolean or share < 0 %}
    {% do exceptions.raise_compiler_error('[afterimage] ' ~ model.name ~ ': replaced_share is ' ~ share ~ ', and must be a number of at least 0, such as 0.2.') %}
  {% endif %}
  {{ return(share) }}
{% endmacro %}

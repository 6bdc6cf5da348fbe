{# The lowest position of a form, for rows without a position. In: form, of parts "[0-9]{10}" or "[0-9a-f]{24}" between points. Out: text. #}
{% macro least_place(form) %}
  {% set parts = [] %}
  {% for digits in modules.re.findall('[{]([0-9]+)[}]', form) %}{% do parts.append('0' * (digits | int)) %}{% endfor %}
  {{ return(parts | join('.')) }}
{% endmacro %}

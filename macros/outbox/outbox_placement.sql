{#
  The parts of a router's fields.additional.placement. In: its text. Out: list of {column, placement, alias}; a part
  without two or three words has `fault` as well. Without an alias the name is the column's.
#}
{% macro outbox_placement(text) %}
  {% set found = [] %}
  {% for part in (text.split(',') if text is string else []) if part.strip() %}
    {% set words = part.split(':') | map('trim') | list %}
    {% set place = {'column': words[0], 'placement': words[1] if words | length > 1 else '', 'alias': words[2] if words | length > 2 else words[0]} %}
    {% if words | length not in [2, 3] or '' in words %}{% do place.update({'fault': part.strip()}) %}{% endif %}
    {% do found.append(place) %}
  {% endfor %}
  {{ return(found) }}
{% endmacro %}

{# The paths an update changes: set or removed. In: SQL of the update. Out: SQL array of texts. #}
{% macro paths_sent(update) %}
  {{ return("get(transform(array(from_json(" ~ update ~ ", 'removedFields array<string>, updatedFields map<string, variant>')), u -> concat(coalesce(u.removedFields, array()), coalesce(map_keys(u.updatedFields), array()))), 0)") }}
{% endmacro %}

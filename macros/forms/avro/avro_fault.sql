{#
  The fault of a record's schema, as text; none where Spark can read it by its types. Only its own type is checked, and within it whether a record
  contains itself. In: parsed JSON; for the recursion: the namespace, the full names of the enclosing records (none at the top).
#}
{% macro avro_fault(schema, namespace='', around=none) %}
  {% set simple = ['null', 'boolean', 'int', 'long', 'float', 'double', 'bytes', 'string'] %}
  {% set within = around or [] %}
  {% if schema is string %}
    {% if schema in simple %}{{ return(none) }}{% endif %}
    {% if around is none %}{{ return('is no Avro schema: its type is ' ~ schema) }}{% endif %}
    {{ return('has a record that names itself within, ' ~ schema ~ ', which Spark does not read' if (schema if '.' in schema or not namespace else namespace ~ '.' ~ schema) in within else none) }}
  {% elif schema is mapping %}
    {% set kind = schema.get('type') %}
    {% if kind in ['record', 'error'] %}
      {% set name = schema.get('name') or '' %}
      {% set inner = name.rpartition('.')[0] if '.' in name else schema.get('namespace', namespace) or '' %}
      {% set full = name if '.' in name or not inner else inner ~ '.' ~ name %}
      {% if not name or schema.get('fields') is none %}{{ return('is no Avro schema: a record without name or fields') }}{% endif %}
      {% for field in schema['fields'] %}
        {% set fault = afterimage.avro_fault(field.get('type') if field is mapping else none, inner, within + [full]) %}
        {% if fault %}{{ return(fault) }}{% endif %}
      {% endfor %}
      {{ return(none) }}
    {% elif kind in ['enum', 'fixed'] %}
      {{ return(none) }}
    {% elif kind in ['array', 'map'] %}
      {% set of = schema.get('items' if kind == 'array' else 'values') %}
      {{ return('is no Avro schema: ' ~ kind ~ ' of nothing' if of is none else afterimage.avro_fault(of, namespace, within)) }}
    {% elif kind is none %}
      {{ return('is no Avro schema: it has no type') }}
    {% else %}
      {{ return(afterimage.avro_fault(kind, namespace, around)) }}
    {% endif %}
  {% elif schema is sequence %}
    {% for branch in schema %}
      {% set fault = afterimage.avro_fault(branch, namespace, around) %}
      {% if fault %}{{ return(fault) }}{% endif %}
    {% endfor %}
    {{ return(none) }}
  {% endif %}
  {{ return('is no Avro schema') }}
{% endmacro %}

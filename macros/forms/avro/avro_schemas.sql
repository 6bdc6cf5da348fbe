{#
  The writers' schemas of the topics of a contract, from the table it names (avro_schemas: schema.table, with columns id, subject, schema).
  A row belongs to a topic when its subject is the topic, begins with the topic and `-` or `.` (`shop.orders-value`, `shop.orders.Envelope`,
  by whichever strategy the registry names subjects), or is NULL. Without topics every row belongs.
  Queried once in a run. Out: list of {id (text), of (key, value or both), schema (text)}, by id.
  Raises where the table does not exist, an id is there twice with different schemas, or a schema is not JSON or not Avro that Spark reads.
#}
{% macro avro_schemas(contract) %}
  {% if not contract['avro_schemas'] %}{{ return([]) }}{% endif %}
  {% set known, asked = afterimage.run_memory('schemas'), tojson([contract['avro_schemas'], contract['topics']]) %}
  {% if asked not in known %}{% do known.update({asked: afterimage._schemas_kept(contract)}) %}{% endif %}
  {{ return(known[asked]) }}
{% endmacro %}


{% macro _schemas_kept(contract) %}
  {% set subjects = [] %}
  {% for topic in contract['topics'] %}
    {% set text = afterimage.literal(topic) %}
    {% do subjects.append('subject = ' ~ text ~ ' or startswith(subject, ' ~ afterimage.literal(topic ~ '-') ~ ') or startswith(subject, ' ~ afterimage.literal(topic ~ '.') ~ ')') %}
  {% endfor %}
  {% set path = contract['avro_schemas'].split('.') %}
  {% if afterimage.listed_relation(api.Relation.create(database=path[-3] if path | length > 2 else none, schema=path[-2], identifier=path[-1])) is none %}
    {% do exceptions.raise_compiler_error(
      '[afterimage] ' ~ contract['origin'] ~ ': ' ~ contract['source_name'] ~ '.' ~ contract['table_name'] ~ ': avro_schemas: there is no table '
      ~ contract['avro_schemas'] ~ '. `afterimage schemas` writes one from a registry or a folder: dbt_packages/afterimage/docs/how-to/avro.md.') %}
  {% endif %}
  {% set found = {} %}
  {% for row in afterimage.ask('read the schemas of the registry', 'select cast(id as string), subject, schema from ' ~ contract['avro_schemas'] ~ (' where subject is null or ' ~ subjects | join(' or ') if subjects else '') ~ ' order by id, subject').rows %}
    {% set side = 'key' if (row[1] or '').endswith('-key') else 'value' if (row[1] or '').endswith('-value') else 'both' %}
    {% set known = found.get(row[0]) %}
    {% set schema = fromjson(row[2] or '', none) %}
    {% set fault = 'is no JSON' if schema is none else afterimage.avro_fault(schema) %}
    {% if fault or (known and fromjson(known['schema']) != schema) %}
      {% do exceptions.raise_compiler_error(
        '[afterimage] ' ~ contract['avro_schemas'] ~ ': schema ' ~ row[0] ~ ' (' ~ (row[1] or 'of no subject') ~ ') '
        ~ (fault ~ '.' if fault else 'appears twice with different content. Do not mix ids of two registries, or two kinds of ids, in one table.')) %}
    {% endif %}
    {% do found.update({row[0]: {'id': row[0], 'of': side if not known or known['of'] == side else 'both', 'schema': row[2]}}) %}
  {% endfor %}
  {{ return(found.values() | list) }}
{% endmacro %}

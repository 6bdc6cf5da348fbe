{#
  A document after an update: arrays cut to their new length, then fields removed, then fields set, as MongoDB's description of the
  update says; the path of a field has points between names, and numbers for array indexes.

  A name that itself holds points looks like a path. It is read as a name where the top level of the document has it; at deeper levels nothing
  shows it. Missing parents on a path are created, as objects.
  In: document and update (see document_envelope), SQL texts in the form of document_text; contract, whose array_encoding may make array elements
  fields. Out: SQL text of the same form.
  Source: MongoDB, change streams, updateDescription; Debezium's order of the three.
#}
{% macro updated_document(document, update, contract) %}
  {% set step = "struct<path: string, size: int, is_set: boolean, value: string>" %}
  {% set type = "truncatedArrays array<struct<field: string, size: int>>, removedFields array<string>, updatedFields map<string, variant>" %}
  {% set steps = "concat(transform(coalesce(u.truncatedArrays, array()), e -> cast(struct(e.field, e.size, false, null) as " ~ step ~ "))"
                 ~ ", transform(coalesce(u.removedFields, array()), e -> cast(struct(e, null, false, null) as " ~ step ~ "))"
                 ~ ", transform(coalesce(map_entries(u.updatedFields), array()), e -> cast(struct(e.key, null, true, to_json(e.value)) as " ~ step ~ ")))" %}
  {% set update_parsed = "from_json(" ~ update ~ ", " ~ afterimage.literal(type) ~ ")" %}
  {% set folded = "aggregate(" ~ steps ~ ", " ~ document ~ ", (d, s) -> " ~ afterimage._step_taken(contract['array_encoding'] == 'document' and contract['format'] == 'unwrapped') ~ ")" %}
  {{ return("get(transform(array(" ~ update_parsed ~ "), u -> to_json(try_parse_json(" ~ folded ~ "))), 0)") }}
{% endmacro %}


{# The document `d` (SQL) after the step `s` of an update: {path, size, is_set, value}. Containers are read on the way down, then rebuilt on the way up. #}
{% macro _step_taken(has_numbered_fields) %}
  {% set is_name = "instr(s.path, '.') = 0 or array_contains(json_object_keys(d), s.path)" %}
  {% set names = "if(" ~ is_name ~ ", array(s.path), split(s.path, '[.]'))" %}
  {% set way = "aggregate(slice(n, 1, size(n) - 1), array(d), (w, g) -> concat(w, array(" ~ afterimage._member('get(w, size(w) - 1)', 'g', has_numbered_fields) ~ ")))" %}
  {% set old = afterimage._member('get(w, size(w) - 1)', 'get(n, size(n) - 1)', has_numbered_fields) %}
  {% set cut = "to_json(slice(from_json(" ~ old ~ ", 'array<variant>'), 1, s.size))" %}
  {% set fields_cut = "to_json(map_filter(from_json(" ~ old ~ ", 'map<string, variant>'), (k, e) -> try_cast(substring(k, 2) as int) < s.size))" %}
  {% set cut = "if(" ~ old ~ " like '[%', " ~ cut ~ ", " ~ fields_cut ~ ")" if has_numbered_fields else cut %}
  {% set is_array = "(" ~ old ~ " like '[%'" ~ (" or " ~ afterimage._is_numbered(old) if has_numbered_fields) ~ ")" %}
  {% set leaf = "case when s.is_set then s.value when s.size is not null then " ~ cut ~ " end" %}
  {% set up = "aggregate(sequence(size(n), 1, -1), " ~ leaf ~ ", (x, i) -> " ~ afterimage._put('get(w, i - 1)', 'get(n, i - 1)', 'x', has_numbered_fields) ~ ")" %}
  {# a missing member cannot be removed or cut #}
  {% set changes = "s.is_set or coalesce(" ~ old ~ " is not null and (s.size is null or " ~ is_array ~ "), false)" %}
  {{ return("get(transform(array(" ~ names ~ "), n -> get(transform(array(" ~ way ~ "), w -> if(" ~ changes ~ ", " ~ up ~ ", d)), 0)), 0)") }}
{% endmacro %}


{# Whether (SQL) an object is an array whose elements are fields, _0, _1, … (array.encoding=document); an empty one counts as such. #}
{% macro _is_numbered(container) %}
  {{ return("(" ~ container ~ " = '{}' or coalesce(array_contains(json_object_keys(" ~ container ~ "), '_0'), false))") }}
{% endmacro %}


{# The name (SQL) of a member in its container: for an array whose elements are fields, that of the field. #}
{% macro _own_name(container, name, has_numbered_fields) %}
  {{ return("if(" ~ name ~ " rlike '^[0-9]+$' and " ~ afterimage._is_numbered(container) ~ ", concat('_', " ~ name ~ "), " ~ name ~ ")" if has_numbered_fields else name) }}
{% endmacro %}


{# A member of an object, or an element of an array by its number, as JSON text; NULL when it is not there. In: SQL of the container and of the name. #}
{% macro _member(container, name, has_numbered_fields) %}
  {{ return("if(" ~ container ~ " like '[%', to_json(get(from_json(" ~ container ~ ", 'array<variant>'), try_cast(" ~ name ~ " as int))), to_json(try_element_at(from_json("
            ~ container ~ ", 'map<string, variant>'), " ~ afterimage._own_name(container, name, has_numbered_fields) ~ ")))") }}
{% endmacro %}


{#
  A container with a member set, or removed where the value is NULL (an element of an array then becomes null, as with $unset). A
  missing container is created, a scalar replaced. An array is padded with nulls up to the index, as far as MongoDB allows.
#}
{% macro _put(container, name, value, has_numbered_fields) %}
  {% set own_name = afterimage._own_name(container, name, has_numbered_fields) %}
  {% set elements = "concat(slice(a, 1, p), array_repeat(parse_json('null'), greatest(p - size(a), 0)), array(parse_json(coalesce(" ~ value ~ ", 'null'))), slice(a, p + 2, greatest(size(a) - p - 1, 0)))" %}
  {% set grown = "get(transform(array(from_json(" ~ container ~ ", 'array<variant>')), a -> get(transform(array(cast(" ~ name ~ " as int)), p -> if(p > size(a) + 1500000, "
                 ~ container ~ ", to_json(" ~ elements ~ "))), 0)), 0)" %}
  {% set others = "map_filter(coalesce(from_json(" ~ container ~ ", 'map<string, variant>'), cast(map() as map<string, variant>)), (k, e) -> k <> " ~ own_name ~ ")" %}
  {% set own = "if(" ~ value ~ " is null, cast(map() as map<string, variant>), map(" ~ own_name ~ ", parse_json(" ~ value ~ ")))" %}
  {{ return("if(" ~ container ~ " like '[%' and " ~ name ~ " rlike '^[0-9]{1,9}$', " ~ grown ~ ", to_json(map_concat(" ~ others ~ ", " ~ own ~ ")))") }}
{% endmacro %}

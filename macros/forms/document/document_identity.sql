{#
  The identity of a document: the `_id` in the record's key, as JSON text whose numbers have no wrappers, so that an id is one text
  in any version of Extended JSON: 1004, "1234", {"$oid":"596e…"}. Where the key has no id, or more than an id (for a sharded
  collection old versions cut it out of a longer text), it is the `_id` of the document. An `_id` that is itself a document is still taken from the
  key: with its members in another order it is another id, and the document's own are sorted by name.
  In: none, in a step that has what document_envelope returns. Out: SQL text, NULL when neither has one.
#}
{% macro document_identity() %}
  {% set is_alone = "json_object_keys(key_document) = array('_id')" %}
  {% set of_document = afterimage._id_of('coalesce(sent_document, key_document)') %}
  {% set of_longer_key = "get_json_object(concat('{\"_id\":', key_text, '}'), '$._id')" %}
  {% set id = "case when " ~ is_alone ~ " then key_text when startswith(" ~ afterimage._id_of('key_document') ~ ", '{') then " ~ of_longer_key ~ " else " ~ of_document ~ " end" %}
  {{ return("nullif(" ~ afterimage.bare_numbers(id) ~ ", 'null')") }}
{% endmacro %}


{# `_id` of a document, as JSON text in the form of document_text. #}
{% macro _id_of(document) %}
  {{ return("to_json(try_variant_get(try_parse_json(" ~ document ~ "), '$._id', 'variant'))") }}
{% endmacro %}

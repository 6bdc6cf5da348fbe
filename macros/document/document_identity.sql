{#
  The identity of a document: what the record's key says `_id` is, as JSON text whose numbers have no wrappers, so that an id is one text
  whatever version of Extended JSON it came in: 1004, "1234", {"$oid":"596e…"}. Where the key says nothing, or more than an id (of a sharded
  collection old versions cut it out of a longer text), it is the `_id` of the document.
  In: none, in a step that has what document_envelope gives. Out: SQL text, NULL when neither tells.
#}
{% macro document_identity() %}
  {% set is_alone = "json_object_keys(key_document) = array('_id')" %}
  {% set of_document = afterimage._id_of('coalesce(sent_document, key_document)') %}
  {{ return("nullif(" ~ afterimage.bare_numbers("if(" ~ is_alone ~ ", key_text, " ~ of_document ~ ")") ~ ", 'null')") }}
{% endmacro %}


{# `_id` of a document, as JSON text in the form of document_text. #}
{% macro _id_of(document) %}
  {{ return("to_json(try_variant_get(try_parse_json(" ~ document ~ "), '$._id', 'variant'))") }}
{% endmacro %}

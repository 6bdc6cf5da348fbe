{# The reason why a record's key and its document do not match, as text (SQL); NULL when they match, or one is missing. #}
{% macro other_document() %}
  {% set of_key, of_document = afterimage.bare_numbers(afterimage._id_of('key_document')), afterimage.bare_numbers(afterimage._id_of('sent_document')) %}
  {% set said = "concat('_id in the key of the record is ', left(k, 100), ', in its document ', left(d, 100))" %}
  {{ return("get(transform(array(" ~ of_key ~ "), k -> get(transform(array(" ~ of_document ~ "), d -> if(k <> d, " ~ said ~ ", null)), 0)), 0)") }}
{% endmacro %}

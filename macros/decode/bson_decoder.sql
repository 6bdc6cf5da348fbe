{#
  A decoder of a path into a document. Its literal is the JSON text of the value there, in Extended JSON with bare numbers; a value that is
  not of the declared type is legal in MongoDB, and is kept unchanged in _cdc_special.
  In: type, value (see decoder). Out: dict of templates, see decoder.
#}
{% macro bson_decoder(type, value) %}
  {{ return({'literal': 'string', 'type': type, 'value': value, 'special': "case when {raw} <> 'null' and (" ~ value ~ ") is null then {raw} end"}) }}
{% endmacro %}


{# The text within a wrapper of Extended JSON: {"$oid":"…"} -> …; NULL where it is no such wrapper. In: name of the wrapper. Out: template. #}
{% macro _unwrapped_bson(name) %}
  {{ return("nullif(regexp_extract({raw}, " ~ afterimage.literal('^\\{"\\$' ~ name ~ '":"([^"]*)"\\}$') ~ ", 1), '')") }}
{% endmacro %}

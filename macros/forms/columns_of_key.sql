{#
  The names of the columns that a record's key has, an array (SQL), NULL where it is no object: of JSON, or as a converter of strings writes one.
  In: text, SQL of the key. A value of an object as text that has a comma and a name behind it is taken for two columns.
#}
{% macro columns_of_key(text) %}
  {% set of_struct = "regexp_extract_all(k, " ~ afterimage.literal('[{,]([^,={}]+)=') ~ ", 1)" %}
  {{ return("get(transform(array(trim(" ~ afterimage.without_schema(text) ~ ")), k -> if(k rlike " ~ afterimage.literal(afterimage._struct_form([])) ~ ", "
            ~ of_struct ~ ", json_object_keys(k))), 0)") }}
{% endmacro %}

{#
  The names of the columns in a record's key, an array (SQL); NULL where it is no object, either of JSON or as a converter of strings writes one.
  In: text, SQL of the key. If a value of an object as text has a comma followed by a name and =, it counts as two columns.
#}
{% macro columns_of_key(text) %}
  {% set of_struct = "regexp_extract_all(k, " ~ afterimage.literal('[{,]([^,={}]+)=') ~ ", 1)" %}
  {{ return("get(transform(array(trim(" ~ afterimage.without_schema(text) ~ ")), k -> if(k rlike " ~ afterimage.literal(afterimage._struct_form([])) ~ ", "
            ~ of_struct ~ ", json_object_keys(k))), 0)") }}
{% endmacro %}

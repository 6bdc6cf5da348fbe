{#
  sort_keys as one text that sorts like its elements, one after the other: numbers as numbers, before all texts; in texts runs of digits
  as numbers (mysql-bin.999999 before mysql-bin.1000000), hexadecimal numbers of a fixed width (0x0073c9.000a4e4c.01d0) unchanged. For a
  contract with place_from: sort_keys. In: SQL of an array of texts. Out: SQL text, NULL where there is no element or one has characters
  that do not occur in names and numbers of logs.
#}
{% macro sort_keys_text(sort_keys) %}
  {% set padded = "regexp_replace(regexp_replace(e, '[0-9]+', '00000000000000000000$0'), '[0-9]+([0-9]{20})', '$1')" %}
  {% set hexadecimal = "e rlike '^ ?0x|^[0-9A-Fa-f]{8}[.][0-9A-Fa-f]{8}'" %}
  {% set of_lsn = "e rlike '^[0-9A-Fa-f]{1,8}/[0-9A-Fa-f]{1,8}$'" %}
  {% set lsn = "translate(concat(lpad(split_part(e, '/', 1), 8, '0'), lpad(split_part(e, '/', 2), 8, '0')), 'ABCDEF', 'abcdef')" %}
  {% set text = "case when e rlike '^[0-9]{1,20}$' then lpad(e, 20, '0') when " ~ of_lsn ~ " then " ~ lsn ~ " when " ~ hexadecimal ~ " then trim(e) else " ~ padded ~ " end" %}
  {{ return("if(size(" ~ sort_keys ~ ") > 0 and forall(" ~ sort_keys ~ ", e -> e is not null and e rlike '^[ A-Za-z0-9_./-]*$' and not e rlike '^-[0-9]+$'),"
            ~ " array_join(transform(" ~ sort_keys ~ ", e -> " ~ text ~ "), ' '), null)") }}
{% endmacro %}

{#
  Db2's decfloat, a decimal of up to 34 digits, by the version of the connector:
    JSON number      a double, whatever decimal.handling.mode says, and under double
    {scale, value}   precise
    text             string: the decimal digits; NaN and infinity in any mode
  All are read side by side. Out: double. A number that a double does not hold exactly, of more than 15 digits or beyond its range, is kept in full in
  `special`. A text that is also base64 may have been written with an unknown scale, and is refused under precise.
#}
{% macro decode_decfloat(type, settings) %}
  {% set kind = "coalesce(schema_of_variant({raw}), 'VOID')" %}
  {% set is_digits = "b rlike '^[-+]?[0-9]+([.][0-9]+)?([eE][-+]?[0-9]{1,4})?$'" ~ (" and try_to_binary(b, 'base64') is null" if settings['decimal_handling_mode'] == 'precise' else "") %}
  {% set of_text = "case when b in ('NaN', 'NAN') then 'NaN' when b in ('Infinity', 'POSITIVE_INFINITY') then 'Infinity'"
                   ~ " when b in ('-Infinity', 'NEGATIVE_INFINITY') then '-Infinity' when " ~ is_digits ~ " then b end" %}
  {% set digits = afterimage._digits_of_any_form(kind, of_text, 6200) %}
  {% set is_beyond = "(abs(try_cast(d as double)) = double('Infinity') and d not like '%Infinity')" %}
  {% set significant = "rtrim('0', ltrim('0', replace(regexp_extract(d, '^[-+]?([0-9.]+)', 1), '.', '')))" %}
  {# a JSON number that is a double has up to 17 digits #}
  {% set is_finer = "length(" ~ significant ~ ") > if(" ~ kind ~ " rlike '^(STRING|OBJECT)', 15, 17) or " ~ is_beyond ~ " or (try_cast(d as double) = 0 and " ~ significant ~ " <> '')" %}
  {{ return({
    'literal': 'variant',
    'type': 'double',
    'value': "get(transform(array(" ~ digits ~ "), d -> if(" ~ is_beyond ~ ", null, try_cast(d as double))), 0)",
    'special': "get(transform(array(" ~ digits ~ "), d -> case when " ~ is_finer ~ " then " ~ afterimage._canonical_number('d') ~ " end), 0)",
    'plain_literal': 'double',
    'plain': '{raw}',
    'refuse': kind ~ " <> 'VOID' and (" ~ digits ~ ") is null",
  }) }}
{% endmacro %}

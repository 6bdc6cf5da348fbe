{#
  MongoDB decimal (Decimal128): 34 digits and an exponent of its own, so text, as written there; with arguments DECIMAL, where it
  fits without rounding. Integers are the same numbers; ExtractNewDocumentState writes texts. Out: dict of templates, see decoder.
#}
{% macro decode_bson_decimal(type, settings) %}
  {% set wrapped = "if({raw} rlike '^\"[-+]?([.]?[0-9]|NaN|Inf)', try_variant_get(try_parse_json({raw}), '$', 'string'), null)" if type['has_bare_values']
                   else afterimage._unwrapped_bson('numberDecimal') %}
  {% set text = "coalesce(" ~ wrapped ~ ", if({raw} rlike '^-?[0-9]+$', {raw}, null))" %}
  {% if not type['arguments'] %}{{ return(afterimage.bson_decoder('string', text)) }}{% endif %}
  {% set precision, scale = type['arguments'][0], type['arguments'][1] if type['arguments'] | length > 1 else 0 %}
  {% set spark_type = 'decimal(' ~ precision ~ ',' ~ scale ~ ')' %}
  {% set behind = "length(rtrim('0', regexp_extract(t, '[.]([0-9]*)', 1))) - coalesce(try_cast(nullif(regexp_extract(t, '[eE]([-+]?[0-9]+)$', 1), '') as int), 0)" %}
  {{ return(afterimage.bson_decoder(spark_type, "get(transform(array(" ~ text ~ "), t -> if(t rlike '[0-9]' and (t rlike '^[-+]?[0.]+([eE].*)?$' or " ~ behind ~ " <= " ~ scale ~ "), try_cast(t as " ~ spark_type ~ "), null)), 0)")) }}
{% endmacro %}

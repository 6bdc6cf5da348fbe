{#
  Oracle's NUMBER and the types based on it (INTEGER, DECIMAL, FLOAT …). One column comes in several forms over time, depending on its precision,
  decimal.handling.mode and the version (2.7 changed those of scale 0), and all of them are read side by side:
    JSON number                number(p,s) with p - s < 19 and s <= 0; under double
    base64                     precise: the unscaled two's complement, whose scale is that of the declared type
    text                       string: the decimal digits
    {scale, value}             precise: number without precision, float; scale 0 by a version
    true, false                number(1) by NumberOneToBooleanConverter
  Out: number(p,s) up to 38 digits is decimal(p,s), a negative scale decimal(p-s,0); without precision, and float, canonical text, so that all
  forms of a number look the same. Under double a number with digits after the decimal point is a double.
  The type is read as VARIANT, which distinguishes the forms and is exact to 38 digits.
#}
{% macro decode_number(type, settings) %}
  {% set arguments = type['arguments'] if type['name'] != 'float' else [] %}
  {% set scale = arguments[1] if arguments | length > 1 else 0 if arguments else none %}
  {% set precision = none if not arguments else arguments[0] - ([scale, 0] | min) %}
  {% set spark = 'string' if precision is none or precision > 38 or scale > precision else 'decimal(' ~ precision ~ ',' ~ [scale, 0] | max ~ ')' %}
  {% set spark = 'double' if settings['decimal_handling_mode'] == 'double' and (scale is none or scale > 0) else spark %}

  {% set kind = "coalesce(schema_of_variant({raw}), 'VOID')" %}
  {# digits with an exponent: -1239E-2 #}
  {% set in_base64 = "concat(" ~ afterimage._unscaled_text('b') ~ ", 'E', " ~ -(scale or 0) ~ ")" %}
  {% set in_base64 = "if(" ~ afterimage._is_base64('b') ~ ", " ~ in_base64 ~ ", null)" if scale is not none else 'cast(null as string)' %}
  {% set of_text = in_base64 if settings['decimal_handling_mode'] == 'precise' else "if(b rlike '^[-+]?[0-9]+([.][0-9]+)?([eE][-+]?[0-9]{1,3})?$', b, null)" %}
  {% set of_boolean = " when " ~ kind ~ " = 'BOOLEAN' then cast(cast({raw} as int) as string)" if precision == 1 else "" %}
  {% set digits = afterimage._digits_of_any_form(kind, of_text, 400, of_boolean) %}
  {% set value = afterimage._canonical_number('d') if spark == 'string' else "try_cast(d as " ~ spark ~ ")" %}
  {% set misfit = value ~ " is null" if spark != 'string' else "not coalesce(" ~ value ~ " rlike '^-?[0-9]+([.][0-9]+)?$', false)" %}
  {% if spark.startswith('decimal') %}{% set misfit = misfit ~ " or " ~ afterimage.digits_behind_point('d') ~ " > " ~ scale %}{% endif %}
  {# the form that a current connector writes; the exact statement reads any other as VARIANT #}
  {% set plain_of, mode = {}, settings['decimal_handling_mode'] %}
  {% if spark == 'double' %}
    {% do plain_of.update({'plain_literal': 'double', 'plain': '{raw}'}) %}
  {% elif mode == 'precise' and scale is none %}
    {% do plain_of.update({'plain_literal': 'struct<scale: int, value: string>',
                           'plain': "get(transform(array(" ~ afterimage._plain_free_number() ~ "), d -> if(d like '%.%', rtrim('.', rtrim('0', d)), d)), 0)"}) %}
  {% elif mode == 'string' and scale is none %}
    {% do plain_of.update({'plain_literal': 'string',
                           'plain': "case when {raw} rlike '^(0|-?[1-9][0-9]*|-?(0|[1-9][0-9]*)[.][0-9]*[1-9])$' then {raw} end"}) %}
  {% elif spark.startswith('decimal') and scale >= 0 %}
    {% if mode == 'string' %}
      {% do plain_of.update({'plain_literal': 'string',
                             'plain': "case when {raw} rlike '^-?[0-9]+([.][0-9]{0," ~ scale ~ "})?$' then try_cast({raw} as " ~ spark ~ ") end"}) %}
    {% elif mode == 'precise' and (scale > 0 or precision >= 19) %}
      {% do plain_of.update({'plain_literal': 'string', 'plain': "case when " ~ afterimage._is_base64() ~ " then " ~ afterimage._plain_unscaled(spark, scale) ~ " end"}) %}
    {% else %}
      {% do plain_of.update({'plain_literal': 'bigint', 'plain': 'try_cast({raw} as ' ~ spark ~ ')'}) %}
    {% endif %}
  {% endif %}
  {# VARIANT has a double where a number has too many digits to be exact #}
  {{ return(dict(plain_of, **{
    'literal': 'variant',
    'under': ' under decimal_handling_mode ' ~ settings['decimal_handling_mode'],
    'type': spark,
    'value': "get(transform(array(" ~ digits ~ "), d -> " ~ value ~ "), 0)",
    'scale': scale,
    'refuse': kind ~ " <> 'VOID' and " ~ ("(" ~ kind ~ " = 'DOUBLE' and abs(try_cast(cast({raw} as string) as double)) > 9007199254740992 or " if settings['decimal_handling_mode'] != 'double' else "(") ~ "get(transform(array(" ~ digits ~ "), d -> d is null or " ~ misfit ~ "), 0))",
  })) }}
{% endmacro %}


{#
  The digits of a number in any of the forms above, with an exponent (SQL text of {raw}); NULL for another form.
  In: kind, SQL of its JSON type; of_text, SQL of the digits of a text `b`; largest_scale; of_boolean, one more case.
#}
{% macro _digits_of_any_form(kind, of_text, largest_scale, of_boolean='') %}
  {% set of_struct = "concat(" ~ afterimage._unscaled_text('b') ~ ", 'E', -try_variant_get({raw}, '$.scale', 'int'))" %}
  {{ return("case when " ~ kind ~ " = 'STRING' then get(transform(array(nullif(try_variant_get({raw}, '$', 'string'), '')), b -> " ~ of_text ~ "), 0)"
            ~ " when " ~ kind ~ " = 'OBJECT<scale: BIGINT, value: STRING>' and try_variant_get({raw}, '$.scale', 'int') between -" ~ largest_scale ~ " and " ~ largest_scale
            ~ " then get(transform(array(nullif(try_variant_get({raw}, '$.value', 'string'), '')), b -> " ~ of_struct ~ "), 0)"
            ~ " when " ~ kind ~ " rlike '^(BIGINT|DECIMAL|DOUBLE)' then cast({raw} as string)" ~ of_boolean ~ " end") }}
{% endmacro %}


{# The canonical form of a number's text: 5.0, 5E0, 05 and 5 are 5. In and out: SQL text. #}
{% macro _canonical_number(text) %}
  {% set plain = "if(d rlike '[eE]', " ~ afterimage._plain_digits('d') ~ ", ltrim('+', d))" %}
  {{ return("get(transform(transform(array(" ~ text ~ "), d -> " ~ plain ~ "), d -> regexp_replace(regexp_replace(if(d like '%.%', rtrim('.', rtrim('0', d)), d), '^(-?)0+(?=[0-9])', '$1'), '^-0$', '0')), 0)") }}
{% endmacro %}

{#
  numeric, decimal, money; MySQL's decimal.
  decimal.handling.mode  JSON                                        here
  string                 text, NaN as NAN                            try_cast, excess scale refused
  precise                base64 of the unscaled two's complement     exact to any length
                         {scale, value} when the column has no scale
  precise, and NUMERIC   JSON number, exact when it is read as one   excess scale refused
  as decimal.format      (the {scale, value} stays an object)
  double                 number (digits are already lost)            double
  numeric(p,s) up to 38 digits is decimal(p,s); wider or without scale it is canonical text.
  NaN (and infinity of numeric without scale) fits no decimal: kept in `special`.
#}
{% macro decode_numeric(type, settings) %}
  {% set mode = settings['decimal_handling_mode'] %}
  {% set placeholder = afterimage.literal(settings['unavailable_value_placeholder']) %}
  {# a refused value may fit the type, in another mode #}
  {% set under = ' under decimal_handling_mode ' ~ mode %}
  {# SQL Server's money has a scale of its own #}
  {% set is_money = type['name'] == 'money' and not type['arguments'] %}
  {% set precision = 19 if is_money else (type['arguments'][0] if type['arguments'] else none) %}
  {% set scale = (settings['money_fraction_digits'] if is_money
                  else type['arguments'][1] if type['arguments'] | length > 1
                  else 0 if type['arguments'] else none) %}
  {% set has_decimal = precision is not none and precision <= 38 and scale >= 0 and scale <= precision %}
  {% set spark = 'decimal(' ~ precision ~ ',' ~ scale ~ ')' if has_decimal else 'string' %}

  {% if mode == 'double' %}
    {{ return({'literal': 'double', 'type': 'double', 'value': '{raw}', 'under': under}) }}
  {% endif %}

  {% if mode == 'precise' and scale is none %}
    {{ return({
      'literal': 'struct<scale: int, value: string>',
      'under': under,
      'type': 'string',
      'value': afterimage._place_point(afterimage._unscaled_text('{raw}.value'), '{raw}.scale'),
      'plain': afterimage._plain_free_number(),
      'refuse': "{raw} is not null and (try_to_binary({raw}.value, 'base64') is null or length({raw}.value) = 0 or not coalesce({raw}.scale between -99999 and 99999, false))",
    }) }}
  {% endif %}
  {% if mode == 'precise' and settings['decimal_format'] == 'NUMERIC' %}
    {# read with more digits after the decimal point than the type has, because from_json rounds silently (`digits_behind` finds digits that do
       not fit); and most types alike, so that they can be read side by side (former_types). There is no such number of more than 38 digits:
       those that need them are refused #}
    {% set whole = precision - scale %}
    {% set read = [[scale, 0] | max, 38] | min if not has_decimal else 18 if scale <= 12 and whole <= 20 else [scale + 12, 38 - whole] | min %}
    {% set value = "try_cast({raw} as " ~ spark ~ ")" if has_decimal else "if(cast({raw} as string) rlike 'E', " ~ afterimage._plain_digits('cast({raw} as string)') ~ ", cast({raw} as string))" %}
    {{ return({
      'literal': 'decimal(38,' ~ read ~ ')',
      'under': under,
      'type': spark,
      'value': value,
      'refuse': "{raw} is not null and coalesce(" ~ value ~ " <> {raw}, true)" if has_decimal else none,
      'bare': '{raw} % 1 = 0',
      'digits_behind': scale,
    }) }}
  {% endif %}
  {% if mode == 'precise' %}
    {% set unscaled = afterimage._unscaled_text('{raw}') %}
    {# the connector makes 2046 of a scale of -2 (seen in 3.6.3), with as many zeros at the end of its number #}
    {% set value = "try_cast(concat(" ~ unscaled ~ ", 'E-" ~ scale ~ "') as " ~ spark ~ ")" if has_decimal
                   else afterimage._place_point(unscaled, scale) if scale >= 0
                   else "get(transform(array(" ~ unscaled ~ "), d -> if(length(ltrim('-', d)) > " ~ precision ~ ", rtrim('.', rtrim('0', "
                        ~ afterimage._place_point('d', 2048 + scale) ~ ")), " ~ afterimage._place_point('d', scale) ~ ")), 0)" %}
    {{ return({
      'literal': 'string',
      'under': under,
      'type': spark,
      'value': value,
      'scale': scale if scale >= 0 else 2048 + scale,
      'quoted': "'base64'",
      'plain': afterimage._plain_unscaled(spark, scale) if has_decimal else none,
      'from_bare': "try_cast({raw} as " ~ spark ~ ")" if has_decimal else "if({raw} rlike '[eE]', " ~ afterimage._plain_digits('{raw}') ~ ", {raw})",
      'bare_form': '-?[0-9]',
      'refuse': "{raw} is not null and (try_to_binary({raw}, 'base64') is null or length({raw}) = 0 or " ~ value ~ " is null)",
    }) }}
  {% endif %}

  {# as Java prints them (SpecialValueDecimal); not by upper(), see hex_text #}
  {% set special = "case {raw} when 'NaN' then 'NaN' when 'NAN' then 'NaN' when 'POSITIVE_INFINITY' then 'Infinity' when 'NEGATIVE_INFINITY' then '-Infinity' end" %}
  {% if has_decimal %}
    {# Java writes 0.00000001 as 1E-8. Most are plain, and the first check finds that #}
    {{ return({
      'literal': 'string',
      'under': under,
      'type': spark,
      'value': 'try_cast({raw} as ' ~ spark ~ ')',
      'plain': "case when {raw} rlike '^-?[0-9]+([.][0-9]{0," ~ scale ~ "})?$' then try_cast({raw} as " ~ spark ~ ") end",
      'special': special,
      'refuse': "{raw} is not null and not ({raw} rlike '^-?[0-9]+([.][0-9]{0," ~ scale ~ "})?$' and try_cast({raw} as " ~ spark ~ ") is not null) and "
                ~ special ~ " is null and (try_cast({raw} as " ~ spark ~ ") is null or {raw} rlike '[^-+.0-9eE]' or " ~ afterimage.digits_behind_point('{raw}') ~ " > " ~ scale ~ ")",
    }) }}
  {% endif %}
  {% set text = "if({raw} rlike '[eE]', " ~ afterimage._plain_digits('{raw}') ~ ", ltrim('+', {raw}))" %}
  {% if scale is not none and scale < 0 %}{% set text = "regexp_replace(" ~ text ~ ", '[.]0*$', '')" %}{% endif %}
  {{ return({
    'literal': 'string',
    'under': under,
    'type': 'string',
    'value': "coalesce(" ~ special ~ ", " ~ text ~ ")",
    'plain': "case when {raw} rlike '^-?[0-9]+([.][0-9]+)?$' then {raw} end" if scale is none or scale >= 0 else none,
    'unknown': "{raw} = " ~ placeholder,
    'refuse': "{raw} is not null and " ~ special ~ " is null and not {raw} rlike '^[-+]?[0-9]+([.][0-9]+)?([eE][-+]?[0-9]{1,5})?$' and {raw} <> " ~ placeholder,
  }) }}
{% endmacro %}


{#
  The integer held by base64 of a big-endian two's complement, as text of decimal digits.
  In: SQL text expression. Out: SQL text expression, exact for any length.
  Up to 8 bytes it uses conv(); longer ones are carried in limbs of nine digits.
#}
{% macro _unscaled_text(base64) %}
  {% set hex = "hex(try_to_binary(" ~ base64 ~ ", 'base64'))" %}
  {% set negative = "substr(" ~ hex ~ ", 1, 1) >= '8'" %}
  {# -x = not(x) + 1: the digits of the complement; one is added while the limbs are made #}
  {% set magnitude = "if(" ~ negative ~ ", translate(" ~ hex ~ ", '0123456789ABCDEF', 'FEDCBA9876543210'), " ~ hex ~ ")" %}
  {% set limbs -%}
    aggregate(
      transform(sequence(1, length({{ hex }}) div 2), i -> cast(conv(substr({{ magnitude }}, i * 2 - 1, 2), 16, 10) as bigint)),
      array(0L),
      (limbs, byte) -> aggregate(
        limbs,
        named_struct('carry', byte, 'done', cast(array() as array<bigint>)),
        (state, limb) -> named_struct(
          'carry', (limb * 256 + state.carry) div 1000000000,
          'done', concat(state.done, array((limb * 256 + state.carry) % 1000000000))),
        state -> if(state.carry > 0, concat(state.done, array(state.carry)), state.done)),
      limbs -> if({{ negative }},
        aggregate(
          limbs,
          named_struct('carry', 1L, 'done', cast(array() as array<bigint>)),
          (state, limb) -> named_struct(
            'carry', (limb + state.carry) div 1000000000,
            'done', concat(state.done, array((limb + state.carry) % 1000000000))),
          state -> if(state.carry > 0, concat(state.done, array(state.carry)), state.done)),
        limbs))
  {%- endset %}
  {% set long -%}
    concat(
      if({{ negative }}, '-', ''),
      coalesce(nullif(ltrim('0', array_join(transform(reverse({{ limbs }}), limb -> lpad(cast(limb as string), 9, '0')), '')), ''), '0'))
  {%- endset %}
  {{ return("case when length(" ~ hex ~ ") <= 16 then " ~ afterimage._short_unscaled_text(base64) ~ " when " ~ hex ~ " is not null then " ~ long ~ " end") }}
{% endmacro %}


{# Whether a text is base64 as converters write it, padded: a template of {raw}. Spark accepts "abc" too. #}
{% macro _is_base64(raw='{raw}') %}
  {{ return(raw ~ " rlike '^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$'") }}
{% endmacro %}


{# The same as _unscaled_text, for a number of at most eight bytes. #}
{% macro _short_unscaled_text(base64) %}
  {% set hex = "hex(try_to_binary(" ~ base64 ~ ", 'base64'))" %}
  {{ return("conv(lpad(" ~ hex ~ ", 16, if(" ~ hex ~ " >= '8', 'F', '0')), 16, -10)") }}
{% endmacro %}


{# The decimal of a base64 of at most eight bytes, NULL for any other: a template. #}
{% macro _plain_unscaled(spark, scale) %}
  {{ return("case when length({raw}) between 2 and 11 or {raw} like '___________=' then try_cast(concat(" ~ afterimage._short_unscaled_text('{raw}')
            ~ ", 'E-" ~ scale ~ "') as " ~ spark ~ ") end") }}
{% endmacro %}


{# The text of {scale, value} with at most eight bytes and forty digits after the decimal point, NULL for any other: a template. #}
{% macro _plain_free_number() %}
  {{ return("case when {raw}.scale between 0 and 40 and (length({raw}.value) between 2 and 11 or {raw}.value like '___________=') then get(transform(array("
            ~ afterimage._short_unscaled_text('{raw}.value') ~ "), d -> " ~ afterimage._place_point('d', '{raw}.scale') ~ "), 0) end") }}
{% endmacro %}


{#
  Digits and a scale -> plain decimal text: ('-1239', 2) -> -12.39. A negative scale appends zeros. The scale is in brackets: with -2, two dashes
  would begin a comment. In and out: SQL text.
#}
{% macro _place_point(digits, scale) %}
  {% set size = "ltrim('-', " ~ digits ~ ")" %}
  {% set padded = "lpad(" ~ size ~ ", greatest(length(" ~ size ~ "), " ~ scale ~ " + 1), '0')" %}
  {{ return(
    "concat(if(" ~ digits ~ " like '-%', '-', ''), case when " ~ scale ~ " > 0"
    ~ " then concat(left(" ~ padded ~ ", length(" ~ padded ~ ") - " ~ scale ~ "), '.', right(" ~ padded ~ ", " ~ scale ~ "))"
    ~ " else concat(" ~ size ~ ", if(" ~ size ~ " = '0', '', repeat('0', -(" ~ scale ~ ")))) end)") }}
{% endmacro %}


{# Java's scientific notation as plain decimal text, as PostgreSQL prints it: 1.5E-7 -> 0.00000015. In and out: SQL text. #}
{% macro _plain_digits(text) %}
  {% set part = "regexp_extract(" ~ text ~ ", '^[-+]?([0-9]+)(?:[.]([0-9]+))?[eE]([-+]?[0-9]+)$', " %}
  {% set digits = "concat(" ~ part ~ "1), " ~ part ~ "2))" %}
  {% set scale = "length(" ~ part ~ "2)) - try_cast(" ~ part ~ "3) as int)" %}
  {{ return(afterimage._place_point("concat(if(" ~ text ~ " like '-%', '-', ''), coalesce(nullif(ltrim('0', " ~ digits ~ "), ''), '0'))", "(" ~ scale ~ ")")) }}
{% endmacro %}

{#
  Extended JSON in one spelling, whatever version it was written in: without spaces, each value as in v2,
    integers          bare where they were; {"$numberLong":"5"} where a long was sent
    doubles           {"$numberDouble":"5.0"}, so that no reader makes an integer of one (see bare_doubles for how they are shown)
    dates             {"$date":{"$numberLong":"1558965508000"}}
    binary, regular expressions   {"$binary":{"base64":…,"subType":…}}, {"$regularExpression":{"pattern":…,"options":…}}
  A wrapper that is not in its own form stays unchanged, and invalid_wrapper finds it.

  It uses regular expressions because no JSON reader of Spark keeps everything: VARIANT makes 5.0 a 5, texts lose whether they were numbers.
  Outside strings `{"$` can only be a wrapper: within one its quotes are escaped.
  Source: the Extended JSON specification of MongoDB, v1 (strict mode) and v2 (canonical and relaxed).
  In and out: SQL text, NULL stays NULL.
#}
{% macro document_terms(text) %}
  {% set wrappers = namespace(sql='t') %}
  {% for pattern, replacement in afterimage._spellings() %}
    {% set wrappers.sql = 'regexp_replace(' ~ wrappers.sql ~ ', ' ~ afterimage.literal(pattern) ~ ', ' ~ afterimage.literal(replacement) ~ ')' %}
  {% endfor %}
  {% set wrapped = "if(instr(t, '{\"$') > 0, " ~ afterimage._dates_as_numbers(wrappers.sql) ~ ", t)" %}
  {{ return('get(transform(array(' ~ afterimage.doubles_wrapped(afterimage._without_spaces(text)) ~ '), t -> ' ~ wrapped ~ '), 0)') }}
{% endmacro %}


{# Pairs of a regular expression and its replacement: v1 -> v2, and integers of 32 bits without a wrapper. #}
{% macro _spellings() %}
  {% set base64, subtype = '"([A-Za-z0-9+/]*={0,2})"', '"([0-9A-Fa-f]{1,2})"' %}
  {% set string = '("[^"\\\\]*+(?:\\\\.[^"\\\\]*+)*+")' %}
  {% set int32 = '-?(?:[0-9]{1,9}|1[0-9]{9}|20[0-9]{8}|21[0-3][0-9]{7}|214[0-6][0-9]{6}|2147[0-3][0-9]{5}|21474[0-7][0-9]{4}|214748[0-2][0-9]{3}'
                 ~ '|2147483[0-5][0-9]{2}|21474836[0-3][0-9]|214748364[0-7])|-2147483648' %}
  {{ return([
    ('\\{"\\$numberInt":"(' ~ int32 ~ ')"\\}', '$1'),
    ('\\{"\\$numberDouble":"(-?[0-9]+)"\\}', '{"\\$numberDouble":"$1.0"}'),
    ('\\{"\\$date":(-?[0-9]{1,19})\\}', '{"\\$date":{"\\$numberLong":"$1"}}'),
    ('\\{"\\$binary":' ~ base64 ~ ',"\\$type":' ~ subtype ~ '\\}', '{"\\$binary":{"base64":"$1","subType":"$2"}}'),
    ('\\{"\\$type":' ~ subtype ~ ',"\\$binary":' ~ base64 ~ '\\}', '{"\\$binary":{"base64":"$2","subType":"$1"}}'),
    ('\\{"\\$regex":' ~ string ~ ',"\\$options":' ~ string ~ '\\}', '{"\\$regularExpression":{"pattern":$1,"options":$2}}'),
  ]) }}
{% endmacro %}


{# JSON without the spaces outside its strings. Possessive: a string of megabytes must not fill Java's stack. #}
{% macro _without_spaces(text) %}
  {{ return('regexp_replace(' ~ text ~ ', ' ~ afterimage.literal('("[^"\\\\]*+(?:\\\\.[^"\\\\]*+)*+")|[ \\n\\r\\t]+') ~ ", '$1')") }}
{% endmacro %}


{# Dates written as text, {"$date":"2019-05-27T13:58:28.5Z"}, as their milliseconds; other values stay. In and out: SQL text. #}
{% macro _dates_as_numbers(text) %}
  {% set date = '\\{"\\$date":"([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:[.][0-9]{1,9})?(?:Z|[-+][0-9]{2}:?[0-9]{2}))"\\}' %}
  {% set moment = "unix_millis(try_cast(substring(d, 11, length(d) - 12) as timestamp))" %}
  {% set written = "concat('{\"$date\":{\"$numberLong\":\"', " ~ moment ~ ", '\"}}')" %}
  {{ return("aggregate(array_distinct(regexp_extract_all(" ~ text ~ ", " ~ afterimage.literal(date) ~ ", 0)), " ~ text ~ ", (a, d) -> coalesce(replace(a, d, " ~ written ~ "), a))") }}
{% endmacro %}

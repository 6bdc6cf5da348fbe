{#
  The first value in Extended JSON that does not match its wrapper, as text: {"$numberLong":"abc"}; '' where there is none.
  In: text in the form of document_terms (SQL). Out: SQL text.
#}
{% macro invalid_wrapper(text) %}
  {% set long = '"\\$numberLong":"-?[0-9]{1,19}"\\}' %}
  {% set true_ones = [
    long,
    '"\\$date":\\{' ~ long ~ '\\}',
    '"\\$numberDouble":"(?:-?[0-9]++(?:[.][0-9]++)?(?:[eE][-+]?[0-9]++)?|NaN|-?Infinity)"\\}',
    '"\\$numberDecimal":"(?:[-+]?(?:[0-9]++[.]?[0-9]*+|[.][0-9]++)(?:[eE][-+]?[0-9]++)?|-?NaN|[-+]?(?:Infinity|Inf))"\\}',
    '"\\$oid":"[0-9A-Fa-f]{24}"\\}',
    '"\\$binary":\\{"base64":"(?:[A-Za-z0-9+/]{4})*+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?","subType":"[0-9A-Fa-f]{1,2}"\\}\\}',
    '"\\$binary":\\{"subType":"[0-9A-Fa-f]{1,2}","base64":"(?:[A-Za-z0-9+/]{4})*+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?"\\}\\}',
    '"\\$uuid":"[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}"\\}',
    '"\\$timestamp":\\{"t":[0-9]{1,10},"i":[0-9]{1,10}\\}\\}',
  ] %}
  {% set names = 'numberInt|numberLong|numberDouble|numberDecimal|date|oid|binary|uuid|timestamp' %}
  {% set lie = '\\{(?!' ~ true_ones | join('|') ~ ')"\\$(?:' ~ names ~ ')":[^}]{0,100}\\}?' %}
  {% set too_long = "filter(regexp_extract_all(t, " ~ afterimage.literal('\\{"\\$numberLong":"(-?[0-9]{19})"\\}') ~ ", 1), n -> try_cast(n as bigint) is null)" %}
  {{ return("get(transform(array(" ~ text ~ "), t -> if(instr(t, '{\"$') = 0, '', coalesce(nullif(regexp_extract(t, " ~ afterimage.literal(lie) ~ ", 0), ''), concat('{\"$numberLong\":\"', get("
            ~ too_long ~ ", 0), '\"}'), ''))), 0)") }}
{% endmacro %}

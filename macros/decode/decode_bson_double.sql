{# MongoDB double; an integer of up to 53 bits is the same number. Out: dict of templates, see decoder. #}
{% macro decode_bson_double(type, settings) %}
  {% set special = afterimage._unwrapped_bson('numberDouble') %}
  {{ return(afterimage.bson_decoder('double', "case when {raw} rlike '^-?[0-9]+$' then if(try_cast({raw} as bigint) between -9007199254740992 and 9007199254740992, try_cast({raw} as double), null)"
                                   ~ " when {raw} rlike '^-?[0-9]' then try_cast({raw} as double) else try_cast(" ~ special ~ " as double) end")) }}
{% endmacro %}

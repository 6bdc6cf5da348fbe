{#
  MongoDB timestamp, as in its oplog: seconds, and a count within the second, as one number (seconds in the high 32 bits).
  Out: dict of templates, see decoder.
#}
{% macro decode_bson_timestamp(type, settings) %}
  {% set value = [] %}
  {% for name in ['t', 'i'] %}{% do value.append("try_cast(get_json_object({raw}, '$.$timestamp." ~ name ~ "') as bigint)") %}{% endfor %}
  {% if type['has_bare_values'] %}
    {# the count within the second is lost #}
    {{ return(afterimage.bson_decoder('bigint', "if({raw} rlike '^[0-9]{1,10}000$', (try_cast({raw} as bigint) div 1000) * 4294967296, null)")) }}
  {% endif %}
  {{ return(afterimage.bson_decoder('bigint', "if({raw} like '{\"$timestamp\":%' and " ~ value[0] ~ " < 2147483648 and " ~ value[1] ~ " < 4294967296, " ~ value[0] ~ " * 4294967296 + " ~ value[1] ~ ", null)")) }}
{% endmacro %}

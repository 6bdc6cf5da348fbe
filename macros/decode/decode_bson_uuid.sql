{#
  MongoDB binData of subtype 04, a UUID, as text. Only the client knows the byte order of subtype 03, so those are in _cdc_special.
  Out: dict of templates, see decoder.
#}
{% macro decode_bson_uuid(type, settings) %}
  {% set is_bare = type['has_bare_values'] %}
  {% set bytes = "regexp_extract({raw}, '^\"([A-Za-z0-9+/]{22}==)\"$', 1)" if is_bare else "get_json_object({raw}, '$.$binary.base64')" %}
  {% set hex = "translate(hex(unbase64(" ~ bytes ~ ")), 'ABCDEF', 'abcdef')" %}
  {% set is_uuid = "" if is_bare else "{raw} like '{\"$binary\":%' and lpad(get_json_object({raw}, '$.$binary.subType'), 2, '0') = '04' and " %}
  {% set of_bytes = "if(" ~ is_uuid ~ "length(unbase64(" ~ bytes ~ ")) = 16, "
                    ~ "regexp_replace(" ~ hex ~ ", '(.{8})(.{4})(.{4})(.{4})(.{12})', '$1-$2-$3-$4-$5'), null)" %}
  {{ return(afterimage.bson_decoder('string', "coalesce(translate(" ~ afterimage._unwrapped_bson('uuid') ~ ", 'ABCDEF', 'abcdef'), " ~ of_bytes ~ ")")) }}
{% endmacro %}

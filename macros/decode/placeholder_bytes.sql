{#
  The bytes of unavailable.value.placeholder: those of its text, or of the connector's own spelling hex:…, which may not be valid text
  (see with_placeholder). In: settings of a contract. Out: integers from 0 to 255.
#}
{% macro placeholder_bytes(settings) %}
  {% set text = settings['unavailable_value_placeholder'] %}
  {{ return((text.encode().fromhex(settings['unavailable_value_bytes']) if settings.get('unavailable_value_bytes') else text.encode('utf-8')) | list) }}
{% endmacro %}


{# The same as SQL of a binary. #}
{% macro placeholder_binary(settings) %}
  {% if settings.get('unavailable_value_bytes') %}{{ return("X'" ~ settings['unavailable_value_bytes'] ~ "'") }}{% endif %}
  {{ return("encode(" ~ afterimage.literal(settings['unavailable_value_placeholder']) ~ ", 'UTF-8')") }}
{% endmacro %}


{# The same as SQL of the numbers of an array of int or bigint, with bytes as in Java, from -128 to 127. #}
{% macro placeholder_numbers(settings) %}
  {% set numbers = [] %}
  {% for byte in afterimage.placeholder_bytes(settings) %}{% do numbers.append(byte - 256 if byte > 127 else byte) %}{% endfor %}
  {{ return('array(' ~ numbers | join(', ') ~ ')') }}
{% endmacro %}


{# SQL of the UUID of the placeholder, from a name without name space as by Java's UUID.nameUUIDFromBytes. #}
{% macro placeholder_uuid(settings) %}
  {% if settings.get('unavailable_value_bytes') %}
    {% set digits = 'md5(' ~ afterimage.placeholder_binary(settings) ~ ')' %}
    {{ return("regexp_replace(" ~ digits ~ ", '^(.{8})(.{4}).(.{3})(.)(.{3})(.{12})$', concat('$1-$2-3$3-', substr('89ab89ab89ab89ab', 1 + conv(substr("
              ~ digits ~ ", 17, 1), 16, 10), 1), '$5-$6'))") }}
  {% endif %}
  {% set digits = local_md5(settings['unavailable_value_placeholder']) %}
  {% set variant = '89ab'['0123456789abcdef'.index(digits[16]) % 4] %}
  {{ return("'" ~ [digits[:8], digits[8:12], '3' ~ digits[13:16], variant ~ digits[17:20], digits[20:]] | join('-') ~ "'") }}
{% endmacro %}


{# Whether a contract's connector accepts bytes as its placeholder, spelled hex:…; the contract may have faults. #}
{% macro placeholder_may_be_hex(contract) %}
  {% set is_known = contract['connector'] in afterimage.connectors() | list %}
  {{ return(is_known and afterimage.connector(dict(contract, format='debezium_json')).get('placeholder_may_be_hex', false)) }}
{% endmacro %}


{# Settings with the placeholder as text, however it was spelled. In: settings; may_be_hex. Out: the settings. #}
{% macro with_placeholder(settings, may_be_hex) %}
  {% set placeholder = settings['unavailable_value_placeholder'] %}
  {# Java replaces bytes that are not valid text with U+FFFD #}
  {% if may_be_hex and placeholder is string and modules.re.match('hex:([0-9A-Fa-f]{2})*\\Z', placeholder) %}
    {% set octets = placeholder.encode().fromhex(placeholder[4:]) %}
    {{ return(dict(settings, unavailable_value_placeholder=octets.decode('utf-8', 'replace'), unavailable_value_bytes=placeholder[4:])) }}
  {% endif %}
  {{ return(settings) }}
{% endmacro %}

{#
  timetz: the text the connector makes of it in UTC; under structured an object of hour, minute, second and the zone's offset, converted to
  the text PostgreSQL prints: 04:05:06.789-08, 24:00:00+05:30.
#}
{% macro decode_timetz(type, settings) %}
  {% if settings['time_precision_mode'] != 'structured' %}{{ return(afterimage.decode_text(type, settings)) }}{% endif %}
  {% set moment = afterimage.structured_moment(['time', 'offset']) %}
  {% set away = 'abs({raw}.offsetSeconds)' %}
  {{ return({
    'literal': moment['literal'],
    'type': 'string',
    'value': "case when " ~ moment['is_whole'] ~ " then concat(" ~ moment['text'] ~ ", if({raw}.offsetSeconds < 0, '-', '+'), lpad(" ~ away ~ " div 3600, 2, '0'), if(" ~ away
             ~ " % 3600 = 0, '', concat(':', lpad(" ~ away ~ " div 60 % 60, 2, '0'))), if(" ~ away ~ " % 60 = 0, '', concat(':', lpad(" ~ away ~ " % 60, 2, '0')))) end",
    'refuse': "{raw} is not null and not " ~ moment['is_whole'],
  }) }}
{% endmacro %}

{# An on-run-end hook that restores the session settings from before the run. #}
{% macro settings_put_back() %}
  {% for setting, value in (afterimage.run_memory('settings') if execute else {}).items() %}
    {% do run_query('reset ' ~ setting if value == '<undefined>' else 'set ' ~ setting ~ ' = ' ~ value) %}
  {% endfor %}
  {{ return('') }}
{% endmacro %}

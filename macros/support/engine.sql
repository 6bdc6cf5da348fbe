{#
  What Spark says of itself, asked once a model: {version: [major, minor], driver: its host and the process id of its driver}.
  The oldest supported version and no driver where nothing can be asked (compiling without a database, unit tests).
  A driver whose host cannot be told is another one each time it is asked: it is nobody's leftover then (see scratch_owner).
#}
{% macro engine() %}
  {% if not afterimage.is_model_run() %}{{ return({'version': [4, 0], 'driver': ''}) }}{% endif %}
  {% if 'afterimage_engine' not in model %}
    {# over VALUES, so that the driver itself answers, not one of its executors #}
    {% set said = run_query(
      "select version(), concat(try_reflect('java.net.InetAddress', 'getLocalHost'), ' process ', try_reflect('java.lang.ProcessHandle', 'current')) "
      ~ "from values (1) as one (n)").rows[0] %}
    {% set numbers = modules.re.findall('[0-9]+', said[0]) %}
    {% do model.update({'afterimage_engine': {'version': [numbers[0] | int, numbers[1] | int], 'driver': said[1] or ''}}) %}
  {% endif %}
  {{ return(model['afterimage_engine']) }}
{% endmacro %}


{# Spark's version as [major, minor]. #}
{% macro spark_version() %}
  {{ return(afterimage.engine()['version']) }}
{% endmacro %}


{# Whether a driver, as engine() names it, is known to be gone: one of this host whose process is no more. In: driver. #}
{% macro driver_is_gone(driver) %}
  {% set host, process = driver.rpartition(' process ')[0], driver.rpartition(' process ')[2] %}
  {% if not host or host != afterimage.engine()['driver'].rpartition(' process ')[0] or not process.isdigit() %}{{ return(false) }}{% endif %}
  {{ return(run_query("select try_reflect('java.lang.ProcessHandle', 'of', cast(" ~ process ~ " as bigint)) from values (1) as one (n)").rows[0][0]
            == 'Optional.empty') }}
{% endmacro %}

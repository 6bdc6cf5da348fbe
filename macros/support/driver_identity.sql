{#
  The identity of the session's Spark driver, queried once a run.
  Out: {driver, its host, process id and a number of the JVM, or empty where that cannot be read or nothing can be
  queried (compiling without a database, unit tests); is_embedded, whether it runs in dbt's own process and ends with
  it}.
#}
{% macro driver_identity() %}
  {# on-run-start too, where restore_swapped looks whether the run that holds a lock has ended #}
  {% if afterimage.is_run_operation() or model.resource_type == 'operation' and not afterimage.is_only_compiled() %}{{ return(afterimage._ask_driver_identity()) }}{% endif %}
  {% if not afterimage.is_model_run() %}{{ return({'driver': '', 'is_embedded': false}) }}{% endif %}
  {% set known = afterimage.run_memory('driver_identity') %}
  {# over a server each model may have its own connection, and with it its own driver #}
  {% if not known or not known['is_embedded'] and known['asked_by'] != model.unique_id %}
    {% do known.update(dict(afterimage._ask_driver_identity(), asked_by=model.unique_id)) %}
  {% endif %}
  {{ return(known) }}
{% endmacro %}


{% macro _ask_driver_identity() %}
  {{ return(adapter.dispatch('asked_driver', 'afterimage')()) }}
{% endmacro %}


{# The same, without the run's memory. #}
{% macro spark__asked_driver() %}
  {# over VALUES, so that the driver itself answers, not an executor; the number distinguishes JVMs that share host
     and process id in containers #}
  {% set said = afterimage.ask('identify the Spark driver',
    "select concat(try_reflect('java.net.InetAddress', 'getLocalHost'), ' process ', try_reflect('java.lang.ProcessHandle', 'current'), "
    ~ "' JVM ', substring_index(try_reflect('java.lang.management.ManagementFactory', 'getRuntimeMXBean'), '@', -1)), "
    ~ "try_reflect('java.lang.System', 'getProperty', 'sun.java.command') from values (1) as one (n)").rows[0] %}
  {{ return({'driver': said[0] or '', 'is_embedded': 'pyspark-shell' in (said[1] or '')}) }}
{% endmacro %}


{# A Databricks warehouse lets no statement query its JVM: a lock that a killed run left there is dropped by hand. #}
{% macro databricks__asked_driver() %}
  {{ return({'driver': '', 'is_embedded': false}) }}
{% endmacro %}


{#
  Whether a driver, as driver_identity() names it, is known to be gone: it is on this host, and its process no longer
  exists. In: driver.
#}
{% macro driver_is_gone(driver) %}
  {% set theirs, ours = afterimage._host_and_process(driver), afterimage._host_and_process(afterimage.driver_identity()['driver']) %}
  {% if not theirs or not ours or theirs[0] != ours[0] %}{{ return(false) }}{% endif %}
  {{ return(afterimage.ask('check whether another driver is alive', "select try_reflect('java.lang.ProcessHandle', 'of', cast(" ~ theirs[1] ~ " as bigint)) from values (1) as one (n)").rows[0][0]
            == 'Optional.empty') }}
{% endmacro %}


{% macro _host_and_process(driver) %}
  {% set found = modules.re.findall('^(.+) process ([0-9]+) JVM ', driver) %}
  {{ return(found[0] if found else none) }}
{% endmacro %}

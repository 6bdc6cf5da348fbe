{#
  Says which of the package's tests failed, and what shows the records behind it: dbt names only their number. Called on-run-end.
  In: results of the run.
#}
{% macro name_failed_tests(results) %}
  {% set failed = {} %}
  {% for result in results if result.status | string in ['fail', 'warn'] and (result.node.test_metadata or {}).namespace == 'afterimage' %}
    {% do failed.setdefault(result.node.test_metadata.name, []).append((result.node.attached_node or result.node.name).split('.')[-1]) %}
  {% endfor %}
  {% for test, models in failed.items() %}
    {% do afterimage.say(test ~ ' found something in ' ~ models | join(', ')) %}
  {% endfor %}
  {% if failed %}{% do afterimage.say('which records, and what to do: afterimage report; what each test asks: dbt_packages/afterimage/docs/reference/tests.md') %}{% endif %}
  {{ return('') }}
{% endmacro %}

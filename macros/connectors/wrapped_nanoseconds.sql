{#
  Common dates for "forever" and "never", by the number they become in nanoseconds since 1970. A long holds only 1677 to 2262: the connector
  multiplies, and the number wraps silently. Only for datetime2(7), timestamp(9) and the like.
  Out: dict number (text) -> text, digits below microseconds too.
#}
{% macro wrapped_nanoseconds() %}
  {{ return({
    '-4852202631933722624': '9999-12-31 00:00:00',
    '-4852116232933722624': '9999-12-31 23:59:59',
    '-4852116231934722624': '9999-12-31 23:59:59.999',
    '-4852116231933723624': '9999-12-31 23:59:59.999999',
    '-4852116231933722724': '9999-12-31 23:59:59.9999999',
    '-4852116231933722625': '9999-12-31 23:59:59.999999999',
    '-6795364578871345152': '0001-01-01 00:00:00',
  }) }}
{% endmacro %}

{#
  The connector's mark for "value not sent" never reaches a history or a current state.
  In: placeholder, when the connector's unavailable.value.placeholder was changed. Gives the rows that hold it, with the column.
#}
{% test cdc_no_placeholder_left(model, placeholder='__debezium_unavailable_value') %}
  {% set texts = [] %}
  {% for column in adapter.get_columns_in_relation(model) if column.dtype == 'string' and not column.name.startswith('_cdc_') %}
    {% do texts.append(afterimage.identifier(column.name)) %}
  {% endfor %}
  {% for text in texts %}
select _cdc_key, _cdc_position, {{ afterimage.literal(text) }} as failing_column, 'placeholder left' as failure_reason
from {{ model }}
where {{ text }} = {{ afterimage.literal(placeholder) }}
    {% if not loop.last %}union all{% endif %}
  {% else %}
select cast(null as string) as _cdc_key, cast(null as string) as _cdc_position, '' as failing_column, '' as failure_reason where false
  {% endfor %}
{% endtest %}

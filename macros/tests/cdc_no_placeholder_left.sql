{#
  The connector's mark for "value not sent" never reaches a history or a current state, in any of its forms by type.
  In: placeholder, if the connector's unavailable.value.placeholder was changed, its value. Returns the rows that hold
  it, with the column.
#}
{% test cdc_no_placeholder_left(model, placeholder='__debezium_unavailable_value') %}
  {% set forms = afterimage.placeholder_forms(placeholder) %}
  {% for column in afterimage.columns_there(model) if column.dtype in forms and not column.name.startswith('_cdc_') %}
select _cdc_key, _cdc_position, {{ afterimage.literal(column.name) }} as failing_column, 'placeholder left' as failure_reason
from {{ model }}
where {{ afterimage.identifier(column.name) }} in ({{ forms[column.dtype] | join(', ') }})
    {% if not loop.last %}union all{% endif %}
  {% else %}
select cast(null as string) as _cdc_key, cast(null as string) as _cdc_position, '' as failing_column, '' as failure_reason where false
  {% endfor %}
{% endtest %}


{#
  The placeholder as a decoded column would hold it: Spark type -> SQL of each form. For hex:… both its decoded value
  and its own text, because the model does not say which of them its connector writes.
#}
{% macro placeholder_forms(placeholder) %}
  {% set forms = {} %}
  {% set as_text = {'unavailable_value_placeholder': placeholder} %}
  {% for settings in [as_text] + ([afterimage.with_placeholder(as_text, true)] if placeholder.startswith('hex:') else []) %}
    {% set text, bytes = afterimage.literal(settings['unavailable_value_placeholder']), afterimage.placeholder_binary(settings) %}
    {% set numbers = afterimage.placeholder_numbers(settings) %}
    {% for type, found in {
      'string': [text, 'base64(' ~ bytes ~ ')', afterimage.hex_text(bytes), 'to_json(map(' ~ text ~ ', ' ~ text ~ '))'],
      'binary': [bytes],
      'array<string>': ['array(' ~ text ~ ')', 'array(' ~ afterimage.placeholder_uuid(settings) ~ ')'],
      'array<binary>': ['array(' ~ bytes ~ ')'],
      'array<smallint>': ['cast(' ~ numbers ~ ' as array<smallint>)'],
      'array<int>': [numbers],
      'array<bigint>': ['cast(' ~ numbers ~ ' as array<bigint>)'],
      'array<date>': ['transform(' ~ numbers ~ ", day -> date_add(date'1970-01-01', day))"],
    }.items() %}
      {% do forms.update({type: forms.get(type, []) + found}) %}
    {% endfor %}
  {% endfor %}
  {{ return(forms) }}
{% endmacro %}

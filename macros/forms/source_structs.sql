{#
  The source and the transaction of a record: two columns (SQL). In: fields, {name in source: its text}; id and total_order
  of the transaction; all SQL.
#}
{% macro source_structs(fields, id, total_order) -%}
named_struct(
            {%- for name, text in fields.items() %}
            {{ afterimage.literal(name) }}, {{ text }}{{ ',' if not loop.last }}
            {%- endfor %}
        ) as source,
        named_struct(
            'id', {{ id }},
            'total_order', {{ total_order }}
        ) as transaction
{%- endmacro %}

{#
  sparsevec(n) of pgvector: an object of dimensions and vector. Kafka's converter writes the vector's map of numbers as pairs: [[1,0.5],[3,2.0]].
  Out: a struct of dimensions and values, an array of {index, value} in the order sent.
#}
{% macro decode_sparse_vector(type, settings) %}
  {% set wrong_length = " or {raw}.dimensions <> " ~ type['arguments'][0] if type['arguments'] else "" %}
  {{ return({
    'literal': 'struct<dimensions: int, vector: array<array<double>>>',
    'type': 'struct<dimensions: int, values: array<struct<index: int, value: float>>>',
    'value': "case when {raw} is not null then named_struct('dimensions', {raw}.dimensions, 'values', transform({raw}.vector, e -> named_struct('index', try_cast(get(e, 0) as int),"
             ~ " 'value', cast(get(e, 1) as float)))) end",
    'refuse': "{raw} is not null and ({raw}.dimensions is null or {raw}.vector is null or exists({raw}.vector, e -> coalesce(size(e), 0) <> 2 or get(e, 1) is null"
              ~ " or not coalesce(get(e, 0) = try_cast(get(e, 0) as int), false))" ~ wrong_length ~ ")",
  }) }}
{% endmacro %}

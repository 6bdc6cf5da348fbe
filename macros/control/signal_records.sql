{#
  CTE `signal_records`: the signals to a connector, from rows of its signal table (as envelopes or alone) and from its
  signal topic.
  In:  kafka_topics, table_topics: lists of topics; a step `control_records`.
  Out: topic, partition, offset, timestamp, record_key, record_value, channel (table, kafka), op (of the row),
  source_text (JSON of its source), is_there (the record could be read), id, type, data.
  The names of the table's columns are free, their order is not: id, type, data. Source: Debezium documentation,
  "signaling".
#}
{% macro signal_records(kafka_topics, table_topics) -%}
signal_images as (
    select
        *,
        {{ 'if(' ~ afterimage.has_topic('topic', dict(topics=kafka_topics)) ~ ", 'kafka', 'table')" if kafka_topics else "'table'" }} as channel,
        coalesce(get_json_object(record_value, '$.op'), get_json_object(record_value, '$.__op')) as op,
        get_json_object(record_value, '$.source') as source_text,
        coalesce(get_json_object(record_value, '$.after'), get_json_object(record_value, '$.before'), record_value) as image
    from control_records
    where {{ afterimage.has_topic('topic', dict(topics=kafka_topics + table_topics)) }}
),

signal_values as (
    select
        *,
        json_object_keys(image) as names,
        from_json(image, 'map<string, string>') as fields
    from signal_images
),

signal_records as (
    select
        *,
        names is not null as is_there,
        if(channel = 'kafka', fields['id'], fields[get(names, 0)]) as id,
        if(channel = 'kafka', fields['type'], fields[get(names, 1)]) as type,
        if(channel = 'kafka', fields['data'], fields[get(names, 2)]) as data
    from signal_values
),
{%- endmacro %}

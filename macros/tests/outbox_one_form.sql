{#
  A topic of an outbox has its payloads in one form: JSON texts or objects, with fields next to the payload or
  without. Put on a model of outbox_records or outbox_events. Returns the topics with several, with the first offset
  of each form.
  A text that is no JSON object among objects is the router's output for a payload that it cannot expand; it does not
  count as a form.
#}
{% test outbox_one_form(model) %}
with

forms as (
    select
        _cdc_topic as topic,
        case
            when payload_form like '%text' and payload_kind = 'object' then 'a JSON text, which is read twice'
            when payload_form = 'object like an envelope' then 'an object that begins with payload: is a field placed in the envelope, and not declared?'
            when payload_form like '%object' then 'an object'
        end as form,
        _cdc_partition as partition,
        _cdc_offset as offset
    from {{ model }}
),

torn as (
    select topic
    from forms
    where form is not null
    group by topic
    having count(distinct form) > 1
)

select
    topic,
    form,
    count(*) as records,
    min_by(partition, offset) as partition,
    min(offset) as offset,
    'payloads of this topic have several forms: was the router set otherwise? They are read all the same' as failure_reason
from forms
where form is not null and topic in (select torn.topic from torn)
group by topic, form
{% endtest %}

{#
  Law of conservation: every landed record is staged, duplicate, ignored or refused, and no topic is unknown.
  Put on the accounting of a source. Gives the rows that break it.
#}
{% test cdc_conservation(model) %}
select
    *,
    case
        when outcome = 'pending' and records > 0 then 'landed, but no run has read it yet'
        when outcome = 'pending' then 'counted more often than landed'
        else 'no table of the contract declares this topic'
    end as failure_reason
from {{ model }}
where outcome = 'pending' or kind = 'unknown_topic'
{% endtest %}

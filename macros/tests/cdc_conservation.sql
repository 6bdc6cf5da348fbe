{#
  Law of conservation: every landed record is staged, duplicate, ignored or refused, no topic is unknown, and there is
  no finding of something undeclared, contrary to the contract, or ordered only by delivery. Meaning and remedy of
  each kind: seeds/afterimage_remedies.csv.
  Put on the accounting of a source. Returns the rows that break it; `examples` names records of them.
#}
{% test cdc_conservation(model) %}
select
    *,
    case
        when outcome = 'pending' and records > 0 then 'landed, but no run has read it yet'
        when outcome = 'pending' then 'counted more often than landed'
        when kind = 'unknown_topic' then 'no table of the contract declares this topic'
        else concat(outcome, ' ', kind, ': see `afterimage report`, dbt_packages/afterimage/docs/reference/outcomes.md')
    end as failure_reason
from {{ model }}
where outcome in ('pending', 'alarm', 'contradiction', 'ambiguous') or kind = 'unknown_topic'
{% endtest %}

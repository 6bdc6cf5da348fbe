select
    *,
    case
        when outcome = 'pending' and records > 0 then 'landed, but no run has read it yet'
        when outcome = 'pending' then 'counted more often than landed'
        when kind = 'unknown_topic' then 'no table of the contract declares this topic'
        else concat(outcome, ' ', kind, ': see `afterimage report`, dbt_packages/afterimage/docs/reference/outcomes.md')
    end as failure_reason
from afterimage.dq_shop__accounting
where outcome in ('pending', 'alarm', 'contradiction', 'ambiguous') or kind = 'unknown_topic'

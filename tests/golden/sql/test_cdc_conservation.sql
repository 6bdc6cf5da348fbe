select
    *,
    case
        when outcome = 'pending' and records > 0 then 'landed, but no run has read it yet'
        when outcome = 'pending' then 'counted more often than landed'
        when kind = 'unknown_topic' then 'no table of the contract declares this topic'
        else concat(outcome, ' ', kind, ': `afterimage report` and docs/reference/outcomes.md say what to do')
    end as failure_reason
from afterimage.dq_shop__accounting
where outcome in ('pending', 'alarm', 'contradiction', 'ambiguous') or kind = 'unknown_topic'

{#
  Contracts and streams fit. Put on a model of contract_drift. Gives what does not, with the change of the contract that is asked for. `drifts`: which
  kinds fail, all but what needs no hurry by default.

      data_tests:
        - afterimage.cdc_contract_fits: {arguments: {drifts: [not declared, type differs]}}
#}
{% test cdc_contract_fits(model, drifts=['not declared', 'type differs', 'key differs', 'table gone']) %}
select
    table_name,
    column_name,
    drift,
    told,
    declared,
    contract_change,
    concat('contract and stream do not fit: ', drift) as failure_reason
from {{ model }}
where drift in ({{ afterimage.literals(drifts) }})
{% endtest %}

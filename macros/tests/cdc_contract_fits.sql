{#
  Contracts and streams fit. Put on a model of contract_drift. Returns the differences, with the contract change that
  each requires. `drifts`: which kinds fail, by default all but those that are not urgent.

      data_tests:
        - afterimage.cdc_contract_fits: {arguments: {drifts: [not declared, type differs]}}
#}
{% test cdc_contract_fits(model, drifts=['not declared', 'type differs', 'key differs', 'table gone']) %}
select
    table_name,
    column_name,
    drift,
    reported,
    declared,
    contract_change,
    concat('contract and stream do not fit: ', drift) as failure_reason
from {{ model }}
where drift in ({{ afterimage.literals(drifts) }})
{% endtest %}

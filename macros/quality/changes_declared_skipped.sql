{#
  Changes of operations that the contract says the connector skips. They are processed like all others: they did
  happen, and the connector may have begun to skip them later. But the contract contradicts the log.

  In:  contracts, those of the tables; a step `changes` (changes_of_logs).
  Out: a select, one finding (see accounting) for each topic and operation; empty text where no contract says so.
#}
{% macro changes_declared_skipped(contracts) -%}
{% set said = [] -%}
{% for contract in contracts -%}
{% set operations = afterimage.literals(afterimage.skipped_operations(contract, said=true)) -%}
{% if operations -%}
{% do said.append('(source_name = ' ~ afterimage.literal(contract['source_name']) ~ ' and table_name = ' ~ afterimage.literal(contract['table_name'])
                  ~ ' and _cdc_op in (' ~ operations ~ '))') -%}
{% endif -%}
{% endfor -%}
{% if said -%}
select
    source_name,
    table_name,
    _cdc_topic as topic,
    'contradiction' as outcome,
    'skipped_operations' as kind,
    count(*) as records,
    concat_ws(' ', _cdc_op, min(named)) as named
from changes
where {{ said | join('\n    or ') }}
group by source_name, table_name, _cdc_topic, _cdc_op
{%- endif %}
{%- endmacro %}

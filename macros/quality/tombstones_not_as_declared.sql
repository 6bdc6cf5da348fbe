{#
  Tombstones of rows without envelopes whose deletes the contract says are rewritten as rows: they were passed over as what follows such a row, and
  none came, or none should come (rewrite). So deletes are tombstones alone, and their rows are still there.

  In:  changes, decisions, CTEs made by changes_of_logs and decisions_of_logs; contracts, those of their tables.
  Out: a select, a finding (see accounting) a table; empty text where no contract says so.
#}
{% macro tombstones_not_as_declared(changes, decisions, contracts) -%}
{% set said, with_tombstones = [], [] -%}
{% for contract in contracts if not afterimage.record_format(contract['format'])['has_envelope'] and contract['delete_tombstone_handling_mode'].startswith('rewrite') -%}
{% set named = '(' ~ afterimage.literal(contract['source_name']) ~ ', ' ~ afterimage.literal(contract['table_name']) ~ ')' -%}
{% do said.append(named) -%}
{% if contract['delete_tombstone_handling_mode'] != 'rewrite' %}{% do with_tombstones.append(named) %}{% endif -%}
{% endfor -%}
{% if said -%}
select
    source_name,
    table_name,
    min(topic) as topic,
    'contradiction' as outcome,
    'delete_tombstone_handling_mode' as kind,
    count(*) as records,
    min(concat_ws(':', partition, offset)) as named
from {{ decisions }}
where
    outcome = 'ignored'
    and kind = 'tombstone'
    and (source_name, table_name) in ({{ said | join(', ') }})
    {%- if with_tombstones %}
    and not (
        (source_name, table_name) in ({{ with_tombstones | join(', ') }})
        and (source_name, table_name) in (select source_name, table_name from {{ changes }} where _cdc_op = 'd')
    )
    {%- endif %}
group by source_name, table_name
{%- endif %}
{%- endmacro %}

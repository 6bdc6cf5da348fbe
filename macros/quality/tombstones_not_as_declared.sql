{#
  Tombstones of rows without envelopes that contradict the contract. Where deletes are rewritten as rows, tombstones
  were ignored as the record after such a row, but no such row came, or no tombstone should come (rewrite): deletes
  are then only tombstones, and their rows still exist. Under drop none should come, and they were processed as the
  deletes that they are.

  In:  contracts, those of the tables; steps `changes` (changes_of_logs), `decisions` (decisions_of_logs).
  Out: a select, one finding (see accounting) for each table; empty text where no contract says so.
#}
{% macro tombstones_not_as_declared(contracts) -%}
{% set tables = {'drop': [], 'rewrite': [], 'rewrite-with-tombstone': []} -%}
{% for contract in contracts if not afterimage.record_format(contract['format'])['has_envelope'] and contract['delete_tombstone_handling_mode'] in tables -%}
{% do tables[contract['delete_tombstone_handling_mode']].append('(' ~ afterimage.literals([contract['source_name'], contract['table_name']]) ~ ')') -%}
{% endfor -%}
{% set rewritten, with_tombstones = tables['rewrite'] + tables['rewrite-with-tombstone'], tables['rewrite-with-tombstone'] -%}
{% if rewritten -%}
select
    source_name,
    table_name,
    min(topic) as topic,
    'contradiction' as outcome,
    'delete_tombstone_handling_mode' as kind,
    count(*) as records,
    min(concat_ws(':', partition, offset)) as named
from decisions
where
    outcome = 'ignored'
    and kind = 'tombstone'
    and (source_name, table_name) in ({{ rewritten | join(', ') }})
    {%- if with_tombstones %}
    and not (
        (source_name, table_name) in ({{ with_tombstones | join(', ') }})
        and (source_name, table_name) in (select source_name, table_name from changes where _cdc_op = 'd')
    )
    {%- endif %}
group by source_name, table_name
{%- endif %}
{%- if tables['drop'] %}
{{- '\nunion all\n' if rewritten -}}
select source_name, table_name, min(_cdc_topic), 'contradiction', 'delete_tombstone_handling_mode', count(*), min(named)
from changes
where _cdc_op = 'd' and (source_name, table_name) in ({{ tables['drop'] | join(', ') }})
group by source_name, table_name
{%- endif %}
{%- endmacro %}

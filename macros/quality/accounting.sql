{#
  The outcome of every landed record of a source. Counted from the tables themselves, so that it cannot drift from
  them.

  In:  change_logs, list of ref() of the source's change logs; landings, list of the landing relations they read.
  Out: a select: source_name, table_name, topic, outcome, kind, records, examples. Per topic
    landed = staged + duplicate + ignored + refused + pending
    outcome  landed, staged, duplicate, ignored, refused; unrouted for topics no table declares (kind: their kind, or
             unknown_topic); pending = landed and not yet read by a run; landed_again = records that landing holds
             beyond one per coordinate; operator = events an operator declared, by kind; ambiguous, alarm,
             contradiction = findings among those counted, by kind, see seeds/afterimage_remedies.csv
    examples  for a finding the first ten records by name, see record_named; otherwise NULL
  One query covers all change logs: the SQL grows by some 1,000 characters a table, and as a view the embedded catalog
  holds some 17 of them (see refuse_long_view).
  A landed record is its coordinate: a coordinate that landing holds twice counts once; in a topic that several tables
  share, once for each of them. Topics that another source of the project declares on the same landing table are
  counted for that source.
#}
{% macro accounting(change_logs, landings) -%}
{{ afterimage.refuse_long_view(afterimage._accounting(change_logs, landings)) if execute }}
{%- endmacro %}


{% macro _accounting(change_logs, landings) -%}
  {% set contracts = afterimage.contracts_of_logs(change_logs) -%}
{% set findings = [
    afterimage.changes_that_went_back(contracts),
    afterimage.several_source_tables(),
    afterimage.key_changes_unpaired(contracts),
    afterimage.rows_never_seen() if contracts | rejectattr('key') | list else none,
    afterimage.rows_created_twice(contracts) if contracts | selectattr('key') | list else none,
    afterimage.ambiguous_changes(contracts),
    afterimage.changes_declared_skipped(contracts),
    afterimage.tombstones_not_as_declared(contracts),
    afterimage.images_not_as_declared(),
] -%}
{% set known = afterimage.contracts_on(landings) or contracts -%}
-- accounting of {{ contracts[0]['source_name'] }}, made by afterimage.accounting
with

landed as (
    {%- for landing in landings %}
    select
        landing,
        topic,
        count(*) as records,
        sum(if(first_landed = last_landed, copies - 1, 0)) as landed_again,
        count_if(first_landed <> last_landed) as colliding,
        min(if(first_landed <> last_landed, concat_ws(':', partition, offset), null)) as met
    from (
        -- one row per coordinate
        select
            {{ afterimage.literal(afterimage.landing_name(landing)) }} as landing,
            topic,
            partition,
            offset,
            count(*) as copies,
            min(timestamp) as first_landed,
            max(timestamp) as last_landed
        from {{ landing }}
        where topic is not null
        group by topic, partition, offset{{ afterimage._epoch_of_topic(change_logs, contracts) }}
    ) as places
    group by landing, topic
    {%- if afterimage.has_lines(landing) %}
    union all
    select {{ afterimage.literal(afterimage.landing_name(landing)) }}, cast(null as string), count(*), 0, 0, null
    from {{ landing }}
    where topic is null
    having count(*) > 0
    {%- endif %}
    {{- '\n    union all' if not loop.last }}
    {%- endfor %}
),

declared as (
    {%- set tables = [] %}
    {%- for contract in contracts %}
    {%- for topic in contract['topics'] %}
    {%- do tables.append('(' ~ afterimage.literals([contract['source_name'], contract['table_name'], contract['landing'], topic]) ~ ')') %}
    {%- endfor %}
    {%- endfor %}
    select *
    from values
        {{ tables | join(',\n        ') }}
            as tables (source_name, table_name, landing, topic)
),

changes_of_logs as (
{{ afterimage.changes_of_logs(change_logs, contracts) | indent(4, true) }}
),

changes as (
    select *, {{ afterimage.record_named() }} as named from changes_of_logs
),

decisions as (
{{ afterimage.decisions_of_logs(change_logs, contracts) | indent(4, true) }}
),

verdicts as (
    select source_name, table_name, landing, _cdc_topic as topic, 'staged' as outcome, cast(null as string) as kind, count(*) as records
    from changes
    where _cdc_topic is not null
    group by source_name, table_name, landing, _cdc_topic
    union all
    select source_name, table_name, landing, topic, outcome, kind, count(*)
    from (
        select
            *,
            row_number() over (partition by source_name, table_name, topic, partition, offset, epoch order by batch desc) as recency
        from decisions
    ) as ledger
    where recency = 1 and outcome <> 'resolved'
    group by source_name, table_name, landing, topic, outcome, kind
),

{{ afterimage.physical_tables() }}

delivered as (
{{ afterimage.changes_delivered() | indent(4, true) }}
),

findings as (
    -- rows that are not outcomes of records: source_name, table_name, topic, outcome, kind, records, and an example
    select
        declared.source_name,
        declared.table_name,
        landed.topic,
        'alarm' as outcome,
        'two_records_at_one_place' as kind,
        landed.colliding as records,
        landed.met as named
    from landed
    inner join declared on landed.landing = declared.landing and landed.topic = declared.topic
    where landed.colliding > 0
    union all
    select source_name, table_name, _cdc_topic, 'alarm', 'made_in_the_future', 1, named
    from changes
    where _cdc_source_ts > current_timestamp() + interval 1 day and {{ afterimage.is_of_source() }}
    union all
    -- complete snapshots declared at a position where no snapshot read a row of any table of the source
    select complete.source_name, complete.table_name, cast(null as string), 'alarm', 'complete_snapshot_read_nothing', 1, complete._cdc_position
    from (
        select source_name, table_name, _cdc_position
        from changes
        where {{ afterimage.is_operator_event(['snapshot_complete']) }}
    ) as complete
    left anti join (
        select concat(epoch, _cdc_position) as read_at
        from changes
        where _cdc_op = 'r' and _cdc_snapshot <> 'incremental'
    ) as reads on complete._cdc_position = reads.read_at
    union all
{{ findings | select | join('\nunion all\n') | indent(4, true) }}
),

operator_events as (
    select source_name, table_name, split_part(_cdc_event_id, ':', 2) as kind, count(*) as records
    from changes
    where {{ afterimage.is_of_operator() }}
    group by source_name, table_name, split_part(_cdc_event_id, ':', 2)
),

routed as (
    -- records that landed for each table, by topic, and how many of them no run has read yet
    select
        declared.source_name,
        declared.table_name,
        landed.topic,
        landed.records,
        landed.landed_again,
        landed.records - coalesce(sum(verdicts.records), 0) as pending
    from landed
    inner join declared on landed.landing = declared.landing and landed.topic = declared.topic
    left join verdicts
        on
            declared.source_name = verdicts.source_name
            and declared.table_name = verdicts.table_name
            and landed.landing = verdicts.landing
            and landed.topic = verdicts.topic
    group by declared.source_name, declared.table_name, landed.landing, landed.topic, landed.records, landed.landed_again
)

select
    source_name,
    table_name,
    topic,
    outcome,
    cast(null as string) as kind,
    counted as records,
    cast(null as array<string>) as examples
from routed
    lateral view stack(3, 'landed', records, 'pending', pending, 'landed_again', landed_again) as outcome, counted
where counted <> 0
union all
select verdicts.source_name, verdicts.table_name, verdicts.topic, verdicts.outcome, verdicts.kind, verdicts.records, null
from verdicts
inner join declared
    on
        verdicts.source_name = declared.source_name
        and verdicts.table_name = declared.table_name
        and verdicts.landing = declared.landing
        and verdicts.topic = declared.topic
union all
select
    source_name,
    table_name,
    topic,
    outcome,
    kind,
    sum(records),
    array_sort(collect_list(if(number <= 10, named, null)))
from (
    select *, row_number() over (partition by source_name, table_name, topic, outcome, kind order by named) as number
    from findings
) as numbered
group by source_name, table_name, topic, outcome, kind
union all
select source_name, table_name, cast(null as string), 'operator', kind, records, null
from operator_events
union all
select
    {{ afterimage.literal(contracts[0]['source_name']) }},
    null,
    landed.topic,
    if(landed.topic is null, 'refused', 'unrouted'),
    {{ afterimage.laid_out('    ' ~ afterimage.side_topic_kind('landed.topic', known)) | trim }},
    landed.records,
    null
from landed
where
    landed.topic is null
    {%- set claimed = [] %}
    {%- for contract in known %}
    {%- for topic in contract['topics'] %}{% do claimed.append('(' ~ afterimage.literals([contract['landing'], topic]) ~ ')') %}{% endfor %}
    {%- endfor %}
    or (landed.landing, landed.topic) not in (
        {{ claimed | join(',\n        ') }}
    )
{%- endmacro %}


{#
  The kind of a topic without a table: of another declaration (an outbox), declared in side_topics, or one of the
  connector's own topics by topic_prefix; otherwise unknown_topic.
#}
{% macro side_topic_kind(topic, contracts) %}
  {% set parts = [] %}
  {% set landings = contracts | map(attribute='landing') | list %}
  {% for key in afterimage.other_declarations() %}
    {% for condition in context['afterimage'][key ~ '_topics'](topic, landings) %}{% do parts.append('when ' ~ condition ~ " then '" ~ key ~ "'") %}{% endfor %}
  {% endfor %}
  {% for name, kind in afterimage.side_topics(contracts).items() %}{% do parts.append('when ' ~ topic ~ ' = ' ~ afterimage.literal(name) ~ ' then ' ~ afterimage.literal(kind)) %}{% endfor %}
  {{ return("case when " ~ topic ~ " is null then 'unreadable_line' " ~ parts | join(' ') ~ " else 'unknown_topic' end") }}
{% endmacro %}


{# SQL of the epoch of a landed record for a group by: for topics whose change log has epochs; empty if none has. #}
{% macro _epoch_of_topic(change_logs, contracts) %}
  {% set parts = [] %}
  {% for change_log in change_logs %}
    {% set epochs = afterimage.epochs_of(change_log) %}
    {% if epochs %}
      {% do parts.append('when ' ~ afterimage.has_topic('topic', contracts[loop.index0]) ~ ' then ' ~ afterimage.epoch_prefix('timestamp', epochs)) %}
    {% endif %}
  {% endfor %}
  {{ return(", case " ~ parts | join(' ') ~ " else '' end" if parts else '') }}
{% endmacro %}

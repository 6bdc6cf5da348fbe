{#
  Changes whose before image is not as the contract, or the connector, declares it: PostgreSQL's REPLICA IDENTITY
  differs from the declared one, MySQL's binlog_row_image is not FULL. Only the newest batch with such changes is
  checked, because a table may be altered, and the contract with it; and most of them must differ, because a row of
  nothing but NULLs looks like one with its key alone.

  In:  a step `changes` (changes_of_logs). Out: a select, one finding (see accounting) for each table.
#}
{% macro images_not_as_declared() -%}
select
    source_name,
    table_name,
    newest.topic,
    'contradiction' as outcome,
    images_set_by as kind,
    newest.other as records,
    newest.named
from (
    select source_name, table_name, images_set_by, max_by(struct(topic, checked, other, named), _cdc_batch) as newest
    from (
        select
            source_name,
            table_name,
            images_set_by,
            _cdc_batch,
            min(_cdc_topic) as topic,
            count(*) as checked,
            count_if(not images_are_as_declared) as other,
            min(if(images_are_as_declared, null, named)) as named
        from changes
        where images_are_as_declared is not null
        group by source_name, table_name, images_set_by, _cdc_batch
    ) as batches
    group by source_name, table_name, images_set_by
) as updates
where 2 * newest.other > newest.checked
{%- endmacro %}


{#
  Whether (SQL) a change's before image is as declared, NULL where the change does not show it; and the setting it
  depends on, none without one.
#}
{% macro images_as_declared(contract) %}
  {% set connector = afterimage.connector(contract) %}
  {% set nothing = {'set_by': none, 'sql': 'cast(null as boolean)'} %}
  {% if not afterimage.sends_row_before(contract) %}{{ return(nothing) }}{% endif %}
  {% if afterimage.may_tell_key_alone(connector, contract) %}
    {{ return({'set_by': 'binlog_row_image', 'sql': "if(_cdc_op in ('u', 'd'), _cdc_unknown is null or _cdc_absent is not null, null)"}) }}
  {% elif connector.get('has_replica_identity') and not contract['key'] %}
    {{ return({'set_by': 'replica_identity', 'sql': "if(_cdc_op = 'u', _cdc_previous_key is not null, null)"}) }}
  {% elif connector.get('has_replica_identity') %}
    {# a change of the key has a before image under any identity #}
    {% set as_declared = '_cdc_before_hash is not null' if connector['before_is_whole'] else '_cdc_before_hash is null or _cdc_previous_key is not null' %}
    {{ return({'set_by': 'replica_identity', 'sql': "if(_cdc_op = 'u', " ~ as_declared ~ ", null)"}) }}
  {% endif %}
  {{ return(nothing) }}
{% endmacro %}

{#
  Makes the secret of a table's keyed hashes (see keyed_hash) unless it has one: a companion table of the change log with one text that only the
  engine has seen. `afterimage erase` calls it.

  In:  table, as source.table.
  Prints one line of JSON: {secret, relation to read it from; seeds, the files of the seeds that the change log reads; position, the newest one in its log, up to which a row
  is erased; source_name; table_name}.
  Raises for a table that is unknown, has not run, has no key, or whose positions do not compare; where the change log has hashes of a secret that is gone.
#}
{% macro erase_secret(table) %}
  {% do afterimage.restore_swapped() %}
  {% set nodes = afterimage.models_of_table(table, 'erase') %}
  {% set node, built, contract = afterimage._change_log_to_erase(nodes, table) %}
  {% set secret, ledger = afterimage.companion_table(built, 'secret'), afterimage.companion_table(built, 'ledger') %}
  {% if afterimage.listed_relation(secret) is none %}
    {% if run_query('select 1 from ' ~ built ~ ' where ' ~ afterimage.is_erased_key('_cdc_key') ~ ' limit 1').rows | length %}
      {% do exceptions.raise_compiler_error(
        '[afterimage] erase: ' ~ built ~ ' has keyed hashes of erased rows, and ' ~ secret ~ ' with their secret does not exist. Nothing was written. Copy it from where it was made.') %}
    {% endif %}
    {% do run_query('create table ' ~ secret ~ ' (secret string) using ' ~ afterimage.file_format_of(node)) %}
  {% endif %}
  {% if not run_query('select secret from ' ~ secret).rows | length %}
    {# by Java's secure generator: Spark's own functions show their seed in the plan. Not CREATE TABLE … AS: see fill_working_table #}
    {% do run_query('insert into ' ~ secret ~ " select concat(reflect('java.util.UUID', 'randomUUID'), reflect('java.util.UUID', 'randomUUID'))") %}
  {% endif %}
  {% set epochs = afterimage.operator_state_in(afterimage.properties_unchecked(built))['epochs'] %}
  {% do print(tojson({
    'secret': secret | string,
    'seeds': graph.nodes.values() | selectattr('unique_id', 'in', node.depends_on.nodes) | selectattr('resource_type', 'equalto', 'seed') | map(attribute='original_file_path') | list,
    'position': run_query('select max(place) from (select ' ~ afterimage.in_epoch('_cdc_position', '_cdc_landed_ts', epochs) ~ ' as place from ' ~ built ~ ' where ' ~ afterimage.is_of_source()
      ~ ' union all select ' ~ afterimage.in_epoch('position', 'landed_at', epochs) ~ ' from ' ~ ledger ~ ') as places').rows[0][0],
    'source_name': contract['source_name'],
    'table_name': contract['table_name'],
  })) %}
{% endmacro %}


{# The change log of a table whose rows can be erased: its node, relation and contract. In: nodes, see models_of_table. #}
{% macro _change_log_to_erase(nodes, table) %}
  {% set node = nodes.get('cdc_change_log') %}
  {% set built = afterimage.listed_relation(afterimage.relation_of(node)) if node else none %}
  {% set contract = afterimage.contract_of_model(node) if node else {} %}
  {% set connector = afterimage.connector(contract) if node else {} %}
  {% set has_one_order = node and contract['key_within'] != 'physical_table' and afterimage.record_format(contract['format'])['has_envelope']
                         and not connector.get('place_is_offset') and not connector.get('tie_break') %}
  {# the first that holds is reported #}
  {% set fault = afterimage.faults_that_hold('', [
    (not node, table ~ ' has no change log in this project'),
    (not contract['key'], table ~ ' has no key: its rows are distinguished by count alone'),
    (not has_one_order, table ~ ' has changes without positions that compare, so "all until now" has no meaning: several servers, rows without envelopes, Datastream'),
    (built is none, node.name ~ ' has not run yet'),
  ]) %}
  {% if fault %}{% do exceptions.raise_compiler_error('[afterimage] erase: ' ~ fault[0] ~ '.') %}{% endif %}
  {{ return([node, built, contract]) }}
{% endmacro %}

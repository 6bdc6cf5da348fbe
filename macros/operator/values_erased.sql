{#
  The rows of a change log, or of a batch of one, without the values of the rows that an operator erased. They stay as rows, so that each landed
  record keeps its outcome: with their place in the log, their times and landing coordinate, and a keyed hash instead of key and identity.

  In:  rows, a select; columns, their names in order; erasure, see erasure_of; epochs.
  Out: a select of the same columns.
#}
{% macro values_erased(rows, columns, erasure, epochs) -%}
{% set kept = afterimage.columns_kept_when_erased() -%}
select
    {%- for name in columns %}
    {%- set sql = afterimage.identifier(name) %}
    {% if name == '_cdc_key' -%}
    coalesce(own._cdc_erased_key, rows_hashed._cdc_key) as _cdc_key
    {%- elif name == '_cdc_previous_key' -%}
    coalesce(previous._cdc_erased_key, rows_hashed._cdc_previous_key) as _cdc_previous_key
    {%- elif name == '_cdc_event_id' -%}
    if(own._cdc_erased_key is null, _cdc_event_id, {{ afterimage.event_id_hashed('_cdc_event_id', erasure['secret']) }}) as _cdc_event_id
    {%- elif name == '_cdc_before_hash' -%}
    -- whether there was one: the declared images are checked by it
    if(own._cdc_erased_key is null, _cdc_before_hash, 0 * _cdc_before_hash) as _cdc_before_hash
    {%- elif name in kept -%}
    rows_hashed.{{ sql }}
    {%- else -%}
    if(own._cdc_erased_key is null, rows_hashed.{{ sql }}, null) as {{ sql }}
    {%- endif %}{{ ',' if not loop.last }}
    {%- endfor %}
{{ afterimage.rows_with_erasure(rows, erasure, epochs, '_cdc_outcome' in columns) }}
{%- endmacro %}


{#
  The same rows, each next to the erasure of its key (`own`) and that of the key it came from or went to (`previous`): {_cdc_erased_key, see
  erased_keys}, NULL where that key is not erased up to the row's position.
  In: as above; is_batch, whether the rows have an outcome: marked ones are read again (see marked_records) and stay. Out: SQL from `from` on.
#}
{% macro rows_with_erasure(rows, erasure, epochs, is_batch=false) -%}
from (
    select
        *,
        {{ afterimage.keyed_hash('_cdc_key', erasure['secret']) }} as _cdc_key_hash,
        {{ afterimage.keyed_hash('_cdc_previous_key', erasure['secret']) }} as _cdc_previous_key_hash,
        {{ afterimage.in_epoch('_cdc_position', '_cdc_landed_ts', epochs) }} as _cdc_place,
        not (_cdc_op <=> 'o'){{ " and _cdc_outcome <> 'marked'" if is_batch }} as _cdc_may_be_erased
    from (
{{ rows }}
    ) as all_rows
) as rows_hashed
{%- for name, hash in {'own': '_cdc_key_hash', 'previous': '_cdc_previous_key_hash'}.items() %}
left join {{ erasure['keys'] }} as {{ name }}
    on
        rows_hashed.{{ hash }} = {{ name }}._cdc_erased_hash
        and rows_hashed._cdc_may_be_erased
        and coalesce(rows_hashed._cdc_place <= {{ name }}._cdc_erased_through, true)
{%- endfor %}
{%- endmacro %}


{# The columns of a change log and its batch, but for the keys, that hold no value of the source's row: their names. #}
{% macro columns_kept_when_erased() %}
  {{ return(['_cdc_op', '_cdc_position', '_cdc_order', '_cdc_source_ts', '_cdc_source_ts_ns', '_cdc_processed_ts', '_cdc_landed_ts', '_cdc_topic',
             '_cdc_partition', '_cdc_offset', '_cdc_source_table', '_cdc_tx_id', '_cdc_tx_order', '_cdc_committed_after', '_cdc_snapshot',
             '_cdc_connector_run', '_cdc_unknown', '_cdc_absent', '_cdc_source_change_type', '_cdc_source_read_method', '_cdc_batch',
             '_cdc_outcome', '_cdc_kind', '_cdc_batch_row']) }}
{% endmacro %}


{#
  What an operator erased of a table: the condition under which its change log leaves values out.
  In:  this, the relation of the change log; declared, its operator events (see operator_events).
  Out: {keys, SQL to read them from (see erased_keys); secret, relation}; none where no row is erased, or nobody made a secret: then rows named in
       clear are left out of the history only.
  Raises where events name rows by keyed hashes of a secret that is not the one here.
#}
{% macro erasure_of(this, declared) %}
  {% set rows, names = [], [] %}
  {% for event in declared if event['kind'] == 'erase' %}
    {% do rows.append('(' ~ afterimage.literals([event['row_key'], event['position']]) ~ ')') %}
    {% if afterimage.is_erased_key_text(event['row_key']) %}{% do names.append(event['row_key'].split(':')[1]) %}{% endif %}
  {% endfor %}
  {% if not rows %}{{ return(none) }}{% endif %}
  {% set secret = afterimage.companion_table(this, 'secret') %}
  {% set is_there = afterimage.listed_relation(secret) is not none %}
  {% set known = afterimage.ask('read the name of the secret', 'select ' ~ afterimage.secret_name(secret)).rows[0][0] if names and is_there else none %}
  {% if names | reject('equalto', known) | list %}
    {% do exceptions.raise_compiler_error(
      '[afterimage] ' ~ model.name ~ ': operator events name erased rows by keyed hashes of the secret ' ~ names | unique | sort | join(', ') ~ ', and ' ~ secret
      ~ (' holds ' ~ known if is_there else ' does not exist') ~ '. Nothing was written: such rows would come back. Copy the table from the warehouse '
      ~ 'in which `afterimage erase` made it.') %}
  {% endif %}
  {% if not is_there %}{{ return(none) }}{% endif %}
  {% set events = 'select * from values ' ~ rows | join(', ') ~ ' as declared (row_key, position)' %}
  {{ return({'keys': '(\n' ~ afterimage.erased_keys(events, secret) ~ '\n)', 'secret': secret}) }}
{% endmacro %}


{#
  Refuses events that name rows by keyed hashes while the change log still holds their values: a history would be made of them, because it
  compares keys, not hashes.
  In: built, the change log or none; events, the new ones; erasure, see erasure_of; epochs.
#}
{% macro refuse_values_to_erase(built, events, erasure, epochs) %}
  {% set hashed = [] %}
  {% for event in events if event['kind'] == 'erase' and afterimage.is_erased_key_text(event['row_key']) %}{% do hashed.append(event) %}{% endfor %}
  {% if built is none or not hashed %}{{ return(none) }}{% endif %}
  {% set found = afterimage.ask('check that the change log holds no value of erased rows', 'select count(*) '
    ~ afterimage.rows_with_erasure('select * from ' ~ built, erasure, epochs) ~ '\nwhere own._cdc_erased_key like ' ~ afterimage.literal('erased:%')
    ~ ' and rows_hashed._cdc_key <> own._cdc_erased_key').rows[0][0] %}
  {% if found %}
    {% do exceptions.raise_compiler_error(
      '[afterimage] ' ~ model.name ~ ': ' ~ found ~ ' change(s) in ' ~ built ~ ' are of rows that operator events erase, and hold their values. Nothing was written. '
      ~ 'Run `afterimage erase SOURCE.TABLE --write`, then run again.') %}
  {% endif %}
{% endmacro %}

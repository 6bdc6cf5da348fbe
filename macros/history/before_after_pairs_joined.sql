{#
  CTE `before_after_pairs_joined`: the changes, with each update that comes as a before/after pair (UPDATE-DELETE and UPDATE-INSERT of Datastream)
  joined into one where both records have the same key. Where the key has no after record, the before record stays and ends it: a key change.

  In a shift or swap of keys, a row takes over a key before the key's earlier row moves out. The before record that follows in the same
  transaction then has another image than the row that moved in, and does not end that row. An image of the key alone does not count as another image.

  In:  changes, a CTE with _cdc_first_order (see touched_keys); fold, see fold_rules, of a connector of Datastream (see datastream_connector).
  Out: the same columns, before records that end nothing left out, _cdc_first_order no later than they are: the after record may have come later.
#}
{% macro before_after_pairs_joined(changes, fold) -%}
pairs_known as (
    select
        *,
        max(if(_cdc_op = 'u', _cdc_order, null)) over (partition by _cdc_key, _cdc_position) as _cdc_other_record,
        lag(struct(_cdc_op, _cdc_tx_id, _cdc_image_hash)) over (partition by _cdc_key order by _cdc_order) as _cdc_moved_in,
        coalesce({{ fold['connector']['tie_break'] }}, false) as _cdc_goes_first,
        {{ afterimage._has_more_than_key(fold['columns']) if fold['connector']['may_tell_key_alone'] else 'true' }} as _cdc_is_whole
    from {{ changes }}
),

pairs_touched as (
    select
        * except (_cdc_first_order),
        least(
            _cdc_first_order,
            min(if(_cdc_goes_first and _cdc_other_record >= _cdc_first_order, _cdc_order, null)) over (partition by _cdc_key)
        ) as _cdc_first_order
    from pairs_known
),

before_after_pairs_joined as (
    select * except (_cdc_other_record, _cdc_moved_in, _cdc_goes_first, _cdc_is_whole)
    from pairs_touched
    where
        not _cdc_goes_first
        or not (
            _cdc_other_record is not null
            or _cdc_is_whole and coalesce(
                _cdc_moved_in._cdc_op = 'u' and _cdc_moved_in._cdc_tx_id = _cdc_tx_id and _cdc_moved_in._cdc_image_hash <> _cdc_image_hash, false
            )
        )
),
{%- endmacro %}


{# True (SQL) when an image has a value outside its key. A flat list, for tables of many columns. #}
{% macro _has_more_than_key(columns) %}
  {% set checks = [] %}
  {% for column in columns if not column['is_key'] %}{% do checks.append(column['sql'] ~ ' is not null') %}{% endfor %}
  {{ return('array_contains(array(' ~ checks | join(', ') ~ '), true)' if checks else 'false') }}
{% endmacro %}

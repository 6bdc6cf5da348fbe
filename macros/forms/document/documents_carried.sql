{#
  CTE `documents_carried` (see carry_forward): the changes, with partial updates applied to the last known document of the same life, in log
  order, and the declared paths read from the result.

  In:  lives, a CTE with _cdc_key, _cdc_order, _cdc_op, _cdc_begins_life, _cdc_unknown, _cdc_update and the contract's columns; fold, see
       fold_rules.
  Out: the same columns. Where no document was known at first, _cdc_document holds the known parts, and _cdc_unknown names it and every
  path that was not sent: by itself, or in a document around it.
  The changes of a key are folded in one pass: all versions of one document are in memory together.
#}
{% macro documents_carried(lives, fold) -%}
{% set columns = fold['columns'] -%}
{% set paths = columns | rejectattr('name', 'in', ['_cdc_document', '_cdc_approximate']) | list -%}
{% set known = "struct<document: string, is_whole: boolean, sent: array<string>, is_approximate: boolean>" -%}
{% set is_partial = afterimage.json_names_has('change._cdc_unknown', '_cdc_document') -%}
{% set own = afterimage.doubles_wrapped('change._cdc_document') -%}
{% set update = afterimage.doubles_wrapped('change._cdc_update') -%}
{% set last = 'get(folded, size(folded) - 1)' -%}
{% set sent = afterimage.paths_sent('change._cdc_update') -%}
documents_in_order as (
    select array_sort(collect_list(struct(_cdc_order, struct(*) as change))) as changes
    from {{ lives }}
    group by _cdc_key
),

documents_folded as (
    select inline(arrays_zip(changes, folded))
    from (
        select
            changes.change as changes,
            aggregate(
                changes.change,
                cast(array() as array<{{ known }}>),
                (folded, change) -> concat(folded, array(case
                    when {{ afterimage.ends_row('change._cdc_op') }} then cast(null as {{ known }})
                    when not {{ is_partial }} then cast(struct({{ own }}, true, array(), coalesce(change._cdc_approximate, false)) as {{ known }})
                    when change._cdc_begins_life or {{ last }}.document is null then cast(struct({{ own }}, false, {{ sent }}, false) as {{ known }})
                    else cast(struct({{ afterimage.updated_document(last ~ '.document', update, fold['contract']) }}, {{ last }}.is_whole, if({{ last }}.is_whole, array(), array_union({{ last }}.sent, {{ sent }})), {{ last }}.is_approximate) as {{ known }})
                end))
            ) as folded
        from documents_in_order
    ) as in_order
),

documents_read as (
    select
        changes.*,
        folded.is_whole as _cdc_is_whole,
        folded.sent as _cdc_sent,
        {{ afterimage.document_image(columns, 'folded.document', 'folded.is_approximate') }} as _cdc_read
    from documents_folded
),

documents_carried as (
    select
        {%- for column in columns %}
        if({{ afterimage.ends_row() }}, {{ column['sql'] }}, {{ afterimage.fill(column['decoder']['value'], afterimage.raw_literal(column, '_cdc_read')) }}) as {{ column['sql'] }},
        {%- endfor %}
        {% set unknown = {} -%}
        {% for column in paths if not column['is_key'] %}{% do unknown.update({column['name']: 'not ' ~ afterimage.is_sent(column['field'], '_cdc_sent')}) %}{% endfor -%}
        {% do unknown.update({'_cdc_document': 'true'}) -%}
        case
            when {{ afterimage.ends_row() }} then _cdc_unknown
            when not _cdc_is_whole then {{ afterimage.json_names(unknown) }}
        end as _cdc_unknown,
        if({{ afterimage.ends_row() }}, _cdc_special, {{ afterimage.special_values(columns, true, '_cdc_read') }}) as _cdc_special,
        documents_read.* except (
            _cdc_unknown, _cdc_special, _cdc_is_whole, _cdc_sent, _cdc_read
            {%- for column in columns %}, {{ column['sql'] }}{% endfor %}
        )
    from documents_read
),
{%- endmacro %}

{#
  The landed records of erased rows, one row per coordinate (within its epoch): those of their changes, refused records and duplicates, and the
  tombstones with one of their keys. In: found, see _keep_erased_records. Out: a select of topic, partition, offset, timestamp (any of the coordinate).
#}
{% macro _landed_to_erase(ledger, found, landed, epochs) -%}
with

of_rows as (
    select topic, partition, offset, landed_at as timestamp
    from {{ found }}
    where row_key is not null or content <> 'changes'
),

tombstones as (
    select ignored.*
    from (
        select topic, partition, offset, landed_at as timestamp
        from {{ ledger }}
        where outcome = 'ignored' and kind = 'tombstone'
    ) as ignored
    inner join {{ landed }} as records on {{ afterimage._is_at('records', 'ignored', epochs) }}
    where
        records.value is null
        and records.key in (
            select landed.key
            from {{ landed }} as landed
            left semi join of_rows on {{ afterimage._is_at('landed', 'of_rows', epochs) }}
            where landed.key is not null
        )
)

select topic, partition, offset, max(timestamp) as timestamp
from (select * from of_rows union all select * from tombstones) as found
group by topic, partition, offset{{ ', ' ~ afterimage.epoch_prefix('timestamp', epochs) if epochs }}
{%- endmacro %}


{# SQL that joins two relations of landed records on their coordinate, within its epoch. #}
{% macro _is_at(one, other, epochs) %}
  {% set parts = [] %}
  {% for name in ['topic', 'partition', 'offset'] %}{% do parts.append(one ~ '.' ~ name ~ ' = ' ~ other ~ '.' ~ name) %}{% endfor %}
  {% if epochs %}{% do parts.append(afterimage.epoch_prefix(one ~ '.timestamp', epochs) ~ ' = ' ~ afterimage.epoch_prefix(other ~ '.timestamp', epochs)) %}{% endif %}
  {{ return(parts | join(' and ')) }}
{% endmacro %}


{#
  A landing table whose records may lose key, value and headers; they keep their coordinates, by which a full refresh and the accounting count them: as
  tombstones. Out: its relation.
  Raises for a view, a table that is not there or of a format that cannot be rewritten, and where a record without a value is a delete.
#}
{% macro _landing_to_erase(landing, contract) %}
  {% set schema, _, name = landing.rpartition('.') %}
  {% set relation = api.Relation.create(schema=schema, identifier=name) %}
  {% set former = afterimage.listed_relation(afterimage.companion_name(relation, '__swapped')) if schema else none %}
  {% set copy = afterimage.listed_relation(afterimage.companion_name(relation, '__compacted')) if schema else none %}
  {% if former is not none and afterimage.listed_relation(relation) is none %}
    {% do adapter.rename_relation(former, relation.incorporate(type='table')) %}
  {% elif former is not none and copy is not none %}
    {% do exceptions.raise_compiler_error(
      '[afterimage] erase: landing ' ~ landing ~ ' was created again while an interrupted erase had renamed it: ' ~ former ~ ' has its former records. Nothing was written. '
      ~ 'Insert those of ' ~ landing ~ ' into it, drop ' ~ landing ~ ' and ' ~ copy ~ ', and run again.') %}
  {% elif former is not none %}
    {# an interrupted one had come to its end but for this #}
    {% do run_query('drop table ' ~ former) %}
  {% endif %}
  {% set found = afterimage.listed_relation(relation) if schema else none %}
  {% set provider = (modules.re.findall('Provider: *([A-Za-z]+)', found.information or '') + ['']) | first | lower if found else '' %}
  {% set is_external = found is not none and 'Type: EXTERNAL' in (found.information or '') %}
  {# the first that holds is reported #}
  {% set fault = afterimage.faults_that_hold('', [
    (not schema, 'name it as schema.table'),
    (found is none, 'there is no such table'),
    (found is not none and found.type == 'view', 'it is a view: name the table that it reads'),
    (found is not none and not (found.is_delta or found.is_iceberg or (provider == 'parquet' and not is_external)),
     'only tables of Delta and Iceberg, and managed tables of Parquet, can be rewritten: let its owner empty the records of the rows'),
    (not afterimage.record_format(contract['format'])['has_envelope'], 'records without envelopes: one without a value is a delete'),
  ]) %}
  {% if fault %}{% do exceptions.raise_compiler_error('[afterimage] erase: landing ' ~ landing ~ ': ' ~ fault[0] ~ '. Nothing was written.') %}{% endif %}
  {{ return(found) }}
{% endmacro %}


{# Empties the landed records: Delta and Iceberg by MERGE, which goes together with what lands meanwhile; Parquet by a copy. In: records, see _landed_to_erase. #}
{% macro _erase_landing(landed, records, epochs, lock) %}
  {% set same = afterimage._is_at('landed', 'erased', epochs) %}
  {% if landed.is_delta or landed.is_iceberg %}
    {% do run_query('merge into ' ~ landed ~ ' as landed using (\n' ~ records ~ '\n) as erased on ' ~ same
                    ~ ' when matched then update set key = null, value = null, headers = null') %}
  {% else %}
    {% set columns, properties = [], {} %}
    {% for column in adapter.get_columns_in_relation(landed) %}
      {% set name = 'landed.' ~ afterimage.identifier(column.name) %}
      {% do columns.append('if(erased.topic is null, ' ~ name ~ ', null)' if column.name in ['key', 'value', 'headers'] else name) %}
    {% endfor %}
    {% for row in run_query('show tblproperties ' ~ landed).rows if row[0] != 'transient_lastDdlTime' %}{% do properties.update({row[0]: row[1]}) %}{% endfor %}
    {% set rows = 'select /*+ rebalance */ ' ~ columns | join(', ') ~ ' from ' ~ landed ~ ' as landed left join (\n' ~ records ~ '\n) as erased on ' ~ same %}
    {% do afterimage.replace_by_copy('erase', landed, rows, afterimage.properties_unchecked(landed), {}, properties, lock) %}
  {% endif %}
{% endmacro %}

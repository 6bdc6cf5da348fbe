{#
  The fields that ExtractNewRecordState adds to the columns of a row (format unwrapped), as the contract declares them.
  In:  contract (add_fields, add_fields_prefix, delete_tombstone_handling_mode).
  Out: a list of {field, path}: its name in the record, and its path in the envelope (op, ts_ms, source.lsn, transaction.id);
       empty for every other format.
  Source: Debezium documentation, "New record state extraction", add.fields: the prefix, then the path with dots as underscores, or the name
  after a colon. A name without a struct is looked up in the envelope, then in its transaction, then in its source.
#}
{% macro added_fields(contract) %}
  {% if afterimage.record_format(contract['format'])['has_envelope'] %}{{ return([]) }}{% endif %}
  {% set fields = [{'field': '__deleted', 'path': 'deleted'}] if contract['delete_tombstone_handling_mode'].startswith('rewrite') else [] %}
  {{ return(fields + afterimage._added(contract['add_fields'], contract['add_fields_prefix'])) }}
{% endmacro %}


{# The headers it adds: as added_fields. #}
{% macro added_headers(contract) %}
  {{ return(afterimage._added(contract['add_headers'], contract['add_headers_prefix'])) }}
{% endmacro %}


{% macro _added(declared, prefix) %}
  {% set fields = [] %}
  {% for field in declared %}
    {% set path = (field | string | trim).split(':')[0] %}
    {% set name = (field | string | trim).split(':')[1] if ':' in field | string else path | replace('.', '_') %}
    {% if '.' not in path and path not in ['op', 'ts_ms', 'ts_us', 'ts_ns'] %}
      {% set path = ('transaction.' if path in ['id', 'total_order', 'data_collection_order'] else 'source.') ~ path %}
    {% endif %}
    {% do fields.append({'field': prefix ~ name, 'path': path}) %}
  {% endfor %}
  {{ return(fields) }}
{% endmacro %}

{#
  The form of a record that is exactly what the contract expects: the routine statement checks records against it (see routine_records). The
  contract knows the columns and their types; their order and the schema block come from the stream, and the change log stores them (property
  `form`).
  In:  built, the existing change log or none; contract; its fingerprint; records, SQL of a select of `value` of pending records.
  Out: {fields, names of a row's columns in the order in which the connector writes them; block, {length, hash} of the text up to the payload,
       none where records have none; schemas, for records in Avro the ids of matching schemas}. None where such records cannot be checked
       (see has_routine), their rows have other fields than the contract, or most of them were marked before (see learned_of_marked).
#}
{% macro expected_form(built, contract, fingerprint, records) %}
  {% set properties = afterimage.table_properties(built) if built else {} %}
  {% if not afterimage.has_routine(contract) or properties.get('exact') == fingerprint %}{{ return(none) }}{% endif %}
  {% if contract['avro_schemas'] %}{{ return(afterimage.form_in_avro(contract)) }}{% endif %}
  {% set known = fromjson(properties.get('form', '') or '{}') %}
  {{ return(known if afterimage._are_all_fields(known.get('fields', []), contract) else afterimage.sampled_form(records, contract)) }}
{% endmacro %}


{# The form from the contract alone, with the ids of all schemas of records in Avro: what a model compiles to. In: contract. Out: as expected_form. #}
{% macro declared_form(contract) %}
  {% set schemas = afterimage.avro_schemas(contract) | map(attribute='id') | list %}
  {{ return({'fields': contract['columns'] | map(attribute='field') | list, 'block': none, 'schemas': schemas}) }}
{% endmacro %}


{#
  The form from the writers' schemas: that of the last one with the contract's columns, scales and units, and of those like it.
  In and out: as expected_form.
#}
{% macro form_in_avro(contract) %}
  {% set columns, fields, ids = afterimage.contract_columns(contract), [], [] %}
  {% set added = afterimage.added_fields(contract) | map(attribute='field') | list %}
  {% for schema in afterimage.avro_schemas(contract) | reverse if schema['of'] != 'key' %}
    {% set names = afterimage.row_in_avro(fromjson(schema['schema']), contract['format']) | map(attribute='name') | reject('in', added) | list %}
    {% if names == (fields or names) and afterimage._are_all_fields(names, contract) and not afterimage.misfits_in_avro(columns, [schema], contract['format'], true) %}
      {% if not fields %}{% do fields.extend(names) %}{% endif %}
      {% do ids.append(schema['id']) %}
    {% endif %}
  {% endfor %}
  {{ return({'fields': fields, 'block': none, 'schemas': ids | sort} if ids else none) }}
{% endmacro %}


{# The form of the first row among a few records. In and out: as expected_form. #}
{% macro sampled_form(records, contract) %}
  {% set fields = "json_object_keys(" ~ afterimage.image_text(contract['format']) ~ ")" %}
  {% set found = afterimage.ask('learn the form of a record',
    "select to_json(" ~ fields ~ "), length(before_payload), xxhash64(before_payload), " ~ afterimage._is_sound_block(contract) ~ " from ("
    ~ afterimage._sampled_records(records, contract) ~ ") as texts where " ~ fields ~ " is not null limit 1").rows %}
  {% if not found | length %}{{ return(none) }}{% endif %}
  {% set fields = fromjson(found[0][0]) | reject('in', afterimage.added_fields(contract) | map(attribute='field') | list) | list %}
  {% set block = {'length': found[0][1], 'hash': found[0][2]} if found[0][1] else none %}
  {{ return({'fields': fields, 'block': block} if afterimage._are_all_fields(fields, contract) and (block is none or found[0][3]) else none) }}
{% endmacro %}


{#
  SQL of a few records, one row each: record_value; before_payload, the text up to the payload of a record that has nothing else, NULL for any
  other; row_text, the payload, or the full text of any other; schema_fields.
#}
{% macro _sampled_records(records, contract) -%}
select
    *,
    if(before_payload is null, record_value, get_json_object(record_value, '$.payload')) as row_text
from (
    select
        cast(value as string) as record_value,
        if(
            get(json_object_keys(record_value), 1) = 'payload' and size(json_object_keys(record_value)) = 2,
            left(record_value, locate(',"payload":{', record_value) + 10),
            null
        ) as before_payload,
        true as has_schema,
        {{ afterimage.schema_fields(contract['format']) }} as schema_fields
    from ({{ records }} limit 100) as records
) as records
{%- endmacro %}


{#
  Whether (SQL) a schema block, or the id of one, agrees with the contract's units and scales, and precedes a payload and nothing else. From then
  on a record is recognised by the hash of such a text. In: contract, of which no column had another type before.
#}
{% macro _is_sound_block(contract) %}
  {% if contract['former_types'] %}{{ return('false') }}{% endif %}
  {{ return("before_payload is not null and before_payload rlike " ~ afterimage.literal('\\A\\{"schema(?:":\\{"type":"struct"|Id":[0-9]+,"payload":\\z)') ~ " and is_valid_utf8(before_payload)"
            ~ " and get_json_object(concat(before_payload, '{}}'), '$.payload') = '{}' and coalesce("
            ~ (afterimage.misfits_of_block(afterimage.contract_columns(contract), true) + ['null']) | join(', ') ~ ") is null") }}
{% endmacro %}


{# Whether a list names each column of a contract once, and nothing else. #}
{% macro _are_all_fields(fields, contract) %}
  {{ return((fields | sort) == (contract['columns'] | map(attribute='field') | sort)) }}
{% endmacro %}

{#
  The fields of a row's image, in the order in which the connector writes them: what a record is written again by (see routine_records). The
  contract knows the columns and their types; their order the stream itself tells, and the change log remembers it (property `fields`).
  In:  built, the change log so far or none; contract; its fingerprint; records, SQL of a select of `value` of records that wait.
  Out: list of text; none where there is no proof for such records (see has_routine), their rows have other fields than the contract, or most of
       them were marked before (see learned_of_marked).
#}
{% macro routine_fields(built, contract, fingerprint, records) %}
  {% set properties = afterimage.table_properties(built) if built else {} %}
  {% if not afterimage.has_routine(contract) or properties.get('exact') == fingerprint %}{{ return(none) }}{% endif %}
  {% set known = fromjson(properties.get('fields', '') or '[]') %}
  {{ return(known if afterimage._are_all_fields(known, contract) else afterimage.sampled_fields(records, contract)) }}
{% endmacro %}


{# The fields of the first row among a few records. In and out: as routine_fields. #}
{% macro sampled_fields(records, contract) %}
  {% set row = "get_json_object(cast(value as string), '$.after')" %}
  {% set found = afterimage.ask('the order of a row\'s fields', "select to_json(json_object_keys(" ~ row ~ ")) from (" ~ records ~ " limit 100) as records where json_object_keys(" ~ row ~ ") is not null limit 1").rows %}
  {% set fields = fromjson(found[0][0]) if found | length else [] %}
  {{ return(fields if afterimage._are_all_fields(fields, contract) else none) }}
{% endmacro %}


{# Whether a list names each column of a contract, once, and nothing else. #}
{% macro _are_all_fields(fields, contract) %}
  {{ return((fields | sort) == (contract['columns'] | map(attribute='field') | sort)) }}
{% endmacro %}

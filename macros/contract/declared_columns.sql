{#
  The columns that a contract declares. In: contract, with its two levels merged. Out: list of
    name         its name in the models, see model_names
    field        its name in events
    source_type  its type in the database
  and, only where they differ from these,
    source_name  its name in the database
    former       the names it had in events before (contract: former_names), the newest first: list of {field, member}
    member       its name in the struct of an image: Spark does not tell apart fields that differ in case only, and substitutes ${…}
#}
{% macro declared_columns(contract) %}
  {% set is_document = afterimage.is_document(contract) %}
  {% set flattened = (contract['flatten_struct_delimiter'] or '.') | string if contract['format'] == 'unwrapped' else '.' %}
  {% set names = afterimage.model_names(contract) %}
  {% set former = contract['former_names'] or {} %}
  {% set columns, members = [], [] %}
  {% for source_name, type in (contract['columns'] or {}).items() %}
    {% set own = source_name | string %}
    {% set field = own | replace('.', flattened) if is_document else afterimage.field_name(own, contract['settings']['field_name_adjustment_mode']) %}
    {% set column = {'name': names[own], 'field': field, 'source_type': type | string} %}
    {% if names[own] != (afterimage.column_of_path(own) if is_document else own) %}{% do column.update({'source_name': own}) %}{% endif %}
    {% set member = afterimage._name_in_struct(field, members) %}
    {% if member != field %}{% do column.update({'member': member}) %}{% endif %}
    {% do columns.append(column) %}
  {% endfor %}
  {# after all columns, because these keep their names #}
  {% for column in columns if not is_document %}
    {% set names_before = [] %}
    {% set given = former.get(column.get('source_name', column['name'])) %}
    {% for name in (given if given is iterable and given is not string else []) %}
      {% set field = afterimage.field_name(name | string, contract['settings']['field_name_adjustment_mode']) %}
      {% do names_before.append({'field': field, 'member': afterimage._name_in_struct(field, members)}) %}
    {% endfor %}
    {% if names_before %}{% do column.update({'former': names_before}) %}{% endif %}
  {% endfor %}
  {{ return(columns) }}
{% endmacro %}


{# The name of a field in the struct of an image: its own, unless another has it, ignoring case, or SQL cannot hold it. #}
{% macro _name_in_struct(field, members) %}
  {% set member = field if afterimage.is_carried(field) and field | lower not in members else '_cdc_field_' ~ members | length %}
  {% do members.append(member | lower) %}
  {{ return(member) }}
{% endmacro %}


{# Whether SQL can hold a name: no backtick, no control character, no ${, which Spark substitutes before it parses SQL. #}
{% macro is_carried(name) %}
  {{ return(modules.re.search('[`\\x00-\\x1f]|[$][{]', name) is none) }}
{% endmacro %}


{#
  The name of each column in the models, as a dict name in the source -> name, all distinct: by the contract's model_names; else as in the source,
  for a document's path with _ for its points. A name that is afterimage's own, that SQL cannot hold or that another column has, ignoring case,
  gets a _ at its end (valid_from_), loses the first one (cdc_op for _cdc_op), or has _ for what cannot be held.
  In: contract, with its two levels merged.
#}
{% macro model_names(contract) %}
  {% set given, declared = contract['model_names'] or {}, (contract['columns'] or {}) | map('string') | list %}
  {% set found, taken = {}, [] %}
  {% for source_name in declared if given.get(source_name) is string %}
    {% do found.update({source_name: given[source_name]}) %}
    {% do taken.append(given[source_name] | lower) %}
  {% endfor %}
  {# names that can stay unchanged come before those that must change #}
  {% for gives_way in [false, true] %}
    {% for source_name in declared if source_name not in found %}
      {% set own = afterimage.column_of_path(source_name) if afterimage.is_document(contract) else source_name %}
      {% set held = modules.re.sub('[`\\x00-\\x1f]|[$](?=[{])', '_', own) if gives_way else own %}
      {% set held = held[1:] if gives_way and (held | lower).startswith('_cdc_') else held %}
      {% for length in range(declared | length + 2 if gives_way else 1) if source_name not in found %}
        {% set name = held ~ '_' * length %}
        {% if afterimage.is_free(name) and name | lower not in taken %}
          {% do found.update({source_name: name}) %}
          {% do taken.append(name | lower) %}
        {% endif %}
      {% endfor %}
    {% endfor %}
  {% endfor %}
  {{ return(found) }}
{% endmacro %}


{# Whether a column of a model may have a name: none of those afterimage adds, and one that SQL can hold. #}
{% macro is_free(name) %}
  {{ return(afterimage.is_carried(name) and not (name | lower).startswith('_cdc_') and name | lower not in ['valid_from', 'valid_to', 'is_current', 'cdc_append']) }}
{% endmacro %}


{# A value of a contract that names columns, a list or a map by column, with their names in the models. In: value; names (model_names); contract. #}
{% macro named_as_in_models(value, names, contract) %}
  {% set is_document = afterimage.is_document(contract) %}
  {% if value is mapping %}
    {% set named = {} %}
    {% for name, of_it in value.items() %}{% do named.update({names.get(name | string, name): of_it}) %}{% endfor %}
    {{ return(named) }}
  {% elif value is iterable and value is not string %}
    {% set named = [] %}
    {% for name in value %}{% do named.append(names.get(name | string, name | string | replace('.', '_') if is_document else name)) %}{% endfor %}
    {{ return(named) }}
  {% endif %}
  {{ return(value) }}
{% endmacro %}

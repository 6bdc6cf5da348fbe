{#
  A record's key as a JSON object of the key's columns, in whatever form it landed:
    {"id":1}       unchanged, without the schema block
    7, "7", a b    the value of a key of one column (ExtractField$Key), as a converter of JSON or of strings writes it
    Struct{id=7}   an object, as a converter of strings writes it; with several columns only where no value has a comma, a brace or =
  A converter of strings writes decimals and bytes differently from JSON, and objects and lists in a form that cannot be read: such a column
  is left out, and so is a value that is not of the column's JSON type.
  In: text, SQL of the key; keys (key_columns). Out: SQL text, NULL where it is none of these.
#}
{% macro key_document(text, keys) %}
  {% set members = [] %}
  {% for column in keys %}
    {% set member = afterimage._member_of_struct(column, keys) %}
    {% do members.append(afterimage.literal(column['field']) ~ ', ' ~ ('cast(null as string)' if column['decoder'].get('quoted') else afterimage._read_from_text(member, member, column))) %}
  {% endfor %}
  {% set cases = ["when startswith(k, '{') then k",
                  "when k rlike " ~ afterimage.literal(afterimage._struct_form(keys)) ~ " then to_json(named_struct(" ~ members | join(', ') ~ "))"] %}
  {% if keys | length == 1 %}
    {% set is_string = "(startswith(k, '\"') and json_array_length(concat('[', k, ']')) = 1)" %}
    {% set of_string = "get_json_object(concat('[', k, ']'), '$[0]')" %}
    {% set value = "if(" ~ is_string ~ ", " ~ of_string ~ ", " ~ ('null' if keys[0]['decoder'].get('quoted') else 'k') ~ ")" %}
    {# bytes of another converter are not text #}
    {% do cases.append("when k <> 'null' and not startswith(k, 'Struct{') and is_valid_utf8(k) and not k rlike " ~ afterimage.literal('[\\x00-\\x1f]')
                       ~ " then to_json(named_struct(" ~ afterimage.literal(keys[0]['field']) ~ ", " ~ afterimage._read_from_text(value, 'k', keys[0]) ~ "))") %}
  {% endif %}
  {{ return("get(transform(array(trim(" ~ afterimage.without_schema(text) ~ ")), k -> case " ~ cases | join(' ') ~ " end), 0)") }}
{% endmacro %}


{# A value as from_json reads the column. In: SQL of its text and of its JSON, which differ if it has quotes; column. Out: SQL, NULL if it is none. #}
{% macro _read_from_text(text, json, column) %}
  {% set type = column['decoder']['literal'] %}
  {% if type == 'variant' %}{{ return('try_parse_json(' ~ json ~ ')') }}{% endif %}
  {{ return('cast(null as string)' if '<' in type else 'try_cast(' ~ text ~ ' as ' ~ type ~ ')') }}
{% endmacro %}


{# The regular expression of such an object as text: with one column, everything between its name and the last brace is the value. #}
{% macro _struct_form(keys) %}
  {% if keys | length == 1 %}{{ return('(?s)\\AStruct\\{' ~ modules.re.escape(keys[0]['field']) ~ '=(.*)\\}\\z') }}{% endif %}
  {{ return('\\AStruct\\{[^,={}]+=[^,={}]*(?:,[^,={}]+=[^,={}]*)*\\}\\z') }}
{% endmacro %}


{# The text of a member (SQL) of `k`, NULL where it is not there: members that are NULL are not written. #}
{% macro _member_of_struct(column, keys) %}
  {% set form = afterimage.literal(afterimage._struct_form(keys) if keys | length == 1 else '[{,]' ~ modules.re.escape(column['field']) ~ '=([^,={}]*)[,}]') %}
  {{ return('if(k rlike ' ~ form ~ ', regexp_extract(k, ' ~ form ~ ', 1), null)') }}
{% endmacro %}

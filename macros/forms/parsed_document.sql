{#
  CTE `parsed`: each new record parsed once, one row per record.
  The document is wrapped in an array before parsing: text after it then breaks the JSON instead of being ignored, and a second document is a
  second element. `explode(array(…))` keeps Spark from parsing again for every column that is used.

  In:  type, how from_json reads the document (a column type); document, its text (SQL); records, the CTE they are in; columns and added of the
       row images within the type, if any: they get the names that SQL distinguishes (see row_image_type).
  Out: the columns of that CTE, record as struct<document, is_one, corrupt>.
#}
{% macro parsed_document(type, document, records, columns=[], added=[]) -%}
{% set members = type | replace(afterimage.row_image_type(columns, added), afterimage.row_image_type(columns, added, 'member')) -%}
parsed as (
    select
        {{ records }}.*,
        struct(get(parsed_value.documents, 0) as document, size(parsed_value.documents) = 1 as is_one, parsed_value.corrupt as corrupt) as record
    from {{ records }}
        lateral view explode(array({{ 'cast(' if members != type }}from_json(
            concat('{"documents":[', {{ document }}, ']}'),
            {{ afterimage.literal('documents array<' ~ type ~ '>, corrupt string') }},
            map('columnNameOfCorruptRecord', 'corrupt', 'allowNonNumericNumbers', 'true')
        ){{ ' as struct<documents: array<' ~ members ~ '>, corrupt: string>)' if members != type }})) as parsed_value
),
{%- endmacro %}

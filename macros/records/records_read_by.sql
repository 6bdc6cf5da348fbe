{#
  The statement that reads new records: the routine one where their form is given (see expected_form), else the exact one. In: as for these.
#}
{% macro records_read_by(contract, form, new_records, late_columns=[], events=[]) %}
  {% set read = afterimage.routine_records(contract, form, new_records, late_columns) if form
                else afterimage.judged_records(contract, new_records, late_columns, afterimage.may_have_schemas(form)) %}
  {% set declared = '\nunion all\n-- what an operator declared\n' ~ afterimage.operator_rows(contract, events, afterimage._judged_columns(contract)) if events else '' %}
  {{ return(read ~ declared) }}
{% endmacro %}


{#
  Whether records may have a schema that differs from the contract: not where a form without one was found, unless the routine statement reports
  it for a record that it marks (see routine_records); where no form was found, it is not known. Reading each record by its own schema makes the
  exact statement two to three times as long.
#}
{% macro may_have_schemas(form) %}
  {{ return(form.get('block') is not none or form.get('schemas', []) | length > 0 if form else true) }}
{% endmacro %}

{#
  Raises where marked records were no longer in landing when they were read again (see marked_records): what is processed could not be told.
  In: landing relation; gone, their number, negative where there were more.
#}
{% macro refuse_records_gone(landing, gone) %}
  {% do exceptions.raise_compiler_error(
    '[afterimage] ' ~ model.name ~ ': ' ~ landing ~ ' was changed while it was read: of the records that had to be read a second time, ' ~ gone
    ~ ' were no longer there as they were. The change log has not been touched; run it again. Rows of landing may be deleted once a run has taken them in, '
    ~ 'not while one reads.') %}
{% endmacro %}

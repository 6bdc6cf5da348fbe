{#
  Raises where marked records were no longer in landing when they were read again (see marked_records): what is
  processed would be unknown.
  In: landing relation; gone, their number, negative where there were more.
#}
{% macro refuse_records_gone(landing, gone) %}
  {% do exceptions.raise_compiler_error(
    '[afterimage] ' ~ model.name ~ ': ' ~ landing ~ ' was changed while it was read: ' ~ gone
    ~ ' of the records that were read a second time had been changed or deleted. The change log is unchanged; run it again. Delete rows of landing only after a run has processed them, '
    ~ 'not while one reads.') %}
{% endmacro %}

{#
  Refuses a full refresh, which reads landing again, when the change log holds records that landing no longer has: they would be lost.
#}
{% macro refuse_lossy_full_refresh(change_log, contract) %}
  {% set existing = afterimage.listed_relation(change_log) %}
  {% if existing %}
    {% set landing = afterimage.landing_of_model(model) %}
    {# a damaged table may be rebuilt, but not one without its epochs: they are needed to find what landing has lost #}
    {% set operator = afterimage.properties_unchecked(existing).get('operator', '{"epochs": []}') %}
    {% do afterimage.check_properties(existing, {'operator': operator}) %}
    {% set epochs = fromjson(operator)['epochs'] %}
    {% set gone = afterimage.ask('find changes that landing no longer has',
      "select count(*) from (select * from " ~ existing ~ " where " ~ afterimage.is_of_source() ~ ") as staged left anti join (select * from " ~ landing ~ " where "
      ~ afterimage.has_topic('topic', contract) ~ ") as landed on staged._cdc_topic = landed.topic "
      ~ "and staged._cdc_partition = landed.partition and staged._cdc_offset = landed.offset"
      ~ (" and " ~ afterimage.epoch_prefix('staged._cdc_landed_ts', epochs) ~ " = " ~ afterimage.epoch_prefix('landed.timestamp', epochs) if epochs else '')).rows[0][0] %}
    {% if gone > 0 %}
      {% do exceptions.raise_compiler_error(
        '[afterimage] ' ~ model.name ~ ': --full-refresh refused: ' ~ gone ~ ' change(s) in ' ~ existing ~ ' are no longer in ' ~ landing
        ~ ' under topic ' ~ contract['topics'] | join(', ') ~ ' and would be lost. Run without --full-refresh; if you really mean it, drop the table yourself.') %}
    {% endif %}
  {% endif %}
{% endmacro %}

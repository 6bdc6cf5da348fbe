{# In words, which keys a run folds. In: progress, see there. #}
{% macro keys_folded(progress) %}
  {{ return('all keys, from the beginning' if progress is none else 'all keys, for a change of all rows is among the new ones'
            if progress['oldest_truncate'] else 'the keys with new changes') }}
{% endmacro %}

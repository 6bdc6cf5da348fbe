{#
  Whether the warehouse may be asked: true while a model is run or built as itself. False in a unit test, where the inputs are given and nothing
  exists yet, and while dbt compiles, lists or documents one of our own materializations: what they compile to is made from the contract alone.
#}
{% macro is_model_run() %}
  {% if not execute or model.resource_type != 'model' %}{{ return(false) }}{% endif %}
  {{ return(model.config.materialized not in afterimage.kept_tables() or model.get('afterimage_runs', false)) }}
{% endmacro %}


{#
  Begins the run of one of our materializations, in which the warehouse may be asked.
  In: compiled, the model's SQL; macro, the name of the only macro it may call; last, the last line of what that gives.
  Raises when the model has anything but comments around it, which would have no effect.
#}
{% macro begin_run(compiled, macro, last) %}
  {% set lines = [] %}
  {% for line in modules.re.sub('(?s)/[*].*?[*]/', '', compiled).splitlines() if line.strip() and not line.strip().startswith('--') %}{% do lines.append(line.rstrip()) %}{% endfor %}
  {% if compiled.count(', made by afterimage.' ~ macro) != 1 or lines[0] != 'with' or lines[-1] != last %}
    {% do exceptions.raise_compiler_error(
      '[afterimage] ' ~ model.name ~ ': the model must be one call of afterimage.' ~ macro ~ '(…) and nothing else. Select from it in a model of its own.') %}
  {% endif %}
  {% do model.update({'afterimage_runs': true}) %}
{% endmacro %}


{# Raises because another run came in between. #}
{% macro refuse_superseded_run() %}
  {% do exceptions.raise_compiler_error('[afterimage] ' ~ model.name ~ ': another run has written since this one looked for what is new. Nothing was written; run it again.') %}
{% endmacro %}


{#
  The table a model has built so far (with a suffix: the one beside it), or none: on first run, on --full-refresh and in unit tests,
  where even `this` is no relation.
#}
{% macro built_so_far(this, suffix='') %}
  {% if not afterimage.is_model_run() or should_full_refresh() %}{{ return(none) }}{% endif %}
  {% set relation = afterimage.beside(this, suffix) if suffix else this %}
  {{ return(adapter.get_relation(database=relation.database, schema=relation.schema, identifier=relation.identifier)) }}
{% endmacro %}


{# Whether a table stands, as far as dbt has seen; always true where nothing can be asked (unit tests, compiling without a database). #}
{% macro is_there(relation) %}
  {% if not afterimage.is_model_run() %}{{ return(true) }}{% endif %}
  {{ return(adapter.get_relation(database=relation.database, schema=relation.schema, identifier=relation.identifier) is not none) }}
{% endmacro %}


{# A table kept beside a model under the model's name and a suffix: __ledger, __log, __batch. #}
{% macro beside(relation, suffix) %}
  {{ return(api.Relation.create(schema=relation.schema, identifier=relation.identifier ~ '__' ~ suffix)) }}
{% endmacro %}


{#
  What is remembered with a table, in its properties under afterimage.<name>. Out: dict name -> text.
    batch      last batch of a change log that is whole         begun     the batch being written; more than `batch` after a crash
    applied    last batch (or append of a history) taken in     made_of   generation of the table it was taken from
    append     last whole append to a log                       begun     of a history, the one being written; more than `append` after a crash
    settled    the append through which what was replaced goes, or has gone (see maintain)
    whole, later   of the log of a current state, see state_appends
    clean      the append through which nothing replaced is left in it   replaced   how many rows of later appends say that something is (or may)
    generation a new one whenever all that was made of a table is out of date: it was built anew, or gained a column
    key, columns, late_columns, reading   see change_log_state  retry     stamp of `afterimage retry`
    seen       what a fold must know before it reads, see seen_in_batch
    fields, exact   see routine_fields
    read       what of landing is decided, see region_read
    refused    of a ledger: no, as long as it holds no refused record (and an accepted one cannot have been one)
    sql        of a view, a checksum of its select
    owner      of a scratch table, the run it belongs to, see hold_scratch
    operator   epochs and kinds of operator events taken in, see remember_operator_events
  Losing progress (batch, applied) costs work, never rows.
  A table is asked once when a run looks what is new, and again under its lock: from then on only the model's own statements change anything.
#}
{% macro table_properties(relation) %}
  {% set asked = afterimage._properties_asked() %}
  {% if relation | string not in asked %}
    {% do asked.update({relation | string: afterimage.properties_in(run_query('show tblproperties ' ~ relation).rows)}) %}
  {% endif %}
  {{ return(dict(asked[relation | string])) }}
{% endmacro %}


{# Writes what table_properties reads, which knows it from then on. In: relation, {name without the prefix: value}. #}
{% macro set_table_properties(relation, values) %}
  {% set pairs = [] %}
  {% for name, value in values.items() %}{% do pairs.append(afterimage._property(name, value)) %}{% endfor %}
  {% do run_query('alter table ' ~ relation ~ ' set tblproperties (' ~ pairs | join(', ') ~ ')') %}
  {% set known = afterimage._properties_asked().get(relation | string) %}
  {% if known is not none %}
    {% for name, value in values.items() %}{% do known.update({name: value | string}) %}{% endfor %}
  {% endif %}
{% endmacro %}


{# Lets table_properties ask again: after a table was made, dropped or given others. #}
{% macro forget_properties(relation) %}
  {% do afterimage._properties_asked().pop(relation | string, none) %}
{% endmacro %}


{# What table_properties found so far. It lives in dbt's own dict of the model that is compiled or run, which is made anew for each. #}
{% macro _properties_asked() %}
  {{ return(model.setdefault('afterimage_properties', {})) }}
{% endmacro %}


{# The properties of ours among the rows of SHOW TBLPROPERTIES: {name without the prefix: value}. #}
{% macro properties_in(rows) %}
  {% set found = {} %}
  {% for row in rows if row[0].startswith('afterimage.') %}
    {% do found.update({row[0][11:]: ''.encode().fromhex(row[1][4:]).decode() if row[1].startswith('hex:') else row[1]}) %}
  {% endfor %}
  {{ return(found) }}
{% endmacro %}


{#
  A property as TBLPROPERTIES takes it. Spark shows no value in which it finds a word such as password, token or url (it redacts options), and
  names of columns, topics and hosts hold such words: all but the plainest values are written in hexadecimal.
#}
{% macro _property(name, value) %}
  {% set text = value | string %}
  {% set is_plain = modules.re.match('^([0-9]*|yes|no)$', text) %}
  {{ return(afterimage.literal('afterimage.' ~ name) ~ ' = ' ~ afterimage.literal(text if is_plain else 'hex:' ~ text.encode().hex())) }}
{% endmacro %}


{# The generation of a table others are made of; empty for a table of an older version of this package. #}
{% macro generation_of(relation) %}
  {{ return(afterimage.table_properties(relation).get('generation', '')) }}
{% endmacro %}


{# Whether a table was made of the given generation of the table before it. #}
{% macro is_made_of(relation, generation) %}
  {{ return(afterimage.table_properties(relation).get('made_of', '') == generation) }}
{% endmacro %}

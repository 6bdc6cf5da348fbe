{#
  Whether the warehouse can be queried: true while a model is run or built as itself. False in a unit test, where the
  inputs are given and no table exists yet, and while dbt compiles, lists or documents: a model then compiles from the
  contract alone.
#}
{% macro is_model_run() %}
  {% if not execute or model.resource_type != 'model' or afterimage.is_only_compiled() %}{{ return(false) }}{% endif %}
  {{ return(model.config.materialized not in afterimage.kept_tables() or model.get('afterimage_runs', false)) }}
{% endmacro %}


{# Whether dbt only compiles or documents, and executes none of the compiled SQL. #}
{% macro is_only_compiled() %}
  {{ return(flags.WHICH in ['compile', 'generate']) }}
{% endmacro %}


{#
  Begins the run of one of our materializations, in which the warehouse can be queried.
  In: compiled, the model's SQL; macro, the name of the only macro it may call; last, the last line of that macro's
  SQL.
  Raises when the model has anything but comments around the call: it would have no effect.
#}
{% macro begin_run(compiled, macro, last) %}
  {% set lines = [] %}
  {% for line in modules.re.sub('(?s)/[*].*?[*]/', '', compiled).splitlines() if line.strip() and not line.strip().startswith('--') %}{% do lines.append(line.rstrip()) %}{% endfor %}
  {% if compiled.count(', made by afterimage.' ~ macro) != 1 or lines[0] != 'with' or lines[-1] != last %}
    {% do exceptions.raise_compiler_error(
      '[afterimage] ' ~ model.name ~ ': the model must be one call of afterimage.' ~ macro ~ '(…) and nothing else. Select from it in a model of its own.') %}
  {% endif %}
  {% do model.update({'afterimage_runs': true}) %}
  {% do afterimage.ensure_companion_schema(this) %}
{% endmacro %}


{#
  The table that a model has built so far (with a suffix: its companion table), or none: on the first run, with
  --full-refresh and in unit tests, where even `this` is no relation.
#}
{% macro built_so_far(this, suffix='') %}
  {% if not afterimage.is_model_run() or should_full_refresh() %}{{ return(none) }}{% endif %}
  {% set relation = afterimage.companion_table(this, suffix) if suffix else this %}
  {{ return(afterimage.listed_relation(relation)) }}
{% endmacro %}


{#
  Whether a table exists, according to dbt's cache; always true where nothing can be queried (unit tests, compiling
  without a database).
#}
{% macro is_there(relation) %}
  {% if not afterimage.is_model_run() %}{{ return(true) }}{% endif %}
  {{ return(afterimage.listed_relation(relation) is not none) }}
{% endmacro %}


{#
  The state stored with a table, in its properties afterimage.<name>. Out: dict name -> text.
    batch      last complete batch of a change log
    begun      the batch, or append of a history, being written; more than `batch` or `append` after a crash
    applied    last batch (or append of a history) processed
    made_of    generation of the table it was read from
    append     last complete append to a log
    settled    the append through which replaced versions are being removed, or have been (see maintain)
    whole, later, unread   of the log of a current state, see state_appends; unread, whether drop_unread_appends has
                           anything to do
    clean      the append through which no replaced version is left
    replaced   how many rows of later appends replace one (or may)
    generation a new one whenever all tables built from this one are out of date: it was rebuilt, or gained a column
    key, columns, late_columns, reading   see change_log_state
    retry      of a ledger, the stamp of `afterimage retry`
    seen       what a fold must know before it reads, see seen_in_batch
    form, exact  see expected_form
    read       the processed region of landing, see region_read
    version    of these properties, see state_version
    shape      checksum of the table's column names and types; made_as, of its whole definition, see ensure_table
    sql        of a view, a checksum of its select
    log        of a view, the log it reads, see log_of
    owner      of a lock table, the run that holds the lock, see acquire_lock
    operator   epochs and kinds of operator events processed, see remember_operator_events
  Losing progress (batch, applied) costs work, never rows.
  To check for new data, our models use dbt's list of tables from the start of the run, and what the run has written
  since. Once a model holds the lock it asks again for what it builds on (forget_properties): from then on only its
  own statements change anything.
#}
{% macro table_properties(relation) %}
  {% set known, name = afterimage._known_properties(), afterimage.relation_name(relation) %}
  {% if known.get(name) is none %}
    {% set found = none if name in known else afterimage._properties_listed(relation) %}
    {% if found is none %}
      {% set found = afterimage.properties_unchecked(relation) %}
    {% endif %}
    {% do afterimage.check_properties(relation, found) %}
    {% do known.update({name: found}) %}
  {% endif %}
  {{ return(dict(known[name])) }}
{% endmacro %}


{# The version of these properties, raised when an older release would misread them. Stored when a table is created. #}
{% macro state_version() %}
  {{ return(2) }}
{% endmacro %}


{#
  The fault of a table's properties: written by another version of this package, or damaged; none without a fault. (A
  damaged property that was ignored would mean lost progress at best.) In: properties. Out: text.
#}
{% macro _fault_of_properties(properties) %}
  {% if properties.get('version', afterimage.state_version()) | string != afterimage.state_version() | string %}
    {{ return('was written by another version of afterimage, whose state has version ' ~ properties['version'] ~ '; this version reads version ' ~ afterimage.state_version()) }}
  {% endif %}
  {% set numbers = ['batch', 'begun', 'applied', 'append', 'settled', 'whole', 'later', 'clean', 'replaced'] %}
  {% set documents = ['seen', 'form', 'read', 'operator', 'columns', 'late_columns', 'reading'] %}
  {% for name, value in properties.items() %}
    {% set is_number, is_document = modules.re.match('^[0-9]+$', value), value in ['', 'null'] or fromjson(value) is not none %}
    {% if (name in numbers and not is_number) or (name in documents and not is_document) %}
      {{ return('has a damaged property: afterimage.' ~ name ~ ' is ' ~ value) }}
    {% endif %}
  {% endfor %}
  {{ return(none) }}
{% endmacro %}


{#
  Raises where properties have a fault: damaged, or written by another version of the package. In: relation; its
  properties, {name without the prefix: value}.
#}
{% macro check_properties(relation, properties) %}
  {% set fault = afterimage._fault_of_properties(properties) %}
  {% if fault %}
    {% do exceptions.raise_compiler_error(
      '[afterimage] ' ~ relation ~ ' ' ~ fault ~ '. Nothing was written. Rebuild it with --full-refresh while landing still holds the start, or '
      ~ ('install that version again.' if 'version' in fault else 'give the property the value it had.')) %}
  {% endif %}
{% endmacro %}


{# The properties that the table has now, unchecked: for a rebuild, a lock, and maintenance. #}
{% macro properties_unchecked(relation) %}
  {{ return(afterimage.properties_in(afterimage.ask('read the state of this table', 'show tblproperties ' ~ relation).rows)) }}
{% endmacro %}


{#
  Sets the properties that table_properties reads, and updates its cache. In: relation, {name without the prefix:
  value}.
#}
{% macro set_table_properties(relation, values) %}
  {% set pairs = [] %}
  {% for name, value in values.items() %}{% do pairs.append(afterimage.property_assignment(name, value)) %}{% endfor %}
  {% do afterimage.ask('store the state of this table', 'alter table ' ~ relation ~ ' set tblproperties (' ~ pairs | join(', ') ~ ')') %}
  {% set known = afterimage._known_properties().setdefault(afterimage.relation_name(relation), none) %}
  {% if known is not none %}
    {% for name, value in values.items() %}{% do known.update({name: value | string}) %}{% endfor %}
  {% endif %}
{% endmacro %}


{#
  Has table_properties query the table again next time: once a lock is held, and after the table was created, dropped
  or altered.
#}
{% macro forget_properties(relation) %}
  {% do afterimage._known_properties().update({afterimage.relation_name(relation): none}) %}
{% endmacro %}


{#
  The known properties of tables. Models that hold a lock before they write share them; any other model (a view of
  quality) writes what it finds into its SQL, so it asks for itself.
#}
{% macro _known_properties() %}
  {{ return(afterimage.run_memory('properties') if model.get('afterimage_runs') else model.setdefault('afterimage_properties', {})) }}
{% endmacro %}


{#
  The key of a relation in the run's memory, the same however the relation is quoted and whether all or part of it is
  read (dbt's --empty). In: relation. Out: text.
#}
{% macro relation_name(relation) %}
  {{ return([relation.database, relation.schema, relation.identifier] | select | join('.') | lower) }}
{% endmacro %}


{#
  Our properties from dbt's list of tables; none where the list lacks them: for a table created since, a Delta table,
  whose catalog does not learn them, and an Iceberg view.
#}
{% macro _properties_listed(relation) %}
  {% if not model.get('afterimage_runs') %}{{ return(none) }}{% endif %}
  {% set listed = afterimage.listed_relation(relation) %}
  {% set line = modules.re.search('(?m)^Table Properties: *\\[(.*)\\]$', (listed.information or '') if listed else '') %}
  {% if not line or listed.is_delta %}{{ return(none) }}{% endif %}
  {# for tables of a separate catalog Spark 4.1 lists not the text but its characters, each after a comma #}
  {% set text = line.group(1)[::3] if line.group(1).startswith('[, ') else line.group(1) %}
  {% set rows = modules.re.findall('(?:^|[\\[, ])(afterimage[.][a-z_]+)=(hex:[0-9a-f]*|[0-9a-z]*)(?=[,\\]]|$)', text) %}
  {{ return(afterimage.properties_in(rows) if rows and rows | length == text.count('afterimage.') else none) }}
{% endmacro %}


{# Our properties among the rows of SHOW TBLPROPERTIES: {name without the prefix: value}. #}
{% macro properties_in(rows) %}
  {% set found = {} %}
  {% for row in rows if row[0].startswith('afterimage.') %}
    {% do found.update({row[0][11:]: ''.encode().fromhex(row[1][4:]).decode() if modules.re.match('^hex:([0-9a-f]{2})*$', row[1]) else row[1]}) %}
  {% endfor %}
  {{ return(found) }}
{% endmacro %}


{#
  A property as TBLPROPERTIES takes it. Spark redacts a value that contains a word such as password, token or url, and
  names of columns, topics and hosts can contain these: all but the plainest values are written in hexadecimal.
  In: name without the prefix; value. Out: SQL.
#}
{% macro property_assignment(name, value) %}
  {% set text = value | string %}
  {% set is_plain = modules.re.match('^([0-9]*|yes|no)$', text) %}
  {{ return(afterimage.literal('afterimage.' ~ name) ~ ' = ' ~ afterimage.literal(text if is_plain else 'hex:' ~ text.encode().hex())) }}
{% endmacro %}


{# The generation of a table from which others are built. #}
{% macro generation_of(relation) %}
  {{ return(afterimage.table_properties(relation).get('generation', '')) }}
{% endmacro %}


{# Whether a table was built from the given generation of its input table. #}
{% macro is_made_of(relation, generation) %}
  {{ return(afterimage.table_properties(relation).get('made_of', '') == generation) }}
{% endmacro %}

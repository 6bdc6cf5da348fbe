{#
  The kinds of helper tables, as helper_tables of a contract names them: {kind: what its topic is}. A helper table is a table of the source that
  no business model reads.
#}
{% macro helper_kinds() %}
  {{ return({
    'signal': 'signal table',
    'heartbeat': 'heartbeat table',
    'log_mining_flush': 'log mining table',
    'online_ddl': 'online DDL table',
    'capture': 'capture table',
  }) }}
{% endmacro %}


{#
  The kind of helper (one of helper_kinds()) a table is by its name alone, else none. In: the table's name, with its schema or without.
    LOG_MINING_FLUSH, and with a suffix for each node of a cluster   Oracle connector
    _orders_gho, _orders_ghc, _orders_del                            gh-ost
    _orders_new, _orders_old                                         pt-online-schema-change
    dbo_orders_CT                                                    change tables of SQL Server; in Db2 the name is free (IBMSNAP_… are its own)
  Source: Debezium documentation, Oracle ("LogMiner flush table") and MySQL ("schema changes by tools"); gh-ost and Percona Toolkit manuals.
#}
{% macro helper_kind_of(name) %}
  {% for kind, pattern in afterimage._helper_patterns().items() %}
    {% if modules.re.match(pattern, name.split('.')[-1]) %}{{ return(kind) }}{% endif %}
  {% endfor %}
  {{ return(none) }}
{% endmacro %}


{% macro _helper_patterns() %}
  {{ return({
    'log_mining_flush': '^(?:LOG_MINING_FLUSH|log_mining_flush)(?:_.*)?$',
    'online_ddl': '^_.+_(?:gho|ghc|del|new|old)$',
    'capture': '^(?:.+_CT|IBMSNAP_.+)$',
  }) }}
{% endmacro %}


{# Whether (SQL) a table, named as in the source, is a helper by its name or by a contract's helper_tables. In: name (SQL), contracts. #}
{% macro is_helper_table(name, contracts) %}
  {% set declared = [] %}
  {% for contract in contracts %}{% do declared.extend(contract.get('helper_tables') or {}) %}{% endfor %}
  {% set patterns = afterimage._helper_patterns().values() | join('|') %}
  {% set of_name = "substring_index(" ~ name ~ ", '.', -1) rlike " ~ afterimage.literal(patterns) %}
  {{ return('(' ~ of_name ~ (' or ' ~ name ~ ' in (' ~ afterimage.literals(declared | unique(case_sensitive=true)) ~ ')' if declared else '') ~ ')') }}
{% endmacro %}


{#
  The kind of helper (SQL, one of helper_kinds()) of a record's table on a topic into which several are routed; NULL for a business table.
  helper_tables decides; else the name, for a table that neither this contract nor another on its topics names in source_tables. In: table (SQL,
  named as in the source), contract.
#}
{% macro helper_kind_declared(table, contract) %}
  {% set named, parts = (contract['source_tables'] or []) + afterimage.tables_sharing_topics(contract), [] %}
  {% for kind in afterimage.helper_kinds() %}
    {% set tables = (contract['helper_tables'] or {}).items() | selectattr(1, 'equalto', kind) | map('first') | list %}
    {% if tables %}{% do parts.append('when ' ~ table ~ ' in (' ~ afterimage.literals(tables) ~ ") then '" ~ kind ~ "'") %}{% endif %}
  {% endfor %}
  {% if named %}
    {% do parts.append('when ' ~ table ~ ' in (' ~ afterimage.literals(named) ~ ') then null') %}
    {% for kind, pattern in afterimage._helper_patterns().items() %}
      {% do parts.append('when substring_index(' ~ table ~ ", '.', -1) rlike " ~ afterimage.literal(pattern) ~ " then '" ~ kind ~ "'") %}
    {% endfor %}
  {% endif %}
  {{ return('case ' ~ parts | join(' ') ~ ' end' if parts else 'cast(null as string)') }}
{% endmacro %}

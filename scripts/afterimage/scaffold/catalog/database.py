"""Tables of a running database, read by SQLAlchemy: any database with a dialect."""

import warnings
from typing import Any

from afterimage.database import connected
from afterimage.scaffold.catalog import CatalogColumn, CatalogTable

ORIGIN = "the database"
REPLICA_IDENTITY = """
select n.nspname, c.relname, c.relreplident
from pg_class as c join pg_namespace as n on n.oid = c.relnamespace
where c.relkind in ('r', 'p') and n.nspname <> 'information_schema' and n.nspname !~ '^pg_'
"""
IDENTITIES = {"d": "default", "f": "full", "i": "index", "n": "nothing"}
# The types as the database writes them, for those that SQLAlchemy does not know.
MYSQL_TYPES = """
select table_schema, table_name, column_name, column_type
from information_schema.columns
"""
TYPES = {
    "mariadb": MYSQL_TYPES,
    "mysql": MYSQL_TYPES,
    "postgresql": """
select n.nspname, c.relname, a.attname, format_type(a.atttypid, a.atttypmod)
from pg_attribute as a
join pg_class as c on c.oid = a.attrelid
join pg_namespace as n on n.oid = c.relnamespace
where a.attnum > 0 and not a.attisdropped
""",
}
# System schemas.
OWN = {"information_schema", "performance_schema", "mysql", "sys", "pg_catalog"}


def tables_of_database(url: str) -> list[CatalogTable]:
    """The tables of every schema that the user can see; nothing is written.

    In: a SQLAlchemy URL. Errors: see `connected`.
    """
    with connected(url) as connection, warnings.catch_warnings():
        import sqlalchemy

        if connection.dialect.name in TYPES:
            warnings.filterwarnings("ignore", "Did not recognize type", sqlalchemy.exc.SAWarning)
        return _tables(sqlalchemy, connection)


def _tables(sqlalchemy: Any, connection: Any) -> list[CatalogTable]:
    asked = sqlalchemy.inspect(connection)
    dialect = connection.dialect
    identities = {}
    if dialect.name == "postgresql":
        for schema, name, identity in connection.execute(sqlalchemy.text(REPLICA_IDENTITY)):
            identities[schema, name] = IDENTITIES[identity]
    types = {}
    if dialect.name in TYPES:
        for *place, native_type in connection.execute(sqlalchemy.text(TYPES[dialect.name])):
            types[tuple(place)] = native_type
    # upper-case names of Oracle and Db2 arrive in lower case
    own = dialect.denormalize_name if dialect.requires_name_normalize else str
    found = []
    for schema in asked.get_schema_names():
        if schema.lower() in OWN:
            continue
        keys = asked.get_multi_pk_constraint(schema=schema)
        has_comments = dialect.supports_comments
        comments = asked.get_multi_table_comment(schema=schema) if has_comments else {}
        for (_, name), columns in asked.get_multi_columns(schema=schema).items():
            found.append(
                CatalogTable(
                    ORIGIN,
                    own(schema),
                    own(name),
                    {
                        own(each["name"]): _column(
                            sqlalchemy, each, dialect, types.get((schema, name, each["name"]), "")
                        )
                        for each in columns
                    },
                    [
                        own(each)
                        for each in (keys.get((schema, name)) or {}).get("constrained_columns")
                        or []
                    ],
                    identities.get((schema, name), ""),
                    (comments.get((schema, name)) or {}).get("text") or "",
                )
            )
    return found


def _column(
    sqlalchemy: Any, column: dict[str, Any], dialect: Any, native_type: str
) -> CatalogColumn:
    kind = column["type"]
    values = getattr(getattr(kind, "item_type", kind), "enums", ()) or getattr(kind, "values", ())
    return CatalogColumn(
        native_type
        if isinstance(kind, sqlalchemy.types.NullType)
        else _words(sqlalchemy, kind, dialect),
        is_required=not column.get("nullable", True),
        is_generated=bool(column.get("computed")),
        comment=column.get("comment") or "",
        values=tuple(values) if isinstance(values, list | tuple) else (),
    )


def _words(sqlalchemy: Any, kind: Any, dialect: Any) -> str:
    """The type as the database writes it; for an enum or a domain its definition."""
    if inner := getattr(kind, "item_type", None):
        return _words(sqlalchemy, inner, dialect) + "[]"
    if base := getattr(kind, "data_type", None):
        return _words(sqlalchemy, base, dialect)
    if isinstance(kind, sqlalchemy.Enum):
        return "enum"
    # the digits of Oracle's TIMESTAMP(3) are lost: the records have them
    is_cut = dialect.name == "oracle" and isinstance(kind, sqlalchemy.types.TIMESTAMP)
    if is_cut or isinstance(kind, sqlalchemy.types.NullType):
        return ""
    try:
        return kind.compile(dialect=dialect).partition(" COLLATE ")[0]
    except sqlalchemy.exc.CompileError:
        return type(kind).__name__.lower()

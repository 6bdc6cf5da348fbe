"""Tables as the connector itself describes them: in the records of its schema change topic
(`include.schema.changes`; MySQL, MariaDB, Oracle, SQL Server, Db2)."""

from collections.abc import Iterable
from typing import Any

from afterimage.scaffold.catalog import CatalogColumn, CatalogTable
from afterimage.scaffold.source_type import LENGTH, SCALE, with_arguments

ORIGIN = "the schema change topic"


def with_schema_changes(topics: Iterable[str]) -> set[str]:
    """The topics, and the names that the topic of their schema changes can have: it is called by
    the prefix (`topic.prefix`) with which theirs begin."""
    parts = [topic.split(".") for topic in topics]
    return {".".join(each[:end]) for each in parts for end in range(1, len(each) + 1)}


def tables_of_change(document: dict, connector: str) -> list[tuple[str, CatalogTable | None]]:
    """The tables of a schema change, by their id; None for a dropped table.

    In: the record's payload (databaseName, schemaName, ddl, tableChanges); the connector.
    """
    found = []
    for change in document.get("tableChanges") or []:
        table = change.get("table") or {}
        parts = [part.strip('"') for part in str(change.get("id") or "").split('"."')]
        if change.get("previousId"):
            found.append((str(change["previousId"]), None))
        is_gone = change.get("type") == "DROP" or not table
        columns = {
            str(column["name"]): _column(column, connector) for column in table.get("columns") or []
        }
        entry = CatalogTable(
            ORIGIN,
            parts[-2] if len(parts) > 1 else "",
            parts[-1],
            columns,
            list(table.get("primaryKeyColumnNames") or []),
            comment=str(table.get("comment") or ""),
            database=parts[-3] if len(parts) > 2 else "",
            prefix=str((document.get("source") or {}).get("name") or ""),
        )
        found.append((str(change.get("id")), None if is_gone else entry))
    return found


def _column(column: dict[str, Any], connector: str) -> CatalogColumn:
    name = str(column.get("typeExpression") or column.get("typeName") or "").lower()
    parameters = {
        part: column[key]
        for part, key in ((LENGTH, "length"), (SCALE, "scale"))
        if column.get(key) is not None
    }
    return CatalogColumn(
        with_arguments(name, parameters, connector),
        is_required=column.get("optional") is False,
        is_generated=bool(column.get("generated")),
        comment=str(column.get("comment") or ""),
        values=tuple(str(each).strip("'") for each in column.get("enumValues") or ()),
    )

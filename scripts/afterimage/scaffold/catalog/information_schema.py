"""Tables from a CSV export of `information_schema.columns` with a header line."""

import csv
import io
from pathlib import Path

from afterimage.errors import UserError
from afterimage.scaffold.catalog import CatalogColumn, CatalogTable, text_of

NEEDED = {"table_name", "column_name", "data_type"}


def tables_of_export(path: Path) -> list[CatalogTable]:
    """The tables, columns ordered by ordinal_position.

    In: a CSV with table_schema, table_name, column_name, data_type and, if the database has them,
    column_type or udt_name, lengths and digits, is_nullable, column_key, extra, is_generated,
    column_comment; names in lower or upper case.
    Errors: UserError when columns are missing.
    """
    lines = list(csv.DictReader(io.StringIO(text_of(path), newline="")))
    if longer := next((n for n, row in enumerate(lines, 2) if None in row), None):
        raise UserError(f"{path.name} has more fields than its header in line {longer}")
    rows = [
        # SQL Server's tools write NULL
        {
            str(key).strip().lower(): "" if value in (None, "NULL") else value.strip()
            for key, value in row.items()
        }
        for row in lines
    ]
    missing = NEEDED - set(rows[0] if rows else ())
    if missing:
        raise UserError(
            f"{path.name} has no columns {', '.join(sorted(missing))}: export "
            "information_schema.columns with a header line"
        )
    found: dict[tuple[str, str], CatalogTable] = {}
    for row in sorted(rows, key=lambda row: _number(row.get("ordinal_position"))):
        place = row.get("table_schema", ""), row["table_name"]
        table = found.setdefault(place, CatalogTable(path.name, *place))
        table.columns[row["column_name"]] = CatalogColumn(
            _type(row),
            is_required=row.get("is_nullable", "").upper() == "NO",
            is_generated=row.get("is_generated", "").upper() == "ALWAYS"
            or "GENERATED" in row.get("extra", "").upper().replace("DEFAULT_GENERATED", ""),
            comment=row.get("column_comment", ""),
        )
        if row.get("column_key", "").upper() == "PRI":
            table.key.append(row["column_name"])
    return list(found.values())


def _type(row: dict[str, str]) -> str:
    """MySQL has the complete type in one column; else it is composed."""
    if whole := row.get("column_type"):
        return whole
    name = row["data_type"].lower()
    if name == "array":
        return row.get("udt_name", "").removeprefix("_") + "[]"
    if name == "user-defined":
        return row.get("udt_name", "")
    length = row.get("character_maximum_length") or ""
    if name in ("decimal", "numeric", "number"):
        digits = [row.get("numeric_precision") or "", row.get("numeric_scale") or ""]
        arguments = ",".join(filter(None, digits))
    elif name.startswith(("time", "interval", "datetime")):
        digits = row.get("datetime_precision") or ""
        # the default is 6 only in PostgreSQL; 0 in MySQL, 7 in SQL Server
        is_usual = digits == "6" and ("zone" in name or name == "interval")
        arguments = "" if is_usual else digits
        kind, _, zone = name.partition(" ")
        return f"{kind}({arguments}) {zone}".strip() if arguments else name
    else:
        arguments = "max" if length == "-1" else length
    is_endless = name in ("text", "clob", "blob") or len(arguments) > 9
    return name if is_endless or not arguments else f"{name}({arguments})"


def _number(text: str | None) -> int:
    return int(text) if text and text.isdigit() else 0

"""The given sources of table metadata: a database, scripts, exports."""

from collections.abc import Sequence
from pathlib import Path

from afterimage.errors import UserError
from afterimage.scaffold.catalog import CatalogTable
from afterimage.scaffold.catalog.database import tables_of_database
from afterimage.scaffold.catalog.ddl import tables_of_script
from afterimage.scaffold.catalog.information_schema import tables_of_export


def described(database: str | None, files: Sequence[Path], connector: str) -> list[CatalogTable]:
    """The tables, those of the best source first: the database, then the files in order.

    In: a SQLAlchemy URL; scripts in the SQL of the connector's database, and exports (*.csv).
    Errors: UserError for what cannot be read.
    """
    found = tables_of_database(database) if database else []
    for file in files:
        is_export = file.suffix.lower() == ".csv"
        tables = tables_of_export(file) if is_export else tables_of_script(file, connector)
        if not tables:
            raise UserError(f"{file.name} creates no table: there is no CREATE TABLE with columns")
        found += tables
    return found

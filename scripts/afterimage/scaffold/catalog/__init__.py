"""A source's metadata of its tables: types with length and digits, keys, identities, comments.

Each module reads one kind of source and returns tables with the database's own type names:
`database` queries a running one, `ddl` reads scripts, `information_schema` an export of that view,
`schema_changes` the connector's own records in the sample. `types` converts a database's type to
the type of a contract.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class CatalogColumn:
    """A column as its database describes it; `type` is the database's own name."""

    type: str
    is_required: bool = False
    is_generated: bool = False
    comment: str = ""
    values: tuple[str, ...] = ()  # of an enum or a set


@dataclass
class CatalogTable:
    """A table. `schema` is empty if the source does not have it; for MySQL it is the database."""

    origin: str
    schema: str
    name: str
    columns: dict[str, CatalogColumn] = field(default_factory=dict)
    key: list[str] = field(default_factory=list)
    replica_identity: str = ""  # as in a contract; empty if unknown
    comment: str = ""
    database: str = ""  # for SQL Server, Oracle and Db2, if the source has it
    prefix: str = ""  # of the connector, if it described the table itself


def descriptions_of(
    tables: Sequence[CatalogTable], schema: str, name: str, database: str = "", prefix: str = ""
) -> list[CatalogTable]:
    """Each source's description of a table, in the order of `tables`, which has the best source
    first. A source without schemas is searched by the table's name, if only one of its tables has
    that name."""
    found = []
    for origin in dict.fromkeys(table.origin for table in tables):
        named = [
            each
            for each in tables
            if (each.origin, each.name) == (origin, name)
            and (not database or each.database in ("", database))
            and (not prefix or each.prefix in ("", prefix))
        ]
        exact = [each for each in named if each.schema == schema]
        loose = [each for each in named if not each.schema]
        found += exact[-1:] or (loose if len(loose) == 1 else [])
    return found


def text_of(path: Path) -> str:
    """The text of a file; tools of SQL Server and PowerShell write UTF-16."""
    content = path.read_bytes()
    is_wide = content[:2] in (b"\xff\xfe", b"\xfe\xff")
    return content.decode("utf-16" if is_wide else "utf-8-sig", errors="replace")

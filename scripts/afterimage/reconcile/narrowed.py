"""Which rows of a large table need not be moved: their hashes are those of the model's rows.

A row falls into one of 65,536 buckets by its key. The database and Spark each count the rows of a
bucket and add up their hashes; only rows of buckets that differ are read. The macro
reconcile_hashes makes the same texts of a model's values as `_text` of the database's.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from afterimage.errors import UserError

DIALECTS = ("postgresql", "mysql", "mariadb")  # that make the same texts and hashes
MOST = 16**4 // 2  # buckets that may differ


@dataclass(frozen=True)
class Narrowed:
    """The buckets that differ, how many rows the others have, and columns that have no hash."""

    buckets: list[str]
    equal_rows: int
    not_hashed: list[str]

    def keep(self, file: Path) -> None:
        file.write_text(json.dumps(asdict(self)))

    @classmethod
    def kept(cls, file: Path) -> "Narrowed | None":
        """Of an earlier read whose rows are still in a file."""
        return cls(**json.loads(file.read_text())) if file.exists() else None


def narrowed(
    connection: Any, table: Any, hashes: dict[str, Any], model: Sequence
) -> Narrowed | None:
    """Compare hashes. Out: None if most differ, so that all rows are to be read.

    In: a connection to one of DIALECTS, within a transaction that sees one state of the database;
    its table; what reconcile_hashes printed; the rows of its select.
    Errors: UserError for a column that is not there.
    """
    import sqlalchemy

    columns = hashes["columns"]
    bucket = bucket_of(connection, table, columns)
    digits = sqlalchemy.func.left(_md5(connection, table, columns), 15)
    if connection.dialect.name == "postgresql":
        from sqlalchemy.dialects.postgresql import BIT

        number = sqlalchemy.cast(sqlalchemy.func.concat("x", digits), BIT(60))
        number = sqlalchemy.cast(number, sqlalchemy.BigInteger)
    else:
        number = sqlalchemy.cast(sqlalchemy.func.conv(digits, 16, 10), sqlalchemy.DECIMAL(20, 0))
    counts = sqlalchemy.select(bucket, sqlalchemy.func.count(), sqlalchemy.func.sum(number))
    theirs = {
        name: (records, int(total))
        for name, records, total in connection.execute(counts.group_by(bucket))
    }
    ours = {row["bucket"]: (row["records"], int(row["total"])) for row in model}
    differing = sorted(
        name for name in theirs.keys() | ours.keys() if theirs.get(name) != ours.get(name)
    )
    if len(differing) > MOST:
        return None
    equal = sum(records for name, (records, _) in theirs.items() if name not in set(differing))
    return Narrowed(differing, equal, hashes["not_hashed"])


def bucket_of(connection: Any, table: Any, columns: list[dict[str, Any]]) -> Any:
    """The bucket of a row: see _key_bucket."""
    import sqlalchemy

    keys = [each for each in columns if each["is_key"]]
    return sqlalchemy.func.left(_md5(connection, table, keys), 4)


def _md5(connection: Any, table: Any, columns: list[dict[str, Any]]) -> Any:
    import sqlalchemy

    parts = []
    for each in columns:
        if each["name"] not in table.columns:
            raise UserError(
                f"{table.fullname} has no column {each['name']}; leave it out by --exclude"
            )
        text = _text(connection.dialect.name, table.columns[each["name"]], each["kind"])
        length = sqlalchemy.cast(sqlalchemy.func.char_length(text), sqlalchemy.String)
        is_null = table.columns[each["name"]].is_(None)
        parts.append(
            sqlalchemy.case((is_null, "-"), else_=sqlalchemy.func.concat(length, ":", text))
        )
    return sqlalchemy.func.md5(sqlalchemy.func.concat(*parts))


def _text(dialect: str, value: Any, kind: str) -> Any:
    """A value's text by its kind: see _hashed_text."""
    import sqlalchemy
    from sqlalchemy import func

    plain = sqlalchemy.cast(value, sqlalchemy.Text)
    is_postgres = dialect == "postgresql"
    if kind == "padded text":
        return func.rtrim(plain)
    if kind == "boolean" and not is_postgres:
        return sqlalchemy.case((value == 0, "false"), else_="true")
    if kind == "binary":
        return func.encode(value, "hex") if is_postgres else func.lower(func.hex(value))
    if kind == "instant" and is_postgres:
        micros = sqlalchemy.cast(
            sqlalchemy.extract("epoch", value) * 1_000_000, sqlalchemy.BigInteger
        )
        return sqlalchemy.case(
            (func.isfinite(value), sqlalchemy.cast(micros, sqlalchemy.Text)), else_=plain
        )
    if kind == "instant":
        micros = func.timestampdiff(sqlalchemy.text("microsecond"), "1970-01-01", value)
        return func.coalesce(sqlalchemy.cast(micros, sqlalchemy.String), plain)
    return plain

"""Connect to a running source database by SQLAlchemy: any database with a dialect."""

import contextlib
from collections.abc import Iterator
from typing import Any

from afterimage.errors import UserError


@contextlib.contextmanager
def connected(url: str) -> Iterator[Any]:
    """A connection to a database, closed after the block.

    In: a SQLAlchemy URL (`postgresql+psycopg://user@host/db`).
    Errors: UserError without SQLAlchemy or the database's driver, for an invalid URL, and for a
    database that does not answer, also within the block; the message never contains the password.
    """
    try:
        import sqlalchemy
        from sqlalchemy.exc import ArgumentError, NoSuchModuleError, SQLAlchemyError
    except ModuleNotFoundError as error:
        raise UserError(
            "--database needs SQLAlchemy and the driver of the database, such as: "
            "pip install sqlalchemy 'psycopg[binary]'"
        ) from error
    try:
        address = sqlalchemy.make_url(url)
        # some drivers accept the password in what follows the name
        shown = address.set(query={}).render_as_string(hide_password=True)
        engine = sqlalchemy.create_engine(_with_driver(address))
    except ModuleNotFoundError as error:
        raise UserError(
            f"--database {shown}: its driver is missing: pip install {error.name}"
        ) from None
    except (ArgumentError, NoSuchModuleError, ValueError):
        # the given value is not shown: it may contain a password
        raise UserError(
            "--database takes a SQLAlchemy URL, such as postgresql+psycopg://user@host:5432/shop"
        ) from None
    try:
        with _connection(engine, shown) as connection:
            yield connection
    except SQLAlchemyError as error:
        said = str(getattr(error, "orig", None) or error).strip() or type(error).__name__
        said = said.splitlines()[0]
        raise UserError(f"--database {shown} does not answer: {said}") from None
    finally:
        engine.dispose()


def _connection(engine: Any, shown: str) -> Any:
    try:
        return engine.connect()
    except TypeError as error:
        raise UserError(
            f"--database {shown}: its driver does not accept what follows the ? of the URL: {error}"
        ) from None


def _with_driver(address: Any) -> Any:
    """psycopg 3, the maintained driver, if a PostgreSQL URL names none."""
    plain = address.drivername in ("postgresql", "postgres")
    return address.set(drivername="postgresql+psycopg") if plain else address

"""Query the warehouse of a target: the embedded session, or another by dbt's own connection."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from afterimage.errors import UserError
from afterimage.session import credentials_of, explain, spark_session

# SQL → its rows, each a sequence of values
Ask = Callable[[str], Iterable[Sequence[Any]]]


def warehouse(target: str | None = None) -> Ask:
    """A function that runs SQL on a target, by default the profile's default target.

    Errors: UserError for a profile that cannot be read or a warehouse that cannot be reached; the
    returned function raises it with Spark's own message about the SQL.
    """
    credentials = credentials_of(target)
    ask = _embedded(target) if credentials.method == "session" else _connected(credentials)

    def asked(sql: str) -> Iterable[Sequence[Any]]:
        try:
            return ask(sql)
        except Exception as error:
            raise UserError(explain(error)) from error

    return asked


def _embedded(target: str | None) -> Ask:
    spark = spark_session(target)
    return lambda sql: spark.sql(sql).toLocalIterator()


def _connected(credentials: Any) -> Ask:
    """Uses the connection of the dbt adapter: Thrift, ODBC or HTTP."""
    from dbt.adapters.contracts.connection import Connection
    from dbt.adapters.spark.connections import SparkConnectionManager

    connection = Connection(type=credentials.type, name="afterimage", credentials=credentials)
    try:
        handle = SparkConnectionManager.open(connection).handle
    except Exception as error:
        raise UserError(f"{credentials.host} was not reached: {error}") from error

    def ask(sql: str) -> Iterable[Sequence[Any]]:
        handle.cursor()
        handle.execute(sql)
        return handle.fetchall() or []

    return ask

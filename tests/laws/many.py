"""Many generated databases of each kind of table, each kind in one topic and so in one set of
models.

A dbt run costs time, a record does not: testing a hundred logs in one landing table takes the runs
of one. Each log is generated and delivered by its own random numbers, so it can be generated again
alone, under any number (`shrink.py` does).
"""

from dataclasses import dataclass
from random import Random

from tests.laws.database import TABLES, WIDE, Database
from tests.laws.delivery import deliveries
from tests.laws.writers import WRITERS
from tests.oracle.spec import Spec, build_spec


def kinds(connector: str) -> list[str]:
    """Not all systems check keys late. For one system alone, a contract declares what before images
    carry."""
    late_keys = WRITERS[connector].late_keys
    return [
        name
        for name, kind in TABLES.items()
        if (late_keys or not kind.deferred)
        and (kind.declares or connector == "postgresql")
        and connector in (kind.systems or (connector,))
    ]


@dataclass(frozen=True)
class Case:
    """So many logs of each kind of table, delivered in so many runs."""

    connector: str
    seed: int
    logs: int = 1
    runs: int = 3
    in_order: bool = False
    only: tuple[str, ...] = ()  # kinds of table; empty: all of the connector's

    @property
    def kinds(self) -> list[str]:
        return list(self.only) or kinds(self.connector)

    def truncates(self, name: str, log: int) -> bool:
        """A truncate makes the next run read every key of the table, which hides keys that a run
        forgot. So every other shared table has truncates, in its first log."""
        return self.logs == 1 or (log == 0 and (self.kinds.index(name) + self.seed) % 2 == 0)

    def database(self, name: str, log: int, number: int | None = None) -> Database:
        """A log of one kind of table, under its own or another number."""
        kind = WIDE if name == WIDE.name else TABLES[name]
        database = Database(
            Random(f"{self.connector} {name} {self.seed} {log}"),
            kind,
            self.connector,
            topic=f"t.made_up.{name}",
            # without an order in the transaction, a redelivery of equal rows is inherently
            # ambiguous
            metadata=not kind.key or log % 3 != 2,
            key_headers=log % 5 != 4,
            compressed=log % 4 == 3,
            message_keys=log % 6 == 5,
            truncates=self.truncates(name, log),
            log=log if number is None else number,
        )
        database.work(transactions=40, late_snapshot=bool(kind.key) and log % 7 == 6)
        return database

    def databases(self, name: str) -> list[Database]:
        return [self.database(name, log) for log in range(self.logs)]

    def deliveries(self, name: str, log: int, stream: list) -> list[list]:
        """The records of a log as they land, run by run."""
        random = Random(f"{self.connector} {name} {self.seed} {log} lands")
        return deliveries(stream, random, self.runs, self.in_order)

    def spec(self, names: list[str]) -> Spec:
        """Tables of these kinds as one declared stream."""
        declared = {f"made_up.{name}": self.database(name, 0).declared for name in names}
        return build_spec(contract(self.connector, declared))


def contract(connector: str, tables: dict) -> dict:
    """For generated tables, as a spec of the oracle declares them."""
    return {
        "connector": connector,
        "settings": WRITERS[connector].settings,
        "tables": tables,
    }

"""Have refused records tried again: a new stamp on the ledgers of the change logs."""

import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from afterimage.errors import UserError
from afterimage.invoke import parse

PROPERTY = "afterimage.retry"


@dataclass(frozen=True)
class ChangeLog:
    """A change log model and the table its verdicts are kept in."""

    name: str
    schema: str
    identifier: str

    @property
    def ledger(self) -> str:
        """Name of the ledger, for a catalog look-up."""
        return f"{self.schema}.{self.identifier}__ledger"

    @property
    def quoted_ledger(self) -> str:
        """Name of the ledger, for SQL."""
        return f"`{self.schema}`.`{self.identifier}__ledger`"


def change_logs(names: Sequence[str] = (), target: str | None = None) -> list[ChangeLog]:
    """The change logs of the project in the working directory, or those named.

    Errors: UserError for a name that is no change log, with those there are.
    """
    found = {
        node.name: ChangeLog(node.name, node.schema, node.alias)
        for node in parse(target).nodes.values()
        if node.resource_type == "model" and node.config.materialized == "cdc_change_log"
    }
    if unknown := [name for name in names if name not in found]:
        raise UserError(
            f"no change log: {', '.join(unknown)}. The project has: {', '.join(sorted(found))}"
        )
    return [found[name] for name in (names or sorted(found))]


def retry_all(spark: Any, logs: Sequence[ChangeLog]) -> Iterator[str]:
    """Stamp the ledgers; out: for each change log, how many refused records wait."""
    # A stamp is part of the fingerprint of each verdict; any that was never used will do.
    stamp = uuid.uuid4().hex
    for log in logs:
        if not spark.catalog.tableExists(log.ledger):
            yield f"{log.name}: has not run yet"
            continue
        waiting = spark.sql(
            f"""
            select count(*) as records from (
                select outcome, row_number() over (
                    partition by topic, partition, offset order by batch desc) as recency
                from {log.quoted_ledger}
            ) where recency = 1 and outcome = 'refused'"""
        ).first()["records"]
        spark.sql(f"alter table {log.quoted_ledger} set tblproperties ('{PROPERTY}' = '{stamp}')")
        wait = "record waits" if waiting == 1 else "records wait"
        yield f"{log.name}: {waiting} refused {wait} for the next run"

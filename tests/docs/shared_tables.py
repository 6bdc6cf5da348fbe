"""Cases through the models: all cases of one contract share a table, so that many cost little more
than one.

A column with the case's number is added, as part of the key if there is one, and each case gets its
own offsets and log positions. A case with a truncate and no key, or with types that changed at a
position, has its own table.
"""

import json
from dataclasses import dataclass

from tests.docs.cases import Case, place_shown
from tests.functional.project import Project
from tests.oracle.postgres import UNKNOWN
from tests.oracle.records import Record

NUMBER = "case_number"
APART = 1_000_000  # between the positions and offsets of two cases


@dataclass(frozen=True)
class Tenant:
    """A case in its table; `number` is None if it has its own table."""

    case: Case
    table: str
    number: int | None

    @property
    def contract(self) -> dict:
        """The table's contract: the same for all its tenants."""
        contract = {"topic": self.table, **self.case.contract}
        if self.number is None:
            return contract
        key = [NUMBER, *contract["key"]] if contract["key"] else []
        return contract | {"key": key, "columns": {NUMBER: "int", **contract["columns"]}}

    @property
    def shift(self) -> int:
        return (self.number or 0) * APART

    def landed(self, record: Record) -> dict:
        """A record of the case in its landed form for the table."""
        value = record.value and json.loads(record.value)
        headers = dict(record.headers)
        if value:
            self._move(value["source"])
        if self.number is not None:
            if value:
                for side in ("before", "after"):
                    value[side] = value[side] and {NUMBER: self.number, **value[side]}
            for name in headers:
                if name.endswith("key"):
                    headers[name] = json.dumps({NUMBER: self.number, **json.loads(headers[name])})
        return {
            "topic": self.table,
            "partition": record.partition,
            "offset": record.offset + self.shift,
            "key": record.key,
            "value": value and json.dumps(value),
            "headers": headers,
        }

    def _move(self, source: dict) -> None:
        if "pos" in source:
            source["pos"] += self.shift
            return
        if source["lsn"] is not None:
            source["lsn"] += self.shift
        moved = [place and str(int(place) + self.shift) for place in json.loads(source["sequence"])]
        source["sequence"] = json.dumps(moved)

    def _place(self, position: str | None) -> str:
        """A position from the models, as the case's page shows it."""
        if position is None:
            return ""
        parts = [int(part) for part in position.split(".")]
        parts[min(1, len(parts) - 1)] -= self.shift
        return place_shown(parts if len(parts) > 1 else parts[0])

    def told(self, rows: dict[str, list[dict]]) -> dict:
        """The models' rows for the case, in the form of `expected`."""
        log, history, current, ledger = (
            [row for row in rows[layer] if self._is_mine(row)]
            for layer in ("stg", "hist", "cur", "ledger")
        )
        change_log = None
        if self.case.change_log is not None:
            change_log = [
                {
                    column: {"op": row["_cdc_op"], **row, **self._values(row)}[column]
                    for column in self.case.change_log[0]
                }
                for row in sorted(log, key=lambda row: row["_cdc_order"])
            ]
        spans = [
            {
                **self._values(row),
                "from": self._place(row["_cdc_position"]),
                "to": self._place(row["_cdc_end_position"]),
                "ended by": row["_cdc_end_reason"] or "",
            }
            for row in history
        ]
        becomes = {self._record(row, "_cdc_"): "staged" for row in log}
        becomes |= {self._record(row): row["outcome"] for row in ledger}
        return {
            "change log": change_log and self.case.comparable(change_log, ordered=True),
            "history": self.case.comparable(spans),
            "current": self.case.comparable([self._shown(row) for row in current]),
            "becomes": becomes,
        }

    def expected(self) -> dict:
        """What the page shows of the case."""
        case = self.case
        return {
            "change log": case.change_log and case.comparable(case.change_log, ordered=True),
            "history": case.comparable(case.history),
            "current": case.comparable(case.current),
            "becomes": {
                f"{row.get('partition') or 0}: {row['offset']}": row["becomes"]
                for row in case.landed
                if row["becomes"] != "same record"
            },
        }

    def _is_mine(self, row: dict) -> bool:
        if self.number is None:
            return True
        return (
            row[NUMBER] == self.number if NUMBER in row else row["offset"] // APART == self.number
        )

    def _record(self, row: dict, prefix: str = "") -> str:
        return f"{row[prefix + 'partition']}: {row[prefix + 'offset'] - self.shift}"

    def _shown(self, row: dict) -> dict:
        """A row of a current state, and of its end if deleted rows are kept."""
        if not self.case.keeps_deleted:
            return self._values(row)
        deleted = "yes" if row["_cdc_is_deleted"] else ""
        end = {"deleted": deleted, "ended by": row["_cdc_end_reason"] or ""}
        return self._values(row) | end

    def _values(self, row: dict) -> dict:
        unknown = json.loads(row["_cdc_unknown"] or "[]")
        special = json.loads(row["_cdc_special"] or "{}")
        return {
            column: UNKNOWN if column in unknown else special.get(column, row[column])
            for column in self.case.table.columns
        }


def tenants_of(cases: list[Case]) -> list[Tenant]:
    """Each case with its table."""
    shared, found = {}, []
    for place, case in enumerate(cases):
        if any(row["op"] == "t" for row in case.landed) or case.table.former:
            found.append(Tenant(case, f"alone_{place}", None))
        else:
            contract = json.dumps(case.contract, sort_keys=True)
            table = shared.setdefault(contract, f"shared_{len(shared)}")
            found.append(Tenant(case, table, place))
    return found


def land_and_run(project: Project, tenants: list[Tenant]) -> None:
    """The records of all cases, run by run, each with the models of the tables that got records."""
    runs = [(tenant, tenant.case.runs()) for tenant in tenants]
    for number in range(max(len(parts) for _, parts in runs)):
        landed = [
            tenant.landed(record)
            for tenant, parts in runs
            if number < len(parts)
            for record in parts[number]
        ]
        project.land(landed)
        tables = sorted({record["topic"] for record in landed})
        models = [name for table in tables for name in models_of(project, table).values()]
        project.run("run", "--select", *models)


def models_of(project: Project, table: str) -> dict[str, str]:
    """Layer → model."""
    return {layer: f"{layer}_{project.source}__{table}" for layer in ("stg", "hist", "cur")}


def rows_of(project: Project, table: str) -> dict[str, list[dict]]:
    """The rows of a table's models, and of the ledger."""
    names = models_of(project, table)
    names["ledger"] = names["stg"] + "__ledger"
    return {layer: project.rows(name) for layer, name in names.items()}

"""What a report is made of."""

import json
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from typing import Any

from afterimage.errors import UserError
from afterimage.invoke import operation, parse
from afterimage.macros import Macros

FINDINGS = Macros().alarm_kinds()
# What the connector may leave out of the events (skipped.operations).
OPERATIONS = {"c": "inserts", "u": "updates", "d": "deletes", "t": "truncates"}
COUNTED = ("landed", "staged", "duplicate", "ignored", "refused", "pending")
ALARM = "unknown_topic"
LONGEST = 120  # characters of a text from a record


@dataclass
class Report:
    """Rows as report_rows.sql gives them. `rows` and `reasons` are None of a model that has not
    run."""

    project: str
    made_at: str
    accountings: list[dict[str, Any]] = field(default_factory=list)
    quarantines: list[dict[str, Any]] = field(default_factory=list)
    runs: list[dict[str, Any]] = field(default_factory=list)
    ended: list[dict[str, Any]] = field(default_factory=list)
    change_logs: list[dict[str, Any]] = field(default_factory=list)
    never_seen: dict[str, list[str]] = field(default_factory=dict)

    def as_json(self) -> str:
        return json.dumps(asdict(self), indent=1)

    @property
    def counted(self) -> list[dict[str, Any]]:
        """The rows of all accountings that have run."""
        return [row for each in self.accountings for row in each["rows"] or []]


def tables_of(rows: list[dict[str, Any]]) -> dict[tuple[str, str], dict[str, list]]:
    """Of each table, by source and name, the rows of each outcome."""
    found: dict[tuple[str, str], dict[str, list]] = {}
    for row in rows:
        if row["table_name"] is not None:
            outcomes = found.setdefault((row["source_name"], row["table_name"]), {})
            outcomes.setdefault(row["outcome"], []).append(row)
    return dict(sorted(found.items()))


def findings_in(rows: list[dict[str, Any]]) -> list[tuple[dict, str]]:
    """What nobody declared, or the contract says does not come, or nothing orders; what to do."""
    return [
        (row, FINDINGS[outcome][row["kind"]])
        for outcome in FINDINGS
        for row in rows
        if row["outcome"] == outcome
    ]


def gather(target: str | None, newest: int) -> Report:
    """Ask the quality models.

    In: the profile target; how many rows of each quarantine to show.
    Errors: UserError when the project has no quality models, and with what dbt says.
    """
    manifest = parse(target)
    if not any(
        "macro.afterimage.accounting" in node.depends_on.macros
        for node in manifest.nodes.values()
        if node.resource_type == "model"
    ):
        raise UserError(
            "the project has no model of afterimage.accounting(): `afterimage scaffold` writes "
            "dq_<source>__accounting and dq_<source>__quarantine, and docs/reference/outcomes.md "
            "explains them"
        )
    found = json.loads(operation("report_rows", target, newest=newest)[-1])
    made_at = datetime.now(UTC).isoformat(sep=" ", timespec="seconds")
    project = manifest.metadata.project_name or ""
    return Report(project, made_at, **found, never_seen=never_seen(manifest))


def never_seen(manifest: Any) -> dict[str, list[str]]:
    """Operation → the tables whose contract says, itself or by default, that it is left out."""
    keys = Macros().contract_keys()
    default = keys["settings"]["keys"]["skipped_operations"]["default"]
    found: dict[str, list[str]] = {}
    for source in manifest.sources.values():
        over = (source.source_meta or {}).get("cdc") or {}
        own = (getattr(source.config, "meta", None) or source.meta or {}).get("cdc")
        if own in (None, over):  # no table of changes
            continue
        settings = (over.get("settings") or {}) | (own.get("settings") or {})
        for operation_left_out in settings.get("skipped_operations", default):
            if operation_left_out in OPERATIONS:
                names = found.setdefault(operation_left_out, [])
                names.append(f"{source.source_name}.{source.name}")
    return {each: sorted(found[each]) for each in OPERATIONS if each in found}


def short(text: Any) -> str:
    """A text from a record on one line, without control characters, cut to size."""
    if text is None:
        return ""
    clean = "".join(
        letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}"
        for letter in str(text)[: LONGEST + 1]
    )
    return clean if len(clean) <= LONGEST else clean[:LONGEST] + "…"


def place_of(row: dict[str, Any]) -> str:
    """Where a refused record lies."""
    if row["topic"] is None:
        return f"{row['file']}:{row['line']}"
    return f"{row['topic']} {row['partition']}:{row['offset']}"

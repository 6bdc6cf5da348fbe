"""The data of a report."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from typing import Any

from afterimage.errors import UserError
from afterimage.invoke import contracts, operation, parse
from afterimage.macros import Macros
from afterimage.outcomes import DOCS_INSTALLED, remedies
from afterimage.report.contract_change import contract_changes
from afterimage.report.timelines import timeline

FINDINGS = ("alarm", "contradiction", "ambiguous")  # outcomes that the test of accounting fails for
# Operations that the connector may leave out (skipped.operations).
OPERATIONS = {"c": "inserts", "u": "updates", "d": "deletes", "t": "truncates"}
COUNTED = ("landed", "staged", "duplicate", "ignored", "refused", "pending")
ALARM = "unknown_topic"
LONGEST = 120  # characters of a text from a record
# States of incomplete transactions, and their meaning.
INCOMPLETE = {
    "missing": "fewer changes are staged than the END counts",
    "more": "more changes are staged than the END counts",
    "extra": "the END does not count changes that are staged",
    "fault": "a record of the topic of transactions cannot be read",
    "open": "no END has landed yet",
    "unbounded": "neither BEGIN nor END has landed",
}
PENDING = ("open", "unbounded")  # mostly the newest, whose end may still land
# What to do about values that no record has sent.
NOT_SENT = (
    "an incremental snapshot of these rows sends them; when a source leaves values out: "
    f"{DOCS_INSTALLED}/concepts/values.md"
)
# The operation that made a version of a row.
MADE_BY = {"c": "created", "r": "read", "u": "updated", "d": "deleted", "x": "written"}
# Why the versions of a row are shown; NAMED_ROWS limits those not named by --key.
NAMED_BY = {
    "key": "requested",
    "finding": "named by a finding",
    "refused": "behind a refused change",
    "unknown": "with values not sent",
}
NAMED_ROWS = 10


@dataclass
class Report:
    """Rows as report_rows.sql returns them; those of accountings and reasons with their meaning and
    remedy, those of change logs with `age_s`, seconds since the newest change at the source, and
    `lag_s`, how much later its record landed. `rows` and `reasons` are None for a model that has
    not run."""

    project: str
    made_at: str
    accountings: list[dict[str, Any]] = field(default_factory=list)
    quarantines: list[dict[str, Any]] = field(default_factory=list)
    runs: list[dict[str, Any]] = field(default_factory=list)
    ended: list[dict[str, Any]] = field(default_factory=list)
    change_logs: list[dict[str, Any]] = field(default_factory=list)
    drifts: list[dict[str, Any]] = field(default_factory=list)
    transactions: list[dict[str, Any]] = field(default_factory=list)
    unread: list[dict[str, Any]] = field(default_factory=list)
    unknown: list[dict[str, Any]] = field(default_factory=list)
    timelines: list[dict[str, Any]] = field(default_factory=list)
    never_seen: dict[str, list[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        known = remedies()
        for row in self.counted:
            row |= known.get((row["outcome"], row["kind"]), {})
        for quarantine in self.quarantines:
            for row in quarantine["reasons"] or []:
                row |= known.get(("refused", row["reason"]), {})
        for log in self.change_logs:
            log["age_s"] = seconds_between(log["last_change"], self.made_at)
            log["lag_s"] = seconds_between(log["last_change"], log["last_landed"])
        for row in self.unknown:
            if isinstance(row["columns"], str):
                row["columns"] = json.loads(row["columns"])

    def as_json(self) -> str:
        return json.dumps(asdict(self) | {"contract_changes": self.contract_changes}, indent=1)

    @property
    def counted(self) -> list[dict[str, Any]]:
        """The rows of all accountings that have run."""
        return [row for each in self.accountings for row in each["rows"] or []]

    @property
    def drifted(self) -> list[dict[str, Any]]:
        """The rows of all models of contract_drift."""
        return [row for each in self.drifts for row in each["rows"]]

    @property
    def without_table(self) -> list[dict[str, Any]]:
        """The counts of records that belong to no table."""
        return [row for row in self.counted if row["table_name"] is None]

    @property
    def first(self) -> Counter[str]:
        """How many alarms and other things of each kind are to be looked at first."""
        found = Counter(row["outcome"] for row in findings_in(self.counted))
        found["alarm"] += len(self.ended)
        found["alarm"] += sum(row["kind"] == ALARM for row in self.without_table)
        found["drift"] = len(self.contract_changes)
        found["transactions"] = len(broken_transactions(self))
        found["snapshot"] = len(self.unread)
        found["not sent"] = len(self.unknown)
        return +found

    @property
    def refused(self) -> int:
        """How many records are in quarantine."""
        return sum(row["records"] for each in self.quarantines for row in each["reasons"] or ())

    @property
    def contract_changes(self) -> list[dict[str, Any]]:
        """The requested contract changes, by table."""
        return contract_changes(self.drifted)


def tables_of(rows: list[dict[str, Any]]) -> dict[tuple[str, str], dict[str, list]]:
    """The rows of each table, by source and name, then by outcome."""
    found: dict[tuple[str, str], dict[str, list]] = {}
    for row in rows:
        if row["table_name"] is not None:
            outcomes = found.setdefault((row["source_name"], row["table_name"]), {})
            outcomes.setdefault(row["outcome"], []).append(row)
    return dict(sorted(found.items()))


def findings_in(rows: list[dict[str, Any]]) -> list[dict]:
    """What is undeclared, contradicts the contract, or has no order."""
    return [row for outcome in FINDINGS for row in rows if row["outcome"] == outcome]


def asked_key(text: str) -> dict[str, str]:
    """`shop.orders=17` as table and key.

    Errors: UserError for a text without both.
    """
    table, _, key = text.partition("=")
    if "." not in table or not key:
        raise UserError(
            f"--key {text}: write SOURCE.TABLE=KEY, as in --key shop.orders=17; for several "
            'columns KEY is JSON, as in --key \'shop.lines={"order_no": 17, "line": 1}\''
        )
    return {"table": table, "key": key}


def gather(target: str | None, newest: int, keys: Sequence[str] = ()) -> Report:
    """Query the quality models.

    In: the profile target; how many rows of each quarantine to show; keys whose rows are shown
    version by version, as SOURCE.TABLE=KEY.
    Errors: UserError when the project has no quality models, for a key that does not exist, and
    with dbt's message.
    """
    asked = [asked_key(key) for key in keys]
    manifest = parse(target)
    if not any(
        "macro.afterimage.accounting" in node.depends_on.macros
        for node in manifest.nodes.values()
        if node.resource_type == "model"
    ):
        raise UserError(
            "the project has no model of afterimage.accounting(): `afterimage scaffold` writes "
            "dq_<source>__accounting and dq_<source>__quarantine, and "
            f"{DOCS_INSTALLED}/reference/outcomes.md explains them"
        )
    found = json.loads(operation("report_rows", target, newest=newest, keys=asked)[-1])
    if all(each["rows"] is None for each in found["accountings"]):
        names = ", ".join(each["name"] for each in found["accountings"])
        raise UserError(f"no quality model has run yet ({names}): `dbt build` runs them")
    found["timelines"] = [timeline(each) for each in found["timelines"]]
    made_at = f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}"  # as Spark writes the other timestamps
    project = manifest.metadata.project_name or ""
    return Report(project, made_at, **found, never_seen=never_seen(manifest))


def never_seen(manifest: Any) -> dict[str, list[str]]:
    """Operation → the tables whose contract leaves it out, explicitly or by default."""
    keys = Macros().contract_keys()
    default = keys["settings"]["keys"]["skipped_operations"]["default"]
    found: dict[str, list[str]] = {}
    for node, contract in contracts(manifest):
        for left_out in contract["settings"].get("skipped_operations", default):
            found.setdefault(left_out, []).append(f"{node.source_name}.{node.name}")
    return {each: sorted(found[each]) for each in OPERATIONS if each in found}


def short(text: Any) -> str:
    """A text from a record on one line, without control characters, truncated."""
    if text is None:
        return ""
    clean = printable(str(text)[: LONGEST + 1])
    return clean if len(clean) <= LONGEST else clean[:LONGEST] + "…"


def printable(text: str) -> str:
    return "".join(
        letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text
    )


def broken_transactions(report: Report) -> list[tuple[str, str, int]]:
    """(model, state, how many) of transactions that will never be complete."""
    return [
        (each["name"], row["state"], row["transactions"])
        for each in report.transactions
        for row in each["states"]
        if row["state"] not in PENDING
    ]


def operation_of(version: dict[str, Any]) -> str:
    """The operation that made a version of a row."""
    made_by = MADE_BY.get(version["op"], version["op"])
    if version["op"] == "r" and version["snapshot"]:
        made_by += f" by a snapshot ({version['snapshot']})"
    if version["previous_key"]:
        made_by += f", the key was {short(version['previous_key'])}"
    return made_by


def value_of(value: Any) -> str:
    """A value of a row on one line."""
    if value is None:
        return "null"
    return short(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))


def instant(text: str | None) -> str:
    """A timestamp of Spark's JSON at full precision, without trailing zeros."""
    if not text:
        return ""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return text
    return f"{moment:%Y-%m-%d %H:%M:%S.%f}".rstrip("0").rstrip(".")


def seconds_between(earlier: str | None, later: str | None) -> int | None:
    """Between two timestamps of Spark's JSON, not below 0: the clocks are of two machines.

    None for a year that Python does not know: it is what a record says.
    """
    try:
        passed = datetime.fromisoformat(later or "") - datetime.fromisoformat(earlier or "")
    except ValueError:
        return None
    return max(0, round(passed.total_seconds()))


def duration(seconds: int | None) -> str:
    """The two largest units: 3 d 4 h, 5 min 7 s."""
    if seconds is None:
        return ""
    units = {"d": 86400, "h": 3600, "min": 60, "s": 1}
    parts = []
    for unit, size in units.items():
        number, seconds = divmod(seconds, size)
        if number or parts or unit == "s":
            parts.append(f"{number} {unit}")
    return " ".join(parts[:2])


def alike(newest: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Refused records, one for each topic, reason and column (or detail), `alike` their number."""
    found: dict[tuple, dict[str, Any]] = {}
    for row in newest:
        detail = row["detail"]
        if row["reason"] == "value_does_not_fit" and detail:
            detail = detail.partition(": ")[0]  # the column
        first = found.setdefault((row["topic"], row["reason"], detail), row | {"alike": 0})
        first["alike"] += 1
    return list(found.values())


def place_of(row: dict[str, Any]) -> str:
    """The place of a refused record."""
    if row["topic"] is None:
        return f"{row['file']}:{row['line']}"
    return f"{row['topic']} {row['partition']}:{row['offset']}"

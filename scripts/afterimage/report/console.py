"""The report in the terminal."""

from typing import Any

from rich.box import SIMPLE
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from afterimage.counted import counted
from afterimage.outcomes import DOCS_INSTALLED
from afterimage.report.gathered import (
    ALARM,
    COUNTED,
    INCOMPLETE,
    NAMED_BY,
    NOT_SENT,
    OPERATIONS,
    PENDING,
    Report,
    alike,
    duration,
    findings_in,
    instant,
    operation_of,
    place_of,
    printable,
    short,
    tables_of,
    value_of,
)


def show(report: Report, console: Console) -> None:
    """Print the report of every source."""
    for accounting in report.accountings:
        console.rule(escape(accounting["name"]), align="left")
        if _has_run(accounting["name"], accounting["rows"], console):
            _accounting(accounting["rows"], console)
    for quarantine in report.quarantines:
        console.rule(escape(quarantine["name"]), align="left")
        if _has_run(quarantine["name"], quarantine["reasons"], console):
            _quarantine(quarantine, console)
    _changed(report.change_logs, console)
    _ended_by_ddl(report.ended, console)
    _drift(report, console)
    for model in report.transactions:
        _incomplete_transactions(model, console)
    for each in report.unread:
        _unread(each, console)
    for row in report.unknown:
        _unknown(row, console)
    for each in report.timelines:
        _timeline(each, console)
    for operation, tables in report.never_seen.items():
        console.print(
            f"Never seen: {OPERATIONS[operation]} of {escape(', '.join(tables))}. The connector "
            "leaves them out (settings.skipped_operations of the contract)."
        )


def _has_run(name: str, rows: list | None, console: Console) -> bool:
    if rows is None:
        console.print(f"{escape(name)} has not run yet: `dbt run` builds it.\n")
    return rows is not None


def _accounting(rows: list[dict[str, Any]], console: Console) -> None:
    # Without lines, so that a terminal of 80 columns has room for a reason, which stays whole.
    shown = Table(box=SIMPLE, show_edge=False, pad_edge=False, collapse_padding=True)
    for name in ("table", *COUNTED):
        shown.add_column(name, overflow="fold", no_wrap=name == "refused")
    for (_, name), outcomes in tables_of(rows).items():
        cells = {outcome: _cell(outcomes.get(outcome, [])) for outcome in COUNTED}
        cells["refused"] = cells["refused"].replace(" ", "\n")
        shown.add_row(escape(name), *cells.values())
    console.print(shown)
    for row in findings_in(rows):
        _finding(row, console)
    declared = [row for row in rows if row["outcome"] == "operator"]
    if declared:
        processed = (f"{row['table_name']}: {row['records']:,} {row['kind']}" for row in declared)
        console.print(f"Operator events processed: {escape('; '.join(processed))}.")
    outside = [row for row in rows if row["table_name"] is None]
    alarms = [row for row in outside if row["kind"] == ALARM]
    if outside:
        others = Table("topic", "what it is")
        others.add_column("records", justify="right")
        for row in outside:
            topic = "(lines that are not records)" if row["topic"] is None else row["topic"]
            kind = escape(str(row["kind"]))
            if row["kind"] == ALARM:
                kind = f"[bold red]ALARM: {kind}[/bold red]"
            others.add_row(escape(short(topic)), kind, f"{row['records']:,}")
        console.print("Records without a table:")
        console.print(others)
    if alarms:
        console.print(
            f"[bold red]ALARM[/bold red]: {len(alarms)} topic(s) that no contract declares. "
            f"[bold]What to do[/bold]: {escape(alarms[0]['remedy'])}."
        )


def _finding(row: dict[str, Any], console: Console) -> None:
    named = ", ".join(row["examples"] or ())
    console.print(
        f"[bold red]{row['outcome'].upper()}[/bold red]: {escape(row['table_name'])}: "
        f"{counted(row['records'], 'time')} {row['kind']}: {escape(row['meaning'])}. "
        f"[bold]What to do[/bold]: {escape(row['remedy'])}. "
        f"Topic {escape(short(row['topic']))}, {escape(short(named))}."
    )


def _changed(logs: list[dict[str, Any]], console: Console) -> None:
    """When each table last changed at the source, and how long that took to land."""
    shown = Table("table", "last change (UTC)", "ago", "landed after", box=SIMPLE, show_edge=False)
    for log in logs:
        name = f"{log['source_name']}.{log['table_name']}"
        moment = instant(log["last_change"]).partition(".")[0]
        shown.add_row(escape(name), moment, duration(log["age_s"]), duration(log["lag_s"]))
    if logs:
        console.print(shown)


def _ended_by_ddl(rows: list[dict[str, Any]], console: Console) -> None:
    """Tables whose rows are still shown although a statement emptied or dropped them."""
    for row in rows:
        former = f" (it was {short(row['former_table'])})" if row["former_table"] else ""
        console.print(
            f"[bold red]ALARM[/bold red]: {escape(str(row['table_name']))}: the source ran "
            f"{row['change']} on it{escape(former)} at {row['changed_at']} "
            f"({escape(short(row['ddl']))}), its stream has no event for that, and the models "
            f"still show the earlier rows. See {DOCS_INSTALLED}/how-to/schema-changes.md."
        )


def _drift(report: Report, console: Console) -> None:
    for row in report.drifted:
        table = escape(f"{row['source_name']}.{row['table_name']}")
        named = escape(short(row["column_name"] or row["reported"]))
        console.print(
            f"[bold red]DRIFT[/bold red]: {table}: {row['drift']}: {named} (known from "
            f"{row['reported_by']})."
        )
    for each in report.contract_changes:
        if each["paste"]:
            console.print(f"For the contract of {escape(each['table'])}:")
            for line in each["paste"].split("\n"):
                console.print(f"  {escape(printable(line))}", soft_wrap=True)
        for command in each["run"]:
            console.print(f"Run: {escape(printable(command))}", soft_wrap=True)


def _incomplete_transactions(model: dict[str, Any], console: Console) -> None:
    for row in model["states"]:
        word = "Pending" if row["state"] in PENDING else "[bold red]INCOMPLETE[/bold red]"
        console.print(
            f"{word}: {escape(model['name'])}: {row['transactions']:,} transaction(s) "
            f"{row['state']}: {INCOMPLETE[row['state']]}."
        )
    if model["first"]:
        shown = Table("transaction", "table", "state", "in its END", "staged", "ended")
        for row in model["first"]:
            named = (row["transaction_id"] or row["fault"], row["table_name"], row["state"])
            counts = (
                "" if row[name] is None else f"{row[name]:,}" for name in ("reported", "staged")
            )
            texts = (*named, *counts, instant(row["ended_at"]))
            shown.add_row(*(escape(short(text)) for text in texts))
        console.print("The first to end:")
        console.print(shown)


def _unread(each: dict[str, Any], console: Console) -> None:
    keys = ", ".join(row["row_key"] for row in each["rows"])
    table = escape(f"{each['source_name']}.{each['table_name']}")
    console.print(
        f"[bold red]SNAPSHOT[/bold red]: {table}: {each['records']:,} current row(s) that a "
        f"complete snapshot ({each['snapshot']}, began {instant(each['run_started_at'])}) did "
        f"not read: {escape(short(keys))}. Suspected ghosts: compare them with the source. "
        f"See {DOCS_INSTALLED}/concepts/operator-events.md."
    )


def _unknown(row: dict[str, Any], console: Console) -> None:
    table = escape(f"{row['source_name']}.{row['table_name']}")
    one = f" (for example key {escape(short(row['key']))})" if row["key"] is not None else ""
    console.print(
        f"[bold red]NOT SENT[/bold red]: {table}: no record has sent "
        f"{escape(short(', '.join(row['columns'])))} of {counted(row['records'], 'current row')}"
        f"{one}: unknown, shown as NULL. [bold]What to do[/bold]: {NOT_SENT}."
    )


def _timeline(each: dict[str, Any], console: Console) -> None:
    title = f"{each['source_name']}.{each['table_name']}, key {short(each['key'])}"
    console.rule(escape(f"{title} ({NAMED_BY[each['named_by']]})"), align="left")
    if each["versions_there"] > len(each["versions"]):
        console.print(f"The newest {len(each['versions'])} of {each['versions_there']:,} versions.")
    shown = Table("valid from", "valid to", "made by", "what changed")
    for version in each["versions"]:
        ended = f" ({version['end_reason']})" if version["end_reason"] else ""
        changes = (
            f"{short(change['column'])}: "
            + ("" if version["is_first"] else f"{value_of(change['before'])} → ")
            + value_of(change["after"])
            for change in version["changed"]
        )
        texts = (
            instant(version["valid_from"]),
            instant(version["valid_to"]) + ended,
            operation_of(version),
            "\n".join(changes),
        )
        shown.add_row(*map(escape, texts))
    console.print(shown)


def _cell(rows: list[dict[str, Any]]) -> str:
    """A count, or one count per kind where there are kinds."""
    kinds = [f"{row['records']:,} {escape(str(row['kind']))}" for row in rows if row["kind"]]
    if kinds:
        return "\n".join(kinds)
    return f"{sum(row['records'] for row in rows):,}" if rows else "0"


def _quarantine(quarantine: dict[str, Any], console: Console) -> None:
    if not quarantine["reasons"]:
        console.print("Nothing is refused.")
        return
    for row in quarantine["behind"]:
        console.print(
            f"[bold red]BEHIND[/bold red]: {row['keys']:,} row(s) of {escape(row['table_name'])} "
            "show their state before a refused change (row_is_behind)."
        )
    if quarantine["unknown"]:
        console.print(
            f"For {quarantine['unknown']:,} refused record(s) it is not known which row is behind."
        )
    for row in quarantine["reasons"]:
        console.print(
            f"[bold red]REFUSED[/bold red]: {row['records']:,} {escape(row['reason'])}: "
            f"{escape(row['meaning'])}. [bold]What to do[/bold]: {escape(row['remedy'])}."
        )
    console.print(f"The newest {len(quarantine['newest'])}, one of those that are alike:")
    # The quarantine has redacted sensitive values; only its content is shown.
    shown = Table()
    shown.add_column("alike", justify="right")
    shown.add_column("reason", no_wrap=True)
    for name in ("record", "detail", "value"):
        shown.add_column(name, overflow="fold")
    for row in alike(quarantine["newest"]):
        texts = (row["reason"], place_of(row), row["detail"], row["record_value"])
        shown.add_row(f"{row['alike']:,}", *(escape(short(text)) for text in texts))
    console.print(shown)
    console.print("A run after a contract change retries them; otherwise use `afterimage retry`.")

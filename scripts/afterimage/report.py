"""What became of the landed records of each source, from the project's quality models."""

from collections.abc import Callable
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from afterimage.errors import UserError
from afterimage.invoke import parse
from afterimage.macros import Macros

FINDINGS = Macros("quality/alarm_kinds.sql").alarm_kinds()
# What the connector may leave out of the events (skipped.operations).
OPERATIONS = {"c": "inserts", "u": "updates", "d": "deletes", "t": "truncates"}
COUNTED = ("landed", "staged", "duplicate", "ignored", "refused", "pending")
ALARM = "unknown_topic"
LONGEST = 120  # characters of a text from a record


def report(start: Callable[[], Any], target: str | None, newest: int, console: Console) -> None:
    """Print the report of every source.

    In: what starts the Spark session; the profile target; how many rows of each quarantine to show.
    Errors: UserError when the project has no quality models.
    """
    manifest = parse(target)
    accountings, quarantines, changes = _quality_models(manifest)
    if not accountings:
        raise UserError(
            "the project has no model of afterimage.accounting(): `afterimage scaffold` writes "
            "dq_<source>__accounting and dq_<source>__quarantine, and docs/reference/outcomes.md "
            "tells what they say"
        )
    spark = start()
    for node in accountings:
        console.rule(escape(node.name), align="left")
        if _is_there(spark, node, console):
            _accounting(spark, node, console)
    for node in quarantines:
        console.rule(escape(node.name), align="left")
        if _is_there(spark, node, console):
            _quarantine(spark, node, newest, console)
    for node in changes:
        if spark.catalog.tableExists(f"{node.schema}.{node.alias}"):
            _ended_by_ddl(spark, node, console)
    for operation, tables in never_seen(manifest).items():
        console.print(
            f"Never seen: {OPERATIONS[operation]} of {escape(', '.join(tables))}. The connector "
            "leaves them out (settings.skipped_operations of the contract)."
        )


def never_seen(manifest: Any) -> dict[str, list[str]]:
    """Operation → the tables whose contract says, itself or by default, that it is left out."""
    keys = Macros("contract/contract_keys.sql", "connectors/*.sql").contract_keys()
    default = keys["settings"]["keys"]["skipped_operations"]["default"]
    found: dict[str, list[str]] = {}
    for source in manifest.sources.values():
        over = (source.source_meta or {}).get("cdc") or {}
        own = (getattr(source.config, "meta", None) or source.meta or {}).get("cdc")
        if own in (None, over):  # no table of changes
            continue
        settings = (over.get("settings") or {}) | (own.get("settings") or {})
        for operation in settings.get("skipped_operations", default):
            if operation in OPERATIONS:
                found.setdefault(operation, []).append(f"{source.source_name}.{source.name}")
    return {operation: sorted(found[operation]) for operation in OPERATIONS if operation in found}


def _quality_models(manifest: Any) -> tuple[list, list, list]:
    """Models made by accounting(), by quarantine() and by schema_changes()."""
    found: dict[str, list] = {"accounting": [], "quarantine": [], "schema_changes": []}
    for node in manifest.nodes.values():
        if node.resource_type == "model":
            for macro, nodes in found.items():
                if f"macro.afterimage.{macro}" in node.depends_on.macros:
                    nodes.append(node)
    return tuple(sorted(nodes, key=lambda node: node.name) for nodes in found.values())


def _is_there(spark: Any, node: Any, console: Console) -> bool:
    if spark.catalog.tableExists(f"{node.schema}.{node.alias}"):
        return True
    console.print(f"{escape(node.name)} has not run yet: `dbt run` makes it.\n")
    return False


def _accounting(spark: Any, node: Any, console: Console) -> None:
    rows = spark.sql(
        "select table_name, topic, outcome, kind, sum(records) as records, "
        "max(examples) as examples "
        f"from `{node.schema}`.`{node.alias}` group by 1, 2, 3, 4 having sum(records) <> 0 "
        "order by table_name, outcome, records desc, kind, topic"
    ).collect()
    tables: dict[str, dict[str, list]] = {}
    for row in rows:
        if row["table_name"] is not None:
            tables.setdefault(row["table_name"], {}).setdefault(row["outcome"], []).append(row)
    shown = Table("table", *COUNTED)
    for name, outcomes in sorted(tables.items()):
        shown.add_row(escape(name), *(_cell(outcomes.get(outcome, [])) for outcome in COUNTED))
    console.print(shown)

    for outcome, kinds in FINDINGS.items():
        _findings([row for row in rows if row["outcome"] == outcome], kinds, console)
    declared = [row for row in rows if row["outcome"] == "operator"]
    if declared:
        told = (f"{row['table_name']}: {row['records']:,} {row['kind']}" for row in declared)
        console.print(f"Operator events taken in: {escape('; '.join(told))}.")

    outside = [row for row in rows if row["table_name"] is None]
    alarms = [row for row in outside if row["kind"] == ALARM]
    if outside:
        others = Table("topic", "what it is")
        others.add_column("records", justify="right")
        for row in outside:
            topic = "(lines that were no record)" if row["topic"] is None else row["topic"]
            kind = escape(str(row["kind"]))
            if row["kind"] == ALARM:
                kind = f"[bold red]ALARM: {kind}[/bold red]"
            others.add_row(escape(_short(topic)), kind, f"{row['records']:,}")
        console.print("Records of no table:")
        console.print(others)
    if alarms:
        console.print(
            f"[bold red]ALARM[/bold red]: {len(alarms)} topic(s) that no contract knows. Declare "
            "each as the topic of a table (`afterimage scaffold --topic …`) or in side_topics."
        )


def _findings(rows: list, kinds: dict[str, str], console: Console) -> None:
    """What nobody declared, or the contract says does not come, or nothing orders: what to do."""
    for row in rows:
        named = ", ".join(row["examples"] or ())
        console.print(
            f"[bold red]{row['outcome'].upper()}[/bold red]: {escape(row['table_name'])}: "
            f"{row['records']:,} times: {kinds[row['kind']]}. "
            f"Topic {escape(_short(row['topic']))}, {escape(_short(named))}. "
            "See docs/reference/outcomes.md."
        )


def _ended_by_ddl(spark: Any, node: Any, console: Console) -> None:
    """Tables whose rows are shown though a statement emptied or dropped them."""
    rows = spark.sql(
        "select table_name, change, ddl, changed_at, former_table "
        f"from `{node.schema}`.`{node.alias}` where is_alarm and not is_repeat order by changed_at"
    ).collect()
    for row in rows:
        former = f" (it was {_short(row['former_table'])})" if row["former_table"] else ""
        console.print(
            f"[bold red]ALARM[/bold red]: {escape(str(row['table_name']))}: the source ran "
            f"{row['change']} on it{escape(former)} at {row['changed_at']} "
            f"({escape(_short(row['ddl']))}), its stream has no event of that, and the models "
            "still show the rows before it. See docs/how-to/schema-changes.md."
        )


def _cell(rows: list) -> str:
    """A count; where there are kinds, each with its own."""
    kinds = [f"{row['records']:,} {escape(str(row['kind']))}" for row in rows if row["kind"]]
    if kinds:
        return "\n".join(kinds)
    return f"{sum(row['records'] for row in rows):,}" if rows else "0"


def _quarantine(spark: Any, node: Any, newest: int, console: Console) -> None:
    relation = f"`{node.schema}`.`{node.alias}`"
    reasons = spark.sql(
        f"select reason, count(*) as records from {relation} group by 1 order by 2 desc, 1"
    ).collect()
    if not reasons:
        console.print("Nothing is refused.")
        return
    told = ", ".join(f"{row['records']:,} {row['reason']}" for row in reasons)
    behind = spark.sql(
        f"select table_name, count(distinct row_key) as keys from {relation} where row_is_behind "
        "group by 1 order by 1"
    ).collect()
    for row in behind:
        console.print(
            f"[bold red]BEHIND[/bold red]: {row['keys']:,} row(s) of {escape(row['table_name'])} "
            "stand in the models as they were before a refused change (row_is_behind)."
        )
    unknown = spark.sql(f"select count(*) from {relation} where row_is_behind is null").first()[0]
    if unknown:
        console.print(
            f"Of {unknown:,} refused record(s) it is not known which row they leave behind."
        )
    rows = spark.sql(
        f"select * from {relation} order by refused_at desc, topic, partition, offset, file, line "
        f"limit {int(newest)}"
    ).collect()
    console.print(f"Refused: {escape(told)}. The newest:")
    # The quarantine has redacted what is sensitive; nothing is shown that it does not hold.
    shown = Table("record", "reason", "detail", "value")
    for row in rows:
        if row["topic"] is None:
            place = f"{row['file']}:{row['line']}"
        else:
            place = f"{row['topic']} {row['partition']}:{row['offset']}"
        texts = (place, row["reason"], row["detail"], row["record_value"])
        shown.add_row(*(escape(_short(text)) for text in texts))
    console.print(shown)
    console.print("Once mended: the next run after a change of contract, or `afterimage retry`.")


def _short(text: Any) -> str:
    """A text from a record on one line, without control characters, cut to size."""
    if text is None:
        return ""
    clean = "".join(
        letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}"
        for letter in str(text)[: LONGEST + 1]
    )
    return clean if len(clean) <= LONGEST else clean[:LONGEST] + "…"

"""The report as one HTML file: it loads nothing, and texts of records are never code."""

import io
import re
from collections import Counter
from datetime import datetime
from typing import Any

from jinja2 import Environment, PackageLoader
from markupsafe import Markup, escape
from matplotlib import rc_context
from matplotlib.figure import Figure

from afterimage.counted import counted
from afterimage.outcomes import DOCS_INSTALLED
from afterimage.report.gathered import (
    ALARM,
    COUNTED,
    INCOMPLETE,
    NAMED_BY,
    NAMED_ROWS,
    NOT_SENT,
    OPERATIONS,
    Report,
    alike,
    broken_transactions,
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

# The colour of each outcome; they differ in brightness too.
SHARES = {
    "staged": "#1a7f64",
    "duplicate": "#5b8fd6",
    "ignored": "#9aa5b1",
    "refused": "#c62828",
    "pending": "#e0a100",
}
NEWEST_RUNS = 30
LEAST_RUNS = 6  # the chart has room for so many, so that a single bar stays narrow
INK = "#010203"


def page(report: Report) -> str:
    """The complete file."""
    environment = Environment(
        loader=PackageLoader("afterimage", "report"), autoescape=True, trim_blocks=True
    )
    environment.filters |= {
        "short": short,
        "lines": _lines,
        "code": _code,
        "alike": alike,
        "number": _number,
        "counted": counted,
        "moment": _moment,
        "instant": instant,
        "duration": duration,
        "place": place_of,
        "operation": operation_of,
        "value": value_of,
    }
    return environment.get_template("page.html.j2").render(
        report=report,
        counted=COUNTED,
        docs=DOCS_INSTALLED,
        shares=SHARES,
        operations=OPERATIONS,
        tables=_tables(report),
        totals=_totals(report),
        findings=findings_in(report.counted),
        outside=report.without_table,
        alarm=ALARM,
        drifted=report.drifted,
        contract_changes=report.contract_changes,
        incomplete=INCOMPLETE,
        broken=broken_transactions(report),
        named_by=NAMED_BY,
        named_rows=NAMED_ROWS,
        not_sent=NOT_SENT,
        charts=[_charts(each) for each in report.runs if each["rows"]],
    )


def _tables(report: Report) -> list[dict[str, Any]]:
    """A line for each table: records by outcome, and when it last changed."""
    logs = {(log["source_name"], log["table_name"]): log for log in report.change_logs}
    found = []
    for table, outcomes in tables_of(report.counted).items():
        sums = {each: sum(row["records"] for row in outcomes.get(each, [])) for each in COUNTED}
        kinds = {
            each: [(row["kind"], row["records"]) for row in outcomes.get(each, []) if row["kind"]]
            for each in COUNTED
        }
        found.append(
            {
                "name": ".".join(table),
                "sums": sums,
                "kinds": kinds,
                "log": logs.get(table),
            }
        )
    return found


def _totals(report: Report) -> dict[str, int]:
    sums = dict.fromkeys(COUNTED, 0)
    for row in report.counted:
        if row["outcome"] in sums and row["table_name"] is not None:
            sums[row["outcome"]] += row["records"]
    return sums


def _charts(model: dict[str, Any]) -> dict[str, Any]:
    """The chart of all tables of a model of accounting_by_run, and the newest runs of each."""
    read = dict.fromkeys(SHARES, 0)
    del read["pending"]  # a run leaves nothing pending
    tables: dict[str, dict[int, dict[str, Any]]] = {}
    for row in model["rows"]:
        runs = tables.setdefault(row["table_name"], {})
        run = runs.setdefault(row["run"], {"until": "", "sums": dict(read)})
        run["until"] = max(run["until"], row["landed_until"] or "")
        run["sums"][row["outcome"]] += row["records"]
    newest = {
        name: [{"run": run, **runs[run]} for run in sorted(runs, reverse=True)[:NEWEST_RUNS]]
        for name, runs in sorted(tables.items())
    }
    return {"name": model["name"], "chart": _runs(model["rows"]), "tables": newest}


def _runs(rows: list[dict[str, Any]]) -> str:
    """Records that each of the newest runs read, by outcome, as SVG. (A count below 0 means that an
    earlier run's outcome was revoked; it is left out.)"""
    numbers = sorted({row["run"] for row in rows if row["run"] is not None})[-NEWEST_RUNS:]
    places = range(len(numbers))
    sums: Counter[tuple] = Counter()
    for row in rows:
        sums[row["run"], row["outcome"]] += row["records"]
    # text stays text, and the same report gives the same file
    with rc_context({"svg.fonttype": "none", "svg.hashsalt": "afterimage", "font.size": 9}):
        room = max(LEAST_RUNS, len(numbers))
        figure = Figure(figsize=(0.75 + 0.36 * room, 2.6), layout="constrained")
        axes = figure.subplots()
        below = [0] * len(numbers)
        for outcome, colour in SHARES.items():
            read = [max(0, sums[number, outcome]) for number in numbers]
            if any(read):
                axes.bar(places, read, bottom=below, color=colour, width=0.7)
                below = [low + high for low, high in zip(below, read, strict=True)]
        axes.set_xticks(places, [str(number) for number in numbers])
        axes.set_xlim(-0.6, room - 0.4)
        axes.set_xlabel("run")
        axes.set_ylabel("records")
        axes.yaxis.set_major_formatter(lambda value, _: _number(value))
        axes.spines[["top", "right"]].set_visible(False)
        for part in (axes.spines.values(), [axes.xaxis.label, axes.yaxis.label]):
            for each in part:
                each.set_color(INK)
        axes.tick_params(colors=INK)
        file = io.StringIO()
        nothing = dict.fromkeys(("Date", "Creator", "Format", "Type"))
        figure.savefig(file, format="svg", transparent=True, metadata=nothing)
    # the colour of the page's text, light or dark
    svg = file.getvalue()
    return svg[svg.index("<svg") :].replace(INK, "currentColor")


def _number(value: Any) -> str:
    return f"{value:,.0f}" if value is not None else ""


def _moment(text: str | None) -> str:
    """A timestamp of Spark's JSON without fractions of a second."""
    if not text:
        return "never"
    try:
        return f"{datetime.fromisoformat(text):%Y-%m-%d %H:%M:%S}"
    except ValueError:
        return text


def _code(text: str) -> Markup:
    """A text of ours, what stands in backticks as code."""
    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(text))))


def _lines(text: str) -> str:
    """Lines to be copied, without other control characters."""
    return "\n".join(map(printable, text.split("\n")))

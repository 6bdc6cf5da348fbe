"""The content of docs/how-to/coming-from-the-jdbc-sink.md: its cases, and the captures it
compares."""

import re
from dataclasses import dataclass
from functools import cached_property

import yaml

from tests.docs.cases import Case
from tests.docs.markdown import ROOT, sections, tables
from tests.oracle.jdbc_sink import Setup, Sink, deliver_all, setup_of
from tests.truth.captures import Capture, captures

PAGE = (ROOT / "docs" / "how-to" / "coming-from-the-jdbc-sink.md").read_text(encoding="utf-8")
PARTS = sections(PAGE)
SINK = "the sink"


def setup_in(cell: str) -> Setup | None:
    """`the sink, delete.enabled=false` → its setup; None if the cell is ours."""
    if not cell.startswith(SINK):
        return None
    return setup_of(dict(re.findall(r"`([\w.]+)=([^`]*)`", cell)))


def stop_in(cell: str) -> int | None:
    """`stops at offset 1` → 1."""
    found = re.fullmatch(r"stops at offset (\d+)", cell)
    return found and int(found[1])


@dataclass(frozen=True)
class Shown:
    """A case: the landed records, and the tables afterwards, each a list of column → text."""

    case: Case
    results: dict[str, list[dict[str, str]]]

    @property
    def title(self) -> str:
        return self.case.title

    def of_sink(self) -> dict[str, list[dict[str, str]]]:
        return {where: rows for where, rows in self.results.items() if where.startswith(SINK)}

    def of_ours(self) -> dict[str, list[dict[str, str]]]:
        """Layer → rows."""
        return {
            where.strip("`").removesuffix("_" + self.case.name): rows
            for where, rows in self.results.items()
            if not where.startswith(SINK)
        }

    def by_sink(self, where: str) -> list[dict[str, str]]:
        """The output of the sink's model, as the page shows it."""
        columns = self.results[where][0].keys()
        sink = Sink(self.case.table, self.case.spec, setup_in(where))
        stopped = deliver_all(sink, self.case.records)
        if stopped:
            return [_line(columns, f"stops at offset {stopped.offset}")]
        if not sink.rows:
            return [_line(columns, "(none)")]
        return [
            {c: "" if c not in row else "null" if row[c] is None else str(row[c]) for c in columns}
            for row in sink.rows
        ]


def _line(columns, text: str) -> dict[str, str]:
    return dict.fromkeys(columns, "") | {next(iter(columns)): text}


def _shown(title: str, section: str, contracts: dict[str, dict]) -> Shown:
    landed, results = tables(section)
    found: dict[str, list[dict[str, str]]] = {}
    for row in results.rows:
        told = {c: text.strip("`") for c, text in row.items() if c != "in"}
        found.setdefault(row["in"], []).append(told)
    [name] = {re.fullmatch(r"`[a-z]+_(\w+)`", where)[1] for where in found if where[0] == "`"}
    case = Case("jdbc-sink", title, name, contracts[name], landed.rows, None, [], [])
    return Shown(case, found)


def _cases() -> list[Shown]:
    part = PARTS["3. Before → after"]
    contracts = yaml.safe_load(re.search(r"```yaml\n(.*?)```", part, re.DOTALL)[1])
    titles = re.split(r"(?m)^### (.+)$", part)
    return [
        _shown(title, section, contracts)
        for title, section in zip(titles[1::2], titles[2::2], strict=True)
    ]


@dataclass(frozen=True)
class Real:
    """A line of the table of captures."""

    line: dict[str, str]

    @property
    def capture(self) -> Capture:
        return captures()[self.line["capture and table"].split()[0]]

    @property
    def table(self) -> str:
        return self.line["capture and table"].split()[1]

    @property
    def setup(self) -> Setup:
        return setup_in(self.line["the sink"])

    def __str__(self) -> str:
        return f"{self.line['capture and table']} {self.line['the sink']}"

    @cached_property
    def records(self) -> list:
        topics = self.capture.spec.tables[self.table].topics
        return [record for record in self.capture.records if record.topic in topics]


CASES = _cases()
_LINES, _MOMENTS = tables(PARTS["4. On real records"])
REAL = [Real(line) for line in _LINES.rows]
BETWEEN = _MOMENTS.rows

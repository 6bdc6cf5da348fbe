"""docs/reference/coverage.md, generated from what the tests show and from coverage.yml.

    python -m tests.coverage.page     writes it

test_coverage.py compares the page with both.
"""

import re
from collections import Counter, defaultdict

from tests.coverage import cells
from tests.coverage.cells import Reason
from tests.coverage.counts import Cell
from tests.coverage.shown import ROOT, Showing, Shown, shown

EMPTY = (
    "no test shows it, and coverage.yml says nothing of it. Mark a test that lands such records "
    "with @pytest.mark.shows (tests/coverage/collect.py tells how), or say in "
    "docs/reference/coverage.yml why it cannot be (reasons) or that none does yet (gaps); then "
    "python -m tests.coverage.page"
)
NONE, TIMES = "\N{EN DASH}", "\N{MULTIPLICATION SIGN}"
PAGE = ROOT / "docs" / "reference" / "coverage.md"
INTRO = """\
<!-- Made by `python -m tests.coverage.page` from the tests and coverage.yml. Do not edit. -->
# What is tested: systems, shapes, operations, types, settings

Each cell says how many records show it and in how many tests: `120 · 3`. They are counted in the
records themselves: of captures of real connectors, of documented events, of streams written by hand
and of made-up databases, as they go through the models and are held against what the database held
([how](../../tests/truth/README.md)). Of a made-up database the first log counts alone, of documents
also the first that an incremental snapshot begins. A cell without a number of records is said by a
test for itself. `[3]` leads to the [reason](#reasons) why there is nothing to show, or why another
cell shows it; `[gap 3]` to what [no test shows](#gaps).

Of a cell that has none of these the tests go red, of one that has a test and a reason too
([tests/coverage](../../tests/coverage/test_coverage.py)). How to add to it is described in
[CONTRIBUTING](../../CONTRIBUTING.md); why it is made like this in
[decision 28](../decisions/0028-coverage.md). *Known from* names the notes on the documents of
Debezium and Datastream that this was built from, by file and words, or a page here.
"""


def page() -> str:
    """The whole page."""
    return Writer(shown()).page()


class Writer:
    def __init__(self, shown: Shown):
        self.shown = shown
        self.why = cells.explained(shown)
        said = set(self.why.values())
        self.numbers = {
            reason: number
            for all_of in (cells.reasons(), cells.gaps())
            for number, reason in enumerate((r for r in all_of if r in said), 1)
        }
        self.titles = cells.titles()

    def page(self) -> str:
        parts = [INTRO, *self._sums(), *self._words(), *self._operations(), *self._types()]
        parts += [*self._around(), *self._settings(), *self._checklist()]
        parts += [*self._reasons(), *self._gaps()]
        return "\n".join([*parts, *self._streams()])

    def cell(self, cell: Cell) -> str:
        """What the page shows of a cell."""
        records, tests = cells.number(self.shown, cell)
        if tests:
            return f"{records} · {tests}" if records else f"· {tests}"
        if not (reason := self.why.get(cell)):
            return ""
        number = self.numbers[reason]
        return f"[[gap {number}]](#gaps)" if reason.is_gap else f"[[{number}]](#reasons)"

    # --- parts --------------------------------------------------------------------------------

    def _sums(self) -> list[str]:
        """How many cells each system has, by their content."""
        invisible = {s["id"] for s in cells.setting_rows() if s["is"] == "invisible"}
        counts: dict[str, Counter] = defaultdict(Counter)
        for cell in cells.all_cells():
            if cells.number(self.shown, cell)[1]:
                what = "shown"
            elif reason := self.why.get(cell):
                what = "gap" if reason.is_gap else "reason"
            elif cell.about == "setting" and cell.what in invisible:
                what = "says"
            else:
                what = "empty"
            counts[cell.system].update([what, "cells"])
        kinds = ("cells", "shown", "reason", "says", "gap")
        rows = [
            [self.titles[s], *(str(counts[s][kind]) for kind in kinds)] for s in cells.systems()
        ]
        total = [str(sum(counts[s][kind] for s in cells.systems())) for kind in kinds]
        head = ["", "cells", "shown by tests", "with a reason", "no event tells", "gaps"]
        return [table(head, [*rows, ["all", *total]])]

    def _words(self) -> list[str]:
        parts = ["## The words\n"]
        for what in ("shapes", "operations", "around"):
            rows = [[e["name"], e["says"], self._basis(e)] for e in cells.declared()[what]]
            head = {
                "shapes": "shape",
                "operations": "operation",
                "around": "record around the data",
            }
            parts.append(table([head[what], "is", "known from"], rows))
        return parts

    def _operations(self) -> list[str]:
        parts = ["## Operations in each shape\n"]
        for system in cells.systems():
            parts.append(f"### {self.titles[system]}\n")
            for group in ("envelopes", "other"):
                if names := cells.shapes(system, group):
                    rows = [
                        [what, *(self.cell(Cell(system, s, "operation", what)) for s in names)]
                        for what in cells.operations(system)
                    ]
                    parts.append(table(["", *names], rows))
        return parts

    def _types(self) -> list[str]:
        says = (
            "Families of types, as `macros/decode` has them; which type is in which: "
            "[contract.md](contract.md#source-types). `literals` are the rows of "
            "[types.md](types.md), read as records in JSON; the other numbers are records that "
            "hold a value of the family, arrays of it among them.\n"
        )
        parts = ["## Types in each shape\n", says]
        for system in cells.systems():
            parts.append(f"### {self.titles[system]}: types\n")
            families = cells.type_families(system)
            for group in ("envelopes", "other"):
                if names := cells.shapes(system, group):
                    rows = [
                        [
                            of,
                            *([str(cells.literals(system, of))] if group == "envelopes" else []),
                            *(self.cell(Cell(system, s, "type", of)) for s in names),
                        ]
                        for of in families
                    ]
                    parts.append(
                        table(["", *(["literals"] if group == "envelopes" else []), *names], rows)
                    )
        return parts

    def _around(self) -> list[str]:
        rows = [
            [
                kind["name"],
                *(
                    self.cell(Cell(s, "any", "around", kind["name"]))
                    if cells.has(s, kind)
                    else NONE
                    for s in cells.systems()
                ),
            ]
            for kind in cells.declared()["around"]
        ]
        return [
            "## Records around the data\n",
            table(["", *(self.titles[s] for s in cells.systems())], rows),
        ]

    def _settings(self) -> list[str]:
        parts = [
            "## Settings\n",
            "How many of the tests that [settings.md](settings.md) names hold the setting for each "
            "system; a dash where the system has it not, *says* where no event tells it and the "
            "page says what to do.\n",
        ]
        groups = defaultdict(list)
        for setting in cells.setting_rows():
            groups[setting["title"]].append(setting)
        for title, settings in groups.items():
            rows = []
            for setting in settings:
                scope = "" if setting["scope"] == "connector" else f" ({setting['scope']})"
                names = ", ".join(f"`{name}`" for name in setting["names"]) + scope
                rows.append([names, *(self._setting(setting, s) for s in cells.systems())])
            parts += [f"### {title}\n"]
            parts.append(table(["", *(self.titles[s] for s in cells.systems())], rows))
        return parts

    def _setting(self, setting: dict, system: str) -> str:
        if not cells.has_setting(system, setting):
            return NONE
        found = cells.number(self.shown, Cell(system, "any", "setting", setting["id"]))[1]
        if not found and setting["is"] == "invisible":
            return "*says*"
        return str(found) if found else self.cell(Cell(system, "any", "setting", setting["id"]))

    def _checklist(self) -> list[str]:
        """Cases that are easily missed, with the tests that cover them."""
        rows = []
        for entry in cells.declared()["checklist"]:
            for number, point in enumerate(entry["points"]):
                line = entry["line"] if number == 0 else "\N{DITTO MARK}"
                rows.append([line, point["what"], held(point)])
        return [
            "## What is easily missed\n",
            "The notes on what the documents say in passing, line by line.\n",
            table(["line", "point", "held by"], rows),
        ]

    def _reasons(self) -> list[str]:
        rows = [
            [str(number), reason.because, self._link(*reason.basis), self._many(reason)]
            for reason, number in self.numbers.items()
            if not reason.is_gap
        ]
        return ["## Reasons\n", table(["", "because", "known from", "cells"], rows)]

    def _gaps(self) -> list[str]:
        rows = [
            [str(number), reason.because, self._many(reason)]
            for reason, number in self.numbers.items()
            if reason.is_gap
        ]
        return [
            "## Gaps\n",
            "What a test could show, and none does.\n" if rows else "None.\n",
            *([table(["", "missing", "cells"], rows)] if rows else []),
        ]

    def _many(self, reason: Reason) -> str:
        return str(sum(said == reason for said in self.why.values()))

    def _streams(self) -> list[str]:
        """The evidence: each stream with the tests that use it."""
        by_stream: dict[tuple, list[Showing]] = defaultdict(list)
        for showing in self.shown.showings:
            if showing.cell.system in cells.systems():
                by_stream[showing.cell.system, showing.stream or showing.test].append(showing)
        parts = [
            "## Where it is shown\n",
            "Streams and the tests that take them, with what their records do. Of what a test says "
            "for itself there is no number.\n",
        ]
        for system in cells.systems():
            rows = []
            for (of, name), showings in sorted(by_stream.items()):
                if of == system:
                    rows.append(self._stream(name, showings))
            parts += [f"### {self.titles[system]}: streams\n"]
            parts.append(table(["stream", "tests", "shapes", "operations"], rows))
        return parts

    def _stream(self, name: str, showings: list[Showing]) -> list[str]:
        tests = {showing.test for showing in showings}
        functions = Counter(test.partition("[")[0] for test in tests)
        of_one = min(tests)
        counted = Counter()
        shapes = []
        for showing in showings:
            cell = showing.cell
            if showing.test != of_one:
                continue
            if cell.about in ("operation", "around"):
                counted[cell.what] += showing.records
            if cell.shape != "any" and cell.shape not in shapes:
                shapes.append(cell.shape)
        links = [
            f"[{function.rsplit('::', 1)[1].removeprefix('test_').replace('_', ' ')}]"
            f"(../../{function.partition('::')[0]}){f' {TIMES} {n}' if n > 1 else ''}"
            for function, n in sorted(functions.items())
        ]
        done = [f"{what} {n}" if n else what for what, n in counted.items()]
        done = done or ["values alone"]
        shown_name = "by hand" if "::" in name else name
        return [shown_name, ", ".join(links), ", ".join(shapes) or "any", ", ".join(done)]

    def _basis(self, entry: dict) -> str:
        return self._link(*cells.basis_of(entry))

    def _link(self, file: str, words: str) -> str:
        words = words.replace("|", "\\|").strip()
        if file.startswith("spec/"):
            return f"{file.removeprefix('spec/')}: “{words}”"
        return f"[{file.rsplit('/', 1)[1]}](../../{file}): “{words}”"


def held(point: dict) -> str:
    """The tests that cover a point of the checklist."""
    if "missing" in point:
        return f"**not shown**: {point['missing']}"
    links = []
    for test in point["tests"]:
        path, _, function = test.partition("::")
        name = function or path.rsplit("/", 1)[1].partition(".")[0]
        links.append(f"[{name.removeprefix('test_').replace('_', ' ')}](../../{path})")
    return ", ".join(links)


def table(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def faults() -> list[str]:
    """The faults of the cells: neither shown nor explained, or both; and of the explanations."""
    found = shown()
    why = cells.explained(found)
    invisible = {s["id"] for s in cells.setting_rows() if s["is"] == "invisible"}
    wrong = []
    for cell in cells.all_cells():
        tests = cells.number(found, cell)[1]
        says = cell.about == "setting" and cell.what in invisible
        if tests and cell in why:
            wrong.append(f"{cell}: shown, and there is a reason: {why[cell].because}")
        elif not tests and cell not in why and not says:
            wrong.append(f"{cell}: {EMPTY}")
    said = set(why.values())
    for reason in (*cells.reasons(), *cells.gaps()):
        if reason.speaks and reason not in said:
            wrong.append(
                f"nothing is left of {'a gap' if reason.is_gap else 'a reason'}: "
                f"take it out of coverage.yml: {reason.because}"
            )
    known = set(cells.all_cells())
    for showing in found.showings:
        of = showing.cell
        if not showing.stream and of not in known:
            wrong.append(f"{showing.test}: its marker names no cell: {of}")
    return wrong


def basis_faults(folder) -> list[str]:
    """Missing evidence of coverage.yml. In: the folder that has `spec`."""
    wrong = []
    parts = ("shapes", "operations", "around", "settings", "reasons")
    for entry in (entry for part in parts for entry in cells.declared()[part]):
        file, words = cells.basis_of(entry)
        path = folder / file if file.startswith("spec/") else ROOT / file
        if not path.exists() or words not in " ".join(path.read_text(encoding="utf-8").split()):
            wrong.append(f"{file} has no {words!r}")
    return wrong


def checklist_faults() -> list[str]:
    """Tests of points that do not exist, and points pending for a connector that exists."""
    wrong = []
    for entry in cells.declared()["checklist"]:
        for point in entry["points"]:
            where = f"{entry['line']}, {point['what']}"
            if ("tests" in point) == ("missing" in point):
                wrong.append(f"{where}: say either its tests or what is missing")
            if point.get("without") in cells.systems():
                wrong.append(f"{where}: {point['without']} is there now; say which tests hold it")
            for test in point.get("tests", []):
                path, _, function = test.partition("::")
                if not cells.there_is(shown(), path, function):
                    wrong.append(f"{where}: there is no {test}")
    return wrong


def lines_left_out(checklist: str) -> list[str]:
    """Lines of the notes that no entry starts like, and entries that start no line."""
    lines = re.findall(r"(?m)^\| (?!what \|)([^-].*?) \| \S.* \|$", checklist)
    begin = [entry["line"] for entry in cells.declared()["checklist"]]
    left_out = [line for line in lines if sum(map(line.startswith, begin)) != 1]
    return left_out + [b for b in begin if not any(line.startswith(b) for line in lines)]


def twice() -> list[Cell]:
    """Cells that two reasons explain, except those for the rest."""
    counts = Counter(c for r in cells.reasons() if not r.is_of_the_rest for c in r.cells)
    return [cell for cell, times in counts.items() if times > 1]


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    print(PAGE)
    for fault in faults():
        print(fault)

"""The required cells, and the reasons for those that no test shows (coverage.yml).

The settings are read from settings.yml, the types from the connectors' macros, the systems from the
macro `connectors`: additions there have cells here at once.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import cache
from itertools import product
from pathlib import Path

import yaml

from afterimage import settings
from afterimage.macros import Macros
from tests.coverage.counts import Cell
from tests.coverage.shown import ROOT, Shown
from tests.truth.captures import captures
from tests.truth.user_streams import EXAMPLES
from tests.types import cells as types

SOURCE = ROOT / "docs" / "reference" / "coverage.yml"


@dataclass(frozen=True)
class Reason:
    """Why cells are empty; `basis` is the evidence: a file, and words in it."""

    because: str
    basis: tuple[str, str] | None
    cells: frozenset[Cell]
    is_of_the_rest: bool = False  # those of its cells that are neither shown nor explained yet
    is_gap: bool = False
    speaks: bool = True  # a system of it exists
    alike: tuple[tuple[str, str], ...] = ()  # (system or shape, the one that shows it)

    def holds(self, shown: Shown, cell: Cell) -> bool:
        """Whether it applies to a cell: if another cell must show it, whether that one does."""
        if self.is_of_the_rest and number(shown, cell)[1]:
            return False
        return not self.alike or number(shown, replace(cell, **dict(self.alike)))[1] > 0


@cache
def declared() -> dict:
    return yaml.safe_load(SOURCE.read_text(encoding="utf-8"))


@cache
def titles() -> dict[str, str]:
    """The connectors that contracts may name, each with its title."""
    found = Macros().connectors()
    return {
        name: title.replace("Google Datastream of ", "Datastream, ")
        for name, title in found.items()
    }


def systems() -> list[str]:
    return list(titles())


def family(system: str) -> str:
    """The source of its changes, and their form."""
    of = ("datastream", "mongodb")
    return next((name for name in of if system.startswith(name)), "relational")


def has(system: str, entry: dict) -> bool:
    """Whether a shape or an operation belongs to a system or its family."""
    of = _listed(entry.get("of")) or [system]
    return system in of or family(system) in of


def shapes(system: str, group: str | None = None) -> list[str]:
    return [
        shape["name"]
        for shape in declared()["shapes"]
        if has(system, shape) and group in (None, shape["group"])
    ]


def operations(system: str) -> list[str]:
    return [entry["name"] for entry in declared()["operations"] if has(system, entry)]


def around(system: str) -> list[str]:
    return [entry["name"] for entry in declared()["around"] if has(system, entry)]


# --- required cells ------------------------------------------------------------------------------


def all_cells() -> list[Cell]:
    """Every cell but those of settings, in the order of the page."""
    found = []
    for system in systems():
        found += [
            Cell(system, shape, "operation", what)
            for shape, what in product(shapes(system), operations(system))
        ]
        found += [
            Cell(system, shape, "type", of)
            for shape, of in product(shapes(system), type_families(system))
        ]
        found += [Cell(system, "any", "around", what) for what in around(system)]
        found += [Cell(system, "any", "setting", name) for name in setting_names(system)]
    return found


def type_families(system: str) -> list[str]:
    """The families of its types: the files of macros/decode."""
    return sorted(set(types.families(system).values()))


@cache
def setting_rows() -> tuple[dict, ...]:
    """The settings of the page of settings, each with the title of its group."""
    return tuple(
        setting | {"title": group["title"], "id": f"{setting['scope']}: {setting['names'][0]}"}
        for group in settings.groups()
        for setting in group["settings"]
    )


def has_setting(system: str, setting: dict) -> bool:
    """MariaDB has those of MySQL; transformations and converters have no system."""
    if family(system) == "datastream":
        return False
    for entry in declared()["settings"]:
        if _wanted(entry, "what", [setting["id"]]) and not has(system, entry):
            return False
    of = Macros().connector_family(system)
    return not setting["of"] or of in setting["of"]


def setting_names(system: str) -> list[str]:
    return [setting["id"] for setting in setting_rows() if has_setting(system, setting)]


# --- reasons -------------------------------------------------------------------------------------


@cache
def reasons() -> tuple[Reason, ...]:
    """Those of coverage.yml, in order; they do not concern systems that no contract may name."""
    return tuple(_reason(entry, entry["because"], False) for entry in declared()["reasons"])


@cache
def gaps() -> tuple[Reason, ...]:
    """What a test could show and none does yet."""
    return tuple(_reason(entry, entry["missing"], True) for entry in declared()["gaps"])


def _reason(entry: dict, because: str, is_gap: bool) -> Reason:
    about, named = entry["about"], _listed(entry.get("systems"))
    return Reason(
        because,
        basis_of(entry),
        frozenset(_cells(entry, about)),
        is_of_the_rest=is_gap or entry.get("rest", False),
        is_gap=is_gap,
        alike=tuple(sorted(entry.get("as", {}).items())),
        speaks=not named or any(s in named or family(s) in named for s in systems()),
    )


def basis_of(entry: dict) -> tuple[str, str] | None:
    """`spec: file: words`, or `ours: path: words`; a gap has neither."""
    if not (basis := entry.get("spec") or entry.get("ours")):
        return None
    file, _, words = basis.partition(": ")
    return (f"spec/{file}" if "spec" in entry else file), words


def _cells(entry: dict, about: str) -> Iterator[Cell]:
    named = _listed(entry.get("systems"))
    for system in systems():
        if named and system not in named and family(system) not in named:
            continue
        of, all_of = _axes(system, about)
        for shape, what in product(_wanted(entry, "shapes", of), _wanted(entry, "what", all_of)):
            yield Cell(system, shape, about, what)


def _axes(system: str, about: str) -> tuple[list[str], list[str]]:
    """(shapes, subjects in each) of the cells about it."""
    if about == "operation":
        return shapes(system), operations(system)
    if about == "type":
        return shapes(system), type_families(system)
    return ["any"], around(system) if about == "around" else setting_names(system)


def _wanted(entry: dict, key: str, all_of: list[str]) -> list[str]:
    """Those an entry names, if the system has them; a * stands for any text."""
    if not (wanted := _listed(entry.get(key))):
        return all_of
    return [what for what in all_of if any(fnmatchcase(what, name) for name in wanted)]


def _listed(value) -> list[str]:
    return [value] if isinstance(value, str) else list(value or [])


def explained(shown: Shown) -> dict[Cell, Reason]:
    """Cell → the explanation that replaces a test: the first entry that covers it."""
    found: dict[Cell, Reason] = {}
    for reason in (*reasons(), *gaps()):
        for cell in reason.cells:
            if reason.holds(shown, cell):
                found.setdefault(cell, reason)
    return found


# --- what is shown -------------------------------------------------------------------------------


def number(shown: Shown, cell: Cell) -> tuple[int, int]:
    """(records, tests) of a cell."""
    if cell.about == "setting":
        return 0, len(tests_of_setting(shown, cell))
    if cell.about == "type":
        of_arrays = Cell(cell.system, cell.shape, "type", f"array of {cell.what}")
        records, tests = shown.number(cell)
        tests = tests or shown.number(of_arrays)[1]
        # those of tests/types are read as records of these shapes
        is_read = cell.shape in ("JSON", "Datastream JSON")
        tests += literals(cell.system, cell.what) if is_read else 0
        return records + shown.number(of_arrays)[0], tests
    return shown.number(cell)


def tests_of_setting(shown: Shown, cell: Cell) -> list[str]:
    """The tests, streams and captures that cover a setting's sentence for a system: those in
    settings.yml, of this system or of none, and the literals of tests/types under it."""
    [setting] = [s for s in setting_rows() if s["id"] == cell.what]
    found = []
    for test in setting.get("tests", []):
        path, _, function = test.partition("::")
        of = system_of(path)
        if of in (None, cell.system) and there_is(shown, path, function):
            found.append(test)
    names = {key.removeprefix("settings.") for key in setting.get("contract", [])}
    if types_under(cell.system, names):
        found.append(f"tests/types/{cell.system}.yml")
    return list(dict.fromkeys(found))


def there_is(shown: Shown, path: str, function: str) -> bool:
    """Whether pytest collects it: a test, or the test of a stream, of a capture or of types."""
    file = Path(path)
    if file.suffix == ".py":
        return shown.of_file(path, function) > 0
    if file.parent in (EXAMPLES.relative_to(ROOT), Path("tests/truth")):
        return shown.of_stream(file.stem)
    return file.parent == Path("tests/types") and shown.of_file("tests/types/test_types.py") > 0


@cache
def system_of(path: str) -> str | None:
    """The system of a capture, a stream, types or MongoDB's own tests; None for what concerns
    all."""
    file = Path(path)
    if file.stem.startswith("test_mongodb"):
        return "mongodb"
    if file.suffix != ".yml":
        return None
    if file.parent == Path("tests/types"):
        return file.stem
    if file.parent == EXAMPLES.relative_to(ROOT):
        document = yaml.safe_load((ROOT / file).read_text(encoding="utf-8"))
        return document["contract"].get("connector", "postgresql")
    capture = captures().get(file.stem)
    return capture.spec.connector if capture else None


def types_under(system: str, names: set[str]) -> int:
    """How many literals of its types are under one of these settings of a contract."""
    if not has_literals(system):
        return 0
    return sum(bool(cell.settings.keys() & names) for cell in types.cells(system))


def has_literals(system: str) -> bool:
    return (types.HERE / f"{system}.yml").exists()


def literals(system: str, of: str) -> int:
    """How many literals of a family tests/types has."""
    if not has_literals(system):
        return 0
    families = types.families(system)
    return sum(families[types.parsed(system, c.type)["name"]] == of for c in types.cells(system))

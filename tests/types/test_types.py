"""Each source type under each setting that changes its form: see cells.py. docs/reference/types.md
shows what is tested here."""

import pytest

from tests.types import cells as matrix
from tests.types import documents, sources
from tests.types.cells import CONNECTORS, DATASTREAM, DOCUMENTS
from tests.types.read import read, read_plainly

# Families in which every JSON value is valid, or goes to `_cdc_special`: nothing is refused.
NEVER_REFUSED = {"text", "json", "enum", "unified_text", "unified_json"}
NEVER_REFUSED |= {"bson_string", "bson_boolean"}


@pytest.mark.parametrize(
    "connector",
    [
        pytest.param(CONNECTORS[0], marks=pytest.mark.formats),
        *(CONNECTORS[1:] + DOCUMENTS + DATASTREAM),
    ],
)
def test_the_macros_give_the_values(spark, connector, compared):
    """Through the SQL of a change log, on Spark."""
    cells = [(cell, under) for cell in matrix.cells(connector) for under in cell.variants()]
    faults = []
    for (cell, under), got in zip(cells, read(spark, connector, cells), strict=True):
        faults += _faults(cell, under, got)
    covered = {need for cell in matrix.cells(connector) for need in _covers(cell)}
    compared[f"source types of {connector}, each under each setting"] += len(covered)
    compared["values of source types"] += len(cells)
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("connector", CONNECTORS)
def test_what_is_plain_has_the_same_value(spark, connector, compared):
    """The routine statement reads a literal as the cell's value, or not at all."""
    cells = [(cell, under) for cell in matrix.cells(connector) for under in cell.variants()]
    faults, plain = [], 0
    for (cell, _), value in zip(cells, read_plainly(spark, connector, cells), strict=True):
        plain += value is not None
        if value is not None and (
            cell.refused or cell.not_sent or cell.special is not None or value != cell.value
        ):
            faults.append(f"{cell}: expected {cell.value!r}, got {value!r}")
    compared[f"values of source types of {connector}"] += len(cells)
    compared[f"of them read by the routine statement, of {connector}"] += plain
    assert not faults, "\n".join(faults)
    # otherwise the law would hold for nothing
    assert plain * 4 > len(cells)


def _faults(cell, under: dict, got) -> list[str]:
    declared = cell.decoder(under)["type"].replace(": ", ":").replace(", ", ",")
    found = []
    if got.type != declared and declared.count("<") < 2:
        found.append(f"the column is {got.type}, declared {declared}")
    if got.refused != cell.refused:
        found.append("refused" if got.refused else f"not refused, read as {got.value!r}")
    if got.not_sent != cell.not_sent:
        found.append(f"not sent: {got.not_sent}")
    if not (cell.refused or cell.not_sent):
        if got.value != cell.value:
            found.append(f"value: expected {cell.value!r}, got {got.value!r}")
        if got.special != cell.special:
            found.append(f"special: expected {cell.special!r}, got {got.special!r}")
    return [f"{cell}: {fault}" for fault in found]


def _covers(cell) -> list[tuple]:
    """(sort of type, setting, value) that a cell covers; no setting: that the sort exists at
    all."""
    sort = matrix.sort_of(cell.connector, cell.type)
    matter = matrix.settings_that_matter(cell.connector, cell.type)
    return [(sort, None, None)] + [
        (sort, name, under[name]) for under in cell.variants() for name in matter
    ]


@pytest.mark.parametrize("connector", CONNECTORS + DOCUMENTS + DATASTREAM)
def test_each_type_has_a_cell_under_each_setting(connector):
    shown = {need for cell in matrix.cells(connector) if not cell.refused for need in _covers(cell)}
    missing = [
        f"{type_}" + (f" under {setting}: {value}" if setting else "")
        for type_, setting, value in _needed(connector)
        if (matrix.sort_of(connector, type_), setting, value) not in shown
    ]
    assert not missing, f"{connector}.yml has no cell, and no `never`, for\n  " + "\n  ".join(
        missing
    )


def _pairs(entry: dict) -> list[tuple]:
    """(setting, value) of an entry of `never`; (None, None) for one of all settings."""
    return [
        (setting, value)
        for setting, values in (entry.get("settings") or {None: None}).items()
        for value in (values if isinstance(values, list) else [values])
    ]


def _needed(connector: str) -> list[tuple]:
    """(type, setting, value) that must have a cell."""
    never = [
        (name, setting, value)
        for entry in matrix.declared(connector)["never"]
        for name in entry["types"]
        for setting, value in _pairs(entry)
    ]
    needed = []
    for name in matrix.families(connector):
        if (name, None, None) in never:
            continue
        for type_ in matrix.sorts(connector, name):
            needed.append((type_, None, None))
            needed += [
                (type_, setting, value)
                for setting, values in matrix.settings_that_matter(connector, type_).items()
                for value in values
                if (name, setting, value) not in never
            ]
    return needed


@pytest.mark.parametrize("connector", CONNECTORS + DOCUMENTS + DATASTREAM)
def test_what_never_is_has_no_cell(connector):
    stale = []
    for entry in matrix.declared(connector)["never"]:
        assert entry["because"]
        for cell in matrix.own_cells(connector):
            is_named = matrix.parsed(connector, cell.type)["name"] in entry["types"]
            pairs = {pair for pair in _pairs(entry) if pair[0]}
            is_there = not pairs or any(pairs & under_.items() for under_ in _hashable(cell))
            if is_named and is_there:
                stale.append(f"{cell}: {entry['because']}")
    assert not stale, "\n".join(stale)


def _hashable(cell) -> list[dict]:
    """The cell's settings, one by one, without those that are lists."""
    return [
        {n: v for n, v in under.items() if not isinstance(v, list)} for under in cell.variants()
    ]


@pytest.mark.parametrize("connector", CONNECTORS + DOCUMENTS + DATASTREAM)
def test_each_family_of_decoders_refuses_something(connector):
    families = matrix.families(connector)
    refusing = {
        families[matrix.parsed(connector, cell.type)["name"]]
        for cell in matrix.cells(connector)
        if cell.refused
    }
    assert set(families.values()) - NEVER_REFUSED == refusing - NEVER_REFUSED  # a LOB left out is


@pytest.mark.shared
@pytest.mark.parametrize("connector", CONNECTORS + DOCUMENTS + DATASTREAM)
def test_the_cells_come_from_where_they_say(connector, compared):
    faults = [
        f"{cell}: {cell.source}: {sources.fault(cell)}"
        for cell in matrix.own_cells(connector)
        if sources.fault(cell)
    ]
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("connector", DOCUMENTS)
def test_the_oracle_of_documents_reads_the_same(connector):
    """And refuses the same literals."""
    faults = [
        f"{cell}: {fault}" for cell in matrix.cells(connector) if (fault := documents.fault(cell))
    ]
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("connector", CONNECTORS)
def test_the_oracle_reads_the_same(connector):
    """An independent decoder in Python, which shares no code with the macros."""
    faults = [
        f"{cell}: {cell.value!r}, {cell.special!r}: {fault}"
        for cell in matrix.cells(connector)
        if not cell.refused and (fault := sources.oracle_fault(cell))
    ]
    assert not faults, "\n".join(faults)

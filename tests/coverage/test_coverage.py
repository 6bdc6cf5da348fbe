"""docs/reference/coverage.md: no cell is empty, and none claims more than the tests show."""

import json
import re
from functools import cache

import pytest

from tests.coverage import cells, page
from tests.coverage.counts import Cell, Stream, Table, counts_of
from tests.coverage.shown import ROOT, shown
from tests.oracle.records import Record
from tests.truth.captures import shared_folder
from tests.types import cells as types

pytestmark = [
    pytest.mark.xdist_group("coverage"),
    pytest.mark.shared,
]
MEND = "run python -m tests.coverage.page, and read what it prints"
# format → its other contract keys
SHAPES = {
    "debezium_json": {},
    "unwrapped": {
        "delete_tombstone_handling_mode": "rewrite",
        "add_fields": [],
        "add_headers": [],
        "add_fields_prefix": "__",
        "add_headers_prefix": "__",
    },
    "cloudevents": {},
}


@pytest.fixture(scope="module")
def written() -> str:
    return page.PAGE.read_text(encoding="utf-8")


def test_the_page_is_what_the_tests_make(written):
    assert page.page() == written, MEND


def test_each_cell_is_shown_or_explained_and_not_both():
    assert page.faults() == []


def test_no_cell_of_the_page_is_empty(written):
    tables = [line for line in written.splitlines() if line.startswith("| ")]
    # the first cell of a head may be: it is above the names of rows
    empty = [line for line in tables if re.search(r"\|\s+\|", line[1:])]
    assert empty == []


def test_two_reasons_do_not_speak_of_a_cell():
    assert page.twice() == []


def test_what_reasons_rest_on_is_there():
    assert page.basis_faults(shared_folder("spec").parent) == []


def test_each_line_of_the_checklist_is_there():
    notes = (shared_folder("spec") / "checklist.md").read_text(encoding="utf-8")
    assert page.lines_left_out(notes) == []


def test_what_holds_the_checklist_is_there():
    assert page.checklist_faults() == []


def test_every_test_of_a_cell_is_there(written):
    """Links lead to files; the functions that they name are collected."""
    files = set(re.findall(r"\]\(\.\./\.\./(tests/[^)#]+\.py)\)", written))
    assert files
    assert {file for file in files if not (ROOT / file).exists()} == set()
    known = set(shown().tests)
    assert {showing.test for showing in shown().showings} <= known


@cache
def decoded_in(system: str, format_: str) -> dict:
    """Type → its decoder, under a contract of that format."""
    settings = types.default_settings()
    contract = types.contract(system, settings) | SHAPES[format_] | {"format": format_}
    names = types.families(system)
    return {name: types.macros().decoder(name, contract) for name in names}


@pytest.mark.parametrize("system", [s for s in cells.systems() if cells.family(s) == "relational"])
def test_a_value_is_read_alike_in_each_shape(system):
    """The evidence for most types: neither decoders nor images depend on shapes."""
    for name in SHAPES:
        assert decoded_in(system, name) == decoded_in(system, "debezium_json")
        envelope = (ROOT / "macros" / "forms" / name / f"{name}.sql").read_text("utf-8")
        assert "{{ afterimage.parsed_document(" in envelope, name
        typed = r"afterimage[.](row_image_type[(]|images_type[(]contract, )columns"
        assert re.search(typed, envelope), name


def test_an_update_insert_alone_is_no_update_in_two():
    """Datastream labels every update so."""
    found = {}
    for labels in (["UPDATE-INSERT"], ["UPDATE-INSERT", "UPDATE-DELETE"]):
        place = {"lsn": "16/64"}
        events = [
            {"read_method": "postgresql-cdc", "uuid": label, "payload": {"id": 1}}
            | {"source_metadata": place | {"change_type": label}, "sort_keys": [clock, "16/64"]}
            for clock, label in enumerate(labels)
        ]
        records = [Record("t", 0, n, None, json.dumps(event)) for n, event in enumerate(events)]
        tables = {"t": Table(("id",), {"id": "int"})}
        contract = {"format": "datastream_json"}
        stream = Stream("one", "datastream_postgresql", contract, tables, records)
        counts = counts_of(stream)
        found[len(labels)] = {cell.what: n for cell, n in counts.items() if cell.about != "type"}
    assert found == {1: {"update": 1}, 2: {"update": 1, "delete": 1, "update in two": 2}}


def test_a_cell_that_nobody_shows_is_a_fault(monkeypatch):
    """A new connector has cells at once, with instructions to fill them."""
    names = [*cells.systems(), "another"]
    of = cells.type_families
    monkeypatch.setattr(cells, "systems", lambda: names)
    monkeypatch.setattr(cells, "type_families", lambda s: of(s) if s != "another" else ["text"])
    for name in ("reasons", "gaps"):
        getattr(cells, name).cache_clear()
    try:
        faults = page.faults()
    finally:
        monkeypatch.undo()
        for name in ("reasons", "gaps"):
            getattr(cells, name).cache_clear()
    create = str(Cell("another", "JSON", "operation", "create"))
    assert f"{create}: {page.EMPTY}" in faults
    assert "@pytest.mark.shows" in page.EMPTY

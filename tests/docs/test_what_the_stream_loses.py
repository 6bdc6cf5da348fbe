"""docs/reference/what-the-stream-loses.md: the literals did arrive, for values that the database
had; afterimage reads them as the page shows; and no loss in a capture is left out."""

import re

import pytest

from afterimage import stream_losses as page
from tests.docs import stream_losses as look
from tests.docs.stream_losses import Place
from tests.truth.captures import captures, shared_folder

ROWS = [row for family in page.families() for row in family["rows"]]
DISAGREEMENTS = page.disagreements()
SEEN = [row for row in ROWS + DISAGREEMENTS if "seen" in row]
NAMES = [f"{row['seen']} {row['arrives']}"[:90] for row in SEEN]
KEYS = {"of", "type", "settings", "has", "arrives", "image", "field", "shows", "says", "do", "seen"}
KEYS |= {"unseen", "reasons"}


def place_of(row: dict) -> Place:
    return Place.of(row["seen"])


def literals(row: dict) -> dict[str | None, str]:
    """Snapshot or stream, None if both have it → the literal."""
    arrives = row["arrives"]
    if isinstance(arrives, dict):
        return arrives
    return {} if arrives in page.NOTHING else {None: arrives}


def reasons() -> dict[str, set[tuple[str, str, str, tuple]]]:
    """Reason → the cells of captures that have it."""
    found: dict[str, set] = {}
    for name, capture in captures().items():
        for entry in capture.out_of_reach:
            cells = {(name, entry.table, entry.column, key) for key in entry.keys}
            found.setdefault(" ".join(entry.reason.split()), set()).update(cells)
    return found


def test_the_page_is_fresh():
    again = "make it again: python -m afterimage.stream_losses"
    assert page.PAGE.read_text(encoding="utf-8") == page.losses_page(), again


@pytest.mark.parametrize("row", SEEN, ids=NAMES)
def test_the_literal_arrived(row):
    place = place_of(row)
    for op, literal in literals(row).items():
        assert look.arrived(place, literal, op, row), literal


@pytest.mark.parametrize("row", [r for r in SEEN if not literals(r)])
def test_nothing_arrived(row):
    assert look.nothing(place_of(row), row["arrives"])


@pytest.mark.parametrize("row", [row for row in SEEN if "has" in row])
def test_the_database_had_the_value(row):
    place = place_of(row)
    if place.column == "*":
        assert look.is_in_the_end(place) == (row["arrives"] == "no record")
        return
    texts = [held.get(place.column) for held in look.held(place)]
    assert any(look.is_printed(text, row["has"]) for text in texts), texts


@pytest.mark.parametrize("row", [r for r in ROWS if "seen" in r and literals(r)])
def test_afterimage_shows_it_so(row):
    """As the independent decoder does; tests/types compares the macros with it."""
    place = place_of(row)
    if place.column not in place.table.columns or "image" in row:
        assert "shows" not in row, "not among the columns that are compared: words alone"
        return
    for op, literal in literals(row).items():
        if literal.endswith("…"):
            assert "shows" not in row
            continue
        shows = row["shows"]
        shows = shows[op] if isinstance(shows, dict) else shows
        assert look.is_shown(place, literal, shows), look.shown(place, literal)


@pytest.mark.parametrize("row", [r for r in ROWS if "seen" in r and "settings" in r])
def test_the_capture_has_the_settings(row):
    capture = place_of(row).capture
    for name, values in row["settings"].items():
        assert look.setting(capture, name) in values


def test_every_reason_has_a_row():
    """Every reason why a capture lacks a value of its database is on the page."""
    phrases = [phrase for row in ROWS for phrase in row.get("reasons", [])]
    found = reasons()
    assert [reason for reason in found if not any(phrase in reason for phrase in phrases)] == []
    assert [phrase for phrase in phrases if not any(phrase in reason for reason in found)] == []


@pytest.mark.parametrize("row", [r for r in ROWS if "reasons" in r])
def test_the_cell_of_a_row_is_listed_for_its_reason(row):
    place = place_of(row)
    keys = [
        key
        for reason, cells in reasons().items()
        for name, table, column, key in cells
        if any(phrase in reason for phrase in row["reasons"])
        and (name, table, column) == (place.capture.name, place.table.name, place.column)
    ]
    listed = [
        look.canonical_key(place.table, dict(zip(place.table.key, key, strict=True)))
        for key in keys
    ]
    assert place.key in listed, keys[:20]


def test_a_row_says_where_it_is_known_from():
    for row in ROWS:
        assert row.keys() <= KEYS, row
        assert ("seen" in row) != ("unseen" in row), row
        assert row.get("shows") or row.get("says"), row
        assert row.get("unseen", "kept").split(" ")[0] in page.UNSEEN, row


def cited() -> list[tuple[str, str]]:
    """Line of the notes, and words it contains."""
    found = [(row["line"], row["quote"]) for row in DISAGREEMENTS]
    lines = [row["unseen"].split(" ", 1)[1] for row in ROWS if " " in row.get("unseen", "")]
    return found + [(line, "") for line in lines]


@pytest.mark.shared
@pytest.mark.parametrize("line, quote", cited())
def test_documents_say_what_is_cited(line, quote):
    folder = shared_folder("spec")
    name, number = line.split(":")
    text = (folder / name).read_text(encoding="utf-8").split("\n")[int(number) - 1]
    assert quote in text


def test_a_literal_is_compared_exactly():
    """Otherwise the page could have 1 for 1.0, true for 1, or a number for its digits in quotes."""
    for one, other in (("1", "1.0"), ("true", "1"), ('"1"', "1"), ("1.0E2", "100"), ("0", "-0")):
        assert look.exact(one) != look.exact(other), re.escape(one)
    assert look.exact('{"a": [1.50]}') == look.exact('{ "a":[1.50] }')

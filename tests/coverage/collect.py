"""A plugin of pytest that writes which tests there are and what the records of each tell.

    python -m pytest --collect-only -p tests.coverage.collect --cells FILE

Nothing runs: a test is asked by its markers. `shows(of="name", streams=function)` gives the parameter
`name` to the function, which returns streams whose records are counted (tests/coverage/streams.py);
`shows(system, shape, *operations)` is said by hand, and held against what the test lands
(tests/coverage/landed.py).
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

from tests.coverage.told import Cell, tell

_told: dict[int, tuple] = {}  # a stream, kept lest its number be another's → what it tells


def pytest_addoption(parser):
    parser.addoption("--cells", type=Path, metavar="FILE", help="where to write them")


def pytest_collection_finish(session):
    shown = []
    for item in session.items:
        for marker in item.iter_markers("shows"):
            shown += [
                [item.nodeid, told, *key, number]
                for told, cells in cells_of(item, marker).items()
                for key, number in sorted((tuple(vars(c).values()), n) for c, n in cells.items())
            ]
    found = {"tests": [item.nodeid for item in session.items], "shown": shown}
    session.config.getoption("--cells").write_text(json.dumps(found))


def cells_of(item, marker) -> dict[str, Counter]:
    """Stream → cell → records; of what is said by hand the number is 0."""
    if "streams" not in marker.kwargs:
        return {"": Counter(dict.fromkeys(said(marker), 0))}
    found: dict[str, Counter] = {}
    for stream in marker.kwargs["streams"](item.callspec.params[marker.kwargs["of"]]):
        if id(stream) not in _told:
            _told[id(stream)] = stream, tell(stream)
        found.setdefault(stream.name, Counter()).update(_told[id(stream)][1])
    return found


def said(marker) -> list[Cell]:
    """The cells of a marker by hand."""
    system, shape, *operations = marker.args
    about = "around" if shape == "any" else "operation"
    return [Cell(system, shape, about, what) for what in operations]

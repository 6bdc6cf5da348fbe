"""A plugin of pytest that writes which tests there are and what the records of each tell.

    python -m pytest --collect-only -p tests.coverage.collect --cells FILE

Nothing runs: a test is asked by its markers. `shows(of="name", streams=function)` gives the
parameter `name` to the function, which returns streams whose records are counted
(tests/coverage/streams.py); without `of` it is called without one. A test that makes its records as
it runs says for itself what is in them: `shows(system, shape, *operations)`, or
`shows(system, "any", *kinds)` of records around the data; with `system="name"` the system is the
test's parameter of that name.
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
        return {"": Counter(dict.fromkeys(said(item, marker), 0))}
    found: dict[str, Counter] = {}
    of = marker.kwargs.get("of")
    arguments = [item.callspec.params[of]] if of else []
    for stream in marker.kwargs["streams"](*arguments):
        if id(stream) not in _told:
            _told[id(stream)] = stream, tell(stream)
        found.setdefault(stream.name, Counter()).update(_told[id(stream)][1])
    return found


def said(item, marker) -> list[Cell]:
    """The cells of a marker by hand; `types` are families of types, or what tells a system's."""
    arguments = list(marker.args)
    if name := marker.kwargs.get("system"):
        arguments.insert(0, item.callspec.params[name])
    system, shape, *operations = arguments
    about = "around" if shape == "any" else "operation"
    found = [Cell(system, shape, about, what) for what in operations]
    types = marker.kwargs.get("types", [])
    types = types(system) if callable(types) else types
    return found + [Cell(system, shape, "type", of) for of in types]

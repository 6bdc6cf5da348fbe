"""A pytest plugin that writes which tests exist and what the records of each cover.

    python -m pytest --collect-only -p tests.coverage.collect --cells FILE

No test runs: its markers are read. `shows(of="name", streams=function)` passes the parameter `name`
to the function, which returns streams whose records are counted (tests/coverage/streams.py);
without `of` it is called without one. A test that makes its records as it runs declares their
content: `shows(system, shape, *operations)`, or `shows(system, "any", *kinds)` for records other
than row changes; with `system="name"` the system is the test's parameter of that name.
"""

import json
from collections import Counter
from pathlib import Path

from tests.coverage.counts import Cell, counts_of

_counts: dict[int, tuple] = {}  # a stream, kept so that its id is not reused → its cells


def pytest_addoption(parser):
    parser.addoption("--cells", type=Path, metavar="FILE", help="where to write them")


def pytest_collection_finish(session):
    shown = []
    for item in session.items:
        for marker in item.iter_markers("shows"):
            shown += [
                [item.nodeid, stream, *key, number]
                for stream, cells in cells_of(item, marker).items()
                for key, number in sorted((tuple(vars(c).values()), n) for c, n in cells.items())
            ]
    found = {"tests": [item.nodeid for item in session.items], "shown": shown}
    session.config.getoption("--cells").write_text(json.dumps(found))


def cells_of(item, marker) -> dict[str, Counter]:
    """Stream → cell → records; declared cells have the number 0."""
    if "streams" not in marker.kwargs:
        return {"": Counter(dict.fromkeys(said(item, marker), 0))}
    found: dict[str, Counter] = {}
    of = marker.kwargs.get("of")
    arguments = [item.callspec.params[of]] if of else []
    for stream in marker.kwargs["streams"](*arguments):
        if id(stream) not in _counts:
            _counts[id(stream)] = stream, counts_of(stream)
        found.setdefault(stream.name, Counter()).update(_counts[id(stream)][1])
    return found


def said(item, marker) -> list[Cell]:
    """The cells that a marker declares; `types` are families of types, or a function that returns a
    system's."""
    arguments = list(marker.args)
    if name := marker.kwargs.get("system"):
        arguments.insert(0, item.callspec.params[name])
    system, shape, *operations = arguments
    about = "around" if shape == "any" else "operation"
    found = [Cell(system, shape, about, what) for what in operations]
    types = marker.kwargs.get("types", [])
    types = types(system) if callable(types) else types
    return found + [Cell(system, shape, "type", of) for of in types]

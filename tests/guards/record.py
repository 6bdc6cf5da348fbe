"""A pytest plugin that records which macro files each test calls, and how long it takes.

    pytest -p tests.guards.record …       # then: python -m tests.guards --learn

One line per test, in one file per process: {"test", "seconds", "files"}. The calls of a shared
fixture count for all tests of its module.
"""

import json
import os
from collections import defaultdict
from pathlib import Path

import pytest
from dbt.clients.jinja import MacroGenerator

RECORDS = Path(__file__).resolve().parents[2] / "target" / "guards"

_called: set[str] = set()
_of_module: dict[str, set[str]] = defaultdict(set)
_seconds: dict[str, float] = defaultdict(float)


def pytest_configure():
    """Records every call of a macro of this package, in any thread."""
    call = MacroGenerator.__call__

    def heard(self, *args, **kwargs):
        if self.macro.package_name == "afterimage":
            _called.add(self.macro.original_file_path)
        return call(self, *args, **kwargs)

    MacroGenerator.__call__ = heard


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item):
    """Calls made here may also serve later tests."""
    _called.clear()
    yield
    _of_module[item.nodeid.partition("::")[0]] |= _called


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """Runs after each phase; the last one writes."""
    _seconds[item.nodeid] += call.duration
    if call.when == "teardown":
        files = _called | _of_module[item.nodeid.partition("::")[0]]
        if files:
            RECORDS.mkdir(parents=True, exist_ok=True)
            name = item.nodeid.partition("@")[0]
            line = {"test": name, "seconds": _seconds[item.nodeid], "files": sorted(files)}
            worker = os.environ.get("PYTEST_XDIST_WORKER", "alone")
            with (RECORDS / f"{worker}.jsonl").open("a") as file:
                file.write(json.dumps(line) + "\n")
    return (yield)

"""What the tests of a process share: one Spark session, and the count of what was compared."""

import json
from binascii import crc32
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import settings

from tests.server import served
from tests.session import FORMATS, embedded_spark

_COMPARED = pytest.StashKey[Counter]()
_LEFT_OUT = pytest.StashKey[int]()


def pytest_addoption(parser):
    parser.addoption(
        "--thorough",
        action="store_true",
        help="compiled plans, as Spark makes them for users (a quarter slower on little data), and "
        "large streams of users cut in two as well",
    )
    parser.addoption(
        "--sample",
        metavar="SEED",
        help="every second of the tests marked `sampled`, by this seed; without it all of them",
    )
    parser.addoption(
        "--file-format",
        choices=FORMATS,
        default="parquet",
        help="the table format of what dbt builds; the profile's target of that name is started",
    )
    parser.addoption(
        "--over-thrift",
        type=int,
        metavar="WORKERS",
        help="over a Thrift server of its own, above a cluster of so many workers; 0: alone",
    )
    parser.addoption(
        "--results",
        type=Path,
        metavar="FILE",
        help="write what was run and compared there, as JSON (tests/results.py reads it)",
    )


def pytest_configure(config):
    """What is drawn in CI is the same in each run; `make test-all` draws anew."""
    settings.register_profile("sample", derandomize=True)
    if config.getoption("--sample") is not None:
        settings.load_profile("sample")


def pytest_collection_modifyitems(config, items):
    """Leaves out what is marked with other table formats, and half of what is sampled. The seed
    decides, and every process alike."""
    _leave_out(config, items, [item for item in items if _is_of_another_format(config, item)])
    if (seed := config.getoption("--sample")) is not None:
        unsampled = [
            item
            for item in items
            if item.get_closest_marker("sampled") and crc32(f"{seed} {item.nodeid}".encode()) % 2
        ]
        config.stash[_LEFT_OUT] = len(unsampled)
        _leave_out(config, items, unsampled)


def _is_of_another_format(config, item) -> bool:
    formats = {name for name in FORMATS if item.get_closest_marker(name)}
    return bool(formats) and config.getoption("--file-format") not in formats


def _leave_out(config, items, some) -> None:
    config.hook.pytest_deselected(items=some)
    left_out = set(some)
    items[:] = [item for item in items if item not in left_out]


@pytest.fixture(scope="session")
def spark(tmp_path_factory, pytestconfig):
    """The one Spark session of the test process: nothing of it is kept."""
    folder = tmp_path_factory.mktemp("warehouse")
    file_format = pytestconfig.getoption("--file-format")
    workers = pytestconfig.getoption("--over-thrift")
    if workers is not None:
        with served(
            folder, "local" if file_format == "parquet" else file_format, workers
        ) as session:
            yield session
        return
    session = embedded_spark(folder, pytestconfig.getoption("--thorough"), file_format)
    yield session
    session.stop()


@pytest.fixture(scope="session")
def compared(pytestconfig):
    """A Counter to add to: `compared["rows of cur_ with the database"] += n`. Its sums end the
    test report, so that a run that compared nothing can be told from one that did."""
    return pytestconfig.stash.setdefault(_COMPARED, Counter())


def pytest_sessionfinish(session):
    """Of several processes (pytest-xdist), each hands its counts to the one that reports."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["compared"] = dict(session.config.stash.get(_COMPARED, {}))
        session.config.workeroutput["left_out"] = session.config.stash.get(_LEFT_OUT, 0)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node):
    output = getattr(node, "workeroutput", {})
    node.config.stash.setdefault(_COMPARED, Counter()).update(output.get("compared", {}))
    # the same in each
    node.config.stash[_LEFT_OUT] = output.get("left_out", 0)


def pytest_terminal_summary(terminalreporter, config):
    counts = config.stash.get(_COMPARED, {})
    if results := config.getoption("--results"):
        ended = {
            outcome: len(terminalreporter.stats.get(outcome, []))
            for outcome in ("passed", "failed", "error", "skipped")
        }
        results.parent.mkdir(parents=True, exist_ok=True)
        results.write_text(json.dumps({"tests": ended, "compared": counts}))
    if counts:
        terminalreporter.section("compared")
        for what, number in sorted(counts.items()):
            terminalreporter.line(f"{number:>12,} {what}")
        failed = len(terminalreporter.stats.get("failed", []))
        found = f"in the {failed} failed tests above" if failed else "0"
        terminalreporter.line(f"differences that are not listed as out of reach: {found}")
    if left_out := config.stash.get(_LEFT_OUT, 0):
        seed = config.getoption("--sample")
        terminalreporter.line(
            f"left out of the sample: {left_out} tests (--sample {seed}); make test-all runs them"
        )

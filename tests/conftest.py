"""What the tests of a process share: one Spark session, and counts of what was compared."""

import json
import os
import shutil
import time
from collections import Counter
from pathlib import Path

import pytest
import yaml
from dbt_common.tests import enable_test_caching
from hypothesis import settings

from afterimage.errors import UserError
from afterimage.jars import require_jars
from afterimage.table_formats import TABLE_FORMATS
from tests.server import served
from tests.session import CLASS_PATH, class_path, embedded_spark
from tests.truth.captures import SHARED_CAPTURES, shared_folder

# LibYAML reads the same files ten times as fast as Python
yaml.SafeLoader = yaml.CSafeLoader
_COMPARED = pytest.StashKey[Counter]()
_LEFT_OUT = pytest.StashKey[dict]()
PROTECTS = Path(__file__).with_name("protects.yml")
UNMARKED = "This test starts Spark: mark it `spark`."
OUT_OF_TIME = "no time is left (--within)"
_BEGUN = time.monotonic()
_PASSED: Path | None = None  # the file of --resume, in the process that reports
_NO_SPARK: Path | None = None  # a folder without Spark, made once in a process
# a test's project has its own profile; what `make` sets for the repository would hide it
os.environ.pop("DBT_PROFILES_DIR", None)


def pytest_addoption(parser):
    parser.addoption(
        "--thorough",
        action="store_true",
        help="compiled plans, as Spark makes them for users (a quarter slower on little data), and "
        "large streams of users cut in two as well",
    )
    parser.addoption(
        "--file-format",
        choices=TABLE_FORMATS,
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
    parser.addoption(
        "--shard", metavar="K/N", help="every N-th of the tests, beginning with the K-th"
    )
    parser.addoption(
        "--within", type=float, metavar="SECONDS", help="skip the tests that would begin later"
    )
    parser.addoption(
        "--resume",
        type=Path,
        metavar="FILE",
        help="leave out the tests that FILE names, and add each that passes",
    )


def pytest_configure(config):
    # dbt's own test cache: a parsed macro text is kept, so that the hundreds of projects of a
    # process parse the package's macros once
    enable_test_caching()
    global _PASSED
    if not hasattr(config, "workerinput"):
        _PASSED = config.getoption("--resume")
        # reported once, before processes start that would report it for each test
        if config.getoption("numprocesses", None):
            _require_jars(config)
    # the same examples in each run; `make test-all` draws new ones
    settings.register_profile("same", derandomize=True)
    if not config.getoption("--thorough"):
        settings.load_profile("same")


def _require_jars(config) -> None:
    """Ends the session with one message if a jar is missing or damaged."""
    try:
        require_jars({CLASS_PATH: class_path("avro", config.getoption("--file-format"))})
    except UserError as error:
        raise pytest.UsageError(error.message) from error


# first, so that `-m` knows the marks
@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    """Marks tests that need Spark or shared captures, by their fixtures and parameters. Leaves out
    tests of other table formats, tests whose captures are absent, and tests that passed already."""
    names = protecting_tests()
    # the test itself, the functions of a file, the cases of a function
    protecting = tuple(f"{name}{end}" for name in names for end in ("::", "["))
    alone = set(names)
    for item in items:
        if "spark" in item.fixturenames:
            item.add_marker("spark")
        if needs_shared(item):
            item.add_marker("shared")
        if name_of(item) in alone or name_of(item).startswith(protecting):
            item.add_marker("protects")
    _leave_out(config, items, "", [item for item in items if _is_of_another_format(config, item)])
    if not shared_folder().exists():
        absent = [item for item in items if item.get_closest_marker("shared")]
        _leave_out(config, items, f"need captures that are not here: {shared_folder()}", absent)
    if shard := config.getoption("--shard"):
        number, shards = map(int, shard.split("/"))
        # tests of one project stay together: each shard would build it
        places = {name: place for place, name in enumerate(dict.fromkeys(map(_project_of, items)))}
        others = [i for i in items if places[_project_of(i)] % shards != number - 1]
        _leave_out(config, items, "", others)
    if (passed := config.getoption("--resume")) and passed.is_file():
        names = set(passed.read_text().splitlines())
        done = [item for item in items if item.nodeid in names]
        _leave_out(config, items, f"passed before ({passed})", done)


def protecting_tests() -> list[str]:
    """The tests, functions and files that protects.yml lists."""
    listed = yaml.safe_load(PROTECTS.read_text(encoding="utf-8"))
    return [name for entry in listed for name in entry["tests"]]


def name_of(item) -> str:
    """The name of a test, without the group that xdist appends."""
    return item.nodeid.partition("@")[0]


def needs_shared(item) -> bool:
    """Whether a parameter of a test is the name of a shared capture, or such a capture."""

    def names(value) -> list[str]:
        if isinstance(value, tuple | list):
            return [name for part in value for name in names(part)]
        if isinstance(value, dict):  # a row of docs/reference/what-the-stream-loses.yml
            value = str(value.get("seen", "")).partition(" ")[0]
        name = getattr(value, "name", value)
        return [name] if isinstance(name, str) else []

    given = item.callspec.params.values() if hasattr(item, "callspec") else ()
    return bool(set(SHARED_CAPTURES) & set(names(list(given))))


def _is_of_another_format(config, item) -> bool:
    formats = {name for name in TABLE_FORMATS if item.get_closest_marker(name)}
    return bool(formats) and config.getoption("--file-format") not in formats


def _project_of(item) -> str:
    """A key that tests of one project share; else the test itself."""
    group = item.get_closest_marker("xdist_group")
    return str(group.args) if group else item.nodeid


def _leave_out(config, items, why: str, some: list) -> None:
    config.hook.pytest_deselected(items=some)
    left_out = set(some)
    items[:] = [item for item in items if item not in left_out]
    if why and some:
        config.stash.setdefault(_LEFT_OUT, {})[why] = len(some)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    seconds = item.config.getoption("--within")
    if seconds is not None and time.monotonic() - _BEGUN > seconds:
        pytest.skip(OUT_OF_TIME)


@pytest.fixture(autouse=True)
def _spark_is_marked(request, monkeypatch, tmp_path_factory):
    """A test without the mark `spark` cannot start Spark, in its process or in another."""
    if request.node.get_closest_marker("spark"):
        return
    global _NO_SPARK
    if _NO_SPARK is None:
        _NO_SPARK = tmp_path_factory.mktemp("no_spark")
        program = _NO_SPARK / "bin" / "spark-submit"
        program.parent.mkdir()
        program.write_text(f"#!/bin/sh\necho '{UNMARKED}' >&2\nexit 1\n")
        program.chmod(0o755)
    monkeypatch.setenv("SPARK_HOME", str(_NO_SPARK))


@pytest.fixture(scope="session")
def spark(tmp_path_factory, pytestconfig):
    """The only Spark session of the test process; nothing of it is kept."""
    folder = tmp_path_factory.mktemp("warehouse")
    file_format = pytestconfig.getoption("--file-format")
    workers = pytestconfig.getoption("--over-thrift")
    if workers is not None:
        with served(
            folder, "local" if file_format == "parquet" else file_format, workers
        ) as session:
            yield session
        return
    try:
        _require_jars(pytestconfig)
    except pytest.UsageError as error:
        pytest.exit(str(error), returncode=1)
    session = embedded_spark(folder, pytestconfig.getoption("--thorough"), file_format)
    yield session
    session.stop()


@pytest.fixture(scope="session")
def compared(pytestconfig):
    """A Counter to add to: `compared["rows of cur_ with the database"] += n`. The test report ends
    with its sums, so that a run that compared nothing is visible."""
    return pytestconfig.stash.setdefault(_COMPARED, Counter())


def pytest_sessionfinish(session):
    """With several processes (pytest-xdist), each passes its counts to the one that reports."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["compared"] = dict(session.config.stash.get(_COMPARED, {}))
        session.config.workeroutput["left_out"] = session.config.stash.get(_LEFT_OUT, {})


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node):
    output = getattr(node, "workeroutput", {})
    node.config.stash.setdefault(_COMPARED, Counter()).update(output.get("compared", {}))
    # the same in each
    node.config.stash[_LEFT_OUT] = output.get("left_out", {})


def pytest_terminal_summary(terminalreporter, config):
    counts = config.stash.get(_COMPARED, {})
    if results := config.getoption("--results"):
        ended = {
            outcome: len(terminalreporter.stats.get(outcome, []))
            for outcome in ("passed", "failed", "error", "skipped")
        }
        results.parent.mkdir(parents=True, exist_ok=True)
        skipped = [str(report.longrepr) for report in terminalreporter.stats.get("skipped", [])]
        out_of_time = sum(OUT_OF_TIME in reason for reason in skipped)
        results.write_text(
            json.dumps({"tests": ended, "compared": counts, "out_of_time": out_of_time})
        )
    if counts:
        terminalreporter.section("compared")
        for what, number in sorted(counts.items()):
            terminalreporter.line(f"{number:>12,} {what}")
        failed = len(terminalreporter.stats.get("failed", []))
        found = f"in the {failed} failed tests above" if failed else "0"
        terminalreporter.line(f"differences that are not listed as out of reach: {found}")
    for why, number in config.stash.get(_LEFT_OUT, {}).items():
        terminalreporter.line(f"left out: {number:,} tests that {why}")


def pytest_runtest_logreport(report):
    """Records passed tests, in the process that reports."""
    if report.when == "call" and report.passed and _PASSED is not None:
        with _PASSED.open("a") as file:
            print(report.nodeid, file=file)


@pytest.fixture(scope="module")
def browser():
    """Chromium, as installed here."""
    playwright = pytest.importorskip(
        "playwright.sync_api", reason="no axe-playwright-python here: make installs it"
    )
    found = [shutil.which(name) for name in ("chromium", "chromium-browser", "google-chrome")]
    if not any(found):
        pytest.skip("no Chromium here (apt install chromium): no page is looked at")
    options = "--no-sandbox --disable-gpu --disable-background-networking --disable-sync"
    with playwright.sync_playwright() as started:
        path = next(filter(None, found))
        launched = started.chromium.launch(executable_path=path, args=options.split())
        yield launched
        launched.close()

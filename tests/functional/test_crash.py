"""Law of crash: a run killed at any statement, then run again, ends in the same state.

The kill is an error raised at the n-th writing statement and at every statement after it, as if the
process were gone; `torn` kills after an insert of which only some files remain. Then more records
land, some of them late, and a full run follows.
"""

import contextlib
import random
import re
from pathlib import Path

import pytest

from tests.functional.conftest import drop
from tests.functional.project import DbtFailed
from tests.functional.small_stream import PARTS, build, contents
from tests.functional.statements import passing_through
from tests.server import THREADS, ServerSession
from tests.session import file_format_of

WRITES = re.compile(
    r"\s*(/\*.*?\*/)?\s*(--[^\n]*\n\s*)*(?P<verb>create|insert|alter|drop|merge)\b", re.S | re.I
)
# Writing statements of the first and of the second run of the project below, by table format; the
# fixture `unharmed` holds them.
STATEMENTS = {
    "parquet": {1: 47, 2: 41},
    "delta": {1: 45, 2: 36},
    "iceberg": {1: 45, 2: 36},
}
# Which of them are inserts. An interrupted insert leaves some of its files as rows only on Parquet;
# on other formats they are in no commit.
INSERTS = {
    1: [5, 7, 13, 14, 16, 17, 23, 32, 38, 44],
    2: [2, 4, 5, 9, 11, 12, 17, 25, 30, 32, 38],
}


@contextlib.contextmanager
def killed_at(number: int, torn: Path | None = None):
    """Statements from the `number`-th write on are not run; out: a list of the writes.

    torn: the warehouse; the write itself is then run, without one of its files.
    """
    written: list[str] = []
    torn_already = []

    def act(sql, carry_out):
        if WRITES.match(sql):
            written.append(sql)
        if len(written) < number:
            return carry_out(sql)
        if torn and len(written) == number and not torn_already:
            torn_already.append(True)
            before = set(torn.rglob("part-*.parquet"))
            carry_out(sql)
            made = sorted(set(torn.rglob("part-*.parquet")) - before)
            if len(made) > 1 and "insert" in sql:
                made[0].unlink()
        raise RuntimeError("killed")

    with passing_through(act):
        yield written


@pytest.fixture(scope="session")
def unharmed(spark, tmp_path_factory):
    """The result without a kill."""
    if isinstance(spark, ServerSession):
        spark.threads = 1  # for a fixed order of statements
    project = build(spark, tmp_path_factory.mktemp("unharmed"), "unharmed")
    statements, inserts = {}, {}
    for run, part in enumerate(PARTS, start=1):
        project.land(part)
        with killed_at(10**6) as written:
            project.run("run")
        statements[run] = len(written)
        verbs = [WRITES.match(sql)["verb"].lower() for sql in written]
        inserts[run] = [n for n, verb in enumerate(verbs, start=1) if verb == "insert"]
    del statements[3], inserts[3]
    file_format = file_format_of(spark)
    if file_format != "parquet":
        inserts = INSERTS
    expected = (STATEMENTS[file_format], INSERTS)
    assert (statements, inserts) == expected, f"{statements} {inserts}"
    yield contents(project)
    drop(spark, project)
    if isinstance(spark, ServerSession):
        spark.threads = THREADS


def test_what_is_expected_itself(unharmed):
    assert len(unharmed["cur keyed"]) == 1 and "'note': 'B'" in unharmed["cur keyed"][0]
    # three equal rows at 100, one at 200, one of them updated; one more of the updated kind
    assert len(unharmed["cur bag"]) == 5
    assert len(unharmed["hist keyed"]) == 3


def cases(file_format: str) -> list:
    """Every statement of the first and of a later run; a seeded few of them in CI."""
    killed = [
        (run, number, False)
        for run, statements in STATEMENTS[file_format].items()
        for number in range(1, statements + 1)
    ]
    torn = [(run, number, True) for run, numbers in INSERTS.items() for number in numbers]
    if file_format != "parquet":
        torn = []
    of_formats = {random.Random(4).choice(killed), *random.Random(4).sample(torn, bool(torn))}
    chosen = {*of_formats, random.Random(5).choice(killed)}

    def marks(case) -> list:
        if case in chosen:
            return [pytest.mark.formats] if case in of_formats else []
        return [pytest.mark.slow, pytest.mark.formats]

    return [pytest.param(*case, marks=marks(case)) for case in killed + torn]


def pytest_generate_tests(metafunc):
    if "torn" in metafunc.fixturenames:
        file_format = metafunc.config.getoption("--file-format")
        metafunc.parametrize(("run", "number", "torn"), cases(file_format))


def test_a_killed_run_leaves_no_trace(run, number, torn, unharmed, spark, tmp_path):
    project = build(spark, tmp_path, "crash")
    warehouse = Path(spark.conf.get("spark.sql.warehouse.dir").removeprefix("file:"))
    try:
        first, second, third = PARTS
        project.land(first)
        if run == 2:
            project.run("run")
            project.land(second)
        killed = killed_at(number, warehouse / "crash.db" if torn else None)
        with killed as written, contextlib.suppress(DbtFailed):
            project.run("run")
        if isinstance(spark, ServerSession):
            # only the user can know that the server no longer runs a statement
            for row in spark.sql(f"show tables in {project.schema} like '*__batch'").collect():
                spark.sql(f"drop table {project.schema}.{row['tableName']}")
        project.land(([] if run == 2 else second) + third)
        project.run("run")
        assert contents(project) == unharmed, written[number - 1]
    finally:
        drop(spark, project)

"""Equal rows at one position survive a partial append, whichever part arrived."""

import contextlib

import pytest

from tests.functional.project import DbtFailed
from tests.functional.small_stream import TABLES, record
from tests.functional.statements import passing_through

ROW = (7, "x")
# one row from the connector's first read, two from the next: there are two
EQUAL_ROWS = [
    record("bag", 0, 100, "c", None, ROW, "A"),
    record("bag", 1, 100, "c", None, ROW, "B"),
    record("bag", 2, 100, "c", None, ROW, "B"),
]


def only_arrives(offset: int):
    """The insert into the change log writes only the row of one record; then the run dies."""

    def act(sql, carry_out):
        if "where\n    batch._cdc_outcome = 'accepted'" not in sql:
            return carry_out(sql)
        carry_out(f"{sql} and batch._cdc_offset = {offset}")
        raise RuntimeError("killed")

    return passing_through(act)


@pytest.mark.parametrize("offset", [0, 2])
def test_the_rows_left_out_come_with_the_next_run(make_project, offset):
    project = make_project(
        "torn_equal_rows",
        tables={"bag": TABLES["bag"]},
    )
    project.land(EQUAL_ROWS)
    with only_arrives(offset), contextlib.suppress(DbtFailed):
        project.run("run")
    # the partial append is there: one row of the two
    assert [row["_cdc_offset"] for row in project.rows("stg_s__bag")] == [offset]

    project.run("run")

    assert len({row["_cdc_event_id"] for row in project.rows("stg_s__bag")}) == 2
    assert len(project.rows("cur_s__bag")) == 2
    outcomes = {outcome: number for (_, outcome, _), number in project.counts().items()}
    assert (outcomes["landed"], outcomes["staged"], outcomes["duplicate"]) == (3, 2, 1)

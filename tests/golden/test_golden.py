"""Models and macros render to the SQL that was reviewed and accepted, and it is well formed.

`make golden` accepts a change; the difference is then part of the review.
"""

import difflib
from pathlib import Path

import pytest
import sqlglot

from tests.databricks.warehouse import REFUSED
from tests.golden.lint import faults_of, not_linted
from tests.golden.manifest import faults_of as faults_of_manifest
from tests.golden.reads import reads
from tests.golden.render import parsed, rendered

GOLDEN = Path(__file__).with_name("sql")
ACCEPTED = sorted(path.stem for path in GOLDEN.glob("*.sql"))
# of any step; docs/decisions/0034-each-step-read-once.md
MOST_READS = 26
# of a routine statement: bytes, and characters of its longest line; if they shrink, lower these
LARGEST, LONGEST = 15_250, 128
ROUTINE = ("stg_", "change_log_routine")
# rendered once, by one process
pytestmark = pytest.mark.xdist_group("golden")


@pytest.mark.parametrize("name", ACCEPTED)
def test_it_renders_to_what_was_accepted(name):
    texts = rendered()
    assert name in texts, f"{name} is rendered no more: make golden"
    accepted = (GOLDEN / f"{name}.sql").read_text()
    if texts[name] != accepted:
        difference = difflib.unified_diff(
            accepted.splitlines(),
            texts[name].splitlines(),
            "accepted",
            "rendered",
            lineterm="",
            n=1,
        )
        pytest.fail("\n".join([*list(difference)[:60], "Accept it: make golden"]), pytrace=False)


def test_all_that_is_rendered_was_accepted():
    assert sorted(rendered()) == ACCEPTED, "make golden accepts what is new"


def test_it_is_well_formed():
    """Only SQL that changed since it was accepted is linted again."""
    assert faults_of(not_linted(rendered())) == []


@pytest.mark.parametrize("name", ACCEPTED)
def test_no_step_is_read_too_often(name):
    often = {step: times for step, times in reads(rendered()[name]).items() if times > MOST_READS}
    assert not often, (
        "Spark plans each read anew: use a window instead of a join of the step with itself"
    )


@pytest.mark.parametrize("name", ACCEPTED)
def test_databricks_has_its_syntax(name):
    """And its warehouses refuse no statement of that kind."""
    sql = rendered()[name]
    assert not REFUSED.search(sql)
    sqlglot.parse(sql, dialect="databricks")


@pytest.mark.parametrize("name", [n for n in ACCEPTED if n.startswith(ROUTINE)])
def test_a_routine_statement_stays_short(name):
    sql = rendered()[name]
    assert len(sql.encode()) <= LARGEST
    assert max(map(len, sql.splitlines())) <= LONGEST


def test_reads_multiply():
    sql = """with

a as (
    select 1 from landed
),

b as (
    select 1 from a union all select 2 from a
),

c as (
    select 1 from b
    inner join b as again on true
)

select 1 from c
"""
    assert reads(sql) == {"a": 4, "b": 2, "c": 1}


def test_models_and_macros_keep_the_rules_of_the_house():
    assert faults_of_manifest(parsed()) == []

"""What models and macros render to is what was read and accepted, and it is well formed.

A change of it is accepted by `make golden`; the difference then is part of the review.
"""

from __future__ import annotations

import difflib
from pathlib import Path

import pytest

from tests.golden.lint import faults_of, not_linted
from tests.golden.manifest import faults_of as faults_of_manifest
from tests.golden.render import parsed, rendered

GOLDEN = Path(__file__).with_name("sql")
ACCEPTED = sorted(path.stem for path in GOLDEN.glob("*.sql"))
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
    """Only what changed since it was accepted is linted again."""
    assert faults_of(not_linted(rendered())) == []


def test_models_and_macros_keep_the_rules_of_the_house():
    assert faults_of_manifest(parsed()) == []

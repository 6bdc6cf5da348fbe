"""Every deliberate breakage can still be made; `make mutants` makes them."""

from collections import Counter

import pytest

from tests.mutants.run import ROOT, mutants

MUTANTS = mutants([])


def test_names_differ():
    assert [name for name, times in Counter(m.name for m in MUTANTS).items() if times > 1] == []
    assert len(MUTANTS) >= 20


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name.replace(" ", "-"))
def test_it_has_its_place(mutant):
    text = (ROOT / mutant.file).read_text(encoding="utf-8")
    assert text.count(mutant.find) == 1
    assert mutant.replace != mutant.find

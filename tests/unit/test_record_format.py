"""The map of record formats: each entry has all described keys, and its folder."""

import re

import pytest

from afterimage.macros import MACROS, Macros

FORMS = MACROS / "forms"
FORMATS = Macros().record_formats()
WORDS = (FORMS / "record_format.sql").read_text(encoding="utf-8").split("{% macro")[0]
TRAITS = set(re.findall(r"(?m)^    ([a-z_]+)  +", WORDS))


@pytest.mark.parametrize("name", FORMATS)
def test_a_format_has_every_trait_and_its_files(name):
    traits = FORMATS[name]
    assert traits.keys() == TRAITS
    assert (FORMS / name / f"{name}.sql").is_file()
    assert (FORMS / name / f"{name}_routine.sql").is_file() == traits["has_routine"]
    assert (FORMS / name / f"{name}_faults.sql").is_file() == traits["has_faults"]


def test_every_trait_is_asked_somewhere():
    asked = "\n".join(path.read_text(encoding="utf-8") for path in MACROS.rglob("*.sql"))
    assert {trait for trait in TRAITS if f"['{trait}']" not in asked} == set()
